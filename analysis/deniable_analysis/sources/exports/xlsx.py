"""XLSX: a sheet of reports for spreadsheet programs, its codebook, and what the reports are."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from deniable_analysis.codebook.records import Codebook, CodebookBlock, Layout
from deniable_analysis.codebook.texts import shortened
from deniable_analysis.forms import installed
from deniable_analysis.sources.exports import words
from deniable_analysis.sources.exports.survey_file import Heading
from deniable_analysis.sources.exports.tables import TableColumn, table_columns
from deniable_sdk.weights import format_epsilon
from deniable_storage.chunks import Cells

# A sheet has 1,048,576 rows, the first one names the columns, and 16,384 columns.
MOST_REPORTS = 1_048_575
MOST_VARIABLES = 16_384
# A file reveals nothing about when it was made.
_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
# A cell has room for no more; programs count in UTF-16.
_MOST_OF_CELL = (16_000, 64_000)
_NOTE_WIDTH = 100
_WIDEST_NAME = 20
# The name, the width and the number format of each column of the codebook.
_CODEBOOK = (
    ("variable", 24, ""),
    ("block", 20, ""),
    ("question ids", 20, ""),
    ("question", 50, ""),
    ("value", 8, "0"),
    ("option id", 24, ""),
    ("option", 36, ""),
    ("mechanism", 14, ""),
    ("epsilon", 10, "0.0000"),
    ("weight high", 18, "0"),
    ("weight low", 18, "0"),
    ("p (keep)", 12, "0.000000"),
    ("q (flip)", 12, "0.000000"),
)
_READING = (
    "The sheet codebook explains each value of each variable, and contains the numbers p and q of "
    "its block. A variable that is about one option is 1 where the report supports this option, "
    "and 0 where it does not. Blocks without p and q estimate a mean: see `deniable results`."
)


@dataclass(frozen=True, slots=True)
class _Book:
    """A workbook and its formats."""

    file: Any
    bold: Any

    def sheet(self, name: str, header: Iterable[str] = ()) -> Any:
        """A new sheet, whose first row stays in sight."""
        sheet = self.file.add_worksheet(name)
        for index, title in enumerate(header):
            sheet.write_string(0, index, title, self.bold)
        sheet.freeze_panes(1, 0)
        return sheet


def write_rows(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
    """Make a workbook of the variables of all reports."""
    xlsxwriter = installed(
        "xlsxwriter",
        "XLSX files require the package xlsxwriter; install it with: "
        'pip install "deniable[analysis,xlsx]", or export to csv, which spreadsheet programs '
        "read too",
    )
    codebook = heading.codebook()
    with TemporaryDirectory(dir=path.parent, prefix=f"{path.name}.") as folder:
        options = {
            "constant_memory": True,
            "tmpdir": folder,
            "strings_to_formulas": False,
            "strings_to_urls": False,
        }
        with xlsxwriter.Workbook(str(path), options) as file:
            file.set_properties({"created": _NO_TIME})
            book = _Book(file, file.add_format({"bold": True}))
            columns = table_columns(codebook, rows)
            _write_reports(book, codebook, columns)
            _write_codebook(book, codebook)
            _write_about(book, heading, codebook)


def _write_reports(
    book: _Book, codebook: Codebook, chunks: Iterable[Iterable[TableColumn]]
) -> None:
    names = [variable.name for variable in codebook.variables]
    sheet = book.sheet("reports", names)
    for index, name in enumerate(names):
        sheet.set_column(index, index, min(_WIDEST_NAME, len(name) + 2))
    number = 0
    for columns in chunks:
        cells = [
            zip(column.numbers.tolist(), column.is_missing.tolist(), strict=True)
            for column in columns
        ]
        for row in zip(*cells, strict=True):
            number += 1
            for index, (value, is_missing) in enumerate(row):
                if not is_missing:
                    sheet.write_number(number, index, value)


def _write_codebook(book: _Book, codebook: Codebook) -> None:
    sheet = book.sheet("codebook", [name for name, _, _ in _CODEBOOK])
    for index, (_, width, number_format) in enumerate(_CODEBOOK):
        how = book.file.add_format({"num_format": number_format or "@", "valign": "top"})
        if width > 24:
            how.set_text_wrap()
        sheet.set_column(index, index, width, how)
    number = 0
    for block in codebook.blocks:
        for row in _codebook_rows(block):
            number += 1
            for index, value in enumerate(row):
                # Never as what it looks like: no cell is a formula.
                if isinstance(value, str):
                    sheet.write_string(number, index, shortened(value, *_MOST_OF_CELL))
                elif value is not None:
                    sheet.write_number(number, index, value)
    sheet.autofilter(0, 0, number, len(_CODEBOOK) - 1)


def _codebook_rows(block: CodebookBlock) -> Iterator[tuple[str | float | None, ...]]:
    """A row for each value, or for each option that has a variable of its own."""
    published, weights = block.published, block.published.mechanism.weights
    channel = (None if each is None else float(each) for each in (block.keep, block.flip))
    design = (published.mechanism.name, published.epsilon, weights.high, weights.low, *channel)
    asked = ", ".join(question.id for question in published.questions)
    for variable in block.variables:
        about = (variable.name, published.id, asked, block.text)
        if block.layout is Layout.NUMBER:
            for value in variable.values:
                yield (*about, value.code, value.option, value.text, *design)
        else:
            yield (*about, 1, variable.option, variable.option_text, *design)


def _write_about(book: _Book, heading: Heading, codebook: Codebook) -> None:
    sheet = book.file.add_worksheet("about")
    sheet.set_column(0, 0, 34, book.file.add_format({"valign": "top"}))
    sheet.set_column(1, 1, _NOTE_WIDTH, book.file.add_format({"text_wrap": True}))
    for number, (name, text) in enumerate(_facts(heading, codebook)):
        sheet.write_string(number, 0, name, book.bold)
        sheet.write_string(number, 1, text)


def _facts(heading: Heading, codebook: Codebook) -> list[tuple[str, str]]:
    """The explanations for people who open the file."""
    exported, survey, of_file = heading.exported, heading.exported.survey, heading.closed_file
    return [
        ("survey", survey.slug),
        ("title", codebook.title),
        ("edition", str(exported.edition)),
        ("digest", survey.digest),
        ("epsilon of a respondent", format_epsilon(survey.epsilon)),
        *([("all reports together", of_file.in_words)] if of_file else []),
        ("blocks asked of each respondent", f"{survey.asked} of {len(survey.blocks)}"),
        ("takes reports", "no" if exported.is_closed else "yes, when this was exported"),
        ("language of the labels", codebook.language or "that of the survey"),
        ("what a row is", words.ROW),
        ("how to read it", f"{words.NOT_SHARES} {_READING}"),
        ("how to estimate a share", words.SHARE),
        ("empty cells", words.MISSING),
        ("no_answer", words.NO_ANSWER),
        *((f"block {block.published.id}", words.design_of(block)) for block in codebook.blocks),
    ]
