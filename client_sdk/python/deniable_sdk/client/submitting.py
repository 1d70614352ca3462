"""From answers to a stored report: checked, randomized once, written."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Literal

from deniable_sdk.canonical import kind
from deniable_sdk.client.entry import Entry, entry_of, reported, shed
from deniable_sdk.client.fixed import fixed_blocks, fixed_text
from deniable_sdk.client.ledger import (
    day_of,
    panel_text,
    refuse_beyond,
    refuse_second,
    weights_text,
)
from deniable_sdk.client.log import log
from deniable_sdk.client.options import Options
from deniable_sdk.client.retry import spread
from deniable_sdk.client.storage.contract import Transaction
from deniable_sdk.device import ReusedValues, draw_blocks, randomize_reusing
from deniable_sdk.errors import quote
from deniable_sdk.invitation import TokenRequest, read_kept
from deniable_sdk.records import Record
from deniable_sdk.report import Report
from deniable_sdk.survey.published import PublishedSurvey, check_cap
from deniable_sdk.tokens import InvalidToken, Token

Again = Literal["first", "edition"]


class Submission(Record, hidden="answers"):
    """The answers that a respondent submits."""

    survey: PublishedSurvey
    answers: Mapping[str, object]
    blocks: Sequence[str] | None
    again: Again | None
    hold: bool = False
    group: str | None = None


def require_survey(survey: object) -> None:
    """Fail unless this is a survey that was checked when it was read."""
    if not isinstance(survey, PublishedSurvey):
        raise TypeError(f"got {kind(survey)}; allowed is a survey that get_survey gave")


def keep_blocks(
    options: Options, survey: PublishedSurvey, check_open: Callable[[], None]
) -> tuple[tuple[str, ...], Container[str]]:
    """The blocks of this survey that the device is asked, and those reported before.

    Drawn once: the next call returns the same blocks.
    """
    with options.storage.transaction() as stored:
        check_open()
        entries = stored.entries()
        entry = entry_of(entries, survey.digest)
        kept = fixed_blocks(entries, options.collector, survey).kept
        if entry is None or entry.state == "asked":
            _refuse_too_much(options, entries, survey, kept)
        if entry is not None and entry.blocks:
            return tuple(entry.blocks.split()), kept
        blocks = draw_blocks(survey, options.read_bytes)
        # Where all are asked, there is nothing to remember.
        if survey.asked < len(survey.blocks):
            entry = entry or new_entry(options, survey, entries)
            stored.put(entry.replace(blocks=" ".join(blocks)))
        return blocks, kept


def keep_report(
    options: Options, submission: Submission, check_open: Callable[[], None]
) -> Report:
    """The report of a submission, once it is stored."""
    with options.storage.transaction() as stored:
        check_open()
        report, changed = _kept(options, submission, stored)
    for entry in changed:
        log(entry.state, entry.report)
    return report


def decide(
    options: Options,
    survey: PublishedSurvey,
    state: Literal["waiting", "declined"],
    check_open: Callable[[], None],
) -> bool:
    """Whether a report was held; its state is now what the person decided."""
    require_survey(survey)
    with options.storage.transaction() as stored:
        check_open()
        entry = entry_of(stored.entries(), survey.digest)
        if entry is None or entry.state != "held":
            return False
        if state == "declined":
            stored.put(entry.replace(state=state, body=None))
        else:
            # It goes to the address at which the person has decided.
            sent = entry.replace(state=state, collector=options.collector)
            stored.put(_started(options, survey, sent))
    log(state, entry.report)
    return True


def _kept(
    options: Options, submission: Submission, stored: Transaction
) -> tuple[Report, list[Entry]]:
    """The report of a submission, and the entries whose state has changed for it."""
    survey, again = submission.survey, submission.again
    entries = stored.entries()
    asked = entry_of(entries, survey.digest)
    if again == "first" and asked is not None and asked.body is not None:
        return Report.from_bytes(asked.body), []
    refuse_second(reported(entries), options.collector, survey, is_new_edition=again == "edition")
    fixed = fixed_blocks(entries, options.collector, survey)
    _refuse_too_much(options, entries, survey, fixed.kept)
    blocks = _chosen_blocks(options, submission, asked)
    carried = ReusedValues(fixed.kept, _token_of(survey, asked), submission.group)
    report = randomize_reusing(carried, survey, submission.answers, blocks, options.read_bytes)
    entry = new_entry(options, survey, entries).replace(
        report=report.id,
        weights=weights_text(survey, [block for block in blocks if block not in fixed.kept]),
        body=report.to_bytes(),
        state="held" if submission.hold else "waiting",
        fixed=fixed_text(fixed, report),
        blocks=" ".join(blocks),
    )
    if not submission.hold:
        entry = _started(options, survey, entry)
    stored.put(entry)
    changed = shed([*(other for other in entries if other is not asked), entry])
    for other in changed:
        stored.put(other)
    return report, [entry, *(other for other in changed if other.state == "dropped")]


def _started(options: Options, survey: PublishedSurvey, entry: Entry) -> Entry:
    """An entry whose report is on its way from now on, and may wait first."""
    if survey.invited is None or options.sends_at_once:
        return entry
    return spread(entry, survey.window, options.clock.now(), options.read_bytes)


def invitation_of(entry: Entry | None) -> Token | TokenRequest | None:
    """The token on this device, or the request for it; None if there is neither."""
    return read_kept(entry.invitation) if entry and entry.invitation else None


def _token_of(survey: PublishedSurvey, asked: Entry | None) -> Token | None:
    """The token that this device has collected; None where everybody may answer."""
    if survey.invited is None:
        return None
    kept = invitation_of(asked)
    if isinstance(kept, Token):
        return kept
    raise InvalidToken("this device has no token for the survey; get it with collect_token first")


def _chosen_blocks(options: Options, submission: Submission, asked: Entry | None) -> Sequence[str]:
    """The blocks that are answered: those that were drawn, if some were."""
    drawn = asked.blocks.split() if asked is not None else []
    blocks = submission.blocks
    if blocks is None:
        return drawn or draw_blocks(submission.survey, options.read_bytes)
    if drawn and not set(blocks) <= set(drawn):
        raise ValueError(
            f"got the blocks {', '.join(map(quote, blocks))}; allowed are {', '.join(drawn)}, "
            "which draw gave"
        )
    return blocks


def new_entry(options: Options, survey: PublishedSurvey, entries: Sequence[Entry]) -> Entry:
    """The last entry, of a survey that is asked and not answered."""
    return Entry(
        key=survey.digest,
        number=entries[-1].number + 1 if entries else 1,
        collector=options.collector,
        slug=survey.slug,
        survey=survey.digest,
        report="",
        weights="",
        body=None,
        state="asked",
        panel=panel_text(survey),
        # No earlier than what was drawn before: clocks are set back, and right again.
        day=max([day_of(options.clock), *(one.day for one in entries)]),
    )


def _refuse_too_much(
    options: Options, entries: Sequence[Entry], survey: PublishedSurvey, kept: Container[str]
) -> None:
    """Fail if the survey spends more than one may, or than is left of the year's cap."""
    check_cap(survey, options.epsilon_cap)
    asked = new_entry(options, survey, entries)
    refuse_beyond(reported(entries), asked, survey, options, kept)
