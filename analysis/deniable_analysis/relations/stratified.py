"""Post-stratified shares and means: groups weighted by their numbers of people."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import Interval
from deniable_analysis.estimate.choice import (
    IntervalChoice,
    IntervalRule,
    comparisons_among,
    critical_value,
)
from deniable_analysis.estimate.intervals import normal_interval
from deniable_analysis.estimate.linear import Ends
from deniable_analysis.estimate.means import PooledSums, mean_of_sums
from deniable_analysis.estimate.stratified import Strata, stratified_interval
from deniable_analysis.estimate.tallies import NORMAL, Tally
from deniable_analysis.relations.anytime import own_ends, weighted_ends
from deniable_analysis.relations.common import linear_shares, mean_sums
from deniable_analysis.relations.evidence import Evidence
from deniable_analysis.relations.shares import SCORE
from deniable_analysis.results.answers import numeric_levels
from deniable_analysis.results.numbers import MeanEstimate
from deniable_analysis.results.shares import OptionEstimate
from deniable_analysis.results.valid import clip, project_to_simplex
from deniable_sdk.mechanisms import OneOf
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question


def missing_part(side: Evidence) -> str:
    """The name, if there is no report on the question or on some options; otherwise empty."""
    found = side.estimate
    unknown = [option.option for option in found.options if option.share is None]
    if not found.reports or len(unknown) == len(found.options) > 0:
        return side.label
    return f"{side.label} ({', '.join(unknown)})" if unknown else ""


def all_invited(
    question: Question, sides: Sequence[Evidence], choice: IntervalChoice
) -> tuple[str, tuple[OptionEstimate, ...]]:
    """The kind of intervals, and the shares of a question among all invited people.

    A share is the sum of W_g f_g over groups g, with W_g the group's part of
    the invited people. A variance is the sum of W_g² times the group's.
    """
    options = [side.estimate.options for side in sides]
    names = [option.option for option in options[0]]
    tallies = [side.tallies or () for side in sides]
    is_anytime = choice.interval is Interval.ANYTIME
    kind = choice.interval.value if is_anytime else SCORE if all(tallies) else NORMAL
    if not names or not all(side.estimate.reports for side in sides):
        return kind, tuple(OptionEstimate(option=name) for name in names)
    is_whole = isinstance(question.domain, OneOf) and len(names) == question.domain.size
    rule = choice.among(comparisons_among(len(names)) if is_whole else len(names))
    if is_anytime:
        ends = _pairs(weighted_ends(sides, _strata(sides).weights, rule))
    elif all(tallies):
        ends = [_counted_ends(sides, column, rule) for column in zip(*tallies, strict=True)]
    else:
        ends = _normal_ends(sides, rule)
    found = [_weighted(sides, index) for index in range(len(names))]
    known = [each.share for each in found if each.share is not None]
    valid = iter((project_to_simplex if is_whole else clip)(np.array(known)).tolist())
    return kind, tuple(
        each if each.share is None else replace(each, low=low, high=high, valid_share=next(valid))
        for each, (low, high) in zip(found, ends, strict=True)
    )


def _weighted(sides: Sequence[Evidence], index: int) -> OptionEstimate:
    """The weighted share of an option and both parts of its variance, without an interval."""
    options = [side.estimate.options[index] for side in sides]
    if any(option.share is None for option in options):
        return OptionEstimate(option=options[0].option)
    weights = _strata(sides).weights

    def weigh(values: Sequence[float | None], by: Floats) -> float | None:
        known = [value for value in values if value is not None]
        return float(by @ known) if len(known) == len(values) else None

    return OptionEstimate(
        option=options[0].option,
        share=weigh([each.share for each in options], weights),
        mechanism_variance=weigh([each.mechanism_variance for each in options], weights**2),
        sampling_variance=weigh([each.sampling_variance for each in options], weights**2),
        # The same part of each group's reports is assumed to be forged.
        manipulation_margin=weigh([each.manipulation_margin for each in options], weights),
        reports=sum(option.reports for option in options),
    )


def _strata(sides: Sequence[Evidence], reports: Sequence[int] | None = None) -> Strata:
    """The strata with their numbers of reports; by default those of the question."""
    counts = reports or [side.estimate.reports for side in sides]
    people = [side.people for side in sides]
    are_finite = any(side.population for side in sides)
    return Strata(np.array(people, np.float64), np.array(counts, np.float64), are_finite)


def _counted_ends(
    sides: Sequence[Evidence], tallies: Sequence[Tally], rule: IntervalRule
) -> tuple[float | None, float | None]:
    if not all(tally.reports for tally in tallies):
        return None, None
    strata = _strata(sides, [tally.reports for tally in tallies])
    support = np.array([tally.support for tally in tallies], dtype=np.float64)
    return stratified_interval(support, strata, tallies[0].channel, rule)


def _normal_ends(
    sides: Sequence[Evidence], rule: IntervalRule
) -> list[tuple[float | None, float | None]]:
    weights = _strata(sides).weights
    shares = weights @ np.array([linear_shares(side).shares for side in sides])
    near = zip(sides, _near(sides), strict=True)
    parts = np.array([np.diag(linear_shares(side, at).covariances) for side, at in near])
    reach = critical_value(rule.confidence, rule.comparisons)
    return _pairs(normal_interval(shares, weights**2 @ parts, reach))


def _pairs(ends: Ends) -> list[tuple[float | None, float | None]]:
    """The two ends of each interval; None without one."""
    return [
        (None, None) if np.isnan([start, end]).any() else (start, end)
        for start, end in zip(*(each.tolist() for each in ends), strict=True)
    ]


def _near(sides: Sequence[Evidence]) -> Floats:
    """(strata, answers) shares at which the variances of each stratum are computed."""
    return _strata(sides).drawn_together(np.array([linear_shares(side).shares for side in sides]))


def mean_of_all_invited(
    question: Question, sides: Sequence[Evidence], choice: IntervalChoice
) -> MeanEstimate | None:
    """The mean among all invited people who answered; None if the question has no mean.

    At every look, the intervals of the strata must hold together with the
    confidence: for each its mean and its share of "no answer".
    """
    numbers = numeric_levels(question)
    if numbers is None or not all(side.estimate.mean for side in sides):
        return None
    if not all(side.estimate.reports for side in sides):
        return MeanEstimate(unit=question.unit)
    near = _near(sides) if all(side.margins for side in sides) else [None] * len(sides)
    sums = [mean_sums(side, numbers, at) for side, at in zip(sides, near, strict=True)]
    weights = _strata(sides).weights
    mean = mean_of_sums(question, numbers, PooledSums(sums, weights), choice.confidence)
    if choice.interval is not Interval.ANYTIME or mean.value is None:
        return mean
    low, high = anytime_mean_ends(sides, weights)
    return replace(mean, low=low, high=high)


def anytime_mean_ends(
    sides: Sequence[Evidence], weights: Floats
) -> tuple[float | None, float | None]:
    """The ends of the mean over all sides, from the sides' intervals that hold together."""
    means = [own_ends([side.estimate.mean]) for side in sides if side.estimate.mean]
    ((low, high),) = _pairs(mean_ends(means, [_answering(side) for side in sides], weights))
    return low, high


def _answering(side: Evidence) -> Ends:
    """The ends for the part of a stratum that answered a question."""
    refused = [each for each in side.estimate.options if each.option == NO_ANSWER]
    if not refused:
        return np.ones(1), np.ones(1)
    low, high = own_ends(refused)
    return 1 - high, 1 - low


def mean_ends(means: Sequence[Ends], answering: Sequence[Ends], weights: Floats) -> Ends:
    """The ends for the mean of those who answered, over all groups.

    It is the mean of the groups' means, weighted by the number of people of each
    group who answered. The ends are the least and the largest mean that the
    groups' intervals allow.

    Args:
        means: (1,) ends for the mean of each group.
        answering: (1,) ends for the part of each group that answered.
        weights: (groups,) each group's part of all people.
    """
    lows, highs = np.array(means)[..., 0].T
    least, most = (weights * np.clip(each, 0, 1) for each in np.array(answering)[..., 0].T)
    return (
        np.array([-_largest_mean(-lows, least, most)]),
        np.array([_largest_mean(highs, least, most)]),
    )


def _largest_mean(values: Floats, least: Floats, most: Floats) -> float:
    """The largest weighted mean of values whose weights are between two ends.

    The largest values have their largest weights, and the others their least.
    """
    order = np.argsort(-values)
    values, least, most = values[order], least[order], most[order]
    found = [
        np.dot(weights, values) / weights.sum()
        for count in range(len(values) + 1)
        for weights in [np.where(np.arange(len(values)) < count, most, least)]
        if weights.sum() > 0
    ]
    return float(np.max(found)) if found else np.nan
