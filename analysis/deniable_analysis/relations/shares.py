"""The shares of one question with their covariances, and sums of them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimators import fieller_interval, project_to_simplex
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.mechanisms.basis import Basis, JointBasis
from deniable_analysis.mechanisms.linear import LinearShares
from deniable_analysis.mechanisms.margins import Margin, expected_both, pool_margins
from deniable_analysis.mechanisms.share_numbers import Numbers, clip, normal_numbers
from deniable_analysis.relations.questions import label, subset_blocks
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_sdk.survey.questions import Question

SCORE = "score"
# A function from the shares of a hypothesis to the same shares with their covariances under it.
SharesIf = Callable[[Floats], LinearShares]


@dataclass(frozen=True, slots=True)
class OrderedShares:
    """The shares of the answers to a question; "no answer" is last if it is an option.

    Args:
        question: id of the question.
        shares: shares of all answers.
        shares_if: function from the shares of a hypothesis to the same shares
            with their covariances under it.
        option_count: number of options without "no answer".
        reports: number of reports.
    """

    question: str
    shares: LinearShares
    shares_if: SharesIf
    option_count: int
    reports: int

    def of_population(self, population: int | None) -> "OrderedShares":
        """The same shares for a sample of a finite population."""
        return replace(
            self,
            shares=self.shares.of_population(population),
            shares_if=lambda shares: self.shares_if(shares).of_population(population),
        )


@dataclass(frozen=True, slots=True)
class ClosedShares:
    """The shares of the options of a question.

    Args:
        question: closed question.
        shares: shares of its names.
        shares_if: as in OrderedShares.
        reports: number of reports.
        epsilon: privacy loss of a report on a block of the question.
        basis: answers of the block, if a single block contains the question.
        membership: (answers, options) 1 where an answer contains an option.
    """

    question: Question
    shares: LinearShares
    shares_if: SharesIf
    reports: int
    epsilon: float
    basis: JointBasis | None
    membership: Floats

    @property
    def option_count(self) -> int:
        """The number of options without "no answer"."""
        return len(self.question.names) - self.question.offers_no_answer

    @property
    def ordered(self) -> OrderedShares:
        """The same shares without the block."""
        return OrderedShares(
            self.question.id, self.shares, self.shares_if, self.option_count, self.reports
        )


def closed_shares(study: ReportedSurvey, question: Question) -> ClosedShares:
    """The shares of a question's options, from a single read of the counts.

    Raises:
        NotIdentified: none of its blocks is randomized by subset selection, or
            no report contains one.
    """
    blocks = subset_blocks(study, question)
    counts = study.count(blocks)
    margins = [Margin.of(question, block, counts.blocks[block.id]) for block in blocks]
    reported = [margin for margin in margins if margin.reports]
    if not reported:
        raise NotIdentified(
            f"no report of {label(study)} carries question {question.id!r} yet; wait for reports"
        )
    is_one = len(reported) == 1
    both = expected_both(study.survey, counts.report_count)
    return ClosedShares(
        question=question,
        shares=pool_margins(reported, both),
        shares_if=lambda shares: pool_margins(reported, both, shares),
        reports=sum(margin.reports for margin in reported),
        epsilon=max(block.epsilon for block in blocks),
        basis=reported[0].basis if is_one else None,
        membership=reported[0].membership,
    )


def numbers_among_answered(
    found: ClosedShares, later: Floats, choice: IntervalChoice
) -> tuple[list[Numbers], str]:
    """The numbers of sums of shares among those who answered, and the kind of interval.

    Args:
        found: shares of all options.
        later: (options, sums) 1 where a sum contains an option, "no answer"
            last.
        choice: which intervals.
    Raises:
        NotIdentified: nobody seems to have answered.
    """
    rule = choice.among(later.shape[1])
    projected = project_to_simplex(found.shares.shares)
    answered = projected[: found.option_count].sum()
    valid = later.T @ projected / answered if answered > 0 else np.zeros(later.shape[1])
    if _is_counted(found.basis, later) and not found.question.offers_no_answer and found.basis:
        rows = [
            found.basis.numbers(found.membership @ later[:, [column]], rule)[0]
            for column in range(later.shape[1])
        ]
        kind = rule.interval.value
    else:
        rows, kind = ratio_numbers(found.ordered, later, choice), SCORE
    shown: list[Numbers] = [
        {**row, "valid_share": each} for row, each in zip(rows, valid.tolist(), strict=True)
    ]
    return shown, kind


def _is_counted(basis: Basis | None, later: Floats) -> bool:
    """Whether the numbers of reports that support the sums are binomial counts."""
    return basis is not None and basis.is_binomial(int(later.sum(axis=0).max()) + 1)


def ratio_numbers(found: OrderedShares, later: Floats, choice: IntervalChoice) -> list[Numbers]:
    """Sums of shares divided by the share of those who answered.

    Variances are by the delta method. Intervals invert a score test: the
    variance is that of the tested ratio, as in Wilson's interval. With the
    estimated variance, the coverage is 85 percent instead of 95 for a share of
    0.02 of 100 reports at epsilon 4.

    Args:
        found: shares of all answers.
        later: (answers, sums) 1 where a sum contains an answer.
        choice: confidence of the intervals, and the population.
    Returns:
        Rows without an interval if the interval of the ratio is unbounded.
    Raises:
        NotIdentified: nobody seems to have answered.
    """
    of_people = found.of_population(choice.population)
    shares = of_people.shares.shares
    inside = np.zeros(len(shares))
    inside[: found.option_count] = 1
    answered = float(inside @ shares)
    if answered <= 0:
        raise NotIdentified(
            f"the reports do not show that anybody answered {found.question!r}; wait for more"
        )
    values = later.T @ shares / answered
    slopes = (later - np.outer(inside, values)) / answered
    parts = (
        np.sum(slopes * (of_people.shares.mechanism_part @ slopes), axis=0),
        np.sum(slopes * (of_people.shares.sampling_part @ slopes), axis=0),
    )
    rule = choice.among(len(values))
    rows = normal_numbers(values, parts, found.reports, rule, clip)
    reach = critical_value(rule.confidence, rule.comparisons)
    ends = [score_ends(of_people, column, reach) for column in later.T]
    return [{**row, "low": low, "high": high} for row, (low, high) in zip(rows, ends, strict=True)]


def score_ends(
    found: OrderedShares, later: Floats, reach: float
) -> tuple[float, float] | tuple[None, None]:
    """The interval of ratios that a score test does not reject.

    The ratios are sums of shares divided by the share of those who answered.
    The hypothesis subtracts an equal part from each option outside the sum and
    adds an equal part to each option in it. Under subset selection, it does not
    matter which options are moved, and the variance is quadratic in the ratio.
    For numbers with a window this is approximately true: the ends differ by
    less than 0.0001.

    Args:
        found: shares of all answers.
        later: (answers,) 1 where the sum contains an answer.
        reach: distance to either end, in standard errors.
    """
    shares = found.shares.shares
    inside = np.zeros(len(shares))
    inside[: found.option_count] = 1
    rest = inside - later
    whole, part = float(inside @ shares), float(later @ shares)
    direction = later / max(1.0, later.sum()) - rest / max(1.0, rest.sum())

    def variance_if(ratio: float) -> float:
        tested = found.shares_if(shares + (ratio * whole - part) * direction)
        slopes = later - ratio * inside
        return float(slopes @ tested.covariances @ slopes)

    return fieller_interval((whole, part), variance_if, reach) or (None, None)
