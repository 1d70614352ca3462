"""From answers to a report that is kept: checked, randomized once, written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from deniable_sdk.canonical import kind
from deniable_sdk.client.entry import Entry, key_of, shed
from deniable_sdk.client.fixed import fixed_blocks, fixed_text
from deniable_sdk.client.ledger import (
    panel_text,
    refuse_beyond,
    refuse_second,
    weights_text,
)
from deniable_sdk.client.log import log
from deniable_sdk.client.options import Options
from deniable_sdk.client.storage.contract import Transaction
from deniable_sdk.device import draw_blocks, randomize_beside
from deniable_sdk.errors import quote
from deniable_sdk.records import Record
from deniable_sdk.report import Report
from deniable_sdk.survey.published import PublishedSurvey, check_cap

Again = Literal["first", "edition"]


class Submission(Record, hidden="answers"):
    """What a respondent hands over."""

    survey: PublishedSurvey
    answers: Mapping[str, object]
    blocks: Sequence[str] | None
    again: Again | None


def require_survey(survey: object) -> None:
    """Fail unless this is a survey that was checked when it was read."""
    if not isinstance(survey, PublishedSurvey):
        raise TypeError(f"got {kind(survey)}; allowed is a survey that get_survey gave")


def check_submission(submission: Submission) -> None:
    """Fail unless the survey was checked and `again` is one that there is."""
    require_survey(submission.survey)
    again = submission.again
    if again not in {None, "first", "edition"}:
        raise ValueError(f'again: got {quote(again)}; allowed are None, "first" and "edition"')


def keep_report(
    options: Options, submission: Submission, check_open: Callable[[], None]
) -> Report:
    """The report of a submission, once it is kept.

    Args:
        options: the client's.
        submission: what was handed over.
        check_open: raises if the client has been ended meanwhile.
    """
    with options.storage.transaction() as stored:
        check_open()
        report, dropped = _kept(options, submission, stored)
    log("queued", report.id)
    for entry in dropped:
        log("dropped", entry.report)
    return report


def _kept(
    options: Options, submission: Submission, stored: Transaction
) -> tuple[Report, list[Entry]]:
    survey, again = submission.survey, submission.again
    key = key_of(options.collector, survey.digest)
    entries = stored.entries()
    for entry in entries:
        if again == "first" and entry.key == key and entry.body is not None:
            return Report.from_bytes(entry.body), []
    refuse_second(entries, options.collector, survey, is_new_edition=again == "edition")
    check_cap(survey, options.epsilon_cap)
    fixed = fixed_blocks(entries, options.collector, survey)
    refuse_beyond(entries, survey, options.overall_cap, fixed.kept)
    blocks = submission.blocks
    if blocks is None:
        blocks = draw_blocks(survey, options.read_bytes)
    report = randomize_beside(fixed.kept, survey, submission.answers, blocks, options.read_bytes)
    entry = Entry(
        key=key,
        number=entries[-1].number + 1 if entries else 1,
        collector=options.collector,
        slug=survey.slug,
        survey=survey.digest,
        report=report.id,
        weights=weights_text(survey, [block for block in blocks if block not in fixed.kept]),
        body=report.to_bytes(),
        panel=panel_text(survey),
        fixed=fixed_text(fixed, report),
    )
    stored.put(entry)
    changed = shed([*entries, entry])
    for other in changed:
        stored.put(other)
    return report, [other for other in changed if other.state == "dropped"]
