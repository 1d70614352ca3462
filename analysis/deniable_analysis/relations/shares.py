"""The shares of one question with their covariances, and sums of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.estimators.intervals import Interval, IntervalRule
from deniable_analysis.estimators.ratio import fieller_interval
from deniable_analysis.estimators.sanity import clip, project_to_simplex
from deniable_analysis.estimators.shares import Numbers, normal_numbers
from deniable_analysis.mechanisms.base import IntervalChoice
from deniable_analysis.mechanisms.linear import Ends, LinearShares, known
from deniable_analysis.mechanisms.margins import (
    Margin,
    expected_both,
    pool_margins,
    reported_margins,
    watched_shares,
)
from deniable_analysis.relations.questions import nothing_reported, subset_blocks
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_sdk.survey.questions import Question

SCORE = "score"
# A function from the shares of a hypothesis to the same shares with their covariances under it.
SharesIf = Callable[[Floats], LinearShares]
WatchedEnds = Callable[[IntervalRule, Floats, Floats | None], Ends]


@dataclass(frozen=True, slots=True)
class QuestionShares:
    """The shares of the answers to a question, or of groups of them; "no answer" is last, if any.

    Args:
        question: the question.
        shares: raw shares of all answers.
        shares_if: function from the shares of a hypothesis to the same shares
            with their covariances under it.
        watched: function from a rule, (answers, sums) 1 where a sum contains an
            answer, and (answers,) 1 for the answers among which the shares are
            (None for all), to the ends of intervals that hold at every look.
        valid: valid shares for display.
        reports: number of reports.
        epsilon: privacy loss of a report on a block of the question.
        margins: the question in each of its blocks with reports that is
            randomized by subset selection.
    """

    question: Question
    shares: LinearShares
    shares_if: SharesIf
    watched: WatchedEnds
    valid: Floats
    reports: int
    epsilon: float
    margins: Sequence[Margin] = ()

    @property
    def option_count(self) -> int:
        """The number of answers without "no answer"."""
        return len(self.shares.shares) - self.question.offers_no_answer


def closed_shares(study: ReportedSurvey, question: Question) -> QuestionShares:
    """The shares of a question's options, from a single read of the counts.

    Raises:
        NotIdentified: none of its blocks is randomized by subset selection, or
            no report contains one.
    """
    blocks = subset_blocks(study, question)
    counts = study.count(blocks)
    reported = reported_margins(question, blocks, counts)
    if not reported:
        raise nothing_reported(study, question)
    both = expected_both(study.survey, counts.report_count)
    shares = pool_margins(reported, both)
    return QuestionShares(
        question=question,
        shares=shares,
        shares_if=lambda tested: pool_margins(reported, both, tested),
        watched=partial(watched_shares, reported),
        valid=project_to_simplex(shares.shares),
        reports=sum(margin.reports for margin in reported),
        epsilon=max(block.epsilon for block in blocks),
        margins=reported,
    )


def ratio_numbers(
    found: QuestionShares, later: Floats, choice: IntervalChoice
) -> tuple[list[Numbers], str]:
    """Sums of shares divided by the share of those who answered, and the kind of interval.

    Variances are by the delta method. Intervals for one look invert a score
    test: the variance is that of the tested ratio, as in Wilson's interval. With
    the estimated variance, the coverage is 85 percent instead of 95 for a share
    of 0.02 of 100 reports at epsilon 4. `later` is as in numbers_among_answered.

    Returns:
        Rows without an interval if the interval of the ratio is unbounded.
    Raises:
        NotIdentified: nobody seems to have answered.
    """
    of_people = found.shares.of_population(choice.population)
    shares = of_people.shares
    inside = np.zeros(len(shares))
    inside[: found.option_count] = 1
    answered = float(inside @ shares)
    if answered <= 0:
        raise NotIdentified(
            f"the reports do not show that anybody answered {found.question.id!r}; wait for more"
        )
    values = later.T @ shares / answered
    slopes = (later - np.outer(inside, values)) / answered
    parts = (
        np.sum(slopes * (of_people.mechanism_part @ slopes), axis=0),
        np.sum(slopes * (of_people.sampling_part @ slopes), axis=0),
    )
    rule = choice.among(len(values))
    rows = normal_numbers(values, parts, found.reports, rule, clip)
    if rule.interval is Interval.ANYTIME:
        low, high = found.watched(rule, later, inside if found.question.offers_no_answer else None)
        ends = [(known(start), known(end)) for start, end in zip(low, high, strict=True)]
        kind = rule.interval.value
    else:
        reach, kind = critical_value(rule.confidence, rule.comparisons), SCORE
        ends = [_score_ends(found, column, reach, choice.population) for column in later.T]
    return [
        {**row, "low": low, "high": high} for row, (low, high) in zip(rows, ends, strict=True)
    ], kind


def ratio_variance(
    found: QuestionShares, later: Floats, ratio: float, population: int | None = None
) -> float:
    """The variance of a sum of shares minus the ratio times the share of those who answered.

    It is that under the hypothesis of this ratio, which subtracts an equal part from each
    option outside the sum and adds an equal part to each option in it. Under subset
    selection, it does not matter which options are moved, and the variance is quadratic in
    the ratio. For numbers with a window this is approximately true: the ends differ by less
    than 0.0001. In `later`, (answers,), 1 is where the sum contains an answer.
    """
    shares = found.shares.shares
    inside = np.zeros(len(shares))
    inside[: found.option_count] = 1
    rest = inside - later
    direction = later / max(1.0, later.sum()) - rest / max(1.0, rest.sum())
    tested = found.shares_if(shares + (ratio * inside - later) @ shares * direction)
    slopes = later - ratio * inside
    return float(slopes @ tested.of_population(population).covariances @ slopes)


def _score_ends(
    found: QuestionShares, later: Floats, reach: float, population: int | None
) -> tuple[float, float] | tuple[None, None]:
    """The interval of ratios that a score test does not reject.

    The ratios are sums of shares divided by the share of those who answered.
    """
    shares = found.shares.shares
    answered, part = float(shares[: found.option_count].sum()), float(later @ shares)

    def variance_if(ratio: float) -> float:
        return ratio_variance(found, later, ratio, population)

    return fieller_interval((answered, part), variance_if, reach) or (None, None)
