"""What is given out before the end, on every engine, and straight from a store."""

import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from deniable_analysis import open_study
from deniable_analysis.errors import ResultsSealed, StudyUnavailable
from deniable_analysis.sources import open_source
from deniable_analysis.sources.base import ListedSurvey, RowSource, select_survey
from deniable_analysis.sources.tables import TableSource
from deniable_collector.clock import utc_now
from deniable_collector.store import Store, add_reports, open_store
from deniable_sdk import PublishedSurvey
from deniable_storage.ends import End, Fieldwork
from ending_surveys import CLOSES, LATER, OPENS, found
from postgres_server import PostgresServer
from sample_definitions import choice, survey, yes_no
from store_samples import reports_of
from there import there

PLAIN = survey(yes_no(), choice(options=4), slug="plain", ask=2)
SEALED = survey(yes_no(), choice(options=4), slug="sealed", ask=2, results="at_end")
DATED = survey(
    yes_no(), slug="dated", results="at_end", opens="2031-03-01T09:00Z", closes="2031-03-08T09:00Z"
)


def filled(store: Store, *published: PublishedSurvey) -> None:
    """Publish the surveys, with 12 reports of each."""
    for each in published:
        store.publish(each)
        add_reports(store, reports_of(each, 12, random.Random(1)))


Look = Callable[[Store, PublishedSurvey], object]
# What gives out results.
LOOKS: dict[str, Look] = {
    "values": lambda store, each: store.count_values(found(store, each), each.blocks, now=OPENS),
    "tuples": lambda store, each: store.count_tuples(
        found(store, each), each.blocks[:1], 100, now=OPENS
    ),
    "what was counted earlier": lambda store, each: store.give_out(found(store, each), OPENS),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_a_look_at_results_is_recorded_and_nothing_else_is(store: Store, look: Look) -> None:
    """Closing by hand is a planned end only if nobody saw a result before."""
    other = survey(yes_no(), slug="other")
    filled(store, PLAIN, other)
    for each in (PLAIN, other):
        store.count_values(found(store, each), (), now=OPENS)
        store.look(found(store, each), each.blocks)
        store.recount(found(store, each))
        assert not found(store, each).ending.is_given_out
    look(store, PLAIN)
    look(store, PLAIN)
    assert found(store, PLAIN).ending.is_given_out
    assert not found(store, other).ending.is_given_out
    for each, is_planned in ((PLAIN, False), (other, True)):
        store.close_survey(each.slug, OPENS)
        fieldwork = store.fieldwork(found(store, each), OPENS)
        assert (fieldwork.end, fieldwork.has_planned_end) == (End.HAND, is_planned)


def test_a_look_after_the_end_is_not_recorded(store: Store) -> None:
    """It decides nothing any more."""
    filled(store, PLAIN)
    store.close_survey("plain", OPENS)
    for look in LOOKS.values():
        look(store, PLAIN)
    assert store.fieldwork(found(store, PLAIN), OPENS) == Fieldwork(End.HAND)


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_nobody_looks_at_a_sealed_survey_before_its_end(store: Store, look: Look) -> None:
    """Anybody may know the number of reports; after closing, intervals are for one look."""
    filled(store, SEALED)
    with pytest.raises(ResultsSealed, match=r"before its end \(results: at_end\)"):
        look(store, SEALED)
    assert store.count_values(found(store, SEALED), (), now=OPENS).report_count == 12
    store.close_survey("sealed", OPENS)
    look(store, SEALED)
    assert store.fieldwork(found(store, SEALED), OPENS).has_planned_end


def test_a_sealed_survey_that_is_extended_is_sealed_again(store: Store) -> None:
    """Before its end that costs nothing; after it, results could be known."""
    filled(store, DATED)
    later = CLOSES.replace(day=CLOSES.day + 1)
    store.extend("dated", OPENS, closes=later)
    for moment in (OPENS, CLOSES):
        with pytest.raises(ResultsSealed):
            store.give_out(found(store, DATED), moment)
    store.give_out(found(store, DATED), later)
    assert store.fieldwork(found(store, DATED), later).has_planned_end
    store.extend("dated", later, closes=LATER)
    with pytest.raises(ResultsSealed):
        store.give_out(found(store, DATED), later)
    assert not store.fieldwork(found(store, DATED), LATER).has_planned_end


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store of either engine with an open and a sealed survey."""
    place = str(tmp_path / "store.sqlite")
    if request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres_server")
        place = server.schema()
    with closing(open_store(place)) as store:
        filled(store, PLAIN, SEALED)
    return place


def given_out(location: str, published: PublishedSurvey) -> bool:
    """Whether the store has recorded that results were given out."""
    with closing(open_store(location)) as store:
        return there(store.find_survey(published.slug)).ending.is_given_out


def of(source: RowSource, published: PublishedSurvey) -> ListedSurvey:
    """The survey as the source lists it."""
    return select_survey(source.surveys(), published.digest)


def ranges(source: RowSource, listed: ListedSurvey) -> None:
    """Read ids and reports by ranges."""
    assert isinstance(source, TableSource)
    with source.range_reader(listed):
        pass


Read = Callable[[RowSource, ListedSurvey], object]
BLOCKS = PLAIN.blocks  # the same as of SEALED
READS: dict[str, Read] = {
    "count": lambda source, listed: source.count(listed, BLOCKS),
    "joint counts": lambda source, listed: source.joint_counts(listed, BLOCKS),
    "rows": lambda source, listed: list(source.rows(listed, BLOCKS, 9)),
    "ranges": ranges,
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_who_reads_a_store_itself_is_held_to_the_same(location: str, read: Read) -> None:
    """A file and a database are sealed, and a first look is recorded in them."""
    source = open_source(location)
    assert isinstance(source, RowSource)
    for each in (PLAIN, SEALED):
        assert source.report_count(of(source, each)) == 12
        assert not given_out(location, each)
    with pytest.raises(ResultsSealed):
        read(source, of(source, SEALED))
    read(source, of(source, PLAIN))
    assert given_out(location, PLAIN)
    with closing(open_store(location)) as store:
        store.close_survey("sealed", utc_now())
    read(source, of(source, SEALED))
    assert not given_out(location, SEALED)
    assert open_study(location, "sealed").estimate().fieldwork == Fieldwork(End.HAND)


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_a_listing_opens_no_seal(location: str, read: Read) -> None:
    """The store says whether a survey has ended, whatever its source is told."""
    source = open_source(location)
    assert isinstance(source, RowSource)
    listed = replace(of(source, SEALED), slug="plain", edition=2, is_closed=True)
    with pytest.raises(ResultsSealed):
        read(source, listed)


def test_who_may_not_write_does_not_look_first(postgres_server: PostgresServer) -> None:
    """Their look could not be recorded; once somebody else's is, or after the end, they look."""
    url = postgres_server.schema()
    with closing(open_store(url)) as store:
        filled(store, PLAIN)
    reading = f"{url}%20-cdefault_transaction_read_only%3Don"
    with pytest.raises(StudyUnavailable, match="the first look at its results has to be recorded"):
        open_study(reading, "plain").estimate()
    open_study(url, "plain").estimate()
    assert open_study(reading, "plain").estimate().reports == 12


def test_the_mark_is_stored_before_anything_is_counted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is killed in between has given out nothing, and is taken to have."""
    filled(store, PLAIN)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(type(store), "look", die)
        with pytest.raises(KeyboardInterrupt):
            store.count_values(found(store, PLAIN), PLAIN.blocks, now=OPENS)
    assert found(store, PLAIN).ending.is_given_out
