"""The test of the hypothesis that the answers to two questions are independent."""

from collections.abc import Iterable
from dataclasses import dataclass

from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.forms import DataFrame, Documented, asked_of, counted, document_of, pandas
from deniable_analysis.presentation import Chart, Line, Part, Presented
from deniable_analysis.results.shares import normal_mark, warning_lines

# The confidence of the intervals of departures in a chart, and the number of departures.
_MOST_SHOWN = 20


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


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IndependenceTest(Documented, Presented):
    """The test of independence of the answers to two questions.

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

    def to_frame(self) -> DataFrame:
        """One row, as a pandas data frame."""
        row = {
            **document_of(self, "departures", "warnings"),
            "questions": " x ".join(self.questions),
        }
        return pandas().DataFrame([row])

    def departures_to_frame(self) -> DataFrame:
        """One row for each combination of options, as a pandas data frame."""
        rows = [
            {
                **dict(zip(self.questions, each.options, strict=True)),
                **document_of(each, "options"),
            }
            for each in self.departures
        ]
        return pandas().DataFrame(rows)

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
        known = [each for each in self.departures if each.standard_error > 0]
        known.sort(key=lambda each: -abs(each.difference) / each.standard_error)
        marks = tuple(
            normal_mark(", ".join(each.options), each.difference, each.standard_error)
            for each in known[:_MOST_SHOWN]
        )
        if marks:
            is_cut = len(known) > _MOST_SHOWN
            cut = f" of the {_MOST_SHOWN} of {len(known)} furthest from it" if is_cut else ""
            title = (
                f"{' x '.join(self.questions)} ({self.design}): "
                f"{asked_of(self.reports, self.epsilon)}; independence: p = {self.p_value:.3g}; "
                f"{DEFAULT_CONFIDENCE:g} intervals{cut}"
            )
            yield Chart(title, "share beyond what independence gives", marks, reference=0.0)
