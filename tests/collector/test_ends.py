"""How surveys end and are extended: on every engine, with a clock that is handed in."""

import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from deniable_collector.clock import Moment
from deniable_collector.errors import ExtensionRefused
from deniable_collector.store import Store, add_reports
from deniable_collector.store.base import ReportOutcome, StoredSurvey, row_of
from deniable_collector.store.extending import read_extension
from deniable_sdk import PublishedSurvey, Report
from deniable_sdk.survey.window import Window
from deniable_storage.ends import NOT_ENDED, UNDERWAY, End, Ending, Fieldwork
from sample_definitions import survey, yes_no
from store_samples import Open, reports_of
from there import there

OPENS = datetime(2031, 3, 1, 9, tzinfo=UTC)
CLOSES = OPENS + timedelta(days=7)
LATER = CLOSES + timedelta(days=7)
WINDOW = survey(yes_no(), slug="window", opens="2031-03-01T09:00Z", closes="2031-03-08T09:00Z")
LIMITED = survey(yes_no(), slug="limited", at_most_reports=10)
BOTH = survey(yes_no(), slug="both", closes="2031-03-08T09:00Z", at_most_reports=10)
OPEN = survey(yes_no(), slug="always")


def take(
    store: Store, published: PublishedSurvey, reports: list[Report], now: Moment | None = OPENS
) -> set[ReportOutcome]:
    """What becomes of these reports at a moment."""
    rows = [row_of(report, published) for report in reports]
    return set(store.add_rows({published.digest: rows}, now)[published.digest])


def found(store: Store, published: PublishedSurvey) -> StoredSurvey:
    """The survey as the store has it now."""
    return there(store.find_edition(published.digest))


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


def test_an_extended_survey_accepts_reports_beyond_its_published_end(
    store: Store, reopen: Open, random_source: random.Random
) -> None:
    """A later moment, then more reports; every process sees it, and it is never a planned end."""
    store.publish(BOTH)
    reports = reports_of(BOTH, 31, random_source)
    take(store, BOTH, reports[:10])
    assert take(store, BOTH, reports[10:11]) == {ReportOutcome.FULL}
    more = there(store.extend("both", OPENS, at_most_reports=20))
    assert more.window == Window(closes=CLOSES, at_most_reports=20)
    with closing(reopen()) as beside:
        assert found(beside, BOTH) == more
        assert take(beside, BOTH, reports[10:15]) == {ReportOutcome.STORED}
        longer = there(beside.extend("both", CLOSES, closes=LATER))
    window = Window(closes=LATER, at_most_reports=20)
    assert longer.ending == found(store, BOTH).ending == Ending(LATER, 20)
    assert take(store, BOTH, reports[15:20], CLOSES) == {ReportOutcome.STORED}
    assert take(store, BOTH, reports[20:], CLOSES) == {ReportOutcome.FULL}
    assert there(store.latest(BOTH.digest)).window == window
    fieldwork = store.fieldwork(found(store, BOTH), CLOSES)
    assert fieldwork == Fieldwork(End.AT_MOST_REPORTS, is_extended=True, window=window)
    assert not fieldwork.has_planned_end
    closed = there(store.close_survey("both", CLOSES))
    assert closed.ending == Ending(LATER, 20, End.AT_MOST_REPORTS)
    assert found(store, BOTH).survey.document == BOTH.document


def is_over(store: Store) -> None:
    """Close the survey."""
    store.close_survey("both")


def is_precise(store: Store) -> None:
    """End the survey by its margin."""
    assert store.end_by_margin(BOTH.digest, OPENS)


def is_longer(store: Store) -> None:
    """Extend the survey by a week."""
    store.extend("both", OPENS, closes=LATER)


def nothing(_: Store) -> None:
    """Leave the survey as it is."""


@pytest.mark.parametrize(
    ("before", "changes", "message"),
    [
        (nothing, {}, "got no new end; give a later moment, more reports, or both"),
        (
            nothing,
            {"closes": CLOSES},
            r"got 2031-03-08T09:00Z; edition 1 of both closes at 2031-03-08T09:00Z, and only a",
        ),
        (is_longer, {"closes": LATER}, "both closes at 2031-03-15T09:00Z, and only a later"),
        (
            nothing,
            {"closes": LATER, "now": LATER},
            "got 2031-03-15T09:00Z, which is over; give a moment in the future",
        ),
        (
            nothing,
            {"at_most_reports": 10},
            "got 10; edition 1 of both accepts at most 10 reports, and only more are allowed",
        ),
        (
            nothing,
            {"closes": LATER, "at_most_reports": 12},
            "got 12; edition 1 of both has 12 reports already; give a number above that",
        ),
        (
            is_over,
            {"closes": LATER},
            "edition 1 of both is closed, and a closed survey never accepts reports again; ch",
        ),
        (
            is_precise,
            {"closes": LATER},
            "ended when its results were as precise as its published rule asks, and a later end w",
        ),
    ],
)
def test_an_extension_that_cannot_be_is_refused(
    store: Store,
    random_source: random.Random,
    before: Callable[[Store], None],
    changes: dict[str, object],
    message: str,
) -> None:
    """The message says what was got and what is allowed, and nothing is changed."""
    store.publish(BOTH)
    before(store)
    take(store, BOTH, reports_of(BOTH, 12, random_source), None)
    stored = found(store, BOTH)
    with pytest.raises(ExtensionRefused, match=message):
        store.extend("both", **{"now": OPENS, **changes})  # type: ignore[arg-type]
    assert found(store, BOTH) == stored


@pytest.mark.parametrize(
    ("published", "changes", "message"),
    [
        (
            WINDOW,
            {"at_most_reports": 5},
            "published without `at_most_reports`, so it ends with",
        ),
        (LIMITED, {"closes": LATER}, "without `closes`, so it ends with no moment that could be"),
        (OPEN, {"closes": LATER}, "edition 1 of always was published without `closes`"),
    ],
)
def test_a_survey_gets_no_end_that_was_not_published(
    store: Store, published: PublishedSurvey, changes: dict[str, object], message: str
) -> None:
    """Respondents were not told of one, so only another edition can have it."""
    store.publish(published)
    with pytest.raises(ExtensionRefused, match=message):
        store.extend(published.slug, OPENS, **changes)  # type: ignore[arg-type]
    assert store.extend("unknown", OPENS, closes=LATER) is None


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


@pytest.mark.parametrize("ending", [NOT_ENDED, Ending(LATER, 20, End.MARGIN)])
def test_what_is_recorded_is_read_again(ending: Ending) -> None:
    """A row is texts and a number, and makes the same ending."""
    assert Ending.of_row(*ending.to_row()) == ending


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
        Ending.of_row(*row)


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


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], r"the whole document: got \[\]; allowed is an object with keys and values"),
        ({"close": "2031-03-15T09:00Z"}, "close: unknown key; did you mean 'closes'"),
        ({"closes": "2031-03-15T09:00"}, "closes: got .*; allowed is a moment with its offset"),
        ({"closes": 5}, "closes: got 5; allowed is a moment with its offset"),
        ({"at_most_reports": 0}, "at_most_reports: got 0; allowed is a whole number from 1 to"),
        ({"at_most_reports": True}, "at_most_reports: got true; allowed is a whole number"),
    ],
)
def test_an_extension_that_cannot_be_read_is_refused(document: object, message: str) -> None:
    """Each problem is named by its key."""
    with pytest.raises(ExtensionRefused, match=message):
        read_extension(document)


def test_an_extension_is_read_in_utc() -> None:
    """Moments have an offset, and either end may stay."""
    assert read_extension({"closes": "2031-03-15T10:00+01:00"}) == Window(closes=LATER)
    assert read_extension({"at_most_reports": 20}) == Window(at_most_reports=20)
    assert read_extension({}) == Window()


def test_purging_keeps_how_a_survey_ended(store: Store, random_source: random.Random) -> None:
    """The reports go, and the record stays."""
    store.publish(LIMITED)
    add_reports(store, reports_of(LIMITED, 10, random_source))
    store.close_survey("limited", OPENS)
    assert store.purge_reports(LIMITED.digest) == 10
    assert found(store, LIMITED).ending == Ending(ended_by=End.AT_MOST_REPORTS)
