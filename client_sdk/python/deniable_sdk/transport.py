"""HTTP to a collector: fetch a survey by its slug, submit reports.

Standard library only, one kept-open connection, no cookie, no redirect, no
User-Agent that names more than this SDK. Only randomized bytes are sent.
"""

import http.client
import ssl
from collections.abc import Sequence
from fractions import Fraction
from types import TracebackType
from typing import Self
from urllib.parse import SplitResult, urlsplit
from urllib.parse import quote as quote_url

from deniable_sdk import canonical
from deniable_sdk.canonical import JSON
from deniable_sdk.errors import DeniableError, quote
from deniable_sdk.records import Record
from deniable_sdk.report import Report
from deniable_sdk.survey.published import PublishedSurvey

TIMEOUT_S = 30.0

# Collectors answer with a result for each of so many.
_AT_ONCE = 1_000
STORED = (200, 201)


class InvalidAddress(DeniableError, ValueError):
    """What was given is not an http or https address."""


class CollectorUnreachable(DeniableError, OSError):
    """No answer came from the collector; sending the same bytes again is safe."""


class CollectorRefused(DeniableError):
    """The collector answered with an error; `status` is its HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        super().__init__(message)


class Receipt(Record):
    """What the collector said of one report: 201 and 200 mean it is stored."""

    report: str
    status: int
    detail: str = ""

    @property
    def is_stored(self) -> bool:
        """Whether the report is on the collector's disk."""
        return self.status in STORED


class CollectorConnection:
    """One connection to one collector, for one thread at a time.

    Args:
        url: where the collector is, as http://host:port or https://host.
        timeout_s: how long to wait for the collector, in seconds.
    Raises:
        InvalidAddress: the URL is not an http or https address.
    """

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S) -> None:
        parts = _split(url)
        host = parts.hostname or ""
        self._prefix = quote_url(parts.path.rstrip("/"), safe="/%")
        self._connection = (
            http.client.HTTPSConnection(
                host, parts.port, timeout=timeout_s, context=ssl.create_default_context()
            )
            if parts.scheme == "https"
            else http.client.HTTPConnection(host, parts.port, timeout=timeout_s)
        )

    def fetch_survey(
        self, slug: str, *, digest: str | None = None, epsilon_cap: Fraction | None = None
    ) -> PublishedSurvey:
        """The survey of this slug, with all it claims recomputed.

        Raises:
            CollectorUnreachable: no answer came.
            CollectorRefused: there is no such survey.
            InvalidSurvey: what came is not a legal survey, not the one of this
                digest, or takes more than it claims or than the cap.
        """
        status, body = self._request("GET", f"/api/surveys/{quote_url(slug, safe='')}", None, "")
        if status != http.client.OK:
            raise CollectorRefused(status, _detail(status, body))
        return PublishedSurvey.from_bytes(body, digest=digest, epsilon_cap=epsilon_cap)

    def submit(self, reports: Sequence[Report]) -> list[Receipt]:
        """Send reports, some at a time; a receipt for each, in their order.

        Raises:
            CollectorUnreachable: no answer came; send the same reports again.
            CollectorRefused: a request as a whole was refused.
        """
        receipts: list[Receipt] = []
        for first in range(0, len(reports), _AT_ONCE):
            receipts += self._submit(reports[first : first + _AT_ONCE])
        return receipts

    def _submit(self, reports: Sequence[Report]) -> list[Receipt]:
        body = b"\n".join(report.to_bytes() for report in reports)
        status, answer = self._request("POST", "/api/reports", body, "application/x-ndjson")
        if status != http.client.OK:
            raise CollectorRefused(status, _detail(status, answer))
        return _receipts(reports, answer)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _request(
        self, method: str, path: str, body: bytes | None, content_type: str
    ) -> tuple[int, bytes]:
        headers = {"User-Agent": "deniable", "Accept": "application/json"}
        if content_type:
            headers["Content-Type"] = content_type
        try:
            self._connection.request(method, self._prefix + path, body, headers)
            response = self._connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise CollectorUnreachable(
                f"no answer from the collector at {self._connection.host}:"
                f"{self._connection.port} ({type(error).__name__}); try again later"
            ) from None


def _split(url: str) -> SplitResult:
    refusal = InvalidAddress(f"got {quote(url)}; allowed is an address like https://example.org")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise refusal from None
    if not usable:
        raise refusal
    return parts


def _receipts(reports: Sequence[Report], answer: bytes) -> list[Receipt]:
    document = _parse(answer)
    results = document.get("results") if isinstance(document, dict) else None
    if not isinstance(results, list) or len(results) != len(reports):
        raise CollectorRefused(http.client.OK, "the collector's answer is not one per report")
    receipts = []
    for report, result in zip(reports, results, strict=True):
        status = result.get("status") if isinstance(result, dict) else None
        detail = result.get("detail", "") if isinstance(result, dict) else ""
        receipts.append(Receipt(report.id, status if isinstance(status, int) else 0, str(detail)))
    return receipts


def _detail(status: int, body: bytes) -> str:
    problem = _parse(body)
    detail = problem.get("detail") if isinstance(problem, dict) else None
    return f"the collector answered {status}: {detail or 'without saying why'}"


def _parse(body: bytes) -> JSON:
    try:
        return canonical.parse(body)
    except canonical.NotCanonical:
        return None
