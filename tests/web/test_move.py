"""deniable move, between stores of both kinds."""

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from deniable_collector.store import Store, add_reports, open_store
from deniable_sdk import PublishedSurvey, Report, randomize
from deniable_storage.ends import End, Ending
from deniable_web import moving
from deniable_web.commands import run
from deniable_web.moving import MoveRefused, MoveUnfinished, move_surveys
from invitations import invited_survey, many_reports
from postgres_server import PASSWORD, PostgresServer
from sample_definitions import choice, multiple, survey, yes_no

FIRST = survey(yes_no(), choice(options=30), multiple(options=4), ask=2, epsilon=2)
SECOND = survey(yes_no(), title="The next wave")
OTHER = survey(yes_no(), slug="two-words")
LIMITED = survey(yes_no(), slug="limited", at_most_reports=2)
NOW = datetime(2031, 3, 1, 9, tzinfo=UTC)
# Over, and with more reports than it accepts.
INVITED = invited_survey(yes_no(), slug="ward", closes="2021-01-01T00:00Z", at_most_reports=3)

ReadBytes = Callable[[int], bytes]
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


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """Two stores of one kind, for what does not depend on it."""
    with ExitStack() as stack:
        source, target = (
            stack.enter_context(closing(open_store(tmp_path / f"{name}.sqlite")))
            for name in ("source", "target")
        )
        yield source, target


def reports_of(published: PublishedSurvey, count: int, read_bytes: ReadBytes) -> list[Report]:
    """Reports of respondents who did not answer."""
    return [randomize(published, {}, read_bytes=read_bytes) for _ in range(count)]


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
    monkeypatch.setattr(moving, "ROWS_AT_A_TIME", 50)
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
    monkeypatch.setattr(moving, "ROWS_AT_A_TIME", 50)
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


def test_a_target_with_other_surveys_under_the_slug_is_refused(
    stores: tuple[Store, Store],
) -> None:
    """Nothing is published where an edition would be another one."""
    source, target = stores
    source.publish(FIRST)
    target.publish(SECOND)
    with pytest.raises(MoveRefused, match="the target has another survey as health@1"):
        move_surveys(source, target, source.list_surveys())
    assert len(target.list_surveys()) == 1


def test_a_target_with_more_editions_is_refused(stores: tuple[Store, Store]) -> None:
    """A target that went on is not moved to."""
    source, target = stores
    for store in stores:
        store.publish(FIRST)
        store.close_survey("health")
    target.publish(SECOND)
    with pytest.raises(
        MoveRefused, match="the target has health@2, which the source does not have"
    ):
        move_surveys(source, target, source.list_surveys())


def test_a_target_where_a_key_serves_already_is_refused(stores: tuple[Store, Store]) -> None:
    """A survey by invitation is not moved to where its tokens would be good for another one."""
    source, target = stores
    source.publish(INVITED.published)
    target.publish(invited_survey(slug="elsewhere").published)
    with pytest.raises(
        MoveRefused, match=r"ward@1 cannot be published in the target: another survey there has"
    ):
        move_surveys(source, target, source.list_surveys())
    assert len(target.list_surveys()) == 1


def test_a_target_that_is_closed_already_is_refused(
    stores: tuple[Store, Store], read_bytes: ReadBytes
) -> None:
    """What is open, or has more reports, does not fit into what is closed."""
    source, target = stores
    for store in stores:
        store.publish(FIRST)
    add_reports(source, reports_of(FIRST, 3, read_bytes))
    target.close_survey("health")
    with pytest.raises(MoveRefused, match="health@1 is closed in the target and open in the sou"):
        move_surveys(source, target, source.list_surveys())
    source.close_survey("health")
    with pytest.raises(MoveRefused, match="is closed in the target, which lacks 3 of its reports"):
        move_surveys(source, target, source.list_surveys())


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


@pytest.mark.parametrize(
    "change",
    [
        lambda store: store.extend("limited", NOW, at_most_reports=5),
        lambda store: store.end_by_margin(LIMITED.digest, NOW),
    ],
    ids=["extended", "precise"],
)
def test_a_target_that_ended_in_another_way_is_refused(
    stores: tuple[Store, Store], change: Callable[[Store], object]
) -> None:
    """An end that was recorded in the target is not taken back."""
    source, target = stores
    for store in stores:
        store.publish(LIMITED)
    change(target)
    before = target.list_surveys()
    with pytest.raises(MoveRefused, match="limited@1 was extended further in the target, or end"):
        move_surveys(source, target, source.list_surveys())
    assert target.list_surveys() == before


def test_a_purged_survey_is_purged_in_the_target_and_costs_it_no_report(
    stores: tuple[Store, Store], read_bytes: ReadBytes
) -> None:
    """That reports are gone is moved; reports that the target has are not removed for it."""
    source, target = stores
    reports = reports_of(FIRST, 3, read_bytes)
    for store in stores:
        store.publish(FIRST)
        add_reports(store, reports)
        store.close_survey("health")
    source.purge_reports(FIRST.digest)
    with pytest.raises(MoveRefused, match="purged in the source, and the target has reports of"):
        move_surveys(source, target, source.list_surveys())
    assert target.count_reports(FIRST.digest) == 3
    target.purge_reports(FIRST.digest)
    assert move_surveys(source, target, source.list_surveys()) == 0
    source.publish(OTHER)
    source.close_survey(OTHER.slug)
    source.purge_reports(OTHER.digest)
    move_surveys(source, target, source.list_surveys())
    assert [found.is_purged for found in target.list_surveys()] == [True, True]


def test_reports_with_other_values_are_refused(
    stores: tuple[Store, Store], read_bytes: ReadBytes
) -> None:
    """The same id with other values means that a store was changed; both stay as they are."""
    source, target = stores
    for store in stores:
        store.publish(FIRST)
    first, second = reports_of(FIRST, 2, read_bytes)
    add_reports(source, [first])
    add_reports(target, [Report(first.survey, first.id, second.answers)])
    with pytest.raises(
        MoveRefused, match="1 reports of health@1 are in the target with other val"
    ):
        move_surveys(source, target, source.list_surveys())


def test_a_source_that_takes_reports_meanwhile_is_told(
    stores: tuple[Store, Store], read_bytes: ReadBytes
) -> None:
    """A report that came in behind what was read already is missed, and moved by the next try."""
    source, target = stores
    source.publish(FIRST)
    first, late = reports_of(FIRST, 2, read_bytes)
    add_reports(source, [first])
    behind = Report(late.survey, "0" * 32, late.answers)

    def send(_moved: int, _all: int) -> None:
        add_reports(source, [behind])

    with pytest.raises(
        MoveUnfinished, match="reports arrived in the meantime; stop the collectors"
    ):
        move_surveys(source, target, source.list_surveys(), send)
    assert move_surveys(source, target, source.list_surveys()) == 1


def test_a_target_that_changes_meanwhile_is_told(
    stores: tuple[Store, Store], read_bytes: ReadBytes
) -> None:
    """An edition that somebody else published in between is not taken for ours."""
    source, target = stores
    source.publish(FIRST)
    add_reports(source, reports_of(FIRST, 1, read_bytes))
    source.close_survey("health")
    source.publish(SECOND)

    def meddle(_moved: int, _all: int) -> None:
        target.close_survey("health")
        target.publish(survey(yes_no(), title="Another next wave"))

    with pytest.raises(MoveRefused, match="health@2 cannot be published in the target"):
        move_surveys(source, target, source.list_surveys(), meddle)


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
