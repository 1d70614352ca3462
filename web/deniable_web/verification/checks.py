"""Compares what was fetched with what this version makes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from http import HTTPStatus
from typing import Final

from deniable_sdk.errors import quote
from deniable_web.verification.expected import ExpectedFile
from deniable_web.verification.fetching import MOST_BYTES, Fetched

# Headers that this version never sends, and that make a browser do or send something.
_NEVER: Final = (
    "accept-ch",
    "clear-site-data",
    "content-disposition",
    "content-security-policy-report-only",
    "critical-ch",
    "etag",
    "last-modified",
    "link",
    "nel",
    "refresh",
    "report-to",
    "reporting-endpoints",
    "sec-session-registration",
    "secure-session-registration",
    "service-worker-allowed",
    "set-cookie",
    "sourcemap",
    "speculation-rules",
    "use-as-dictionary",
    "x-sourcemap",
)
# A host's own policy may forbid more, but not tell it what people do.
_POLICY: Final = "content-security-policy"
_REPORTING: Final = re.compile(r"(?:^|[;,])\s*report-", re.IGNORECASE)


class CheckResult(StrEnum):
    """The result of one check."""

    SAME = "same"
    DIFFERS = "differs"
    MISSING = "missing"
    UNKNOWN = "unknown"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class Check:
    """What one client got for one file over one address.

    Args:
        file: its path; for UNKNOWN, an address that the page names and should not.
        client: the name of the visitor.
        address: the IP address; None for the one that the system found.
        result: of the check.
        reason: all that is wrong, in words; empty for SAME.
        position: of the first byte that differs, from 0; None if none does.
        sha256: of what came, in hexadecimal; None if nothing came, or too much.
        expected_sha256: of what this version makes; None for UNKNOWN.
    """

    file: str
    client: str
    address: str | None
    result: CheckResult
    reason: str = ""
    position: int | None = None
    sha256: str | None = None
    expected_sha256: str | None = None


def compare(check: Check, expected: ExpectedFile, got: Fetched) -> Check:
    """A check with its result: what came, beside what this version makes."""
    position = first_difference(expected.body, got.body)
    reasons = list(_problems(expected, got, position))
    result = CheckResult.DIFFERS if reasons else CheckResult.SAME
    return replace(
        check,
        result=CheckResult.MISSING if got.status == HTTPStatus.NOT_FOUND else result,
        reason="; ".join(reasons),
        position=position,
        sha256=sha256(got.body).hexdigest() if got.is_whole else None,
        expected_sha256=sha256(expected.body).hexdigest(),
    )


def first_difference(left: bytes, right: bytes) -> int | None:
    """The position of the first byte that differs, from 0; None if all are the same."""
    if left == right:
        return None
    pairs = enumerate(zip(left, right, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(left), len(right)))


def _problems(expected: ExpectedFile, got: Fetched, position: int | None) -> Iterator[str]:
    """What is wrong with an answer, in words."""
    if got.status == HTTPStatus.NOT_FOUND:
        yield "the server does not have it"
    elif "location" in got.headers:
        yield f"it is redirected to {quote(got.headers['location'][0])}"
    elif got.status != HTTPStatus.OK:
        yield f"the server answers with status {got.status}"
    elif got.is_whole and position is not None:
        yield f"its bytes differ from position {position}"
    if not got.is_whole:
        yield f"it is longer than {MOST_BYTES >> 20} MB"
    if got.status == HTTPStatus.OK:
        yield from _headers(expected, got)


def _headers(expected: ExpectedFile, got: Fetched) -> Iterator[str]:
    for name, allowed in expected.headers.items():
        value = ", ".join(got.headers.get(name, ()))
        if not value:
            yield f"the header {name} is missing"
        elif value not in allowed:
            yield f"the header {name} differs: {_pointed(allowed[0], value)}"
    for name in _NEVER:
        if name in got.headers and not (name in expected.headers or name in expected.tolerated):
            yield f"this version never sends the header {name}"
    if _REPORTING.search(", ".join(got.headers.get(_POLICY, ()))):
        yield "its policy makes browsers send reports about people"


def _pointed(expected: str, got: str) -> str:
    """The first part of a header that differs."""
    parts = expected.split("; ")
    for part in got.split("; "):
        if part not in parts:
            return f"it has {quote(part)}"
    return f"it lacks {quote(next(part for part in parts if part not in got.split('; ')))}"
