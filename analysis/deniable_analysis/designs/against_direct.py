"""Comparisons of people asked under randomization with people asked directly."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.special import chdtrc

from deniable_analysis.charts import Chart
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.designs.answers import AnsweredGroups, AnyKnown
from deniable_analysis.designs.estimate import Method, read_answers, read_method, solve
from deniable_analysis.designs.maximum_likelihood import LogLikelihood, solve_likelihood
from deniable_analysis.designs.moment import Solution
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.choice import critical_value
from deniable_analysis.estimate.intervals import normal_ends, two_sided
from deniable_analysis.forms import Documented
from deniable_analysis.parts import Column, ColumnKind, Line, Part, Table, text_column
from deniable_analysis.presentation import Named, Presented
from deniable_analysis.results.shares import ENDS
from deniable_sdk.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareDifference(Documented):
    """The share of one true category under randomized and under direct questioning.

    Args:
        category: name of the category.
        randomized: share among those asked under randomization.
        direct: share among those asked directly.
        difference: randomized - direct.
        standard_error: standard error of the difference; None if a share is on
            a bound.
        low: lower end of its normal interval.
        high: upper end of its normal interval.
        z: difference divided by its standard error.
        p_value: two-sided normal p-value of the hypothesis of no difference.
    """

    category: str
    randomized: float
    direct: float
    difference: float
    standard_error: float | None
    low: float | None
    high: float | None
    z: float | None
    p_value: float | None


_NUMBERS = (
    text_column("category", "category"),
    *(Column(name, name) for name in ("randomized", "direct", "difference")),
    Column("standard_error", "se"),
    *ENDS,
    Column("z", "z"),
    Column("p_value", "p", ColumnKind.CHANCE),
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DirectComparison(Presented, Named[ShareDifference]):
    """Randomized against direct answers to the same question.

    Args:
        column: column of the table; None if the data were counts.
        design: name of the randomized design.
        method: method by which the shares were estimated.
        confidence: confidence of the intervals.
        randomized_rows: number of rows asked under randomization.
        direct_rows: number of rows asked directly.
        missing: number of rows left out, because a value is missing.
        differences: difference of the shares for each true category.
        likelihood_ratio: 2 (log L of different shares - log L of equal ones).
        degrees_of_freedom: degrees of freedom of the likelihood ratio.
        p_value: p-value of the hypothesis of equal shares, by the likelihood
            ratio; conservative if a share is on a bound.
    """

    column: str | None
    design: str
    method: str
    confidence: float
    randomized_rows: int
    direct_rows: int
    missing: int
    differences: tuple[ShareDifference, ...]
    likelihood_ratio: float
    degrees_of_freedom: int
    p_value: float

    def _named(self) -> Mapping[str, ShareDifference]:
        return {each.category: each for each in self.differences}

    def table(self) -> Table:
        """A row for each true category."""
        return Table.of((), _NUMBERS, [(each,) for each in self.differences])

    def charts(self) -> Iterable[Chart]:
        """The difference of each category, with its interval."""
        marks = self.table().marks("difference")
        rows = f"{self.randomized_rows} randomized and {counted(self.direct_rows, 'direct row')}"
        yield Chart(
            f"{self.design} against direct: {rows}", "difference of shares", marks, reference=0.0
        )

    def parts(self) -> Iterable[Part]:
        """The differences, and the test of the hypothesis of no difference."""
        yield Line(
            f"{self.column or 'counts'}: {counted(self.randomized_rows, 'row')} by {self.design}, "
            f"{self.direct_rows} asked openly"
        )
        yield self.table()
        yield Line(
            f"equal shares: likelihood ratio {self.likelihood_ratio:.3f} on "
            f"{self.degrees_of_freedom} df, p = {self.p_value:.3g}"
        )


def compare_with_direct(  # noqa: PLR0913 - the data are one thing, keywords say how to compare
    data: Any,
    column: str | None = None,
    *,
    design: AnyKnown,
    method: Method | str = Method.MOMENT,
    weights: Any = None,
    confidence: float = DEFAULT_CONFIDENCE,
) -> DirectComparison:
    """The difference between randomized and direct answers, with its tests.

    Args:
        data: as for prevalence.
        column: column that contains both kinds of answers.
        design: ByGroup or a design of groups. At least one group is direct and
            at least one is not: see direct and with_direct.
        method: how the shares are estimated. The likelihood ratio always uses
            the maximum likelihood estimates.
        weights: as for prevalence. With weights the likelihood ratio is that of
            a pseudo-likelihood, and its p-value is too small.
        confidence: confidence of the normal intervals.
    Raises:
        InvalidArgument: there is no direct or no randomized group with answers.
            ColumnNotFound, InvalidArgument, NotIdentified,
            InvalidArgument: as for prevalence.
    """
    reach = critical_value(confidence)
    chosen = read_method(method)
    answered = read_answers(data, column, design, weights)
    randomized, openly = _split(answered)
    first, second = solve(randomized, chosen), solve(openly, chosen)
    apart = _top(randomized) + _top(openly)
    ratio = max(0.0, 2 * (apart - _top(answered)))
    freedom = len(answered.true) - 1
    return DirectComparison(
        column=column,
        design=randomized.name,
        method=chosen.value,
        confidence=confidence,
        randomized_rows=randomized.rows,
        direct_rows=openly.rows,
        missing=answered.missing,
        differences=_differences(answered.true, first, second, reach),
        likelihood_ratio=ratio,
        degrees_of_freedom=freedom,
        p_value=float(chdtrc(freedom, ratio)),
    )


def _split(answered: AnsweredGroups) -> tuple[AnsweredGroups, AnsweredGroups]:
    """The groups asked under randomization, and those asked directly."""
    is_direct = [group.is_direct for group in answered.groups]
    if all(is_direct) or not any(is_direct):
        which = "randomized" if all(is_direct) else "direct"
        raise InvalidArgument(
            f"got no {which} group with answers; allowed is a design by group with both, like "
            "ByGroup('mode', {'openly': direct(), 'by die': forced_response(...)})"
        )
    return answered.of([not each for each in is_direct]), answered.of(is_direct)


def _top(answered: AnsweredGroups) -> float:
    return LogLikelihood.of(answered).at(solve_likelihood(answered).point)


def _differences(
    names: Sequence[str], first: Solution, second: Solution, reach: float
) -> tuple[ShareDifference, ...]:
    found = []
    for index, name in enumerate(names):
        difference = float(first.shares[index] - second.shares[index])
        variance = float(first.covariance[index, index] + second.covariance[index, index])
        error = math.sqrt(max(0.0, variance)) if math.isfinite(variance) else None
        low, high = normal_ends(difference, variance, reach)
        z = None if error is None or low is None else difference / error
        found.append(
            ShareDifference(
                category=name,
                randomized=float(first.shares[index]),
                direct=float(second.shares[index]),
                difference=difference,
                standard_error=error,
                low=low,
                high=high,
                z=z,
                p_value=two_sided(z),
            )
        )
    return tuple(found)
