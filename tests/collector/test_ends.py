"""How surveys end: on every engine, with a clock that is handed in."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from deniable_collector.clock import Moment
from deniable_collector.store import Store, add_reports
from deniable_collector.store.base import ReportOutcome
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.window import Window
from deniable_storage.ends import NOT_ENDED, UNDERWAY, End, Ending, Fieldwork
from ending_surveys import BOTH, CLOSES, LATER, LIMITED, OPEN, OPENS, WINDOW, found, take
from store_samples import reports_of
from there import there


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("published", "count", "moment", "expected"),
    [
        (WINDOW, 1, CLOSES, End.CLOSES),
        (WINDOW, 1, CLOSES - timedelta(microseconds=1), End.HAND),
        (WINDOW, 0, OPENS - timedelta(days=1), End.HAND),
        (WINDOW, 1, None, End.HAND),
        (LIMITED, 10, OPENS, End.AT_MOST_REPORTS),
        (LIMITED, 9, OPENS, End.HAND),
        (LIMITED, 10, None, End.HAND),
        (BOTH, 10, OPENS, End.AT_MOST_REPORTS),
        (BOTH, 9, CLOSES, End.CLOSES),
        (OPEN, 1, CLOSES, End.HAND),
    ],
)
def test_closing_records_how_a_survey_ended(
    store: Store, published: PublishedSurvey, count: int, moment: Moment | None, expected: End
) -> None:
    """The end of its window if that has come, else its owner's decision; once and for all."""
    store.publish(published)
    take(store, published, reports_of(published, count, random.Random(1)), None)
    assert there(store.close_survey(published.slug, moment)).ending == Ending(ended_by=expected)
    assert there(store.close_survey(published.slug, LATER)).ending == Ending(ended_by=expected)
    assert store.fieldwork(found(store, published), LATER) == Fieldwork(expected)


def test_before_it_is_closed_the_window_says_how_a_survey_ended(
    store: Store, random_source: random.Random
) -> None:
    """Nothing is recorded, and the state follows the clock and the reports."""
    for published in (WINDOW, LIMITED):
        store.publish(published)
    window, limited = found(store, WINDOW), found(store, LIMITED)
    assert store.fieldwork(window, OPENS - timedelta(days=1)) == UNDERWAY
    assert store.fieldwork(window, OPENS) == UNDERWAY
    assert store.fieldwork(window, CLOSES) == Fieldwork(End.CLOSES)
    take(store, LIMITED, reports_of(LIMITED, 9, random_source))
    assert store.fieldwork(limited, OPENS) == UNDERWAY
    take(store, LIMITED, reports_of(LIMITED, 1, random_source))
    assert store.fieldwork(limited, OPENS) == Fieldwork(End.AT_MOST_REPORTS)
    assert store.fieldwork(limited, OPENS).has_planned_end
    assert (window.ending, limited.ending) == (NOT_ENDED, NOT_ENDED)


def test_a_survey_that_ended_by_its_margin_accepts_no_more(
    store: Store, random_source: random.Random
) -> None:
    """Known reports are known, others are refused; closing it later keeps how it ended."""
    store.publish(WINDOW)
    known, new = reports_of(WINDOW, 2, random_source)
    assert take(store, WINDOW, [known]) == {ReportOutcome.STORED}
    assert store.end_by_margin(WINDOW.digest, OPENS)
    assert not store.end_by_margin(WINDOW.digest, OPENS)
    for now in (OPENS, LATER):
        assert take(store, WINDOW, [known], now) == {ReportOutcome.ALREADY_STORED}
        assert take(store, WINDOW, [new], now) == {ReportOutcome.PRECISE}
    stored = found(store, WINDOW)
    assert store.refusal(stored, OPENS) is ReportOutcome.PRECISE
    fieldwork = store.fieldwork(stored, LATER)
    assert (fieldwork, fieldwork.has_planned_end) == (Fieldwork(End.MARGIN), False)
    assert there(store.close_survey("window", LATER)).ending == Ending(ended_by=End.MARGIN)
    # Reports that move from another store were acknowledged there, until it is closed.
    assert store.count_reports(WINDOW.digest) == 1


def test_what_has_ended_does_not_end_by_its_margin(
    store: Store, random_source: random.Random
) -> None:
    """Whoever finds the results precise a moment too late changes nothing."""
    for published in (WINDOW, LIMITED, OPEN):
        store.publish(published)
    take(store, LIMITED, reports_of(LIMITED, 10, random_source))
    store.close_survey("always")
    for published in (WINDOW, LIMITED, OPEN):
        before = found(store, published)
        assert not store.end_by_margin(published.digest, CLOSES)
        assert found(store, published) == before
    assert not store.end_by_margin("0" * 64, OPENS)


def test_an_end_that_was_recorded_elsewhere_is_adopted(store: Store) -> None:
    """An open survey with a recorded end accepts no reports, even before it is closed."""
    store.publish(BOTH)
    store.adopt_ending(BOTH.digest, Ending(LATER, 20, End.HAND))
    stored = found(store, BOTH)
    assert stored.ending == Ending(LATER, 20, End.HAND)
    assert store.refusal(stored, OPENS) is ReportOutcome.CLOSED
    assert there(store.close_survey("both", LATER)).ending == stored.ending
    store.adopt_ending("0" * 64, Ending(LATER))


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (NOT_ENDED, NOT_ENDED, True),
        (Ending(LATER, 20, End.HAND), NOT_ENDED, True),
        (NOT_ENDED, Ending(closes=CLOSES), False),
        (Ending(closes=LATER), Ending(closes=CLOSES), True),
        (Ending(closes=CLOSES), Ending(closes=LATER), False),
        (Ending(at_most_reports=20), Ending(at_most_reports=20), True),
        (Ending(at_most_reports=20), Ending(at_most_reports=21), False),
        (NOT_ENDED, Ending(at_most_reports=21), False),
        (NOT_ENDED, Ending(ended_by=End.MARGIN), False),
        (Ending(ended_by=End.HAND), Ending(ended_by=End.MARGIN), False),
        (Ending(ended_by=End.MARGIN), Ending(ended_by=End.MARGIN), True),
    ],
)
def test_one_record_covers_another_if_it_takes_nothing_back(
    ours: Ending, theirs: Ending, expected: bool
) -> None:
    """Later ends cover earlier ones, and a recorded end stays."""
    assert ours.covers(theirs) is expected
    assert replace(ours).covers(ours)


@pytest.mark.parametrize("ending", [NOT_ENDED, Ending(LATER, 20, End.MARGIN, is_given_out=True)])
def test_what_is_recorded_is_read_again(ending: Ending) -> None:
    """A row is texts and a number, and makes the same ending."""
    assert Ending.of_row(*ending.to_row(), ending.is_given_out) == ending


@pytest.mark.parametrize(
    "row",
    [
        ("tomorrow", None, None),
        ("2031-03-08T09:00", None, None),
        (None, "many", None),
        (None, 1.5, None),
        (None, None, "boredom"),
    ],
)
def test_what_no_store_records_is_refused(row: tuple[str, int, str]) -> None:
    """Neither a moment without its offset, nor half a report, nor an unknown word is a record."""
    with pytest.raises(ValueError, match=r"moment|whole|Invalid isoformat|not a valid End"):
        Ending.of_row(*row, is_given_out=False)


@pytest.mark.parametrize(
    "fieldwork",
    [
        UNDERWAY,
        Fieldwork(End.HAND),
        Fieldwork(None, is_extended=True, window=Window(OPENS, LATER, 20)),
    ],
)
def test_the_state_of_fieldwork_goes_through_a_document(fieldwork: Fieldwork) -> None:
    """What a description says of it is read again as the same."""
    document = {"slug": "health", **fieldwork.to_document()}
    assert Fieldwork.of_document(document) == fieldwork


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"ended_by": None},
        {"ended_by": 1, "is_extended": False},
        {"ended_by": "boredom", "is_extended": False},
        {"ended_by": None, "is_extended": 1},
        {"ended_by": None, "is_extended": True, "window": {"closes": "soon"}},
    ],
)
def test_a_document_without_the_state_of_fieldwork_is_refused(document: dict[str, object]) -> None:
    """A description of an older or another program is not taken for one."""
    with pytest.raises(ValueError, match=r"state of a survey|not a valid End"):
        Fieldwork.of_document(document)


def test_purging_keeps_how_a_survey_ended(store: Store, random_source: random.Random) -> None:
    """The reports go, and the record stays."""
    store.publish(LIMITED)
    add_reports(store, reports_of(LIMITED, 10, random_source))
    store.close_survey("limited", OPENS)
    assert store.purge_reports(LIMITED.digest) == 10
    assert found(store, LIMITED).ending == Ending(ended_by=End.AT_MOST_REPORTS)
