"""The pages' styles and scripts, and the JavaScript SDK they use."""

from flask import Blueprint, send_from_directory
from werkzeug.wrappers import Response

from deniable_web.packaged_files import STATIC, sdk_folder

MAX_AGE_S = 300


def create_static_files() -> Blueprint:
    """The routes under /static."""
    files = Blueprint("static_files", __name__)
    sdk = sdk_folder()

    @files.get("/static/sdk/<path:name>")
    def sdk_file(name: str) -> Response:
        return _send(str(sdk), name)

    @files.get("/static/<path:name>")
    def static_file(name: str) -> Response:
        return _send(str(STATIC), name)

    return files


def _send(folder: str, name: str) -> Response:
    # The same bytes and headers for everyone: no identifier by which a
    # returning browser could be recognised.
    response = send_from_directory(folder, name, conditional=False, etag=False, max_age=MAX_AGE_S)
    del response.headers["Last-Modified"]
    return response
