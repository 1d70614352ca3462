"""A server between a site and whoever asks it, which changes what it passes on.

`with tampering_proxy(site.url, tamper) as proxy:` listens on `proxy.port`, at 127.0.0.1 and
all other addresses of this machine that begin with 127. Bodies are compressed with gzip for
whoever accepts that. Below a path, it passes on only what is there, without that path.
"""

import gzip
import http.client
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

_PASSED_ON = {"authorization", "cookie", "deniable-page", "origin", "sec-fetch-site"}
_OF_TRANSPORT = {"content-length", "content-encoding", "transfer-encoding", "connection", "date"}


@dataclass
class Exchange:
    """A request and its answer, which may be changed.

    Args:
        path: of the request, on the site if it is there.
        asked: the headers of the request, by names in lower case.
        over: the address of this machine to which it came.
        status: of the answer.
        headers: of the answer, by names in lower case.
        body: of the answer, not compressed.
        raw: if given, all that is sent in place of the answer, piece by piece.
    """

    path: str
    asked: dict[str, str]
    over: str
    status: int
    headers: dict[str, str]
    body: bytes
    raw: Iterable[bytes] | None = None

    @property
    def agent(self) -> str:
        """Which client it says that it is."""
        return self.asked.get("user-agent", "")

    def packed(self) -> bytes:
        """The body as it is sent; the headers say how."""
        if "gzip" in self.asked.get("accept-encoding", ""):
            self.headers.setdefault("content-encoding", "gzip")
        coded = self.headers.get("content-encoding") == "gzip"
        return gzip.compress(self.body) if coded else self.body


Tamper = Callable[[Exchange], None]


@dataclass
class TamperingProxy:
    """A running proxy, and all requests that it got."""

    port: int
    asked: list[Exchange] = field(default_factory=list)

    def url(self, scheme: str = "http", host: str = "127.0.0.1") -> str:
        """Its address."""
        return f"{scheme}://{host}:{self.port}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    target: str
    tamper: Tamper
    asked: list[Exchange]
    below: str

    def handle_error(self, *_: Any) -> None:
        """Say nothing of a client that refuses the certificate or goes away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        self.do_GET()

    def do_PUT(self) -> None:
        self.do_GET()

    def do_DELETE(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        exchange = self._exchange()
        self.server.asked.append(exchange)
        self.server.tamper(exchange)
        self.close_connection = True
        # Whoever is sent too much goes away.
        with suppress(OSError):
            self._answer(exchange)

    def _exchange(self) -> Exchange:
        asked = {name.lower(): value for name, value in self.headers.items()}
        over = self.connection.getsockname()[0]
        if not self.path.startswith(f"{self.server.below}/"):
            return Exchange(self.path, asked, over, 404, {}, b"")
        path = self.path.removeprefix(self.server.below)
        with closing(http.client.HTTPConnection(self.server.target, timeout=30)) as site:
            headers = {name: asked[name] for name in asked.keys() & _PASSED_ON}
            sent = self.rfile.read(int(asked.get("content-length", 0))) or None
            if sent:
                headers["Content-Type"] = asked["content-type"]
            # A site that refuses a body may not read it to its end.
            with suppress(BrokenPipeError, ConnectionResetError):
                site.request(self.command, path, sent, headers)
            answer = site.getresponse()
            body = answer.read()
        kept = {name.lower(): value for name, value in answer.getheaders()}
        headers = {name: kept[name] for name in kept if name not in _OF_TRANSPORT}
        return Exchange(path, asked, over, answer.status, headers, body)

    def _answer(self, exchange: Exchange) -> None:
        if exchange.raw is not None:
            for piece in exchange.raw:
                self.wfile.write(piece)
            return
        body = exchange.packed()
        self.send_response_only(exchange.status)
        for name, value in exchange.headers.items():
            for each in value.split("\n"):
                self.send_header(name, each)
        self.send_header("Connection", "close")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def tampering_proxy(
    target: str, tamper: Tamper, tls: ssl.SSLContext | None = None, below: str = ""
) -> Iterator[TamperingProxy]:
    """A proxy in front of a site, ended when the block is left.

    Args:
        target: the site's address.
        tamper: changes an exchange in place.
        tls: with the proxy's certificate, if it should have one.
        below: the path of the site, like /survey; empty if it is the whole host.
    """
    # 127.0.0.2 is another of its addresses.
    server = _Server(("0.0.0.0", 0), _Handler)  # noqa: S104 - see above
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    proxy = TamperingProxy(server.server_address[1])
    server.target, server.tamper, server.asked = urlsplit(target).netloc, tamper, proxy.asked
    server.below = below
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
