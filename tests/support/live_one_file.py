"""The form in one file, on a disk or at a host that knows nothing of surveys."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import Page

from deniable_web.pages.languages import catalog

TEXTS = catalog("form", "en")


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of a host of files that knows nothing of surveys."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@contextmanager
def placed(way: str, folder: Path, text: bytes) -> Iterator[str]:
    """The address of a file on a disk, or at a host of its own."""
    folder.mkdir(exist_ok=True)
    file = folder / "form.html"
    file.write_bytes(text)
    if way == "a disk":
        yield file.as_uri()
    else:
        with hosted(folder) as host:
            yield f"{host}/form.html"


def opened(page: Page, address: str) -> list[str]:
    """Open a file and wait until it is ready; what the browser says of it from now on."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(address)
    page.locator("main[data-kept]").wait_for()
    return said
