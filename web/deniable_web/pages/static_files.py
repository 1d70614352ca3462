"""The pages' styles and scripts, and the JavaScript SDK that they use.

The script of a page is served with all its imports in one file; the modules of the SDK are
served one by one, too. All are without comments and indentation, and compressed. Every
address contains a digest of all files together. So browsers may cache files without limit,
and never mix two versions. No other package changes a byte: `deniable verify` compares them.
"""

import mimetypes
import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256, sha384
from pathlib import Path, PurePosixPath
from typing import Final

from flask import Blueprint, Flask, Response, abort
from jinja2 import pass_context
from jinja2.runtime import Context

from deniable_collector.permissions import open_to_everybody
from deniable_collector.responses import Compressed
from deniable_web.packaged_files import STATIC, sdk_folder
from deniable_web.pages.bundles import bundle
from deniable_web.pages.roots import ROOT

MAX_AGE_S: Final = 300
EMBED: Final = "embed.js"
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_FOR_A_WHILE: Final = f"public, max-age={MAX_AGE_S}"
_VERSION_DIGITS: Final = 12
# The scripts of pages, each served with its imports in one file.
_ENTRIES: Final = (
    "accounts/colleagues.js",
    "accounts/trail.js",
    "builder/begin.js",
    "builder/drafts.js",
    "builder/main.js",
    "builder/preview.js",
    "builder/share.js",
    "form/main.js",
    "form/main_with_both.js",
    "form/main_with_fieldwork.js",
    "form/main_with_scores.js",
    "form/message.js",
    "results/ask_issuer.js",
    "results/results.js",
    "results/surveys.js",
)
# The scripts that import nothing, each served as it is.
_ALONE: Final = (EMBED, "form/worker.js")
_COMMENT_OF_STYLE: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
# Texts and regular expressions of a script, as our formatter writes them; its constants; commas
# and semicolons before a bracket, where none is needed; and what is between words and signs.
_PIECES: Final = re.compile(
    r"""(?P<kept>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'"""
    r"|`(?:\\.|\$\{(?:[^`{}]|\{[^{}]*\}|`(?:\$\{[^}]*\}|[^`])*`)*\}|[^`\\])*`"
    r"|(?:(?<=[(\[!])|(?<=[=,:&|?] )|(?<=return )|(?<=  ))"
    r"/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n\[])+/)"
    r"|(?P<constant>\bconst(?= ))"
    r"|(?P<needless>,(?=\s*[)\]}])|;(?=\s*\}))"
    r"|(?:\s|/\*(?s:.*?)\*/|//.*)+"
)
_WORD: Final = re.compile(r"[\w$#]")


@dataclass(frozen=True, slots=True)
class StaticFiles:
    """All files by name, and the digest of all their bytes together."""

    version: str
    files: dict[str, Compressed]

    def url(self, name: str) -> str:
        """The address of a file on the site; raises KeyError if there is no such file."""
        if name not in self.files:
            raise KeyError(name)
        return f"/static/v-{self.version}/{name}"

    def integrity(self, name: str) -> str:
        """The value of a file's `integrity` attribute."""
        digest = sha384(self.files[name].plain).digest()
        return f"sha384-{b64encode(digest).decode()}"


@cache
def static_files() -> StaticFiles:
    """The files of this installation, read once."""
    files = {
        name: _prepared(name, path.read_bytes())
        for name, path in _paths().items()
        if name.startswith("sdk/") or name in _ALONE or not name.endswith(".js")
    }
    for name in _ENTRIES:
        files[name] = _prepared(name, bundle(name, source).encode())
    digest = sha256()
    for name, file in files.items():
        digest.update(f"{name}\0{len(file.plain)}\0".encode() + file.plain)
    return StaticFiles(digest.hexdigest()[:_VERSION_DIGITS], files)


def source(name: str) -> str:
    """The text of a script or a style as it is in the repository, with its comments."""
    return _paths()[name].read_text(encoding="utf-8")


def add_static_files(app: Flask) -> None:
    """Serve the files under /static, and let templates use their addresses."""
    found = static_files()
    app.register_blueprint(_routes(found))

    @pass_context
    def static_url(page: Context, name: str) -> str:
        return f"{page[ROOT]}{found.url(name).removeprefix('/')}"

    app.jinja_env.globals.update(static_url=static_url)


def _routes(found: StaticFiles) -> Blueprint:
    routes = Blueprint("static_files", __name__)

    @routes.get("/static/v-<version>/<path:name>")
    @open_to_everybody
    def versioned(version: str, name: str) -> Response:
        # A page that was loaded before an update gets the present file.
        return _send(found, name, _FOR_EVER if version == found.version else _FOR_A_WHILE)

    @routes.get("/static/<path:name>")
    @open_to_everybody
    def newest(name: str) -> Response:
        return _send(found, name, _FOR_A_WHILE)

    return routes


def _send(found: StaticFiles, name: str, caching: str) -> Response:
    """The same bytes and headers for everyone, so that no browser can be recognised."""
    file = found.files.get(name)
    if file is None:
        abort(404)
    response = file.respond()
    if name == EMBED:
        # Pages of other sites load this file, and check its digest.
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.headers["Cache-Control"] = caching
    return response


@cache
def _paths() -> dict[str, Path]:
    """The files by name, in the order of their names."""
    found = {
        prefix + path.relative_to(folder).as_posix(): path
        for prefix, folder in (("sdk/", sdk_folder()), ("", STATIC))
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".md"
    }
    return dict(sorted(found.items()))


def _prepared(name: str, plain: bytes) -> Compressed:
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    shortened = _SHORTENED.get(PurePosixPath(name).suffix)
    if shortened:
        plain = shortened(plain.decode()).encode()
    return Compressed(media_type, plain)


def _shortened_style(text: str) -> str:
    """A style in the form of our formatter that does the same with fewer bytes."""
    lines = (line.strip(" ") for line in _COMMENT_OF_STYLE.sub("", text).split("\n"))
    return "\n".join(filter(None, lines))


def _shortened_script(text: str) -> str:
    """A script in the form of our formatter that does the same with fewer bytes."""
    return _PIECES.sub(_piece, text)


def _piece(found: re.Match[str]) -> str:
    if found["kept"] or found["constant"]:
        return found["kept"] or "let"
    if found["needless"]:
        return ""
    start, end = found.span()
    before, after = found.string[max(start - 1, 0) : start], found.string[end : end + 1]
    if _WORD.match(before) and _WORD.match(after):
        return " "
    return " " if before == after and before in "+-/" else ""


_SHORTENED: Final = {".js": _shortened_script, ".css": _shortened_style}
