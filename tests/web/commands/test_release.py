"""deniable release, as a site uses it."""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from deniable_analysis import open_study
from deniable_collector.clock import utc_now
from deniable_collector.store import add_reports, open_store
from deniable_sdk import randomize
from deniable_web.commands import run
from sample_definitions import choice, survey, yes_no

SURVEY = survey(yes_no("harassed", required=True), choice("region", 4), slug="work")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a store of 200 reports, of a survey that is still open."""
    monkeypatch.chdir(tmp_path)
    with closing(open_store("deniable.sqlite")) as store:
        store.publish(SURVEY)
        add_reports(store, [randomize(SURVEY, {"harassed": "no"}) for _ in range(200)])
    return tmp_path


def close() -> None:
    """Close the survey."""
    with closing(open_store("deniable.sqlite")) as store:
        store.close_survey("work", utc_now())


RELEASE = ("release", "work", "--epsilon", "0.5", "--output", "north.json")


def test_a_release_is_written_and_read_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what was spent, and that another one would spend again; the file is a study."""
    close()
    assert run([*RELEASE, "--site", "north"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {
        "slug": "work",
        "edition": 1,
        "digest": SURVEY.digest,
        "reports": 200,
        "epsilon": "0.5",
        "path": "north.json",
    }
    assert (
        "Released: the counts of 200 reports of work@1, with noise, to north.json" in printed.err
    )
    assert "This spent epsilon 0.5." in printed.err
    assert "another release spends its epsilon again" in printed.err
    assert json.loads((folder / "north.json").read_text())["site"] == "north"
    assert open_study(folder / "north.json").report_count == 200
    assert run(["results", "work", "--store", "north.json"]) == 0
    printed = capsys.readouterr()
    assert "the counts of north.json have noise" in " ".join(printed.out.split())
    assert "sd release: a third part" in " ".join(printed.err.split())


@pytest.mark.usefixtures("folder")
def test_an_open_survey_and_a_second_release_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each with one line that says what to do."""
    assert run(RELEASE) == 1
    assert "Error: survey 'work' still accepts reports" in capsys.readouterr().err
    close()
    assert run(RELEASE) == 0
    before = Path("north.json").read_bytes()
    capsys.readouterr()
    assert run(RELEASE) == 1
    assert "Error: north.json already exists; if it is a release" in capsys.readouterr().err
    assert Path("north.json").read_bytes() == before


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["release", "work", "--output", "a.json"], "Missing option '--epsilon'"),
        (["release", "work", "--epsilon", "1"], "Missing option '-o' / '--output'"),
        ([*RELEASE, "--epsilon", "0"], "allowed is a number from 0.01 to 10"),
        (["release", "other", *RELEASE[2:]], "got the survey 'other'"),
    ],
)
def test_wrong_usage(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names what is missing or wrong."""
    assert run(arguments) in (1, 2)
    assert message in capsys.readouterr().err


def test_the_name_of_the_site_is_that_of_its_collector(folder: Path) -> None:
    """DENIABLE_SITE, which the collector of a federation has, is in the file."""
    close()
    done = subprocess.run(
        [sys.executable, "-m", "deniable_web", *RELEASE],
        cwd=folder,
        env={**os.environ, "DENIABLE_SITE": "south"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads((folder / "north.json").read_text())["site"] == "south"
