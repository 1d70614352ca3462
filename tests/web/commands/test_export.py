"""deniable export, as people and programs use it."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from deniable_analysis import open_study
from deniable_collector.store import add_reports, open_store
from deniable_sdk import randomize
from deniable_web.commands import run
from sample_definitions import choice, survey, yes_no

SURVEY = survey(yes_no("harassed", required=True), choice("region", 9), slug="work")
TEXT = {"en": "Were you harassed?", "de": "Wurden Sie belästigt?"}
TRANSLATED = survey(yes_no("harassed", required=True, text=TEXT), slug="arbeit")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a store of 200 reports."""
    monkeypatch.chdir(tmp_path)
    with closing(open_store("deniable.sqlite")) as store:
        store.publish(SURVEY)
        store.publish(TRANSLATED)
        add_reports(store, [randomize(SURVEY, {"harassed": "no"}) for _ in range(200)])
    return tmp_path


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ([], "work.ndjson"),
        (["--format", "csv"], "work.csv"),
        (["--output", "other.parquet"], "other.parquet"),
        (["--format", "csv", "--output", "my.csv"], "my.csv"),
        (["--format", "json"], "work.json"),
    ],
)
def test_an_export_is_written_and_read_again(
    options: list[str], name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard output says what was written in JSON, and the file is a study."""
    assert run(["export", "work", *options]) == 0
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert told["path"] == name
    assert told["survey"] == name.rsplit(".", 1)[0] + ".survey.json"
    assert (told["slug"], told["edition"], told["reports"]) == ("work", 1, 200)
    assert (told["digest"], told["language"]) == (SURVEY.digest, None)
    assert "Exported: 200 reports of work@1" in printed.err
    store = open_study("deniable.sqlite", "work").estimate()
    assert open_study(folder / name).estimate() == store
    assert run(["results", "work", "--store", name, "--format", "json"]) == 0
    printed_again, document = json.loads(capsys.readouterr().out), store.to_document()
    assert {name: printed_again[name] for name in document} == document


@pytest.mark.usefixtures("folder")
def test_a_path_of_another_format_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    """A format and a suffix that disagree are refused before anything is written."""
    assert run(["export", "work", "--format", "csv", "--output", "a.parquet"]) == 2
    assert "allowed is a path that ends in .csv" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_second_export_to_the_same_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """An export that is there is kept, and the error says what to do."""
    assert run(["export", "work"]) == 0
    assert run(["export", "work"]) == 1
    assert "work.ndjson already exists; move it" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["xlsx", "sav", "dta"])
def test_a_table_is_labelled_in_the_chosen_language(
    suffix: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard error says which language the labels are in, and which others there are."""
    assert run(["export", "arbeit", "--format", suffix]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["language"] == "de"
    assert "Language of the labels: de (--language: en)" in printed.err
    (folder / f"arbeit.{suffix}").unlink()
    assert run(["export", "arbeit", "--format", suffix, "--language", "en"]) == 0
    assert json.loads(capsys.readouterr().out)["language"] == "en"
    assert (folder / f"arbeit.{suffix}").exists()


@pytest.mark.parametrize("suffix", ["ddi.xml", "R", "do"])
def test_what_explains_reports_is_written_without_them(
    suffix: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A codebook or a script has no reports, and no survey is written beside it."""
    assert run(["export", "work", "--format", suffix]) == 0
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert (told["path"], told["reports"], told["survey"]) == (f"work.{suffix}", None, None)
    assert f"Written, without reports: work.{suffix} for work@1" in printed.err
    assert {path.name for path in folder.glob("work*")} == {f"work.{suffix}"}


@pytest.mark.usefixtures("folder")
def test_a_language_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """The error lists the languages of the survey, and nothing is written."""
    assert run(["export", "arbeit", "--format", "sav", "--language", "fr"]) == 1
    assert "got the language 'fr'; the survey's texts are in: de, en" in capsys.readouterr().err
    assert run(["export", "arbeit", "--language", "de"]) == 1
    assert "a .ndjson file, which has no labels; leave it out" in capsys.readouterr().err


def test_an_export_in_parts_needs_a_closed_survey_and_goes_to_a_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard output says in JSON how many parts there are, and where."""
    assert run(["export", "work", "--partitioned"]) == 1
    assert "still accepts reports" in capsys.readouterr().err
    assert run(["close", "work"]) == 0
    capsys.readouterr()
    assert run(["export", "work", "--partitioned"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {
        "slug": "work",
        "edition": 1,
        "digest": SURVEY.digest,
        "reports": 200,
        "repeated": 0,
        "parts": 1,
        "folder": "work",
    }
    assert "Exported: 200 reports of work@1 in 1 part, to work" in printed.err
    assert (folder / "work/part-00000.parquet").is_file()
    assert run(["results", "work", "--store", "work", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["reports"] == 200
    assert run(["export", "work", "--partitioned"]) == 1
    assert "work already has a whole export" in capsys.readouterr().err


def test_stores_of_several_machines_are_exported_together(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reports that two stores have are left out of the second, and it is said how many."""
    assert run(["close", "work"]) == 0
    assert run(["backup", "second.sqlite"]) == 0
    capsys.readouterr()
    also = ["--also", "second.sqlite"]
    assert run(["export", "work", "--partitioned", *also]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert (found["reports"], found["repeated"]) == (200, 200)
    assert "Left out, because a store named before has the same: 200 reports" in printed.err
    assert open_study(folder / "work").report_count == 200
    assert run(["export", "work", *also]) == 2
    assert "got --also without --partitioned; add --partitioned" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("options", [["--format", "csv"], ["--language", "de"]])
def test_parts_have_no_other_format_and_no_labels(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Options that parts cannot follow are usage errors."""
    assert run(["export", "work", "--partitioned", *options]) == 2
    assert "leave out --format and --language" in capsys.readouterr().err


def test_a_missing_package_of_a_format_is_named_with_its_extra(folder: Path) -> None:
    """Not with that of the command, which is installed."""
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from deniable_web.command_line import main\n"
        "main()\n"
    )
    command = [sys.executable, "-c", program, "export", "work", "--output", "work.parquet"]
    ran = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    assert ran.returncode == 1
    assert 'install it with: pip install "deniable[analysis,parquet]"' in ran.stderr
    assert "deniable[web]" not in ran.stderr
