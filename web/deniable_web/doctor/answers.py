"""What the answers of an installation say about it; nothing here asks anybody."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final

from deniable_sdk.errors import quote
from deniable_web.doctor.diagnosis import Diagnosis, ok, problem, warning
from deniable_web.verification.fetching import Fetched

_RENEWED_BEFORE: Final = timedelta(days=14)
_CLOCK_TOLERANCE: Final = timedelta(seconds=60)
_HALF_A_YEAR_S: Final = 180 * 24 * 3600
_MAX_AGE: Final = re.compile(r'max-age="?(\d+)', re.IGNORECASE)
_MOVED: Final = (301, 302, 303, 307, 308)


@dataclass(frozen=True, slots=True)
class TlsFacts:
    """How a server speaks TLS.

    Args:
        version: that it agrees upon, like TLSv1.3.
        ends: when its certificate does.
        takes_old: whether it also accepts TLS 1.1.
    """

    version: str
    ends: datetime
    takes_old: bool


def check_tls(tls: TlsFacts, now: datetime) -> list[Diagnosis]:
    """The version of TLS, and how long the certificate is valid."""
    found = [ok("TLS", f"The connection uses {tls.version}; older versions than 1.2 are refused.")]
    if tls.takes_old:
        found = [
            problem(
                "TLS",
                "The server accepts TLS 1.1, whose protection is broken.",
                "Allow TLS 1.2 and 1.3 only (in nginx: ssl_protocols TLSv1.2 TLSv1.3).",
            )
        ]
    left = tls.ends - now
    text = f"The certificate is valid for {left.days} more days."
    if left < _RENEWED_BEFORE:
        remedy = "Renew it now, and find out why it was not renewed by itself."
        return [*found, warning("certificate", text, remedy)]
    return [*found, ok("certificate", text)]


def check_redirect(answer: Fetched | None, host: str) -> Diagnosis:
    """Whether http leads to https on the same host; without an answer, nobody listens there."""
    if answer is None:
        return ok("http", "Nobody answers over http.")
    location = next(iter(answer.headers.get("location", ())), "")
    if answer.status in _MOVED and location.startswith(f"https://{host}"):
        return ok("http", "Requests over http are redirected to https.")
    return problem(
        "http",
        f"A request over http got status {answer.status} and was not redirected to https.",
        "Answer every request on port 80 with a redirect (301) to https: docs/OPERATING.md has "
        "both configurations.",
    )


def check_hsts(answer: Fetched) -> Diagnosis:
    """Whether browsers remember that the site uses TLS."""
    value = ", ".join(answer.headers.get("strict-transport-security", ()))
    age = _MAX_AGE.search(value)
    if age and int(age[1]) >= _HALF_A_YEAR_S:
        return ok("HSTS", "Browsers remember to use https.")
    found = f"it is {quote(value)}" if value else "it is missing"
    return warning(
        "HSTS",
        f"The header Strict-Transport-Security should have a max-age of half a year or more; "
        f"{found}.",
        'Let the proxy add it: Strict-Transport-Security "max-age=31536000".',
    )


def check_clock(answer: Fetched, now: datetime) -> Diagnosis:
    """Whether the server's clock agrees with the one here."""
    value = next(iter(answer.headers.get("date", ())), "")
    try:
        there = parsedate_to_datetime(value)
    except ValueError:
        return warning(
            "clock", "The server does not say what time it is.", "Let the proxy send Date."
        )
    there = there if there.tzinfo else there.replace(tzinfo=UTC)
    off = abs(there - now)
    if off <= _CLOCK_TOLERANCE:
        return ok("clock", "The server's clock and the clock here agree.")
    return warning(
        "clock",
        f"The server's clock and the clock here differ by {int(off.total_seconds())} seconds.",
        "Synchronise both (timedatectl set-ntp true): the collector's clock decides when a survey "
        "opens and ends.",
    )


def check_health(answer: Fetched) -> Diagnosis:
    """Whether a report would be stored now."""
    if answer.status == HTTPStatus.OK:
        return ok("health", "A report would be stored now.")
    if answer.status == HTTPStatus.NOT_FOUND:
        return problem(
            "health",
            "There is no collector at this address: /healthz below it is not found (404).",
            "Give the address at which people open the site. If it is below a path, let the "
            "proxy remove this path from what it passes on: docs/OPERATING.md shows how.",
        )
    return problem(
        "health",
        f"/healthz answers with status {answer.status}: a report would not be stored now.",
        "Read the log of the collector: it names the cause. Is the collector running, and is its "
        "disk full?",
    )


def check_metrics(answer: Fetched) -> Diagnosis:
    """Whether strangers cannot read counts."""
    if answer.status != HTTPStatus.OK:
        return ok("/metrics", "Strangers cannot read the counts.")
    return problem(
        "/metrics",
        "Everybody can read the counts, which show when people answer.",
        "Let the proxy answer /metrics with 404, pass on the Host that was asked for, and add "
        "X-Forwarded-For.",
    )


def check_cookies(answers: Mapping[str, Fetched]) -> Diagnosis:
    """Whether nothing marks a respondent's browser, from the answers by path."""
    marked = [path for path, answer in answers.items() if "set-cookie" in answer.headers]
    if marked:
        return problem(
            "cookies",
            f"A cookie is set at {', '.join(marked)}: whoever sets it recognises respondents.",
            "Deniable sets none there. Find the proxy, balancer or service that does, and switch "
            "off its sessions.",
        )
    return ok("cookies", f"No cookie is set at {', '.join(answers)}.")


def check_session(*, does_cookie_arrive: bool) -> Diagnosis:
    """Whether people who run surveys can stay signed in."""
    if does_cookie_arrive:
        return ok("sign-in", "The cookie of people who run surveys reaches the collector.")
    return problem(
        "sign-in",
        "The proxy removes the cookie of people who run surveys: nobody can stay signed in.",
        "Let the proxy pass on Cookie below /manage/; docs/OPERATING.md has two that do.",
    )


def check_headers(problems: Iterable[str]) -> Diagnosis:
    """Whether the form and its headers are those of this version; from what differs."""
    listed = list(dict.fromkeys(problems))
    if not listed:
        return ok("form", "The form and all headers that protect it are those of this version.")
    return problem(
        "form",
        f"The form is not the one of this version: {'; '.join(listed)}.",
        "Let the proxy change nothing that passes. deniable verify shows every difference, and "
        "for whom.",
    )


def check_body_limits(allowed: int | None, above: int | None, limit: int) -> Iterator[Diagnosis]:
    """Whether bodies up to the limit pass, and longer ones are refused.

    Args:
        allowed: the status for a body of the limit's length; None if the connection ended.
        above: the same for a longer one.
        limit: what the collector allows, in bytes.
    """
    if allowed is None or allowed == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        yield warning(
            "bodies",
            f"A body of {limit} bytes does not reach the collector, which would accept it.",
            "Raise the proxy's limit above DENIABLE_MAX_BODY_BYTES (in nginx: "
            "client_max_body_size 5m).",
        )
    elif above not in (None, HTTPStatus.REQUEST_ENTITY_TOO_LARGE):
        yield warning(
            "bodies",
            f"A body of more than {limit} bytes got status {above}, and not 413.",
            "Set DENIABLE_MAX_BODY_BYTES here as for the service, or find out who answered.",
        )
    else:
        yield ok("bodies", f"Bodies up to {limit} bytes pass, and longer ones are refused.")
