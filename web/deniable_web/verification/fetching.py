"""Fetches one file over one address, within limits of size and time.

A server that is checked may be hostile: it may never end its headers or its body, or send
a few bytes that decompress to many. Redirects are not followed. Settings of the
environment that name a proxy are not used.
"""

import http.client
import socket
import ssl
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Timer
from typing import Final
from urllib.parse import urlsplit

import brotli

from deniable_sdk import DeniableError

# Longer than every page and every survey.
MOST_BYTES: Final = 16 << 20
_PIECE_BYTES: Final = 1 << 16
_GZIP: Final = 31


class NoAnswer(DeniableError):
    """No whole answer came that this command can read; the text says why."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where a form is.

    Args:
        url: of its site, which may be below a path, in the form of `read_address`.
        address: the IP address to connect to; None for the one that the system finds.
    """

    url: str
    address: str | None = None

    @property
    def host(self) -> str:
        """The value of the header Host."""
        return urlsplit(self.url).netloc

    @property
    def origin(self) -> str:
        """Scheme, name and port."""
        return f"{urlsplit(self.url).scheme}://{self.host}"

    def target(self, path: str) -> str:
        """What to ask for a path of the site."""
        return f"{urlsplit(self.url).path}{path}"

    def connection(self, timeout_s: float) -> http.client.HTTPConnection:
        """A connection, which is not open yet."""
        parts = urlsplit(self.url)
        name = parts.hostname or ""
        target = self.address or name
        # Always with a port: without one, the end of an IPv6 address would be read as one.
        if parts.scheme == "https":
            port = parts.port or http.client.HTTPS_PORT
            return _TlsConnection(target, port, timeout_s, name)
        return http.client.HTTPConnection(target, parts.port or http.client.HTTP_PORT, timeout_s)


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer, whatever its status.

    Args:
        status: of the answer.
        headers: by names in lower case; the different values of each, in their order.
        body: decompressed; at most MOST_BYTES of it.
        is_whole: whether the body ends there.
    """

    status: int
    headers: Mapping[str, tuple[str, ...]]
    body: bytes
    is_whole: bool


class _TlsConnection(http.client.HTTPConnection):
    """HTTPS to any address; the certificate must be that of the name."""

    def __init__(self, address: str, port: int, timeout_s: float, name: str) -> None:
        super().__init__(address, port, timeout_s)
        self._name = name

    def connect(self) -> None:
        super().connect()
        context = ssl.create_default_context()
        self.sock = context.wrap_socket(self.sock, server_hostname=self._name)


def fetch(server: Server, path: str, headers: Mapping[str, str], latest: float) -> Fetched:
    """The answer to a GET of a path.

    Args:
        server: where to ask.
        path: of the file on its site, with a slash in front.
        headers: of the request, except Host.
        latest: when to give up, by `time.monotonic`.
    Raises:
        NoAnswer: there was none in time, or none that can be read.
    """
    left_s = latest - time.monotonic()
    if left_s <= 0:
        raise NoAnswer("there was no time left")
    connection, target = server.connection(left_s), server.target(path)
    try:
        with _ended(connection, latest):
            # Without the headers that this library adds, by which a server could know it.
            connection.putrequest("GET", target, skip_host=True, skip_accept_encoding=True)
            for name, value in {"Host": server.host, **headers}.items():
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            if response.msg.defects or response.msg.get_payload():
                # Browsers skip a line that is no header, and read the headers below it.
                raise NoAnswer("what it sent is not HTTP (its headers)")
            content = _read(response)
    except (OSError, http.client.HTTPException, ValueError) as error:
        if time.monotonic() >= latest or isinstance(error, TimeoutError):
            raise NoAnswer("the answer did not end in time") from None
        raise NoAnswer(_words(error)) from None
    if time.monotonic() >= latest:
        raise NoAnswer("the answer did not end in time")
    found = _headers(response)
    body = _decoded(content, ", ".join(found.get("content-encoding", ())).lower())
    return Fetched(response.status, found, body[:MOST_BYTES], len(body) <= MOST_BYTES)


@contextmanager
def _ended(connection: http.client.HTTPConnection, latest: float) -> Iterator[None]:
    """Open a connection, and end all its reads at a moment: even of one byte a minute."""
    connection.connect()
    timer = Timer(max(0.0, latest - time.monotonic()), _cut, (connection.sock,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        connection.close()


def _cut(connected: socket.socket) -> None:
    with suppress(OSError):
        # Not the method of a TLS socket, which forgets its state while another thread reads.
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


def _read(response: http.client.HTTPResponse) -> bytes:
    """The body; if it is too long, one byte more than allowed."""
    content = bytearray()
    while len(content) <= MOST_BYTES:
        piece = response.read(min(_PIECE_BYTES, MOST_BYTES + 1 - len(content)))
        if not piece:
            if response.length:
                raise http.client.IncompleteRead(b"", response.length)
            break
        content += piece
    response.close()
    return bytes(content)


def _decoded(content: bytes, coding: str) -> bytes:
    """A body without its compression; if it is too long, one byte more than allowed."""
    if coding in ("", "identity") or not content:
        return content
    if coding not in _UNPACKED:
        allowed = " and ".join(_UNPACKED)
        raise NoAnswer(
            f"its body has a compression that this command cannot read; allow {allowed} only"
        )
    try:
        body, is_whole = _UNPACKED[coding](content)
    except (zlib.error, brotli.error):
        raise NoAnswer(f"its body is no {coding}, although its header says so") from None
    if len(body) <= MOST_BYTES and not is_whole:
        raise NoAnswer(f"its {coding} ends too early or too late")
    return body


def _of_brotli(content: bytes) -> tuple[bytes, bool]:
    unpacking = brotli.Decompressor()
    body = unpacking.process(content, output_buffer_limit=MOST_BYTES + 1)
    return body, unpacking.is_finished()


def _of_gzip(content: bytes) -> tuple[bytes, bool]:
    unpacking = zlib.decompressobj(_GZIP)
    body = unpacking.decompress(content, MOST_BYTES + 1)
    return body, unpacking.eof and not unpacking.unused_data


_UNPACKED: Final = {"br": _of_brotli, "gzip": _of_gzip}


def _headers(response: http.client.HTTPResponse) -> dict[str, tuple[str, ...]]:
    # A header that is repeated as it is means the same once.
    return {
        name.lower(): tuple(dict.fromkeys(map(str.strip, response.headers.get_all(name, ()))))
        for name in response.headers
    }


def _words(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not accepted ({error.verify_message})"
    if isinstance(error, ssl.SSLError):
        return f"TLS failed ({error.reason or type(error).__name__})"
    if isinstance(error, socket.gaierror):
        return "no address is known for its name"
    if isinstance(error, http.client.IncompleteRead | http.client.RemoteDisconnected):
        return "it ended the connection too early"
    if isinstance(error, OSError):
        return f"there is no connection ({type(error).__name__})"
    return f"what it sent is not HTTP ({type(error).__name__})"
