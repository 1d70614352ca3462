"""How a survey ended, as every source of reports says it."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from analysis.sources.test_collector_answers import answering
from deniable_analysis import export_study
from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.sources import open_source
from deniable_analysis.sources.addresses import Address
from deniable_analysis.sources.base import Source, select_survey
from deniable_analysis.sources.collector import CollectorSource
from deniable_collector import add_reports, open_store
from deniable_collector.clock import utc_now
from deniable_sdk import PublishedSurvey, randomize
from deniable_sdk.survey.window import Window
from deniable_storage.ends import UNDERWAY, End, Fieldwork
from deniable_web.results.studies import StoreSource
from live_server import ANALYST_TOKEN, live_collector
from postgres_server import PostgresServer
from sample_definitions import survey, yes_no

LATER = datetime(2090, 3, 8, 9, tzinfo=UTC)
OVER = survey(yes_no(), slug="over", closes="2026-01-01T09:00Z")
FULL = survey(yes_no(), slug="full", at_most_reports=2)
PRECISE = survey(yes_no(), slug="precise")
CLOSED = survey(yes_no(), slug="closed")
EXTENDED = survey(yes_no(), slug="extended", closes="2090-03-01T09:00Z")
OPEN = survey(yes_no(), slug="open", closes="2090-03-01T09:00Z", at_most_reports=9)
WINDOW = Window(closes=LATER)
EXPECTED = {
    OVER: Fieldwork(End.CLOSES),
    FULL: Fieldwork(End.AT_MOST_REPORTS),
    PRECISE: Fieldwork(End.MARGIN),
    CLOSED: Fieldwork(End.HAND),
    EXTENDED: Fieldwork(None, is_extended=True, window=WINDOW),
    OPEN: UNDERWAY,
}


def fill(location: str) -> None:
    """A survey of every kind of end."""
    with closing(open_store(location)) as store:
        for published in EXPECTED:
            store.publish(published)
        add_reports(store, [randomize(FULL, {}) for _ in range(2)])
        store.end_by_margin(PRECISE.digest, utc_now())
        store.close_survey("closed", utc_now())
        store.extend("extended", utc_now(), closes=LATER)


@pytest.fixture(params=["sqlite", "postgres"])
def location(
    request: pytest.FixtureRequest, tmp_path: Path, postgres_server: PostgresServer
) -> str:
    """A store of either engine with these surveys."""
    found = str(tmp_path / "store.sqlite")
    if request.param == "postgres":
        found = postgres_server.schema()
    fill(found)
    return found


def fieldwork(source: Source, published: PublishedSurvey) -> Fieldwork:
    """What a source says of a survey."""
    return source.fieldwork(select_survey(source.surveys(), published.digest))


def test_a_store_says_how_each_survey_ended(location: str) -> None:
    """A file, a database, the site's own store and a collector over HTTP say the same."""
    source = open_source(location)
    assert {each: fieldwork(source, each) for each in EXPECTED} == EXPECTED
    with closing(open_store(location)) as store:
        site = StoreSource(store)
        assert {each: fieldwork(site, each) for each in EXPECTED} == EXPECTED


def test_a_collector_says_how_each_survey_ended(tmp_path: Path) -> None:
    """Its answers to an analyst are those of its store."""
    path = tmp_path / "store.sqlite"
    fill(str(path))
    with live_collector(path) as running:
        for published, expected in EXPECTED.items():
            source = open_source(f"{running.url}/s/{published.slug}", ANALYST_TOKEN)
            assert fieldwork(source, published) == expected


def test_a_store_is_asked_anew_each_time(location: str) -> None:
    """A survey that was closed after it was listed has ended."""
    source = open_source(location)
    listed = select_survey(source.surveys(), FULL.digest)
    with closing(open_store(location)) as store:
        store.close_survey("full", utc_now())
    assert source.fieldwork(listed) == Fieldwork(End.AT_MOST_REPORTS)


def test_an_export_says_how_its_survey_had_ended(location: str, tmp_path: Path) -> None:
    """It is in the file beside it, with the window of an extended survey."""
    for published, expected in EXPECTED.items():
        path = tmp_path / f"{published.slug}.csv"
        export_study(location, path, published.slug)
        assert fieldwork(open_source(path), published) == expected
    beside = json.loads((tmp_path / "extended.survey.json").read_text())
    assert (beside["ended_by"], beside["is_extended"]) == (None, True)
    assert beside["window"] == {"closes": "2090-03-08T09:00Z"}


def test_a_published_survey_alone_has_not_ended(location: str, tmp_path: Path) -> None:
    """Nobody says how the reports were collected, so no end is taken for planned."""
    path = tmp_path / "closed.csv"
    export_study(location, path, "closed")
    beside = tmp_path / "closed.survey.json"
    exported = json.loads(beside.read_text())
    beside.write_bytes(CLOSED.document)
    assert fieldwork(open_source(path), CLOSED) == UNDERWAY
    beside.write_text(json.dumps({**exported, "ended_by": "boredom", "is_extended": False}))
    with pytest.raises(UnreadableStudy, match=r"is neither what `deniable export` writes nor"):
        open_source(path).surveys()


@pytest.mark.parametrize("change", ["ended_by = 'boredom'", "closes = 'soon'"])
def test_a_record_that_cannot_be_read_is_refused(tmp_path: Path, change: str) -> None:
    """The error names the survey, and what to do."""
    path = tmp_path / "store.sqlite"
    fill(str(path))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE ends SET {change}")  # noqa: S608 - the test's own
    with pytest.raises(UnreadableStudy, match=r"recorded of the end of survey 'closed' cannot be"):
        fieldwork(open_source(path), CLOSED)


def test_a_collector_that_does_not_say_it_is_refused() -> None:
    """One of an older version, or one without the survey, is no source of an end."""
    edition = {"edition": 1, "digest": FULL.digest, "is_closed": True}
    for editions in ([edition], [{**edition, "digest": "0" * 64, "ended_by": None}]):
        with answering(200, json.dumps({"editions": editions}).encode()) as (url, _):
            source = CollectorSource(Address(url, "full"), ANALYST_TOKEN)
            (listed,) = source.surveys()
            with pytest.raises(UnreadableStudy, match=r"both run the same version of deniable$"):
                source.fieldwork(replace(listed, digest=FULL.digest))
