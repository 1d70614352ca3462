"""Moves surveys with all their reports from one store to another."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from deniable_collector.errors import UnusableKeys
from deniable_collector.store import Store
from deniable_collector.store.base import PublishOutcome, ReportOutcome, Row, StoredSurvey
from deniable_sdk import DeniableError
from deniable_storage.ends import End, Ending
from deniable_web.stores.publication import edition_name

ROWS_AT_A_TIME = 5_000

# Called with the number of reports processed so far, and of all reports.
Progress = Callable[[int, int], None]


class MoveRefused(DeniableError):
    """The target contradicts the source, and is not changed."""


class MoveUnfinished(DeniableError):
    """The two stores do not contain the same after moving."""


def move_surveys(
    source: Store,
    target: Store,
    surveys: Sequence[StoredSurvey],
    on_progress: Progress = lambda _moved, _all: None,
) -> int:
    """How many of the reports were new to the target; afterwards it has all of them.

    Surveys are published in the order of the source's log, so that an empty target gets the
    same log if everything is moved. This is safe to repeat, also after an interruption:
    reports that the target already has are compared.

    Args:
        source: the store with the surveys; it is only read.
        target: the store that receives them.
        surveys: surveys of the source: for each slug, all editions up to the last one.
        on_progress: called from time to time.
    Raises:
        MoveRefused: the target has other editions, or other reports.
        MoveUnfinished: the source accepted reports meanwhile.
    """
    in_order = sorted(surveys, key=lambda stored: (stored.survey.slug, stored.edition))
    for slug, editions in groupby(in_order, key=lambda stored: stored.survey.slug):
        _check_editions(target, slug, list(editions))
    place = {digest: place for place, digest in enumerate(source.read_log())}
    in_order.sort(key=lambda stored: place[stored.survey.digest])
    total = sum(source.count_reports(stored.survey.digest) for stored in in_order)
    moved = new = 0
    for stored in in_order:
        found = _publish(target, stored)
        last: bytes | None = None
        while rows := source.read_rows(stored, last, ROWS_AT_A_TIME):
            new += _add(target, stored, rows)
            moved += len(rows)
            last = rows[-1][0]
            on_progress(moved, max(moved, total))
        target.adopt_ending(stored.survey.digest, _with_end(stored))
        if stored.is_closed and not found.is_closed:
            target.close_survey(stored.survey.slug)
        if stored.is_purged:
            _purge(target, stored)
        _compare(source, target, stored)
    return new


def _check_editions(target: Store, slug: str, editions: Sequence[StoredSurvey]) -> None:
    """Refuse editions that cannot be made the same, before anything is changed."""
    there = [stored for stored in target.list_surveys() if stored.survey.slug == slug]
    for ours, theirs in zip(editions, there, strict=False):
        if ours.survey.digest != theirs.survey.digest:
            raise MoveRefused(
                f"the target has another survey as {edition_name(theirs)} (digest "
                f"{theirs.survey.digest}); move to a store that has no survey of this slug"
            )
        if theirs.is_closed and not ours.is_closed:
            raise MoveRefused(
                f"{edition_name(theirs)} is closed in the target and open in the source; close it "
                "in the source first, or move to another store"
            )
        if not _with_end(ours).covers(_with_end(theirs)):
            raise MoveRefused(
                f"{edition_name(theirs)} was extended further in the target, or ended in another "
                "way there; move to another store"
            )
    if len(there) > len(editions):
        raise MoveRefused(
            f"the target has {edition_name(there[-1])}, which the source does not have; move to a "
            "store that has no survey of this slug"
        )


def _with_end(stored: StoredSurvey) -> Ending:
    """What is recorded of a survey's end; a closed survey without a record was closed by hand."""
    ending = stored.ending
    is_missing = stored.is_closed and ending.ended_by is None
    return replace(ending, ended_by=End.HAND) if is_missing else ending


def _publish(target: Store, stored: StoredSurvey) -> StoredSurvey:
    """Publish the survey in the target, with the same bytes and the same edition number."""
    try:
        publication = target.publish(stored.survey)
    except UnusableKeys:
        raise MoveRefused(
            f"{edition_name(stored)} cannot be published in the target: another survey there has "
            "the key of one of its groups, so tokens for one would be good for the other; move "
            "to another store"
        ) from None
    found = publication.stored
    is_same = (found.survey.document, found.edition) == (stored.survey.document, stored.edition)
    if publication.outcome is PublishOutcome.CONFLICT or not is_same:
        raise MoveRefused(
            f"{edition_name(stored)} cannot be published in the target, where something changed "
            "in the meantime; stop other programs that write there, and move again"
        )
    return found


def _add(target: Store, stored: StoredSurvey, rows: Sequence[Row]) -> int:
    digest = stored.survey.digest
    outcomes = target.add_rows({digest: rows})[digest]
    counts = Counter(outcomes)
    if counts[ReportOutcome.CONFLICT]:
        raise MoveRefused(
            f"{counts[ReportOutcome.CONFLICT]} reports of {edition_name(stored)} are in the "
            "target with other values, so one of the stores was changed; move to a store that "
            "has no survey of this slug"
        )
    if counts[ReportOutcome.CLOSED]:
        raise MoveRefused(
            f"{edition_name(stored)} is closed in the target, which lacks "
            f"{counts[ReportOutcome.CLOSED]} of its reports; move to another store"
        )
    return counts[ReportOutcome.STORED]


def _purge(target: Store, stored: StoredSurvey) -> None:
    """Record in the target that the reports were purged; it must have none."""
    if target.count_reports(stored.survey.digest):
        raise MoveRefused(
            f"{edition_name(stored)} is purged in the source, and the target has reports of it; "
            "purge it there as well, and move again"
        )
    target.purge_reports(stored.survey.digest)


def _compare(source: Store, target: Store, stored: StoredSurvey) -> None:
    """Check that both stores have the same counts of every block."""
    blocks = stored.survey.blocks
    theirs = target.find_edition(stored.survey.digest)
    if theirs is None or source.look(stored, blocks) != target.look(theirs, blocks):
        raise MoveUnfinished(
            f"the two stores have different counts for {edition_name(stored)}: reports arrived in "
            "the meantime; stop the collectors of both stores, and move again; if that does not "
            "help, compare the counts of both with their reports: deniable recount"
        )
