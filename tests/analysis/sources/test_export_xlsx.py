"""Exports for spreadsheet programs: the reports, their codebook, and what they are."""

import re
import sys
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest

from analysis.study_files import add_reports, write_store
from analysis.work_survey import HARASSED, REPORTS, expected_rows, write_work
from deniable_analysis import export_study, open_study
from deniable_analysis.errors import ExportTooLarge, PackageMissing, UnreadableStudy
from deniable_analysis.sources.exports.formats import FORMATS
from sample_definitions import choice, survey, yes_no

# Texts that a careless writer would make formulas and links of.
LINK = '=HYPERLINK("https://example.org")'
PLAIN = survey(
    {**choice("region"), "options": [LINK, {"id": "@o1", "text": "https://example.org"}]},
    yes_no("order", text="=1+1"),
    title=LINK,
)
SHEETS = ["reports", "codebook", "about"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 3,000 reports of every kind of block."""
    path = tmp_path_factory.mktemp("store") / "store.sqlite"
    write_work(path)
    return path


@pytest.fixture(scope="module")
def book(store: Path, tmp_path_factory: pytest.TempPathFactory) -> openpyxl.Workbook:
    """Their workbook in English, as another program reads it."""
    path = tmp_path_factory.mktemp("book") / "work.xlsx"
    assert export_study(store, path, language="en").report_count == REPORTS
    return openpyxl.load_workbook(path)


def test_a_sheet_has_the_variables_of_each_report(book: openpyxl.Workbook, store: Path) -> None:
    """Every number is that of the stored value, and a cell is empty where there is none."""
    assert book.sheetnames == SHEETS
    header, *rows = book["reports"].iter_rows(values_only=True)
    assert [
        {name: cell for name, cell in zip(header, row, strict=True) if cell is not None}
        for row in rows
    ] == expected_rows(store)
    assert book["reports"].freeze_panes == "A2"
    assert all(book["reports"].column_dimensions[name].width > 5 for name in ("A", "B", "C"))


def test_the_codebook_explains_every_value(book: openpyxl.Workbook, store: Path) -> None:
    """Texts in the language, ids, mechanism, weights and probabilities are beside each number."""
    sheet = book["codebook"]
    header, *rows = sheet.iter_rows(values_only=True)
    assert header == (
        *("variable", "block", "question ids", "question", "value", "option id", "option"),
        *("mechanism", "epsilon", "weight high", "weight low", "p (keep)", "q (flip)"),
    )
    blocks = {block.id: block for block in open_study(store).survey.blocks}
    found = {(row[0], row[4]): row for row in rows}
    assert len(found) == len(rows)
    mechanism = blocks["harassed"].mechanism
    weights = mechanism.weights
    about = ("harassed", "harassed", "harassed", HARASSED["en"])
    assert found["harassed", 1][:8] == (*about, 1, "yes", "yes", "subset")
    assert found["harassed", 1][9:11] == (weights.high, weights.low)
    # Cells have 16 digits.
    numbers = [found["harassed", 1][place] for place in (8, 11, 12)]
    whole = weights.high + weights.low
    expected = [blocks["harassed"].epsilon, weights.high / whole, weights.low / whole]
    assert numbers == pytest.approx(expected, rel=1e-15)
    assert found["told_1", 1][2:8] == ("told", "Which?", 1, "o0", "A colleague", "sampled_bits")
    assert found["insured_x_area", 3][2] == "insured, area"
    assert found["insured_x_area", 3][4:7] == (3, "no, o0", "no, o0")
    assert found["sick_days", 80][5:8] == ("no_answer", "no answer", "piecewise")
    assert found["sick_days", 1][11:] == (None, None)
    names = {name for row in expected_rows(store) for name in row}
    assert {row[0] for row in rows} == names
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", f"A1:M{len(rows) + 1}")
    assert sheet.column_dimensions["D"].width >= 40


def test_a_sheet_says_what_the_reports_are(book: openpyxl.Workbook, store: Path) -> None:
    """The survey, how to read a row, and how to correct a share."""
    published = open_study(store).survey
    about = {str(name): str(text) for name, text in book["about"].iter_rows(values_only=True)}
    assert (about["survey"], about["edition"]) == ("work", "1")
    assert (about["digest"], about["epsilon of a respondent"]) == (published.digest, "9")
    assert about["blocks asked of each respondent"] == "6 of 8"
    assert about["language of the labels"] == "en"
    assert "no row reveals what somebody answered" in about["what a row is"]
    assert "is not a share of answers" in about["how to read it"]
    assert "(s - q) / (p - q)" in about["how to estimate a share"]
    assert {f"block {block.id}" for block in published.blocks} <= set(about)


def test_no_cell_is_a_formula_or_a_link_and_nothing_says_when(tmp_path: Path) -> None:
    """Nothing in the file is ever run, and the same reports give the same bytes."""
    store = tmp_path / "store.sqlite"
    write_store(store, PLAIN)
    add_reports(store, PLAIN, [{"region": 1}, {"order": 0}])
    paths = [tmp_path / name for name in ("one.xlsx", "two.xlsx")]
    for path in paths:
        export_study(store, path)
    with ZipFile(paths[0]) as packed:
        sheets = [
            packed.read(name).decode() for name in packed.namelist() if "/worksheets/" in name
        ]
        properties = packed.read("docProps/core.xml").decode()
    assert len(sheets) == len(SHEETS)
    for sheet in sheets:
        assert "<f>" not in sheet
        assert "<hyperlink" not in sheet
    book = openpyxl.load_workbook(paths[0])
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells if cell.value in (LINK, "=1+1")} == {"s"}
    assert not any(cell.hyperlink for cell in cells)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert not re.search("20[1-9][0-9]-", properties)


def test_more_reports_than_a_sheet_holds_are_refused_at_once(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kinds of files that hold any number are named, and no file is left."""
    assert FORMATS["xlsx"].most_reports == 2**20 - 1
    monkeypatch.setitem(FORMATS, "xlsx", replace(FORMATS["xlsx"], most_reports=2999))
    with pytest.raises(ExportTooLarge) as refused:
        export_study(store, tmp_path / "work.xlsx")
    assert str(refused.value) == (
        "got 3,000 reports, and a .xlsx file can contain 2,999 at most; export them to another "
        "kind of file: .ndjson, .csv, .parquet, .json"
    )
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setitem(FORMATS, "xlsx", replace(FORMATS["xlsx"], most_reports=3000))
    assert export_study(store, tmp_path / "work.xlsx").report_count == REPORTS


def test_without_its_package_says_what_to_install(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where xlsxwriter is missing, the line that installs it is told, and no file is left."""
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(PackageMissing, match=r'pip install "deniable\[analysis,xlsx\]"'):
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
    (tmp_path / "mine.survey.json").write_bytes(PLAIN.document)
    with pytest.raises(UnreadableStudy, match=problem):
        open_study(tmp_path / "mine.json").estimate()
