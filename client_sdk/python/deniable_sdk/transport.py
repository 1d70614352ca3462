"""HTTP to a collector: fetch a survey by its slug, submit reports.

Standard library only, one kept-open connection, no cookie, no redirect, no
User-Agent that names more than this SDK. Only randomized bytes are sent. What
a device needs besides, a queue and a ledger, is in `deniable_sdk.client`.
"""

import http.client
import ssl
import time
from collections.abc import Sequence
from fractions import Fraction
from typing import Self
from urllib.parse import quote as quote_url
from urllib.parse import urlsplit

from deniable_sdk import canonical
from deniable_sdk.addresses import read_address
from deniable_sdk.canonical import JSON
from deniable_sdk.errors import DeniableError, printable
from deniable_sdk.records import Record
from deniable_sdk.report import Report
from deniable_sdk.survey.published import PublishedSurvey

TIMEOUT_S = 30.0

# Longer than any survey, or any answer to so many reports.
_MOST_BYTES = 16 << 20
_PIECE_BYTES = 1 << 16

# Collectors answer with a result for each of so many.
_AT_ONCE = 1_000
STORED = (200, 201)


class CollectorUnreachable(DeniableError, OSError):
    """No answer came from the collector; sending the same bytes again is safe."""


class CollectorRefused(DeniableError):
    """The collector answered with an error; `status` is its HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        super().__init__(message)

    @classmethod
    def because_of(cls, status: int, body: bytes) -> Self:
        """The error for an answer, in the collector's words where it has some."""
        detail = problem_of(body).get("detail") or "without saying why"
        return cls(status, f"the collector answered {status}: {printable(detail)}")


class Response(Record):
    """What a collector answered to one request."""

    status: int
    body: bytes
    retry_after: str | None

    def accepted(self) -> bytes:
        """The body of an answer with the status 200.

        Raises:
            CollectorRefused: the status is another one.
        """
        if self.status != http.client.OK:
            raise CollectorRefused.because_of(self.status, self.body)
        return self.body


class Receipt(Record):
    """The collector's response to one report: 201 and 200 mean it is stored."""

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
        parts = urlsplit(read_address(url))
        host = parts.hostname or ""
        self._prefix = parts.path
        self._connection = (
            http.client.HTTPSConnection(
                host, parts.port, timeout=timeout_s, context=ssl.create_default_context()
            )
            if parts.scheme == "https"
            else http.client.HTTPConnection(host, parts.port, timeout=timeout_s)
        )
        self._timeout_s = timeout_s

    def fetch_survey(
        self, slug: str, *, digest: str | None = None, epsilon_cap: Fraction | None = None
    ) -> PublishedSurvey:
        """The survey of this slug, with all its claims verified.

        Raises:
            CollectorUnreachable: no answer came.
            CollectorRefused: there is no such survey.
            InvalidSurvey: what came is not a legal survey, not the one of this
                digest, or spends more than it claims or than the cap.
        """
        document = self.fetch(f"/api/surveys/{quote_url(slug, safe='')}")
        return PublishedSurvey.from_bytes(document, digest=digest, epsilon_cap=epsilon_cap)

    def fetch(self, path: str) -> bytes:
        """The response to a GET of a path.

        Raises:
            CollectorUnreachable: no answer came.
            CollectorRefused: there is nothing, or it is not given.
        """
        return self.ask("GET", path).accepted()

    def submit(self, reports: Sequence[Report]) -> list[Receipt]:
        """Send reports, some at a time; a receipt for each, in their order.

        Raises:
            CollectorUnreachable: no answer came; send the same reports again.
            CollectorRefused: a request as a whole was refused.
        """
        receipts: list[Receipt] = []
        for first in range(0, len(reports), _AT_ONCE):
            some = reports[first : first + _AT_ONCE]
            body = b"\n".join(report.to_bytes() for report in some)
            answer = self.ask("POST", "/api/reports", body, "application/x-ndjson")
            receipts += _receipts(some, answer.accepted())
        return receipts

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(
        self, method: str, path: str, body: bytes | None = None, content_type: str = ""
    ) -> Response:
        """The answer to one request, whatever its status.

        Raises:
            CollectorUnreachable: no whole answer came in time.
        """
        headers = {"User-Agent": "deniable", "Accept": "application/json", "Accept-Language": "*"}
        if content_type:
            headers["Content-Type"] = content_type
        latest = time.monotonic() + self._timeout_s
        try:
            self._connection.request(method, self._prefix + path, body, headers)
            response = self._connection.getresponse()
            content = _read(response, latest)
            return Response(response.status, content, response.getheader("Retry-After"))
        # A name that cannot be a host's is a ValueError.
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._connection.close()
            raise CollectorUnreachable(
                f"no answer from {self._connection.host}:"
                f"{self._connection.port} ({type(error).__name__}); try again later"
            ) from None


def _receipts(reports: Sequence[Report], answer: bytes) -> list[Receipt]:
    document = _parse(answer)
    results = document.get("results") if isinstance(document, dict) else None
    if not isinstance(results, list) or len(results) != len(reports):
        raise CollectorRefused(http.client.OK, "the collector's answer is not one per report")
    receipts = []
    for report, result in zip(reports, results, strict=True):
        told = result if isinstance(result, dict) else {}
        status, detail = told.get("status"), told.get("detail", "")
        receipts.append(Receipt(report.id, status if isinstance(status, int) else 0, str(detail)))
    return receipts


def problem_of(body: bytes) -> dict[str, str]:
    """The texts in a collector's answer by their names; none if it is no object."""
    document = _parse(body)
    members = document.items() if isinstance(document, dict) else ()
    return {name: value for name, value in members if isinstance(value, str)}


def _read(response: http.client.HTTPResponse, latest: float) -> bytes:
    """The whole body, unless it is too long or comes too slowly."""
    content = bytearray()
    left = response.length
    # Piece by piece as they come, so that a slow sender cannot delay us.
    while left != 0:
        piece = response.read1(_PIECE_BYTES if left is None else min(left, _PIECE_BYTES))
        if not piece:
            break
        content += piece
        left = None if left is None else left - len(piece)
        if len(content) > _MOST_BYTES or time.monotonic() > latest:
            raise TimeoutError
    if left:
        raise http.client.IncompleteRead(b"", left)
    response.close()
    return bytes(content)


def _parse(body: bytes) -> JSON:
    try:
        return canonical.parse(body)
    except canonical.NotCanonical:
        return None
