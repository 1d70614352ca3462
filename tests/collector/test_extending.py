"""How surveys are extended: on every engine, with a clock that is handed in."""

import random
from collections.abc import Callable
from contextlib import closing

import pytest

from deniable_collector.errors import ExtensionRefused
from deniable_collector.store import Store
from deniable_collector.store.base import ReportOutcome, read_extension
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.window import Window
from deniable_storage.ends import End, Ending, Fieldwork
from ending_surveys import BOTH, CLOSES, LATER, LIMITED, OPEN, OPENS, WINDOW, found, take
from store_samples import Open, reports_of
from there import there


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
    assert longer.ending == found(store, BOTH).ending == Ending(LATER, 20, is_given_out=True)
    assert take(store, BOTH, reports[15:20], CLOSES) == {ReportOutcome.STORED}
    assert take(store, BOTH, reports[20:], CLOSES) == {ReportOutcome.FULL}
    assert there(store.latest(BOTH.digest)).window == window
    fieldwork = store.fieldwork(found(store, BOTH), CLOSES)
    assert fieldwork == Fieldwork(End.AT_MOST_REPORTS, True, window, is_given_out=True)
    assert not fieldwork.has_planned_end
    closed = there(store.close_survey("both", CLOSES))
    assert closed.ending == Ending(LATER, 20, End.AT_MOST_REPORTS, is_given_out=True)
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
