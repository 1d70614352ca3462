"""`deniable list` shows the surveys of a store and the numbers of their reports."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import add_reports, open_store
from deniable_sdk import randomize
from deniable_web.commands import run
from sample_definitions import survey, yes_no

OPEN = survey(yes_no(), slug="open", title="An open one")
FIRST = survey(yes_no(), slug="work", title="The first")
SECOND = survey(yes_no(), slug="work", title="The second")


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store with three editions of two surveys, one of them purged."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as opened:
        opened.publish(FIRST)
        add_reports(opened, [randomize(FIRST, {})])
        opened.close_survey("work")
        opened.purge_reports(FIRST.digest)
        for published, count in ((SECOND, 2), (OPEN, 3)):
            opened.publish(published)
            add_reports(opened, [randomize(published, {}) for _ in range(count)])
        opened.close_survey("work")
    return str(path)


def test_every_edition_is_listed_with_its_state_and_reports(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a table, and as JSON and CSV with the digests."""
    assert run(["list", "--store", store, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [tuple(row.values()) for row in rows] == [
        ("open@1", "An open one", "open", None, 3, OPEN.digest),
        ("work@1", "The first", "purged", None, 0, FIRST.digest),
        ("work@2", "The second", "closed", None, 2, SECOND.digest),
    ]
    assert run(["list", "--store", store, "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "survey,title,state,ends,reports,digest"
    assert run(["list", "--store", store]) == 0
    table = capsys.readouterr().out
    assert "work@2" in table
    assert "The second" in table


def test_the_state_is_that_of_the_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is listed as open accepts reports now; the others say why they do not."""
    path = tmp_path / "store.sqlite"
    windows: dict[str, dict[str, object]] = {
        "early": {"opens": "2095-01-01T00:00Z"},
        "full": {"at_most_reports": 1},
        "inside": {"opens": "2020-01-01T00:00Z", "closes": "2095-01-01T00:00Z"},
        "late": {"closes": "2020-01-01T00:00Z"},
    }
    with closing(open_store(path)) as opened:
        for slug, window in windows.items():
            published = survey(yes_no(), slug=slug, **window)
            opened.publish(published)
            add_reports(opened, [randomize(published, {})])
    assert run(["list", "--store", str(path), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["survey"]: row["state"] for row in rows} == {
        "early@1": "not open",
        "full@1": "full",
        "inside@1": "open",
        "late@1": "over",
    }
    assert {row["survey"]: row["ends"] for row in rows} == {
        "early@1": None,
        "full@1": "at 1 report",
        "inside@1": "2095-01-01T00:00Z",
        "late@1": "2020-01-01T00:00Z",
    }


def test_a_closing_that_was_interrupted_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Closing again finishes it, and then the survey is listed as closed."""
    path = tmp_path / "store.sqlite"
    published = survey(yes_no(), slug="health")
    with closing(open_store(path)) as opened:
        opened.publish(published)
        opened.close_survey("health")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO unfinished VALUES (?)", (published.digest,))
    states = []
    for _ in range(2):
        assert run(["list", "--store", str(path), "--format", "json"]) == 0
        (row,) = json.loads(capsys.readouterr().out)
        states.append(row["state"])
        assert run(["close", "health", "--store", str(path)]) == 0
        capsys.readouterr()
    assert states == ["closed, not finished", "closed"]


def test_a_title_in_several_languages_is_listed_in_english(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One text in each row, and another language if there is no English one."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as opened:
        for slug, title in (
            ("first", {"de": "Stress", "en": "Strain"}),
            ("second", {"de": "Stress", "es": "Estrés"}),
        ):
            text = dict.fromkeys(title, "Were you?")
            opened.publish(survey(yes_no(text=text), slug=slug, title=title))
    assert run(["list", "--store", str(path), "--format", "json"]) == 0
    titles = [row["title"] for row in json.loads(capsys.readouterr().out)]
    assert titles == ["Strain", "Stress"]


def test_a_store_without_surveys_or_none_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message says how to publish one; nothing is made where nothing is."""
    path = tmp_path / "store.sqlite"
    assert run(["list", "--store", str(path)]) == 1
    assert "there is no store at" in capsys.readouterr().err
    assert not path.exists()
    open_store(path).close()
    assert run(["list", "--store", str(path)]) == 0
    said = capsys.readouterr().err
    assert f"There is no survey. Publish one: deniable publish FILE --store {path}\n" in said
    # A URL in the environment has options, such as its socket, which no message repeats.
    monkeypatch.setenv("DENIABLE_STORE", str(path))
    assert run(["list"]) == 0
    assert "Publish one: deniable publish FILE\n" in capsys.readouterr().err
