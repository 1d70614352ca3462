"""The shares of one question with their covariances, and sums of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import Interval
from deniable_analysis.estimate.choice import IntervalChoice, IntervalRule, critical_value
from deniable_analysis.estimate.linear import Ends, LinearShares
from deniable_analysis.estimate.question_shares import (
    QuestionCells,
    anytime_shares,
    expected_both,
    pool_margins,
    reported_margins,
)
from deniable_analysis.estimate.ratio import Ratio, possible_whole, score_ratio
from deniable_analysis.estimate.tallies import Numbers, normal_numbers
from deniable_analysis.relations.questions import nothing_reported, subset_blocks
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.valid import clip, project_to_simplex
from deniable_sdk.survey.questions import Question

SCORE = "score"
# A function from the shares of a hypothesis to the same shares with their covariances under it.
SharesIf = Callable[[Floats], LinearShares]
AnytimeEnds = Callable[[IntervalRule, Floats, Floats | None], Ends]


@dataclass(frozen=True, slots=True)
class QuestionShares:
    """The shares of the answers to a question, or of groups of them; "no answer" is last, if any.

    Args:
        question: the question.
        shares: raw shares of all answers.
        shares_if: function from the shares of a hypothesis to the same shares
            with their covariances under it.
        anytime: function from a rule, (answers, sums) 1 where a sum contains an
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
    anytime: AnytimeEnds
    valid: Floats
    reports: int
    epsilon: float
    margins: Sequence[QuestionCells] = ()

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
        anytime=partial(anytime_shares, reported),
        valid=project_to_simplex(shares.shares),
        reports=sum(margin.reports for margin in reported),
        epsilon=max(block.epsilon for block in blocks),
        margins=reported,
    )


def ratio_numbers(
    found: QuestionShares, later: Floats, choice: IntervalChoice
) -> tuple[list[Numbers], str]:
    """Sums of shares divided by the share of those who answered, and the kind of interval.

    Variances are by the delta method; there are none if the reports do not show that
    anybody answered. Intervals for one look invert a score
    test: the variance is that of the tested ratio, as in Wilson's interval. With
    the estimated variance, the coverage is 85 percent instead of 95 for a share
    of 0.02 of 100 reports at epsilon 4. `later` is as in numbers_among_answered.
    """
    of_people = found.shares.of_population(choice.population)
    inside = np.zeros(len(of_people.shares))
    inside[: found.option_count] = 1
    rule, kind = choice.among(later.shape[1]), SCORE
    reach = critical_value(rule.confidence, rule.comparisons)
    ratios = [_score_ratio(found, column, reach, choice.population) for column in later.T]
    values = np.array([each.value for each in ratios])
    ends = np.array([[each.low, each.high] for each in ratios]).T
    if rule.interval is Interval.ANYTIME:
        kind = rule.interval.value
        among = inside if found.question.offers_no_answer else None
        ends = np.array(found.anytime(rule, later, among))
    slopes = (later - np.outer(inside, values)) / (float(inside @ of_people.shares) or 1.0)
    parts = (
        np.sum(slopes * (of_people.mechanism_part @ slopes), axis=0),
        np.sum(slopes * (of_people.sampling_part @ slopes), axis=0),
    )
    is_known = np.array([each.is_bounded for each in ratios])
    mechanism, sampling = (np.where(is_known, part, np.nan) for part in parts)
    low, high = ends
    shown = values, (mechanism, sampling), found.reports
    return normal_numbers(*shown, rule, clip, ends=(low, high)), kind


def ratio_variance(
    found: QuestionShares, later: Floats, reach: float, population: int | None = None
) -> Callable[[float], float]:
    """The variance of a sum of shares minus a ratio times the share of those who answered.

    It is that under the hypothesis of this ratio, which divides the share of those who
    answered between the options in the sum and the others, in the proportions of the valid
    shares. Under subset selection, the proportions do not matter, and the variance is
    quadratic in the ratio. For numbers with a window this is approximately true: the ends
    differ by less than 0.0001. In `later`, (answers,), 1 is where the sum contains an answer.
    """
    shares = found.shares.shares
    inside = np.zeros(len(shares))
    inside[: found.option_count] = 1
    whole, near = float(inside @ shares), 1.0
    if len(shares) > found.option_count:
        near = possible_whole(whole, found.reports, reach)
    within, outside = (_divided(found.valid, each) for each in (later, inside - later))

    def variance_if(ratio: float) -> float:
        tested = near * (ratio * within + (1 - ratio) * outside) + (1 - near) * (1 - inside)
        covariances = found.shares_if(tested).of_population(population).covariances
        slopes = later - ratio * inside
        return float(slopes @ covariances @ slopes)

    return variance_if


def _score_ratio(
    found: QuestionShares, later: Floats, reach: float, population: int | None
) -> Ratio:
    """The ratio of a sum of shares to the share of those who answered, by a score test."""
    shares = found.shares.shares
    pair = float(shares[: found.option_count].sum()), float(later @ shares)
    return score_ratio(pair, ratio_variance(found, later, reach, population), reach)


def _divided(valid: Floats, among: Floats) -> Floats:
    """1, divided between some answers in the proportions of their valid shares."""
    found = valid * among
    return found / found.sum() if found.sum() > 0 else among / max(1.0, float(among.sum()))
