"""Exports for spreadsheet programs: the reports, and what they are."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest

from analysis.study_files import Row, add_reports, write_store
from deniable_analysis import (
    ExportTooLong,
    UnreadableStudy,
    XlsxwriterMissing,
    export_study,
    open_study,
)
from deniable_analysis.sources.exports import FORMATS
from deniable_sdk import randomize
from sample_definitions import choice, multiple, number, survey, yes_no

# A title that a careless writer would make a formula of.
MIXED = survey(
    choice("region", 12),
    yes_no("order"),
    multiple(options=4),
    number(),
    title='=HYPERLINK("https://example.org")',
    epsilon=4,
    ask=3,
)
REPORTS: list[Row] = [dict(randomize(MIXED, {"order": "yes"}).answers) for _ in range(300)]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of reports of every shape of value."""
    path = tmp_path_factory.mktemp("store") / "store.sqlite"
    write_store(path, MIXED)
    add_reports(path, MIXED, REPORTS)
    return path


def read(cell: object) -> object:
    """A value as it was reported."""
    return json.loads(cell) if isinstance(cell, str) else cell


def test_a_sheet_holds_the_reports_and_another_says_what_they_are(
    store: Path, tmp_path: Path
) -> None:
    """Another program reads the values as numbers and lists, and how to take them."""
    assert export_study(store, tmp_path / "work.xlsx").report_count == 300
    book = openpyxl.load_workbook(tmp_path / "work.xlsx", read_only=True)
    assert book.sheetnames == ["reports", "about"]
    header, *rows = book["reports"].iter_rows(values_only=True)
    assert list(header) == [block.id for block in MIXED.blocks]
    assert [
        {str(name): read(cell) for name, cell in zip(header, row, strict=True) if cell is not None}
        for row in rows
    ] == REPORTS
    about = {str(name): str(text) for name, text in book["about"].iter_rows(values_only=True)}
    book.close()
    assert about["survey"] == MIXED.slug
    assert (about["edition"], about["digest"], about["epsilon"]) == ("1", MIXED.digest, "4")
    assert about["blocks asked of each respondent"] == "3 of 4"
    assert "no row reveals what somebody answered" in about["what a row is"]
    assert "are not shares of answers" in about["how to read it"]


def test_no_cell_is_a_formula_or_a_link_and_nothing_says_when(store: Path, tmp_path: Path) -> None:
    """Nothing in the file is ever run, and the same reports give the same bytes."""
    paths = [tmp_path / name for name in ("one.xlsx", "two.xlsx")]
    for path in paths:
        export_study(store, path)
    with ZipFile(paths[0]) as book:
        sheets = [book.read(name).decode() for name in book.namelist() if "/worksheets/" in name]
    assert len(sheets) == 2
    for sheet in sheets:
        assert "<f>" not in sheet
        assert "hyperlink" not in sheet.lower()
        assert not re.search(r"<t[^>]*>\s*[=+\-@]", sheet)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert {path.suffix for path in tmp_path.iterdir()} == {".xlsx", ".json"}


def test_more_reports_than_a_sheet_holds_are_refused_at_once(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kinds of files that hold any number are named, and no file is left."""
    assert FORMATS["xlsx"].most_reports == 2**20 - 1
    monkeypatch.setitem(FORMATS, "xlsx", replace(FORMATS["xlsx"], most_reports=299))
    with pytest.raises(ExportTooLong) as refused:
        export_study(store, tmp_path / "work.xlsx")
    assert str(refused.value) == (
        "got 300 reports, and a .xlsx file can contain 299 at most; export them to another kind "
        "of file: .ndjson, .csv, .parquet, .json"
    )
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setitem(FORMATS, "xlsx", replace(FORMATS["xlsx"], most_reports=300))
    assert export_study(store, tmp_path / "work.xlsx").report_count == 300


def test_a_spreadsheet_is_not_analysed(store: Path, tmp_path: Path) -> None:
    """What a spreadsheet program may have changed is refused, with what to export instead."""
    export_study(store, tmp_path / "work.xlsx")
    with pytest.raises(UnreadableStudy, match="export them to ndjson, csv, json or parquet"):
        open_study(tmp_path / "work.xlsx").estimate()


def test_without_its_package_says_what_to_install(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where xlsxwriter is missing, the line that installs it is told, and no file is left."""
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(XlsxwriterMissing, match=r'pip install "deniable\[analysis,xlsx\]"'):
        export_study(store, tmp_path / "a.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[1]\n", "line 1: got no start of an export"),
        ('{"reports":[\n{"order":1}\n', "got no end of its reports"),
        ('{"reports":[\n{"order":1},\n7\n]}\n', "line 3: got no JSON object of values"),
    ],
)
def test_a_json_export_that_was_changed_is_refused(
    text: str, problem: str, tmp_path: Path
) -> None:
    """What is not as it was written is named by its line."""
    (tmp_path / "mine.json").write_text(text)
    (tmp_path / "mine.survey.json").write_bytes(MIXED.document)
    with pytest.raises(UnreadableStudy, match=problem):
        open_study(tmp_path / "mine.json").estimate()
