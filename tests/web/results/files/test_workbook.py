"""A workbook has formats, a codebook and no formulas."""

import io

import openpyxl
import pytest
from openpyxl import Workbook

from deniable_web.pages.languages import catalog
from deniable_web.results.files import flat_rows
from deniable_web.results.files.rows import COLUMNS, FlatRow, RowKind
from deniable_web.results.files.workbook import workbook
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from hostile_texts import FORMULA, OPTIONS, REPORTS
from there import there


def opened(found: EditionFindings, language: str = "en") -> Workbook:
    """The workbook as another program reads it."""
    content = workbook(found, Labels.of(found.survey, language))
    return openpyxl.load_workbook(io.BytesIO(content))


def test_no_cell_is_a_formula_or_a_link(hostile: EditionFindings) -> None:
    """Texts that look like formulas are texts, on every sheet."""
    cells = [cell for sheet in opened(hostile) for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    assert not any(cell.hyperlink for cell in cells)
    values = {cell.value for cell in cells}
    assert {FORMULA + " who? Say it.", "=cmd|' /C calc'!A0", *OPTIONS} <= values


def test_numbers_are_numbers_with_formats(hostile: EditionFindings) -> None:
    """Shares are shown in percent, means and variances are not; values are not rounded."""
    sheet = opened(hostile)["Estimates"]
    heads = [cell.value for cell in sheet[1]]
    assert heads == list(catalog("files", "en")["columns"].values())
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref is not None
    rows = flat_rows(hostile, Labels.of(hostile.survey, "en"))
    place = {name: column for column, name in enumerate(COLUMNS)}
    for row, cells in zip(rows, sheet.iter_rows(min_row=2), strict=True):
        found = {name: cells[column].value for name, column in place.items()}
        assert found["estimate"] == pytest.approx(row.estimate, rel=1e-12)
        if row.estimate is not None:
            shown = "0.00" if row.kind in (RowKind.MEAN, RowKind.QUANTILE) else "0.0%"
            assert cells[place["estimate"]].number_format == shown
        if row.mechanism_variance is not None:
            assert cells[place["mechanism_variance"]].number_format == "0.000000"
    assert there(sheet.column_dimensions["C"].width) > 40


def test_a_crosstab_is_a_table(hostile: EditionFindings) -> None:
    """The answers to its last question are columns, each with estimate, from and to."""
    sheet = opened(hostile)["Crosstabs"]
    (crosstab,) = hostile.estimates.crosstabs
    lines = list(sheet.iter_rows(values_only=True))
    assert lines[0][0] == f"{FORMULA} who? Say it. × Were you ill? (told_x_was_ill)"
    assert lines[1][1:] == ("Yes", None, None, "No", None, None, NOT_ASKED, None, None)
    assert lines[2][1:4] == ("Estimate", "From", "To")
    shares = [line[1 + 3 * place] for line in lines[3:] for place in range(3)]
    assert shares == pytest.approx([cell.share for cell in crosstab.cells])
    assert [line[0] for line in lines[3:]] == OPTIONS


NOT_ASKED = catalog("results", "en")["options"]["not_asked_or_none"]


def test_the_codebook_explains_every_id(hostile: EditionFindings) -> None:
    """Columns, kinds, questions, answers and crosstabs each have their line."""
    head, *lines = opened(hostile)["Codebook"].iter_rows(values_only=True)
    assert head == ("Part", "Question", "Id", "Text", "Explanation")
    by_id = {(line[1] or "", line[2]): line for line in lines}
    assert by_id["", "valid_share"][3:] == (
        "Adjusted",
        "The nearest share that is possible, for charts. Do not compute with it.",
    )
    assert "Asked only if the answer to told is: @cmd." in str(by_id["", "was_ill"][4])
    assert by_id["", "days"][3] == "How long? (days)"
    assert "yes or no. Reports: 600. Epsilon of a report: 4." in str(by_id["", "was_ill"][4])
    ids = {
        value
        for row in flat_rows(hostile, Labels.of(hostile.survey, "en"))
        for value in ids_of(row)
    }
    assert ids <= by_id.keys()


def ids_of(row: FlatRow) -> set[tuple[str, str]]:
    """What the codebook must explain of a row."""
    found = {("", row.kind.value), ("", row.question)}
    is_answer = row.kind in (RowKind.OPTION, RowKind.AMONG_ASKED)
    return found | ({(row.question, row.option)} if is_answer else set())


def test_the_last_sheet_says_what_the_file_is(hostile: EditionFindings) -> None:
    """Survey, digest, epsilon, interval and the reason for it, each with its id."""
    lines = list(opened(hostile)["About"].iter_rows(values_only=True))
    found = {line[0]: line[2] for line in lines}
    assert found["digest"] == hostile.survey.digest
    assert (found["epsilon"], found["reports"], found["confidence"]) == (8, REPORTS, 0.95)
    assert str(found["interval"]).startswith("anytime: Intervals that hold at every look")
    assert found["ended_by"] == "The survey has not ended."
    names = catalog("files", "en")["about"]
    assert all(names[str(line[0])] == line[1] for line in lines)


def test_a_workbook_is_in_its_language(hostile: EditionFindings) -> None:
    """Sheets, headings and texts; Arabic sheets begin at the right."""
    german, arabic = opened(hostile, "de"), opened(hostile, "ar")
    assert german.sheetnames == [
        "Schätzungen",
        "Kreuztabellen",
        "Codebuch",
        "Über diese Datei",
    ]
    assert [sheet.sheet_view.rightToLeft for sheet in arabic] == [True] * 4
    assert not any(sheet.sheet_view.rightToLeft for sheet in german)
    assert "Waren Sie krank?" in {cell.value for cell in german["Schätzungen"]["C"]}
