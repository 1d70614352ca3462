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
    GroupDifference,
    GroupedEstimates,
    GroupedQuestion,
    MeanEstimate,
    Quantiles,
    QuestionEstimate,
    ShareEstimate,
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


COLUMNS: tuple[str, ...] = tuple(each.name for each in fields(FlatRow))


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a survey, with labels in one language."""

    estimates: Estimates
    labels: Labels

    def of_question(
        self, found: QuestionEstimate, quantiles: Quantiles | None
    ) -> Iterator[FlatRow]:
        name, among = found.question, found.among
        for each in found.of_all:
            yield self._share(RowKind.OPTION, name, each.option, each)
        if among:
            yield self._share(RowKind.ASKED, name, "", among.asked)
            for each in among.options:
                yield self._share(RowKind.AMONG_ASKED, name, each.option, each)
            if among.why:
                yield self._named(RowKind.UNTOLD, name, note=among.why)
        if found.mean:
            yield replace(self._mean(RowKind.MEAN, name, found.mean), reports=found.reports)
        for part in quantiles.quantiles if quantiles else ():
            yield replace(
                self._named(RowKind.QUANTILE, name),
                option=str(part.probability),
                option_text=self.labels.numbers.percent(part.probability, 0),
                unit=self.labels.unit(name),
                reports=found.reports,
                estimate=float(part.value),
                low=float(part.low),
                high=float(part.high),
            )

    def of_crosstab(self, found: CrosstabEstimate) -> Iterator[FlatRow]:
        texts = " × ".join(map(self.labels.question, found.questions))
        for cell in found.cells:
            named = zip(found.questions, cell.options, strict=True)
            yield self._of_share(
                FlatRow(
                    kind=RowKind.CELL,
                    question=found.block,
                    question_text=texts,
                    option=";".join(cell.options),
                    option_text=" · ".join(self.labels.option(*each) for each in named),
                ),
                cell,
            )

    def of_groups(self, found: GroupedEstimates) -> Iterator[FlatRow]:
        for each in found.responses:
            rate = FlatRow(
                kind=RowKind.RESPONSE, unit=SHARE, reports=each.reports, estimate=each.rate
            )
            yield self._of_groups(rate, (each.name,))
        for question in found.questions:
            yield from self._of_grouped(question)

    def _of_grouped(self, found: GroupedQuestion) -> Iterator[FlatRow]:
        """The shares and means of each group, and the differences between groups."""
        name = found.question
        for group, share in found.shares():
            row = self._share(RowKind.GROUP_OPTION, name, share.option, share)
            yield self._of_groups(row, (group,))
        for group, mean in found.means():
            yield self._of_groups(self._mean(RowKind.GROUP_MEAN, name, mean), (group,))
        options = {each.option for each in found.options}
        for difference in found.differences:
            row = self._difference(name, difference, is_share=difference.name in options)
            yield self._of_groups(row, difference.groups)

    def warnings(self) -> Iterator[FlatRow]:
        """A row for each warning, whose sentence is in English."""
        if self.estimates.fieldwork.is_simulated:
            simulated = catalog("files", DEFAULT)["ends"]["simulated"]
            yield FlatRow(kind=RowKind.WARNING, question="reports", note=simulated)
        known = {each.id for each in self.labels.survey.questions}
        for name, text in self.estimates.named_warnings:
            if name in known:
                yield self._named(RowKind.WARNING, name, note=text)
            else:
                yield FlatRow(kind=RowKind.WARNING, question=name, note=text)

    def hidden(self, question: str, least: int) -> FlatRow:
        """The row of a question whose results are not shown."""
        note = f"fewer than {least} reports are about this question, so it is not shown here"
        return self._named(RowKind.WARNING, question, note=note)

    def _named(self, kind: RowKind, question: str, option: str = "", *, note: str = "") -> FlatRow:
        return FlatRow(
            kind=kind,
            question=question,
            question_text=self.labels.question(question),
            option=option,
            option_text=self.labels.answer(question, option) if option else "",
            note=note,
        )

    def _share(self, kind: RowKind, question: str, option: str, found: ShareEstimate) -> FlatRow:
        return self._of_share(self._named(kind, question, option), found)

    def _of_share(self, row: FlatRow, found: ShareEstimate) -> FlatRow:
        return replace(
            row,
            unit=SHARE,
            reports=found.reports,
            estimate=found.share,
            valid_share=found.valid_share,
            **_uncertainty(found),
        )

    def _mean(self, kind: RowKind, question: str, found: MeanEstimate) -> FlatRow:
        return replace(
            self._named(kind, question),
            unit=self.labels.unit(question),
            estimate=found.value,
            **_uncertainty(found),
        )

    def _difference(self, question: str, found: GroupDifference, *, is_share: bool) -> FlatRow:
        return replace(
            self._named(RowKind.GROUP_DIFFERENCE, question, found.name if is_share else ""),
            unit=SHARE if is_share else self.labels.unit(question),
            estimate=found.difference,
            low=found.low,
            high=found.high,
            adjusted_p_value=found.adjusted_p_value,
        )

    def _of_groups(self, row: FlatRow, groups: tuple[str, ...]) -> FlatRow:
        names = map(self.labels.group, groups)
        return replace(row, group=" - ".join(groups), group_text=" − ".join(names))


def _uncertainty(found: ShareEstimate | MeanEstimate) -> dict[str, Any]:
    """The numbers that a share and a mean both have, by their columns."""
    names = ("low", "high", "mechanism_variance", "sampling_variance")
    return {name: getattr(found, name) for name in names}


def flat_rows(findings: EditionFindings, labels: Labels) -> list[FlatRow]:
    """A row for each number of a survey and each warning."""
    estimates = findings.estimates
    rows = _Rows(estimates, labels)
    return [
        *(
            row
            for each in estimates.questions
            for row in rows.of_question(each, findings.quantiles.get(each.question))
        ),
        *(row for each in estimates.crosstabs for row in rows.of_crosstab(each)),
        *(rows.of_groups(estimates.by_group) if estimates.by_group else ()),
        *rows.warnings(),
        *(rows.hidden(each.id, findings.least) for each in findings.hidden),
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
