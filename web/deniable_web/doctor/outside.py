"""Examines an installation as respondents reach it."""

import http.client
import socket
import ssl
import time
import warnings
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import chain, repeat
from typing import Final
from urllib.parse import urlsplit

from deniable_collector.addresses import is_loopback
from deniable_sdk import InvalidSurvey, PublishedSurvey
from deniable_sdk.foreign import read_object
from deniable_web.accounts.cookies import HEADER, name_of
from deniable_web.doctor.answers import (
    TlsFacts,
    check_body_limits,
    check_clock,
    check_cookies,
    check_headers,
    check_health,
    check_hsts,
    check_metrics,
    check_redirect,
    check_session,
    check_tls,
)
from deniable_web.doctor.diagnosis import Diagnosis, problem, warning
from deniable_web.verification.checks import Check, CheckResult
from deniable_web.verification.fetching import Fetched, NoAnswer, Server, fetch
from deniable_web.verification.opening import LiveForm
from deniable_web.verification.verifying import verify

_ABOVE: Final = 2 << 20
_LOGGED_FIRST: Final = 20

_PIECE: Final = b" " * (1 << 16)


@dataclass(frozen=True, slots=True)
class Outside:
    """An installation, seen from outside.

    Args:
        url: of the site, which may be below a path, in the form of `read_address`.
        http_port: where requests over http are redirected.
        max_body_bytes: the longest body that its collector accepts.
        timeout_s: how long each request may take.
    """

    url: str
    http_port: int
    max_body_bytes: int
    timeout_s: float

    def get(self, path: str, url: str = "") -> Fetched:
        """The answer to a request; raises NoAnswer."""
        latest = time.monotonic() + self.timeout_s
        return fetch(Server(url or self.url), path, {}, latest)


def examine_outside(outside: Outside) -> Iterator[Diagnosis]:
    """What is found, one thing after the other."""
    name = urlsplit(outside.url).hostname or ""
    try:
        if outside.url.startswith("https:"):
            tls = look_at_tls(Server(outside.url), outside.timeout_s)
            yield from check_tls(tls, datetime.now(UTC))
            yield check_redirect(_over_http(outside, name), name)
        elif not is_loopback(name):
            yield problem(
                "TLS",
                "The address begins with http: everybody on the way can read and change the form.",
                "Put a proxy with TLS in front; docs/OPERATING.md has two.",
            )
        healthy = outside.get("/healthz")
        yield check_health(healthy)
        yield check_clock(healthy, datetime.now(UTC))
        if outside.url.startswith("https:"):
            yield check_hsts(healthy)
            yield check_metrics(outside.get("/metrics"))
        yield from _examine_form(outside, {"/healthz": healthy})
        arrives = does_cookie_arrive(Server(outside.url), outside.timeout_s)
        if arrives is not None:
            yield check_session(does_cookie_arrive=arrives)
        yield from _examine_bodies(outside)
    except NoAnswer as silence:
        yield problem(
            "connection",
            f"{outside.url} cannot be examined: {silence}.",
            "Does the name lead to this machine, is the proxy running, and does the firewall let "
            "port 443 in?",
        )


def _over_http(outside: Outside, name: str) -> Fetched | None:
    host = f"[{name}]" if ":" in name else name
    try:
        below = urlsplit(outside.url).path
        return outside.get("/healthz", f"http://{host}:{outside.http_port}{below}")
    except NoAnswer:
        return None


def _examine_form(outside: Outside, answers: dict[str, Fetched]) -> Iterator[Diagnosis]:
    """No cookies on the respondents' routes, and the form as this version makes it."""
    published = _find_survey(outside)
    answers["/"] = outside.get("/")
    if published:
        paths = (f"/s/{published.slug}", f"/api/surveys/{published.slug}")
        answers |= {path: outside.get(path) for path in paths}
    yield check_cookies(answers)
    if published is None:
        yield warning(
            "form",
            "No survey is open, so no form was compared.",
            "Publish a survey, and run this again.",
        )
        return
    form = LiveForm(outside.url, f"/s/{published.slug}", [None], outside.timeout_s)
    verified = verify(form, lambda _: None)
    if verified.result is CheckResult.UNCHECKED:
        yield warning("form", "The form could not be compared.", "Run deniable verify to see why.")
    else:
        yield check_headers(filter(None, [*verified.problems, *map(_words, verified.checks)]))


def _words(check: Check) -> str:
    is_wrong = check.result not in (CheckResult.SAME, CheckResult.UNCHECKED)
    return f"{check.file}: {check.reason or check.result}" if is_wrong else ""


def _find_survey(outside: Outside) -> PublishedSurvey | None:
    """The newest survey of the public log that has a form; None if there is none."""
    try:
        entries = read_object(outside.get("/log").body)["entries"]
        for digest in entries[: -_LOGGED_FIRST - 1 : -1]:
            document = outside.get(f"/api/surveys/by-digest/{digest}")
            published = PublishedSurvey.from_bytes(document.body)
            if outside.get(f"/s/{published.slug}").status == HTTPStatus.OK:
                return published
    except (ValueError, KeyError, TypeError, InvalidSurvey):
        # The operator may have closed the log; docs/OPERATING.md says how.
        return None
    return None


def _examine_bodies(outside: Outside) -> Iterator[Diagnosis]:
    limit = outside.max_body_bytes
    server = Server(outside.url)
    allowed, above = (
        status_of_body(server, length, outside.timeout_s)
        for length in (limit - limit // 64, limit + _ABOVE)
    )
    yield from check_body_limits(allowed, above, limit)


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
    headers = {"Content-Type": "application/json", "Content-Length": str(length)}
    target = server.target("/api/reports")
    with closing(server.connection(timeout_s)) as connection:
        # Whoever refuses a body may answer before its end, and then end the connection.
        with suppress(OSError, http.client.HTTPException):
            connection.request("POST", target, _empty_array(length), headers)
        with suppress(OSError, http.client.HTTPException):
            return connection.getresponse().status
    return None


def does_cookie_arrive(server: Server, timeout_s: float) -> bool | None:
    """Whether the cookie of a session reaches the collector; None if it does not say so.

    An invented session opens nothing, and the answer is that the browser forget it.
    """
    headers = {
        HEADER: "1",
        "Origin": server.origin,
        "Sec-Fetch-Site": "same-origin",
        "Cookie": f"{name_of(secure=server.url.startswith('https:'))}=invented",
    }
    with closing(server.connection(timeout_s)) as connection:
        try:
            connection.request("POST", server.target("/manage/session/token"), headers=headers)
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
