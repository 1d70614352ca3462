"""Requests written byte by byte, for tests of the layers below an application."""

import socket

from live_server import LiveCollector

NDJSON = b"application/x-ndjson"
JSON = b"application/json"


def head(media_type: bytes, *headers: bytes) -> bytes:
    """The beginning of a request that sends reports."""
    lines = (
        b"POST /api/reports HTTP/1.1",
        b"Host: x",
        b"Content-Type: " + media_type,
        *headers,
    )
    return b"\r\n".join(lines) + b"\r\n\r\n"


def chunk(part: bytes) -> bytes:
    """A part of a body of unknown length."""
    return b"%x\r\n%s\r\n" % (len(part), part)


def connect(collector: LiveCollector) -> socket.socket:
    """A connection that waits a minute at most."""
    return socket.create_connection(collector.address, timeout=60)


def read_answer(connection: socket.socket) -> tuple[int, bytes]:
    """Status and body of the next answer on a connection."""
    received = b""
    while b"\r\n\r\n" not in received:
        part = connection.recv(65_536)
        assert part, "the connection was closed before an answer"
        received += part
    lines, _, body = received.partition(b"\r\n\r\n")
    (length,) = (
        int(line.split(b":")[1])
        for line in lines.lower().split(b"\r\n")
        if line.startswith(b"content-length:")
    )
    while len(body) < length:
        body += connection.recv(65_536)
    return int(lines.split(b" ")[1]), body
