"""Two questions: the shares of their combinations, and the test of their independence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deniable_analysis.charts import Chart
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.forms import (
    DataFrame,
    Documented,
    asked_of,
    document_of,
    pandas,
)
from deniable_analysis.parts import (
    Column,
    ColumnKind,
    Line,
    Part,
    Table,
    text_column,
    warning_lines,
)
from deniable_analysis.presentation import Named, Presented
from deniable_analysis.results.shares import (
    ENDS,
    REPORTS,
    STANDARD_ERROR,
    CellEstimate,
    OptionEstimate,
    forgery_note,
    normal_mark,
    share_table,
)
from deniable_analysis.results.valid import valid_counts
from deniable_sdk.wording import counted

# The number of departures in a chart.
_MOST_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CrosstabEstimate(Presented, Named[CellEstimate]):
    """The estimated shares of the cells of one crosstab.

    Args:
        reports: number of reports that contain the block.
        epsilon: privacy loss of each of these on the block.
        interval: kind of the cells' intervals, "wilson" or "clopper-pearson".
        cells: shares of the cells; the last question's options vary fastest.
    """

    block: str
    questions: tuple[str, ...]
    reports: int
    epsilon: float
    interval: str
    cells: tuple[CellEstimate, ...]
    warnings: tuple[str, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """The estimates as plain JSON values."""
        return document_of(self, "warnings")

    def table(self) -> Table:
        """A row for each cell, in data with a column for each question."""
        return _cell_table(self.questions, self.cells)

    def _named(self) -> Mapping[str, CellEstimate]:
        return {each.name: each for each in self.cells}

    @property
    def title(self) -> str:
        """The questions with the number of reports and epsilon."""
        asked = asked_of(self.reports, self.epsilon)
        return f"{' x '.join(self.questions)} (crosstab): {asked}"

    def parts(self) -> Iterable[Part]:
        """The shares of the cells, and the warnings."""
        yield Line(self.title)
        if not self.reports:
            yield Line("no report carries this crosstab yet, so there is no estimate")
            return
        yield self.table()
        yield Line(forgery_note(self.cells))
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The shares of the cells."""
        if self.reports:
            yield Chart(self.title, "share of those asked", self.table().marks("share"))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Crosstab(Presented, Named[CellEstimate]):
    """The estimated shares of all combinations of two questions' options.

    Args:
        questions: question of the rows and question of the columns.
        design: "joint" if both questions were randomized as one answer,
            "separate" if they were randomized separately and the same
            respondents answered both.
        reports: number of respondents.
        epsilon: privacy loss of each respondent on both questions.
        interval: kind of the cells' intervals.
        cells: shares of the cells; the columns' options vary fastest.
        rows: shares of the rows.
        columns: shares of the columns.
        within_rows: share of each cell within its row, with intervals of score
            tests for one look. They are up to 0 to 1, without variances, if nobody
            may be in the row.
        warnings: sentences about limits of the crosstab.
    """

    questions: tuple[str, str]
    design: str
    reports: int
    epsilon: float
    interval: str
    cells: tuple[CellEstimate, ...]
    rows: tuple[OptionEstimate, ...]
    columns: tuple[OptionEstimate, ...]
    within_rows: tuple[CellEstimate, ...]
    warnings: tuple[str, ...] = ()

    def valid_counts(self) -> tuple[tuple[int, ...], ...]:
        """The table as whole numbers of respondents that sum to the reports.

        They are for display only: tests and intervals must not start from them.
        """
        shares = [cell.share if cell.share is not None else 0.0 for cell in self.cells]
        counts, width = valid_counts(shares, self.reports), len(self.columns)
        starts = range(0, len(counts), width)
        return tuple(counts[start : start + width] for start in starts)

    def table(self) -> Table:
        """A row for each cell, in data with a column for each question."""
        return _cell_table(self.questions, self.cells)

    def _named(self) -> Mapping[str, CellEstimate]:
        return {each.name: each for each in self.cells}

    def within_rows_to_frame(self) -> DataFrame:
        """Each cell's share within its row, by pandas."""
        return _cell_table(self.questions, self.within_rows).to_frame()

    def counts_to_frame(self) -> DataFrame:
        """The whole numbers of valid_counts as a table, by pandas."""
        module, (row, column) = pandas(), self.questions
        return module.DataFrame(
            [list(counts) for counts in self.valid_counts()],
            index=module.Index([row.option for row in self.rows], name=row),
            columns=module.Index([column.option for column in self.columns], name=column),
        )

    @property
    def title(self) -> str:
        """The questions with the number of reports and epsilon."""
        asked = asked_of(self.reports, self.epsilon)
        return f"{' x '.join(self.questions)} ({self.design}): {asked}; {self.interval} intervals"

    def parts(self) -> Iterable[Part]:
        """The cells, the margins, and the shares within rows."""
        yield Line(self.title)
        yield self.table()
        margins = [
            (f"{question}: {each.option}", each)
            for question, options in zip(self.questions, (self.rows, self.columns), strict=True)
            for each in options
        ]
        yield share_table((text_column("", "margin"),), margins)
        names = (text_column("", "share of its row"),)
        numbers = (Column("share", "share"), *ENDS)
        yield Table.of(names, numbers, [(cell.name, cell) for cell in self.within_rows])
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The shares of the cells."""
        yield Chart(self.title, "share of those asked", self.table().marks("share"))


def _cell_table(questions: Sequence[str], cells: Iterable[CellEstimate]) -> Table:
    names = (text_column("", "cell"), *map(text_column, questions))
    return share_table(names, [(cell.name, *cell.options, cell) for cell in cells])


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure(Documented):
    """The departure of a combination of options from independence.

    Args:
        options: one option of each question.
        difference: raw share of the combination, minus the product of the
            shares of both options.
        standard_error: standard error of the difference if the answers are
            independent.
    """

    options: tuple[str, str]
    difference: float
    standard_error: float


_TEST = (
    text_column("design", "design"),
    text_column("method", "method"),
    REPORTS,
    Column("epsilon", "epsilon"),
    Column("statistic", "chi-squared"),
    Column("degrees_of_freedom", "df", ColumnKind.COUNT),
    Column("p_value", "p", ColumnKind.CHANCE),
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IndependenceTest(Presented):
    """The test of independence of the answers to two questions, of those who answered both.

    Args:
        design: "joint" if both questions were randomized as one answer,
            "separate" if they were randomized separately.
        method: "pearson" on the reports, or "wald" on the debiased cells.
        reports: number of respondents.
        epsilon: privacy loss of each respondent on both questions.
        statistic: chi-squared statistic.
        p_value: p-value of the hypothesis of independence.
        departures: departure of every combination of options from independence;
            empty if there are more than 1,000.
        warnings: sentences about limits of the test.
    """

    questions: tuple[str, str]
    design: str
    method: str
    reports: int
    epsilon: float
    statistic: float
    degrees_of_freedom: int
    p_value: float
    departures: tuple[Departure, ...]
    warnings: tuple[str, ...] = ()

    def table(self) -> Table:
        """One row."""
        names = " x ".join(self.questions)
        return Table.of((text_column("questions", "questions"),), _TEST, [(names, self)])

    def departures_to_frame(self) -> DataFrame:
        """One row for each combination of options, as a pandas data frame."""
        names = tuple(map(text_column, self.questions))
        numbers = (Column("difference"), STANDARD_ERROR)
        rows = ((*each.options, each) for each in self.departures)
        return Table.of(names, numbers, rows).to_frame()

    def parts(self) -> Iterable[Part]:
        """The test in a sentence."""
        count = self.degrees_of_freedom
        freedom = counted(count, "degree of freedom", plural="degrees of freedom")
        yield Line(
            f"{' x '.join(self.questions)} ({self.design}): {counted(self.reports, 'report')}; "
            f"independence: {self.method} chi-squared {self.statistic:.4f} with "
            f"{freedom}, p = {self.p_value:.4g}"
        )
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The departures that are furthest from 0 in standard errors."""
        departures = [each for each in self.departures if each.standard_error > 0]
        departures.sort(key=lambda each: -abs(each.difference) / each.standard_error)
        marks = tuple(
            normal_mark(", ".join(each.options), each.difference, each.standard_error)
            for each in departures[:_MOST_SHOWN]
        )
        if marks:
            is_cut = len(departures) > _MOST_SHOWN
            cut = f" of the {_MOST_SHOWN} of {len(departures)} furthest from it" if is_cut else ""
            title = (
                f"{' x '.join(self.questions)} ({self.design}): "
                f"{asked_of(self.reports, self.epsilon)}; independence: p = {self.p_value:.3g}; "
                f"{DEFAULT_CONFIDENCE:g} intervals{cut}"
            )
            yield Chart(title, "share beyond what independence gives", marks, reference=0.0)
