"""Asks what `verification.fetching` does not: about TLS, with long bodies, with a cookie."""

import http.client
import socket
import ssl
import warnings
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import chain, repeat
from typing import Final
from urllib.parse import urlsplit

from deniable_web.accounts.cookies import HEADER, PATH, name_of
from deniable_web.verification.fetching import NoAnswer, Server

_PIECE: Final = b" " * (1 << 16)


@dataclass(frozen=True, slots=True)
class TlsFacts:
    """How a server speaks TLS.

    Args:
        version: that it agrees upon.
        ends: when its certificate does.
        takes_old: whether it also accepts TLS 1.1.
    """

    version: str
    ends: datetime
    takes_old: bool


def look_at_tls(server: Server, timeout_s: float) -> TlsFacts:
    """How a server speaks TLS, if its certificate is accepted.

    Raises:
        NoAnswer: it is not, or there is no connection.
    """
    try:
        with _shake_hands(server, ssl.create_default_context(), timeout_s) as connected:
            certificate = connected.getpeercert() or {}
            version = connected.version() or "TLS"
    except ssl.SSLCertVerificationError as error:
        raise NoAnswer(f"its certificate is not accepted ({error.verify_message})") from None
    except OSError as error:
        raise NoAnswer(f"there is no TLS ({type(error).__name__})") from None
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC)
    return TlsFacts(version, ends, takes_old=_takes_old(server, timeout_s))


def status_of_body(server: Server, length: int, timeout_s: float) -> int | None:
    """The status for an empty array with blanks in it, as long as this; None if it got none."""
    connection = server.connection(timeout_s)
    with closing(connection):
        try:
            headers = {"Content-Type": "application/json", "Content-Length": str(length)}
            connection.request("POST", "/api/reports", _empty_array(length), headers)
        except (OSError, http.client.HTTPException):
            # Whoever refuses a body may answer before its end, and then end the connection.
            pass
        try:
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None


def does_cookie_arrive(server: Server, timeout_s: float) -> bool | None:
    """Whether the cookie of a session reaches the collector; None if it does not say so.

    An invented session opens nothing, and the answer is that the browser forget it.
    """
    headers = {
        HEADER: "1",
        "Origin": server.url,
        "Sec-Fetch-Site": "same-origin",
        "Cookie": f"{name_of(secure=server.url.startswith('https:'))}=invented",
    }
    with closing(server.connection(timeout_s)) as connection:
        try:
            connection.request("POST", f"{PATH}/session/token", headers=headers)
            response = connection.getresponse()
        except (OSError, http.client.HTTPException):
            return None
        is_answered = response.status == HTTPStatus.NO_CONTENT
        return response.getheader("Set-Cookie") is not None if is_answered else None


def _empty_array(length: int) -> Iterator[bytes]:
    pieces, rest = divmod(length - 2, len(_PIECE))
    return chain([b"["], repeat(_PIECE, pieces), [_PIECE[:rest], b"]"])


def _shake_hands(server: Server, context: ssl.SSLContext, timeout_s: float) -> ssl.SSLSocket:
    parts = urlsplit(server.url)
    name = parts.hostname or ""
    target = (server.address or name, parts.port or http.client.HTTPS_PORT)
    plain = socket.create_connection(target, timeout_s)
    try:
        return context.wrap_socket(plain, server_hostname=name)
    except BaseException:
        plain.close()
        raise


def _takes_old(server: Server, timeout_s: float) -> bool:
    """Whether a client that knows TLS 1.1 only is served; its certificate is known already."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        # Python warns of the version that this asks for on purpose.
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    try:
        _shake_hands(server, context, timeout_s).close()
    except OSError:
        return False
    return True
