"""`deniable recount` compares the counts of a store with its reports."""

import json
import random
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import add_reports, open_store
from deniable_web.commands import run
from postgres_server import PASSWORD
from sample_definitions import choice, survey, yes_no
from store_samples import reports_of
from tally_checks import ask, change_first_count, check_tally, name_of, stored_tally

FIRST = survey(yes_no(), slug="work", title="The first")
SECOND = survey(yes_no(), choice(options=4), slug="work", ask="all", epsilon=2)
OTHER = survey(yes_no(), slug="other")


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store of each kind with two editions of a survey, and another survey."""
    found = str(tmp_path / "store.sqlite")
    if request.param == "postgres":
        found = request.getfixturevalue("postgres_server").schema()
    with closing(open_store(found)) as store:
        for published, count in ((FIRST, 1), (SECOND, 30), (OTHER, 3)):
            store.publish(published)
            add_reports(store, reports_of(published, count, random.Random(1)))
            if published is FIRST:
                store.close_survey("work")
    return found


def damage(location: str) -> None:
    """Change the tally of the second edition behind everybody's back."""
    ask(location, change_first_count(location, SECOND, "region", 31))


@pytest.mark.deep
def test_counts_that_are_right_are_said_to_be(
    location: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """For all surveys, or those of a slug, as a sentence each and as JSON."""
    assert run(["recount", "--store", location]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {
        "surveys": {
            "other@1": {"reports": 3, "differing": []},
            "work@1": {"reports": 1, "differing": []},
            "work@2": {"reports": 30, "differing": []},
        }
    }
    assert "work@1: 1 report, and its counts are theirs." in printed.err
    assert run(["recount", "work", "--store", location]) == 0
    assert json.loads(capsys.readouterr().out)["surveys"].keys() == {"work@1", "work@2"}
    assert PASSWORD not in printed.err


def test_counts_that_are_wrong_are_named_and_left(
    location: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is 1, the sentence names the blocks and the remedy, and nothing changes."""
    damage(location)
    before = stored_tally(location, SECOND)
    assert run(["recount", "work", "--store", location]) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["surveys"]["work@2"] == {"reports": 30, "differing": ["region"]}
    assert (
        "work@2: 30 reports, and its counts of region are not theirs. Its results may be wrong, "
        "because somebody changed the store: restore a backup, or, if the reports themselves are "
        "right, run: deniable recount work --repair --store "
    ) in printed.err
    assert PASSWORD not in printed.err
    assert stored_tally(location, SECOND) == before
    # What estimates is told the same command.
    assert run(["results", "work", "--store", location]) == 1
    assert "block 'region' contradicts itself" in capsys.readouterr().err


def test_counts_that_are_wrong_are_repaired(
    location: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are counted from the reports, once; the next recount finds nothing."""
    damage(location)
    ask(location, f"DELETE FROM {name_of('tally', OTHER)}")  # noqa: S608  our name
    assert run(["recount", "--repair", "--store", location]) == 0
    printed = capsys.readouterr().err
    assert "its counts of region are not theirs. They were corrected." in printed
    assert "other@1: 3 reports, and its counts of all reports, asthma are not theirs" in printed
    assert [check_tally(location, each) for each in (FIRST, SECOND, OTHER)] == [1, 30, 3]
    assert run(["recount", "--store", location]) == 0
    assert run(["results", "work", "--store", location]) == 0


def test_what_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown survey lists the known ones, and a mistyped store is not made."""
    path = tmp_path / "store.sqlite"
    assert run(["recount", "--store", str(path)]) == 1
    assert "there is no store at" in capsys.readouterr().err
    with closing(open_store(path)) as store:
        store.publish(OTHER)
    assert run(["recount", "missing", "--store", str(path)]) == 1
    assert "there is no survey 'missing'; the store has: other" in capsys.readouterr().err
