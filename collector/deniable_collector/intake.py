"""From the bytes of a request to what became of each report in it.

Nothing here knows HTTP beyond status numbers: bytes and a media type go in,
receipts come out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from deniable_collector.errors import Refused
from deniable_collector.problems import Problem, problem
from deniable_collector.store.base import Outcome, Store, StoredSurvey
from deniable_sdk import InvalidReport, Report, check_report
from deniable_sdk.canonical import JSON, NotCanonical, parse

JSON_TYPE = "application/json"
NDJSON_TYPE = "application/x-ndjson"

Raw = TypeVar("Raw")

_STATUS = {Outcome.STORED: 201, Outcome.ALREADY_STORED: 200}
_REFUSALS = {
    Outcome.CONFLICT: problem(
        "report-conflict",
        "The survey has a report with this id and other values; the stored one was kept; "
        "draw a new report id for every new report, and resend the same bytes on a retry.",
    ),
    Outcome.CLOSED: problem(
        "survey-closed",
        "The survey takes no more reports, and does not have this one; discard it.",
    ),
    Outcome.UNKNOWN_SURVEY: problem(
        "unknown-survey",
        "The report names a survey that this collector does not have; "
        "send it to the collector that published the survey.",
    ),
}


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one report.

    Args:
        status: 201 stored now, 200 stored before, otherwise the problem's.
        report: the report's id, or None where it had no legal one.
        problem: why it was refused, or None.
    """

    status: int
    report: str | None
    problem: Problem | None = None

    def to_document(self) -> dict[str, str | int | None]:
        """The receipt as its sender gets it, the problem's members included."""
        members = self.problem.to_document() if self.problem else {}
        return {"status": self.status, "report": self.report, **members}


def take_reports(
    body: bytes, media_type: str, store: Store, max_reports: int
) -> Receipt | tuple[Receipt, ...]:
    """The receipt of a single report, or one receipt for each of a batch.

    All legal reports of one body are stored in one transaction.

    Raises:
        Refused: the body as a whole cannot be read, or has too many reports.
        StoreUnavailable: nothing was stored.
    """
    if media_type == NDJSON_TYPE:
        lines = [line for line in body.split(b"\n") if line.strip()]
        return _take_batch(lines, _read_line, store, max_reports)
    if media_type != JSON_TYPE:
        raise Refused(
            problem(
                "unsupported-media-type",
                f"Reports come as {JSON_TYPE} (one report, or an array of them) or as "
                f"{NDJSON_TYPE} (one a line); say which in Content-Type.",
            )
        )
    try:
        value = parse(body)
    except NotCanonical as error:
        raise Refused(_unreadable(error)) from None
    if isinstance(value, list):
        return _take_batch(value, _read_member, store, max_reports)
    return _take_all([_read_member(value)], store)[0]


def _take_batch(
    members: Sequence[Raw], read: Callable[[Raw], Report | Problem], store: Store, max_reports: int
) -> tuple[Receipt, ...]:
    if len(members) > max_reports:
        raise Refused(
            problem(
                "too-many-reports",
                f"The batch has {len(members)} reports and none was stored; allowed are "
                f"{max_reports} at a time; send them in several requests.",
            )
        )
    return _take_all([read(member) for member in members], store)


def _take_all(read: Sequence[Report | Problem], store: Store) -> tuple[Receipt, ...]:
    digests = {report.survey for report in read if isinstance(report, Report)}
    surveys = {digest: store.find_edition(digest) for digest in digests}
    checked = [
        _check(report, surveys[report.survey]) if isinstance(report, Report) else report
        for report in read
    ]
    legal = [report for report in checked if isinstance(report, Report)]
    outcomes = iter(store.add_reports(legal) if legal else ())
    return tuple(
        _receipt(report, next(outcomes))
        if isinstance(report, Report)
        else Receipt(report.status, original.id if isinstance(original, Report) else None, report)
        for original, report in zip(read, checked, strict=True)
    )


def _receipt(report: Report, outcome: Outcome) -> Receipt:
    refusal = _REFUSALS.get(outcome)
    return Receipt(refusal.status if refusal else _STATUS[outcome], report.id, refusal)


def _read_line(line: bytes) -> Report | Problem:
    try:
        value = parse(line)
    except NotCanonical as error:
        return _unreadable(error)
    return _read_member(value)


def _read_member(value: JSON) -> Report | Problem:
    try:
        return Report.from_document(value)
    except InvalidReport as error:
        return _illegal(error)


def _check(report: Report, stored: StoredSurvey | None) -> Report | Problem:
    if stored is None:
        return _REFUSALS[Outcome.UNKNOWN_SURVEY]
    try:
        check_report(report, stored.survey)
    except InvalidReport as error:
        return _illegal(error)
    return report


def _illegal(error: InvalidReport) -> Problem:
    return problem(
        "invalid-report",
        f"Not stored: {error}. Send reports as the SDK makes them for this survey.",
    )


def _unreadable(error: NotCanonical) -> Problem:
    return problem(
        "not-json",
        f"Nothing of it was stored: {error}. Send UTF-8 JSON without decimals.",
    )
