"""A collector as a source: the counts that it returns."""

import http.client
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from deniable_analysis.errors import (
    StudyNotFound,
    StudyRefused,
    StudyUnavailable,
    UnreadableStudy,
)
from deniable_analysis.sources.addresses import Address
from deniable_analysis.sources.base import ListedSurvey
from deniable_analysis.sources.collector_answers import is_count, read_blocks, read_tuples
from deniable_sdk.foreign import NotJson, read_json
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.counts import JointCounts, SurveyCounts, can_be_counts
from deniable_storage.ends import Fieldwork

TOKEN = "DENIABLE_ANALYST_TOKEN"  # noqa: S105 - the variable's name, not a token
# Counting ten million reports takes a collector about a minute.
TIMEOUT_S = 300.0

_REFUSALS: Mapping[int, type[StudyRefused | StudyNotFound | StudyUnavailable]] = {
    http.client.UNAUTHORIZED: StudyRefused,
    http.client.FORBIDDEN: StudyRefused,
    http.client.NOT_FOUND: StudyNotFound,
}


class _NoRedirect(HTTPRedirectHandler):
    """A redirect could take the token to another host, and none is needed."""

    def redirect_request(self, *_arguments: object, **_named: object) -> None:
        """Follow no redirect, so that it becomes an error."""


@dataclass(frozen=True, slots=True)
class CollectorSource:
    """One survey's editions at a collector, requested again by every call.

    Args:
        address: where the collector is, and the survey's slug.
        token: the analyst's; that in the environment if left out.
        timeout_s: how long to wait for an answer.
    """

    address: Address
    token: str | None = field(default=None, repr=False)
    timeout_s: float = TIMEOUT_S
    _surveys: dict[str, PublishedSurvey] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    has_groups = True
    has_noise = False

    def surveys(self) -> tuple[ListedSurvey, ...]:
        answer = self._ask("editions", {})
        with suppress(KeyError, TypeError, ValueError):
            return tuple(
                ListedSurvey(
                    digest=str(edition["digest"]),
                    slug=self.address.slug,
                    edition=int(edition["edition"]),
                    is_closed=bool(edition["is_closed"]),
                    location=str(edition["edition"]),
                )
                for edition in answer["editions"]
            )
        raise self._unreadable()

    def site_name(self) -> str | None:
        """The name of the collector's site; None if it was started without one."""
        return self._said("site")

    def started(self) -> str | None:
        """The same for all addresses of one running collector; None if it does not say it."""
        return self._said("started")

    def _said(self, member: str) -> str | None:
        found = self._ask("editions", {}).get(member)
        if found is None or isinstance(found, str):
            return found
        raise self._unreadable()

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:
        answer = self._ask("editions", {})
        with suppress(KeyError, TypeError, ValueError):
            for edition in answer["editions"]:
                if edition["digest"] == survey.digest:
                    return Fieldwork.of_document(edition)
        raise self._unreadable()

    def published(self, survey: ListedSurvey) -> PublishedSurvey:
        if survey.digest not in self._surveys:
            # What every device may fetch; the token stays here.
            document = self._fetch(f"/api/surveys/by-digest/{quote(survey.digest)}", {})
            found = PublishedSurvey.from_bytes(document, digest=survey.digest)
            self._surveys[survey.digest] = found
        return self._surveys[survey.digest]

    def count(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> SurveyCounts:
        answer = self._ask_counts("results", survey, blocks, group)
        given = answer.get("blocks")
        counted = read_blocks(blocks, given) if isinstance(given, list) else None
        reports = answer.get("reports")
        if counted is None or not is_count(reports):
            raise self._unreadable()
        of_blocks = [each.report_count for each in counted.values()]
        if not can_be_counts(reports, of_blocks, self._surveys.get(survey.digest)):
            raise UnreadableStudy(
                f"the collector at {self.address.collector} says that it has {reports} reports, "
                "and that its blocks are in more or fewer; ask who runs it to compare its "
                "counts with its reports: deniable recount"
            )
        return SurveyCounts(reports, counted)

    def joint_counts(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> JointCounts:
        answer = self._ask_counts("tuples", survey, blocks, group)
        found = read_tuples(blocks, answer.get("tuples"))
        if found is None:
            raise self._unreadable()
        return found

    def _ask_counts(
        self, what: str, survey: ListedSurvey, blocks: Sequence[Block], group: str | None
    ) -> dict[str, Any]:
        """The answer about some blocks of a survey, of all reports or of a group's."""
        query = {"edition": survey.location, "blocks": ",".join(block.id for block in blocks)}
        answer = self._ask(what, query if group is None else {**query, "group": group})
        # A collector that does not know groups would count all reports.
        if answer.get("digest") != survey.digest or answer.get("group") != group:
            raise self._unreadable()
        return answer

    def _ask(self, what: str, query: Mapping[str, str]) -> dict[str, Any]:
        token = self.token or os.environ.get(TOKEN)
        if not token:
            raise StudyRefused(
                f"reading results from {self.address.collector} requires the analyst's token; "
                f"pass token=..., or set {TOKEN} in the environment"
            )
        path = f"/api/surveys/{quote(self.address.slug)}/{what}"
        body = self._fetch(
            f"{path}?{urlencode(query, safe=',')}" if query else path,
            {"Authorization": f"Bearer {token}"},
        )
        answer = _read_json(body)
        if isinstance(answer, dict):
            return answer
        raise self._unreadable()

    def _fetch(self, path: str, headers: Mapping[str, str]) -> bytes:
        request = Request(  # noqa: S310 - an Address is http or https
            self.address.collector + path,
            headers={"User-Agent": "deniable", "Accept": "application/json", **headers},
        )
        collector = f"the collector at {self.address.collector}"
        try:
            with build_opener(_NoRedirect).open(request, timeout=self.timeout_s) as response:
                return cast("bytes", response.read())
        except HTTPError as error:
            with error:
                problem = f"{collector} answered {error.code}: {_detail(error)}"
            kind = _REFUSALS.get(error.code, StudyUnavailable)
        except (OSError, http.client.HTTPException) as error:
            name = type(getattr(error, "reason", error)).__name__
            problem = (
                f"no answer from {collector} ({name}); check that it runs and can be reached from "
                "here, and try again"
            )
            kind = StudyUnavailable
        # Raised outside the handlers: what they handle holds the request.
        raise kind(problem)

    def _unreadable(self) -> UnreadableStudy:
        return UnreadableStudy(
            f"the collector at {self.address.collector} returned something other than the counts "
            "of this survey; check the address and that both run the same version of deniable"
        )


def _read_json(body: bytes) -> Any:
    """The value in a body; None if it is not JSON."""
    try:
        return read_json(body)
    except NotJson:
        return None


def _detail(error: HTTPError) -> str:
    """What the collector says is wrong, or that it does not say it."""
    if 300 <= error.code < 400:
        return "it redirects elsewhere, and the token is not sent there; pass its new address"
    problem = None
    with suppress(OSError, http.client.HTTPException):
        problem = _read_json(error.read())
    detail = problem.get("detail") if isinstance(problem, dict) else None
    return str(detail or "without saying why; check the address")
