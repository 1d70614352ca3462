"""Estimates as flat rows, for CSV and spreadsheets: a row for each number."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from deniable_analysis import Estimates
from deniable_analysis.codebook.texts import one_line
from deniable_analysis.results import (
    CrosstabEstimate,
    GroupedEstimates,
    GroupedQuestion,
    Quantiles,
    QuestionEstimate,
)
from deniable_web.pages.languages import DEFAULT, catalog
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels

# Spreadsheet programs take a text for a formula if it begins with one of these.
_FORMULA = re.compile(r"[=+\-@]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)

Cell = str | int | float | None


class RowKind(StrEnum):
    """What a row is about."""

    OPTION = "option"
    ASKED = "asked"
    AMONG_ASKED = "among_asked"
    UNTOLD = "untold"
    MEAN = "mean"
    QUANTILE = "quantile"
    CELL = "cell"
    RESPONSE = "response"
    GROUP_OPTION = "group_option"
    GROUP_MEAN = "group_mean"
    GROUP_DIFFERENCE = "group_difference"
    WARNING = "warning"


SHARE = "share"


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatRow:
    """A number of a survey with its labels, or a sentence about its numbers.

    The fields are the columns of every file; languages/CODE/files.yaml explains them.
    """

    kind: RowKind
    question: str = ""
    question_text: str = ""
    option: str = ""
    option_text: str = ""
    group: str = ""
    group_text: str = ""
    unit: str = ""
    reports: int | None = None
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    valid_share: float | None = None
    mechanism_variance: float | None = None
    sampling_variance: float | None = None
    adjusted_p_value: float | None = None
    note: str = ""

    def cells(self) -> dict[str, str | int | float | None]:
        """The values by the names of their columns; "" and None are empty cells.

        Every text is on one line.
        """
        values = ((name, getattr(self, name)) for name in COLUMNS)
        return {
            name: one_line(value) if isinstance(value, str) and value else value
            for name, value in values
        }


COLUMNS: tuple[str, ...] = tuple(column.name for column in fields(FlatRow))


# The columns of numbers that records have under the same name, and the names of their estimates.
NUMBERS = (
    "reports",
    "low",
    "high",
    "valid_share",
    "mechanism_variance",
    "sampling_variance",
    "adjusted_p_value",
)
_ESTIMATES = ("share", "value", "difference", "rate")


def _numbers(record: object) -> dict[str, Any]:
    """The numbers of a share, mean, quantile, difference or response, by their columns."""
    estimate = next(getattr(record, name) for name in _ESTIMATES if hasattr(record, name))
    numbers = {name: getattr(record, name, None) for name in NUMBERS}
    return {"unit": SHARE, "estimate": estimate, **numbers}


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a survey, with labels in one language."""

    estimates: Estimates
    labels: Labels

    def of_question(
        self, estimate: QuestionEstimate, quantiles: Quantiles | None
    ) -> Iterator[FlatRow]:
        name, among, mean = estimate.question, estimate.among, estimate.mean
        of_number: dict[str, Any] = {
            "unit": self.labels.unit(name),
            "reports": estimate.reports,
        }
        for share in estimate.of_all:
            yield self._row(RowKind.OPTION, name, share.option, **_numbers(share))
        if among:
            yield self._row(RowKind.ASKED, name, **_numbers(among.asked))
            for share in among.options:
                yield self._row(RowKind.AMONG_ASKED, name, share.option, **_numbers(share))
            if among.why:
                yield self._row(RowKind.UNTOLD, name, note=among.why)
        if mean:
            yield self._row(RowKind.MEAN, name, **_numbers(mean) | of_number)
        for part in quantiles.quantiles if quantiles else ():
            yield replace(
                self._row(RowKind.QUANTILE, name, **of_number),
                option=str(part.probability),
                option_text=self.labels.numbers.percent(part.probability, 0),
                estimate=float(part.value),
                low=float(part.low),
                high=float(part.high),
            )

    def of_crosstab(self, crosstab: CrosstabEstimate) -> Iterator[FlatRow]:
        texts = " × ".join(map(self.labels.question, crosstab.questions))
        for cell in crosstab.cells:
            pairs = zip(crosstab.questions, cell.options, strict=True)
            yield FlatRow(
                kind=RowKind.CELL,
                question=crosstab.block,
                question_text=texts,
                option=";".join(cell.options),
                option_text=" · ".join(self.labels.option(*pair) for pair in pairs),
                **_numbers(cell),
            )

    def of_groups(self, grouped: GroupedEstimates) -> Iterator[FlatRow]:
        for response in grouped.responses:
            names = self._groups(response.name)
            yield FlatRow(kind=RowKind.RESPONSE, **_numbers(response), **names)
        for question in grouped.questions:
            yield from self._of_grouped(question)

    def _of_grouped(self, question: GroupedQuestion) -> Iterator[FlatRow]:
        """The shares and means of each group, and the differences between groups."""
        name = question.question
        of_number = {"unit": self.labels.unit(name)}
        for group, share in question.shares():
            numbers = _numbers(share) | self._groups(group)
            yield self._row(RowKind.GROUP_OPTION, name, share.option, **numbers)
        for group, mean in question.means():
            numbers = _numbers(mean) | of_number | self._groups(group)
            yield self._row(RowKind.GROUP_MEAN, name, **numbers)
        options = {share.option for share in question.options}
        for difference in question.differences:
            is_share = difference.name in options
            numbers = _numbers(difference) | self._groups(*difference.groups)
            own = numbers if is_share else numbers | of_number
            option = difference.name if is_share else ""
            yield self._row(RowKind.GROUP_DIFFERENCE, name, option, **own)

    def warnings(self) -> Iterator[FlatRow]:
        """A row for each warning, whose sentence is in English."""
        if self.estimates.fieldwork.is_simulated:
            simulated = catalog("files", DEFAULT)["ends"]["simulated"]
            yield FlatRow(kind=RowKind.WARNING, question="reports", note=simulated)
        questions = {question.id for question in self.labels.survey.questions}
        for name, text in self.estimates.named_warnings:
            if name in questions:
                yield self._row(RowKind.WARNING, name, note=text)
            else:
                yield FlatRow(kind=RowKind.WARNING, question=name, note=text)

    def hidden(self, question: str, least: int) -> FlatRow:
        """The row of a question whose results are not shown."""
        note = f"fewer than {least} reports are about this question, so it is not shown here"
        return self._row(RowKind.WARNING, question, note=note)

    def _row(self, kind: RowKind, question: str, option: str = "", **own: Any) -> FlatRow:
        return FlatRow(
            kind=kind,
            question=question,
            question_text=self.labels.question(question),
            option=option,
            option_text=self.labels.answer(question, option) if option else "",
            **own,
        )

    def _groups(self, *groups: str) -> dict[str, Any]:
        texts = map(self.labels.group, groups)
        return {"group": " - ".join(groups), "group_text": " − ".join(texts)}


def flat_rows(findings: EditionFindings, labels: Labels) -> list[FlatRow]:
    """A row for each number of a survey and each warning."""
    estimates = findings.estimates
    rows = _Rows(estimates, labels)
    return [
        *(
            row
            for question in estimates.questions
            for row in rows.of_question(question, findings.quantiles.get(question.question))
        ),
        *(row for crosstab in estimates.crosstabs for row in rows.of_crosstab(crosstab)),
        *(rows.of_groups(estimates.by_group) if estimates.by_group else ()),
        *rows.warnings(),
        *(rows.hidden(question.id, findings.least) for question in findings.hidden),
    ]


def csv_cells(row: FlatRow) -> Mapping[str, Cell]:
    """The values of a row by their columns; no spreadsheet program takes one for a formula."""
    return {name: _plain(value) for name, value in row.cells().items()}


def csv_text(rows: Iterable[FlatRow]) -> str:
    """A header and the rows."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(csv_cells, rows))
    return text.getvalue()


def _plain(value: Cell) -> Cell:
    """The value, with an apostrophe before a text that looks like a formula."""
    if not isinstance(value, str) or not _FORMULA.match(value) or _NUMBER.fullmatch(value):
        return value
    return f"'{value}"
