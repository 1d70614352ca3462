"""deniable results, as people and programs use its files."""

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest

from deniable_web.commands import run
from deniable_web.results.files.rows import COLUMNS
from hostile_texts import hostile_study

SLUG = "hostile"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of a survey in three languages."""
    path = Path(tmp_path_factory.mktemp("results")) / "deniable.sqlite"
    hostile_study(path)
    return path


@pytest.fixture
def folder(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder whose commands use this store."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DENIABLE_STORE", str(store))
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_csv_is_printed_with_labels(capsys: pytest.CaptureFixture[str]) -> None:
    """In the chosen language; in that of the title if none is chosen. No mark comes before it."""
    assert run(["results", SLUG, "--format", "csv", "--language", "de"]) == 0
    printed = capsys.readouterr().out
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert list(rows[0]) == list(COLUMNS)
    assert "Waren Sie krank?" in {row["question_text"] for row in rows}
    assert run(["results", SLUG, "--format", "csv"]) == 0
    assert "هل مرضت؟" in capsys.readouterr().out


@pytest.mark.deep
def test_a_file_is_written_in_the_format_of_its_suffix(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """CSV with the mark of UTF-8, JSON and a workbook; what is there is not overwritten."""
    for name in ("a.csv", "a.json", "a.xlsx"):
        assert run(["results", SLUG, "--output", name, "--language", "de"]) == 0
        assert f"Written: {name}" in capsys.readouterr().err
    assert (folder / "a.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    labels = json.loads((folder / "a.json").read_text(encoding="utf-8"))["labels"]
    assert labels["questions"]["was_ill"]["text"] == "Waren Sie krank?"
    assert openpyxl.load_workbook(folder / "a.xlsx").sheetnames[0] == "Schätzungen"
    before = (folder / "a.csv").read_bytes()
    assert run(["results", SLUG, "--output", "a.csv", "--language", "en"]) == 1
    assert "a.csv already exists; move it, or name another file" in capsys.readouterr().err
    assert (folder / "a.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "code", "expected"),
    [
        (["--format", "xlsx"], 2, "a workbook is not printed; name its file: --output PATH.xlsx"),
        (["--output", "a.ods"], 2, "a path that ends in .csv or .xlsx or .json"),
        (["--output", "a.csv", "--format", "json"], 2, "got the path a.csv and the format json"),
        (["--output", "a.csv", "--format", "table"], 2, "got the path a.csv and the format table"),
        (["--language", "de"], 2, "the table has ids and no labels; leave --language out"),
        (["--format", "csv", "--language", "fr"], 1, "got the language 'fr'; the texts of the"),
    ],
)
def test_what_does_not_fit_is_said(
    options: list[str],
    code: int,
    expected: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The error says what was got and what is allowed, and nothing is written."""
    assert run(["results", SLUG, *options]) == code
    printed = capsys.readouterr()
    assert expected in " ".join(printed.err.split())
    assert not printed.out
    assert list(folder.iterdir()) == []
