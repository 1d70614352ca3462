"""Estimates as a workbook: estimates, crosstabs, codebook, and what the file is about."""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import xlsxwriter

from deniable_analysis.codebook.texts import one_line, shortened
from deniable_analysis.results import CrosstabEstimate
from deniable_web.pages.languages import Catalog, catalog
from deniable_web.results.files.about import Fact, codebook_lines, facts
from deniable_web.results.files.rows import COLUMNS, SHARE, FlatRow, RowKind, flat_rows
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels

# A file reveals nothing about when it was made.
_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
# A cell has room for no more; programs count in UTF-16.
_MOST_OF_CELL = (16_000, 64_000)
_PERCENT, _POINTS, _COUNT = "0.0%", "+0.0%;-0.0%;0.0%", "#,##0"
_NUMBER, _VARIANCE, _CHANCE = "0.00", "0.000000", "0.000"
_DEFAULT_WIDTH = 12
_WIDTHS = {"kind": 16, "question": 18, "option": 18, "note": 50}
_WIDE = {"question_text": 44, "option_text": 32, "group_text": 24}
_CODEBOOK = (("part", 12), ("question", 18), ("id", 22), ("text", 50), ("explanation", 70))
# The numbers of a cell of a crosstab.
_OF_CELL = ("estimate", "low", "high")


@dataclass(frozen=True, slots=True)
class _Book:
    """A workbook, its texts and its formats."""

    file: Any
    texts: Catalog
    is_mirrored: bool
    formats: dict[tuple[tuple[str, object], ...], Any] = field(default_factory=dict)

    def sheet(self, name: str) -> Any:
        """A new sheet, whose first row stays in sight."""
        sheet = self.file.add_worksheet(self.texts["sheets"][name])
        if self.is_mirrored:
            sheet.right_to_left()
        return sheet

    def look(self, **properties: object) -> Any:
        """A format; each is made once."""
        key = tuple(properties.items())
        if key not in self.formats:
            self.formats[key] = self.file.add_format({"valign": "top", **properties})
        return self.formats[key]

    def heads(self, sheet: Any, names: Iterable[str]) -> None:
        """The first row of a sheet."""
        look = self.look(bold=True, text_wrap=True, bottom=1, bg_color="#E8EEF4")
        for column, name in enumerate(names):
            sheet.write_string(0, column, name, look)
        sheet.freeze_panes(1, 0)

    def write(
        self, sheet: Any, place: tuple[int, int], value: Fact | None, **look: object
    ) -> None:
        """A text or a number, never as what it looks like: no cell is a formula or a link."""
        if isinstance(value, str):
            if value:
                text = shortened(value, *_MOST_OF_CELL)
                sheet.write_string(*place, text, self.look(**{**look, "num_format": "@"}))
        elif value is not None:
            sheet.write_number(*place, value, self.look(**look))


def workbook(findings: EditionFindings, labels: Labels) -> bytes:
    """The bytes of the workbook; the same estimates always make the same ones."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "estimates.xlsx"
        options = {"strings_to_formulas": False, "strings_to_urls": False}
        with xlsxwriter.Workbook(path, options) as file:
            file.set_properties({"created": _NO_TIME})
            numbers = labels.numbers
            book = _Book(file, catalog("files", numbers.language), numbers.is_mirrored)
            _write_estimates(book, flat_rows(findings, labels))
            if findings.estimates.crosstabs:
                _write_crosstabs(book, findings.estimates.crosstabs, labels)
            _write_codebook(book, findings, labels)
            _write_about(book, facts(findings, labels))
        return path.read_bytes()


def _write_estimates(book: _Book, rows: Sequence[FlatRow]) -> None:
    sheet, names = book.sheet("estimates"), book.texts["columns"]
    book.heads(sheet, (names[name] for name in COLUMNS))
    for column, name in enumerate(COLUMNS):
        sheet.set_column(column, column, _WIDE.get(name, _WIDTHS.get(name, _DEFAULT_WIDTH)))
    for line, row in enumerate(rows, start=1):
        for column, (name, value) in enumerate(row.cells().items()):
            look = {"text_wrap": True} if name in _WIDE else {"num_format": _format(row, name)}
            book.write(sheet, (line, column), value, **look)
    sheet.autofilter(0, 0, len(rows), len(COLUMNS) - 1)


def _format(row: FlatRow, column: str) -> str:
    """How a number is shown: shares in percent, with a sign if they are differences."""
    if column == "reports":
        return _COUNT
    if column.endswith("variance"):
        return _VARIANCE
    if column.endswith("p_value"):
        return _CHANCE
    if row.unit != SHARE:
        return _NUMBER
    return _POINTS if row.kind is RowKind.GROUP_DIFFERENCE else _PERCENT


def _write_crosstabs(book: _Book, crosstabs: Iterable[CrosstabEstimate], labels: Labels) -> None:
    """A table for each crosstab: the options of its last question are columns."""
    sheet, line = book.sheet("crosstabs"), 0
    sheet.set_column(0, 0, _WIDE["question_text"])
    for crosstab in crosstabs:
        line = _write_crosstab(book, sheet, line, crosstab, labels) + 2


def _write_crosstab(
    book: _Book, sheet: Any, line: int, crosstab: CrosstabEstimate, labels: Labels
) -> int:
    """Write one crosstab from a line on; the first line after it."""
    sides = [
        [one_line(labels.option(each, name)) for name in labels.find(each).names]
        for each in crosstab.questions
    ]
    *others, columns = sides
    texts = [one_line(labels.question(each)) for each in crosstab.questions]
    bold = {"bold": True, "text_wrap": True}
    book.write(sheet, (line, 0), f"{' × '.join(texts)} ({crosstab.block})", bold=True)
    book.write(sheet, (line + 1, 0), " · ".join(texts[:-1]), **bold)
    heads = [book.texts["columns"][name] for name in _OF_CELL]
    for place, name in enumerate(columns):
        book.write(sheet, (line + 1, 1 + len(heads) * place), name, **bold)
        for column, head in enumerate(heads, start=1 + len(heads) * place):
            book.write(sheet, (line + 2, column), head, bold=True, bottom=1)
    cells = iter(crosstab.cells)
    line += 3
    for names in product(*others):
        book.write(sheet, (line, 0), " · ".join(names), text_wrap=True)
        for place in range(len(columns)):
            cell = next(cells)
            for column, value in enumerate((cell.share, cell.low, cell.high), start=1 + 3 * place):
                book.write(sheet, (line, column), value, num_format=_PERCENT)
        line += 1
    return line


def _write_codebook(book: _Book, findings: EditionFindings, labels: Labels) -> None:
    sheet, own = book.sheet("codebook"), book.texts["codebook"]
    book.heads(sheet, (own[name] for name, _ in _CODEBOOK))
    for column, (_, width) in enumerate(_CODEBOOK):
        sheet.set_column(column, column, width)
    lines = list(codebook_lines(findings, labels))
    for line, texts in enumerate(lines, start=1):
        for column, text in enumerate(texts):
            book.write(sheet, (line, column), one_line(text) if text else "", text_wrap=True)
    sheet.autofilter(0, 0, len(lines), len(_CODEBOOK) - 1)


def _write_about(book: _Book, about: Mapping[str, Fact]) -> None:
    """The id of each fact, its name and its value."""
    sheet, names = book.sheet("about"), book.texts["about"]
    for column, width in enumerate((16, 34, 100)):
        sheet.set_column(column, column, width)
    for line, (name, value) in enumerate(about.items()):
        share = {"num_format": _PERCENT} if name in ("confidence", "response_rate") else {}
        book.write(sheet, (line, 0), name)
        book.write(sheet, (line, 1), names[name], bold=True)
        book.write(sheet, (line, 2), value, text_wrap=True, align="left", **share)
