"""What the server says of a request, as a WSGI application reads it."""

import sys
from typing import Any, Final

from deniable_collector.serving.bodies import MOST_DISCARDED

_HAS_OWN_NAME: Final = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}

Environ = dict[str, Any]


def environ_of(scope: Any) -> Environ:
    """The environment for a WSGI application, without a body."""
    server, _, port = scope.server.rpartition(":")
    environ: Environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.input_terminated": True,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    if scope.authority:
        environ["HTTP_HOST"] = scope.authority
    for name, value in scope.headers.items():
        # A name with an underscore could be mistaken for a header that a proxy sets.
        if "_" in name:
            continue
        key = _HAS_OWN_NAME.get(name) or "HTTP_" + name.upper().replace("-", "_")
        # Cookies may come one by one in HTTP/2 (RFC 9113, 8.2.3).
        joint = "; " if name == "cookie" else ","
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    return environ


def is_coded(environ: Environ) -> bool:
    """Whether the body has, or may have, a transfer coding other than chunked.

    The server reads a body as chunks if chunked is only the last of several codings.
    """
    coding = environ.get("HTTP_TRANSFER_ENCODING", "chunked")
    # A client that names chunked in TE meant the header Transfer-Encoding.
    wanted = environ.get("HTTP_TE", "").lower().replace(";", ",").split(",")
    return coding.strip().lower() != "chunked" or "chunked" in map(str.strip, wanted)


def is_too_long(environ: Environ, length: int | None) -> bool:
    """Whether a body is refused because of its stated length, before any of it arrives."""
    are_lines = "ndjson" in environ.get("CONTENT_TYPE", "")
    return length is not None and length > MOST_DISCARDED and not are_lines


def length_of(environ: Environ) -> int | None:
    """The length of the body; None if its sender does not state it."""
    if "HTTP_TRANSFER_ENCODING" in environ:
        return None
    # The server has refused every length that is not a number.
    return int(environ.get("CONTENT_LENGTH", 0))
