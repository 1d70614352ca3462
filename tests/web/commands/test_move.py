"""deniable move, between stores of both kinds: what comes over."""

import json
import random
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from deniable_collector.store import add_reports, open_store
from deniable_storage.ends import End, Ending
from deniable_web.commands import run
from deniable_web.stores import store_transfer
from deniable_web.stores.store_transfer import move_surveys
from invitations import many_reports
from moved_surveys import FIRST, INVITED, LIMITED, NOW, OTHER, SECOND, ReadBytes, reports_of
from postgres_server import PASSWORD, PostgresServer
from sample_definitions import survey, yes_no

Locations = tuple[str, str]


@pytest.fixture(params=["sqlite to postgres", "postgres to sqlite", "sqlite to sqlite"])
def locations(
    request: pytest.FixtureRequest, tmp_path: Path, postgres_server: PostgresServer
) -> Locations:
    """Where the source and the target are."""
    source, target = (
        postgres_server.schema() if kind == "postgres" else str(tmp_path / f"{index}.sqlite")
        for index, kind in enumerate(request.param.split(" to "))
    )
    return source, target


def fill(location: str, read_bytes: ReadBytes) -> None:
    """A closed edition, an open one, another survey, and one by invitation."""
    with closing(open_store(location)) as store:
        for published, count in ((OTHER, 5), (FIRST, 120), (SECOND, 30)):
            store.publish(published)
            add_reports(store, reports_of(published, count, read_bytes))
            if published is FIRST:
                store.close_survey(FIRST.slug)
        store.publish(INVITED.published)
        add_reports(store, many_reports(INVITED, 7, random.Random(7)))


def contents(location: str) -> list[object]:
    """Everything that a store says of its surveys, their rows, and the public log."""
    with closing(open_store(location)) as store:
        surveys = [
            (
                found.survey.document,
                found.edition,
                found.is_closed,
                found.ending,
                store.read_rows(found, None, 999),
            )
            for found in store.list_surveys()
        ]
        return [store.read_log(), *surveys]


def test_everything_is_moved_and_moving_again_changes_nothing(
    locations: Locations,
    read_bytes: ReadBytes,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Documents, editions, what is closed and every row come over, whatever the stores are."""
    monkeypatch.setattr(store_transfer, "ROWS_AT_A_TIME", 50)
    source, target = locations
    fill(source, read_bytes)
    counts = {"health@1": 120, "health@2": 30, "two-words@1": 5, "ward@1": 7}
    for new in (162, 0):
        assert run(["move", source, target]) == 0
        printed = capsys.readouterr()
        assert json.loads(printed.out) == {"surveys": counts, "new": new}
        assert f"4 surveys, {new} reports were new there." in printed.err
        assert PASSWORD not in printed.err
        assert contents(target) == contents(source)


def test_one_survey_is_moved_by_its_slug(
    locations: Locations, read_bytes: ReadBytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other surveys stay behind, and an unknown slug is told what there is."""
    source, target = locations
    fill(source, read_bytes)
    assert run(["move", source, target, "two-words"]) == 0
    assert json.loads(capsys.readouterr().out) == {"surveys": {"two-words@1": 5}, "new": 5}
    assert len(contents(target)) == 2
    assert run(["move", source, target, "missing"]) == 1
    assert "there is no survey 'missing'; the store has: health, two-words, ward" in (
        capsys.readouterr().err
    )


def test_a_source_that_is_not_there_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mistyped source makes no store, neither there nor at the target."""
    assert run(["move", str(tmp_path / "a.sqlite"), str(tmp_path / "b.sqlite")]) == 1
    assert "there is no store at" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_move_is_taken_up_again(
    locations: Locations, read_bytes: ReadBytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was moved before stays, and the rest follows."""
    monkeypatch.setattr(store_transfer, "ROWS_AT_A_TIME", 50)
    source, target = locations
    fill(source, read_bytes)

    def interrupt(moved: int, _all: int) -> None:
        if moved >= 100:
            raise KeyboardInterrupt

    with closing(open_store(source)) as old, closing(open_store(target)) as new:
        with pytest.raises(KeyboardInterrupt):
            move_surveys(old, new, old.list_surveys(), interrupt)
        assert new.count_reports(FIRST.digest) == 100
        assert move_surveys(old, new, old.list_surveys()) == 57
    assert contents(target) == contents(source)


@pytest.mark.deep
def test_how_surveys_ended_is_moved(locations: Locations, read_bytes: ReadBytes) -> None:
    """An extended end, and how an open or a closed survey ended, are the same in the target."""
    source, target = locations
    closes = NOW + timedelta(days=9)
    precise = survey(yes_no(), slug="precise")
    extended = survey(yes_no(), slug="extended", closes="2031-03-02T09:00Z", at_most_reports=9)
    with closing(open_store(source)) as old, closing(open_store(target)) as new:
        for published in (FIRST, LIMITED, precise, extended):
            old.publish(published)
        add_reports(old, reports_of(LIMITED, 2, read_bytes))
        old.close_survey(FIRST.slug, NOW)
        old.close_survey(LIMITED.slug, NOW)
        old.end_by_margin(precise.digest, NOW)
        old.extend("extended", NOW, closes=closes)
        move_surveys(old, new, old.list_surveys())
        # Again after the source went on.
        old.extend("extended", NOW, at_most_reports=10)
        assert move_surveys(old, new, old.list_surveys()) == 0
        found = {each.survey.slug: each.ending for each in new.list_surveys()}
    assert found == {
        "extended": Ending(closes, 10),
        "health": Ending(ended_by=End.HAND),
        "limited": Ending(ended_by=End.AT_MOST_REPORTS),
        "precise": Ending(ended_by=End.MARGIN),
    }
    assert contents(target) == contents(source)


def test_a_survey_that_was_closed_before_ends_were_recorded_is_moved(tmp_path: Path) -> None:
    """Without a record it was closed by hand, and the target says so; again changes nothing."""
    path = tmp_path / "source.sqlite"
    with closing(open_store(path)) as old, closing(open_store(tmp_path / "target")) as new:
        old.publish(FIRST)
        old.close_survey(FIRST.slug)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("DELETE FROM ends")
        for _ in range(2):
            move_surveys(old, new, old.list_surveys())
            (found,) = new.list_surveys()
            assert (found.is_closed, found.ending) == (True, Ending(ended_by=End.HAND))


def test_commands_take_a_database_and_show_no_password(
    postgres_server: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    read_bytes: ReadBytes,
) -> None:
    """Publishing, results, exporting and closing work on a URL, also from the environment."""
    url = postgres_server.schema()
    definition = tmp_path / "survey.yaml"
    definition.write_text(
        "{title: T, slug: health, epsilon: 1, questions: [{id: a, type: yes_no, text: A?}]}"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DENIABLE_STORE", url)
    assert run(["publish", str(definition)]) == 0
    with closing(open_store(url)) as store:
        (published,) = (found.survey for found in store.list_surveys())
        add_reports(store, reports_of(published, 50, read_bytes))
    assert run(["results", "health", "--store", url]) == 0
    assert run(["export", "health"]) == 0
    assert run(["close", "health"]) == 0
    assert run(["close", "missing"]) == 1
    printed = capsys.readouterr()
    assert "50 reports" in printed.out
    assert "Exported: 50 reports of health@1" in printed.err
    assert "Closed: health@1" in printed.err
    assert f"postgresql://postgres@127.0.0.1:{postgres_server.port}/postgres" in printed.err
    assert PASSWORD not in printed.out + printed.err
