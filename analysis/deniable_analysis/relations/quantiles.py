"""Quantiles of scales and numbers, by inverting tests of the cumulative share.

An interval excludes a level if a test rejects the hypothesis that the quantile
is at this level. So the coverage of the interval is at least the confidence,
whatever the distribution of the answers. Of single answers the tests are exact;
otherwise they are score tests.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arguments import as_list, is_finite
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.estimate.choice import critical_value, tail
from deniable_analysis.estimate.ordered import OrderedReports, Rejected
from deniable_analysis.estimate.outputs import likeliest_shares
from deniable_analysis.estimate.question_shares import QuestionCells
from deniable_analysis.relations.number_shares import NumberCounts, number_counts
from deniable_analysis.relations.questions import find_question
from deniable_analysis.relations.shares import QuestionShares, closed_shares, ratio_variance
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.numbers import Quantile, Quantiles
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.questions import Question

# A function from a part, a probability of wrong rejections and its quantile to decisions.
_Test = Callable[[float, float, float], Rejected]


@dataclass(frozen=True, slots=True)
class _Levels:
    """Ordered answers: valid shares without "no answer", and the test of cumulative shares."""

    names: Sequence[str]
    valid: Floats
    reports: int
    epsilon: float
    test: _Test


def quantiles(
    study: ReportedSurvey, question: str, probabilities: Sequence[float], confidence: float
) -> Quantiles:
    """Quantiles of a scale or number among those who answered.

    Errors are those of Study.quantiles.
    """
    reach, missed = critical_value(confidence), tail(confidence)
    given = as_list(probabilities) or []
    wrong = [each for each in given if not (is_finite(each) and 0 < each < 1)]
    if wrong or not given:
        raise InvalidArgument(
            f"got {len(given)} probabilities, {len(wrong)} of them not between 0 and 1; "
            "allowed is a list of numbers between 0 and 1, like [0.5] for the median"
        )
    levels = _levels_of(study, find_question(study, question))
    found = tuple(_quantile(levels, float(each), missed, reach) for each in given)
    return Quantiles(
        question=question,
        reports=levels.reports,
        epsilon=levels.epsilon,
        confidence=confidence,
        quantiles=found,
    )


def _quantile(levels: _Levels, probability: float, missed: float, reach: float) -> Quantile:
    is_below, is_above = levels.test(probability, missed, reach)
    cumulative = np.cumsum(levels.valid)
    value = int(np.searchsorted(cumulative, probability * cumulative[-1] * (1 - 1e-12)))
    last = len(levels.names) - 1
    # From the first level that is not clearly below to the one after the last that is not clearly
    # above: no other level needs a test.
    low = int(np.argmin(np.append(is_below, False)))
    high = last - int(np.argmin(np.append(is_above[::-1], False)))
    value = min(value, last)
    return Quantile(
        probability=probability,
        value=levels.names[value],
        low=levels.names[min(low, value)],
        high=levels.names[max(low, high, value)],
    )


def _levels_of(study: ReportedSurvey, question: Question) -> _Levels:
    """The levels of a scale or number.

    Raises:
        NotIdentified: its answers have no order, its mechanism identifies only
            the mean, or there is no report yet.
    """
    if question.scale is Scale.NOMINAL:
        raise NotIdentified(
            f"question {question.id!r} ({question.type}) has no order, so it has no quantiles; "
            "they are for a scale or a number"
        )
    names = question.names[: len(question.names) - question.offers_no_answer]
    number = number_counts(study, question)
    if number is not None:
        valid = likeliest_shares(number.counts, number.mechanism)[: len(names)]
        test = _reports_of_number(number).rejected
        return _Levels(names, valid, number.reports, number.epsilon, test)
    found = closed_shares(study, question)
    (margin, *others), valid = found.margins, found.valid[: len(names)]
    if not others and margin.basis.mechanism.size == 1:
        return _Levels(
            names, valid, found.reports, found.epsilon, _reports_of_margin(margin).rejected
        )

    def by_scores(part: float, missed: float, reach: float) -> Rejected:
        del missed  # the same as reach
        return _by_scores(found, part, reach)

    return _Levels(names, valid, found.reports, found.epsilon, by_scores)


def _reports_of_number(number: NumberCounts) -> OrderedReports:
    mechanism = number.mechanism
    weights, total = mechanism.weights, mechanism.total_weight
    return OrderedReports(
        counts=number.counts[: mechanism.places],
        copies=np.ones(mechanism.places),
        reports=number.reports,
        window=mechanism.window,
        low=weights.low / total,
        extra=(weights.high - weights.low) / total,
        offers_no_answer=mechanism.domain.offers_no_answer,
    )


def _reports_of_margin(margin: QuestionCells) -> OrderedReports:
    """The reports of single cells, each of which contains one level."""
    mechanism, question = margin.basis.mechanism, margin.question
    levels = margin.membership[:, : len(question.names) - question.offers_no_answer]
    counts = np.array(margin.basis.counts.of(range(mechanism.domain_size)), np.float64)
    return OrderedReports(
        counts=counts @ levels,
        copies=levels.sum(axis=0),
        reports=margin.reports,
        window=1,
        low=float(mechanism.flip),
        extra=float(mechanism.keep - mechanism.flip),
        offers_no_answer=question.offers_no_answer,
    )


def _by_scores(found: QuestionShares, part: float, reach: float) -> Rejected:
    """Score tests of whether the share up to each level is below a part, or above it."""
    shares, count = found.shares.shares, found.option_count
    excess = np.cumsum(shares[:count])[:-1] - part * shares[:count].sum()
    up_to = np.tri(count - 1, len(shares))
    variances = [ratio_variance(found, each, reach)(part) for each in up_to]
    # No level is rejected where the variance at raw shares outside 0 to 1 is negative.
    limits = np.where(np.array(variances) > 0, reach * np.sqrt(np.maximum(variances, 0)), np.inf)
    return excess < -limits, excess > limits
