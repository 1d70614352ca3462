"""What a page costs on the wire: all bytes of all answers, headers among them."""

import http.client
from contextlib import closing
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext


def first_load(context: BrowserContext, url: str) -> dict[str, int]:
    """The bytes of every answer that a first visit of a form takes, by its path.

    The page's worker is fetched by the browser itself, and is measured by hand.
    """
    page = context.new_page()
    session = context.new_cdp_session(page)
    paths: dict[str, str] = {}
    found: dict[str, int] = {}

    def begin(event: dict[str, object]) -> None:
        request = event["request"]
        assert isinstance(request, dict)
        paths[str(event["requestId"])] = urlsplit(str(request["url"])).path

    def end(event: dict[str, object]) -> None:
        path = paths[str(event["requestId"])]
        found[path] = found.get(path, 0) + int(str(event["encodedDataLength"]).partition(".")[0])

    session.on("Network.requestWillBeSent", begin)
    session.on("Network.loadingFinished", end)
    session.send("Network.enable")
    page.goto(url)
    page.locator("main[data-kept]").wait_for()
    page.close()
    return {**found, "/s/worker.js": _bytes_of(url, "/s/worker.js")}


def _bytes_of(url: str, path: str) -> int:
    """An answer's bytes: its line, its headers and its compressed body."""
    with closing(http.client.HTTPConnection(urlsplit(url).netloc)) as connection:
        connection.request("GET", path, headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
        response = connection.getresponse()
        headers = sum(len(name) + len(value) + 4 for name, value in response.getheaders())
        return len("HTTP/1.1 200 OK\r\n") + headers + 2 + len(response.read())
