"""Pooled estimates of several editions of a survey, each with its own epsilon.

Counts with different epsilons must not be added up: each edition is debiased on
its own, and the estimates are weighted by the inverse of their variances.

Reports of different editions cannot be matched, so nobody can estimate how many
people answered several. The worst case that the survey allows is assumed. For a
fixed question, the same report may be in every edition. Waves of a panel have
different reports of the same people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.errors import InvalidCounts
from deniable_analysis.estimators.confidence import critical_value, normal_ends
from deniable_analysis.estimators.heterogeneity import variance_of_sum
from deniable_analysis.estimators.intervals import Interval, IntervalRule
from deniable_analysis.estimators.sanity import (
    clip,
    mean_warnings,
    normal_warnings,
    project_to_simplex,
)
from deniable_analysis.estimators.shares import (
    mechanism_variance,
    normal_numbers,
    sampling_variance,
    total_variance,
)
from deniable_analysis.estimators.weights import pool, pooled_interval
from deniable_analysis.mechanisms.base import IntervalChoice, Tally
from deniable_analysis.mechanisms.linear import scores
from deniable_analysis.relations.evidence import Evidence, evidence
from deniable_analysis.relations.questions import (
    check_same_question,
    choose_intervals,
    label,
    read_studies,
)
from deniable_analysis.relations.shares import SCORE
from deniable_analysis.relations.watched import own_ends, sums_of_ends, weighted_ends
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.editions import PooledEstimates, PooledQuestion
from deniable_analysis.results.numbers import MeanEstimate
from deniable_analysis.results.shares import OptionEstimate, named_options
from deniable_sdk.mechanisms import OneOf
from deniable_sdk.survey.questions import Question


@dataclass(frozen=True, slots=True)
class Repeated:
    """The errors that editions of a question may have in common.

    Args:
        reports: whether they may share reports, and so the mechanism's errors.
        people: whether they may share people, and so the sampling errors.
    """

    reports: bool
    people: bool


def pool_studies(
    studies: Sequence[ReportedSurvey] | Mapping[str, ReportedSurvey],
    question: str | None = None,
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    interval: Interval | str | None = None,
    simultaneous: bool = False,
) -> PooledEstimates:
    """The pooled estimates of several editions.

    The respondents of the editions must be different people. The exceptions are
    waves of a panel, and fixed questions: their intervals are as wide as if the
    same people had answered all editions. The estimate is one share for all
    editions; if the share changes between editions, it is a weighted mean.

    Args:
        studies: at least one study, in a list or by name; their epsilons may differ.
        question: id of a question; by default every question of the first
            study.
        confidence: nominal coverage of the intervals, between 0 and 1.
        interval: "wilson" for one look: score intervals if the counts are
            binomial, otherwise normal ones. "anytime" for every look. By default
            the first if all surveys ended as planned.
        simultaneous: whether the confidence is that of all shares of a question
            together (Bonferroni).
    Raises:
        InvalidCounts: there is no study.
        NotAStudy: one of them is not a study.
        QuestionNotFound: a survey does not have the question.
        DifferentQuestions: the question is not the same in all of them.
        InvalidConfidence: confidence is not between 0 and 1.
        InvalidInterval: there is no such interval.
        UnsupportedMechanism: this version cannot debias a block.
    """
    given = read_studies(studies)
    if not given:
        raise InvalidCounts("got no study; pass at least one, like those of open_editions")
    allowed = Interval.WILSON, Interval.ANYTIME
    choice = choose_intervals(given, interval, confidence, simultaneous, allowed=allowed)
    every = [each.id for each in given[0].survey.reported]
    names = every if question is None else [question]
    asked = [check_same_question(given, name) for name in names]
    return PooledEstimates(
        editions=tuple(label(study) for study in given),
        reports=sum(study.report_count for study in given),
        confidence=confidence,
        interval=choice.interval.value if choice.interval is Interval.ANYTIME else SCORE,
        questions=tuple(_pooled_question(given, each, choice) for each in asked),
    )


def _pooled_question(
    studies: Sequence[ReportedSurvey], question: Question, choice: IntervalChoice
) -> PooledQuestion:
    is_watched = choice.interval is Interval.ANYTIME
    # At every look, the intervals of all editions must hold together.
    level = choice.shared(len(studies)) if is_watched else choice
    found = [evidence(study, question, level) for study in studies]
    sides = [each for each in found if each.is_reported]
    blank = found[0].estimate.options
    weights = np.empty((len(sides), 0))
    if len({tuple(each.option for each in side.estimate.options) for side in sides}) > 1:
        # One edition identifies shares and another only the mean, so the mean is pooled.
        blank = ()
    elif sides:
        precisions = np.array([_precisions(side) for side in sides])
        weights = precisions / precisions.sum(axis=0)
    means = [side.estimate.mean for side in sides]
    common = repeated(studies, question)
    reports = sum(side.estimate.reports for side in sides)
    options = _options(question, sides, weights, common, choice) if sides else blank
    pooled = PooledQuestion(
        question=question.id,
        type=question.type,
        editions=tuple(side.label for side in sides),
        weights=_shown_weights(sides, weights),
        reports=reports,
        options=options,
        mean=_pooled_mean(
            [mean for mean in means if mean is not None],
            common,
            choice,
            float(np.ptp(scores(question) or (0.0,))),
        ),
    )
    return replace(pooled, warnings=_warnings(question, sides, pooled))


def repeated(studies: Sequence[ReportedSurvey], question: Question) -> Repeated:
    """The errors that these editions of a question may have in common."""
    is_fixed = question.fixed and len(studies) > 1
    is_panel = sum(study.survey.waves > 1 for study in studies) > 1
    return Repeated(reports=is_fixed, people=is_fixed or is_panel)


def _shown_weights(sides: Sequence[Evidence], weights: Floats) -> tuple[float, ...]:
    """The weights of the first option, or of the mean if there is no option."""
    if weights.size:
        return tuple(weights[:, 0].tolist())
    means = [side.estimate.mean for side in sides]
    precisions = [1 / mean.variance if mean and mean.variance else 0.0 for mean in means]
    total = sum(precisions) or 1.0
    return tuple(precision / total for precision in precisions)


def _precisions(found: Evidence) -> Floats:
    """The inverse variance of each option, computed without the answers.

    The variances are at equal shares for a closed question, otherwise at a
    share of one half. Weights that depend on the reports would bias the pooled
    shares, and these would not sum to 1.
    """
    options = len(found.estimate.options)
    if found.margins:
        precision = sum(1 / margin.variance_at_equal_shares() for margin in found.margins)
        return np.full(options, precision)
    if found.tallies:
        return np.array([1 / float(total_variance(0.5, *each.design)) for each in found.tallies])
    return np.full(options, float(found.estimate.reports))


def _options(
    question: Question,
    sides: Sequence[Evidence],
    weights: Floats,
    common: Repeated,
    choice: IntervalChoice,
) -> tuple[OptionEstimate, ...]:
    """The pooled options, from the weights of editions and options."""
    if not weights.size:
        return ()
    numbers = [
        [(each.share, each.mechanism_variance, each.sampling_variance) for each in options]
        for options in (side.estimate.options for side in sides)
    ]
    own, mechanism, sampling = np.moveaxis(np.array(numbers, dtype=np.float64), -1, 0)
    shares = (weights * own).sum(axis=0)
    parts = (
        variance_of_sum(weights, mechanism, is_common=common.reports),
        variance_of_sum(weights, sampling, is_common=common.people),
    )
    options = sides[0].estimate.options
    reports = sum(side.estimate.reports for side in sides)
    is_whole = isinstance(question.domain, OneOf) and len(options) == question.domain.size
    valid = project_to_simplex if is_whole else clip
    rule = choice.among(len(options))
    ends = None
    if choice.interval is Interval.ANYTIME:
        ends = weighted_ends(sides, weights, rule, are_different_people=not common.people)
    found = normal_numbers(shares, parts, reports, rule, valid, ends=ends)
    tallies = [side.tallies for side in sides if side.tallies]
    if ends is None and len(tallies) == len(sides):
        columns = zip(found, zip(*tallies, strict=True), weights.T, shares.tolist(), strict=True)
        found = [
            {**row, **_counted_ends(counted, each, common, share, rule)}
            for row, counted, each, share in columns
        ]
    return named_options([option.option for option in options], found)


def _counted_ends(
    tallies: Sequence[Tally], weights: Floats, common: Repeated, share: float, rule: IntervalRule
) -> dict[str, float]:
    """The interval of an option whose reports are binomial counts in all editions."""

    def variance_if(truth: float) -> float:
        mechanism = [float(mechanism_variance(truth, *each.design)) for each in tallies]
        sampling = [float(sampling_variance(truth, each.reports)) for each in tallies]
        return float(
            variance_of_sum(weights, mechanism, is_common=common.reports)
            + variance_of_sum(weights, sampling, is_common=common.people)
        )

    low, high = pooled_interval(share, variance_if, rule)
    return {"low": low, "high": high}


def _warnings(
    question: Question, sides: Sequence[Evidence], pooled: PooledQuestion
) -> tuple[str, ...]:
    """The warnings of each edition, and those of the pooled estimates."""
    found = [warning for side in sides for warning in side.warnings]
    known = [
        (each.option, each.share, each.mechanism_variance)
        for each in pooled.options
        if each.share is not None and each.mechanism_variance is not None
    ]
    if known:
        names, shares, parts = zip(*known, strict=True)
        found += normal_warnings(names, shares, parts, pooled.reports)
    numbers = scores(question)
    if numbers and pooled.mean and not known:
        mean = pooled.mean.value, pooled.mean.variance
        found += mean_warnings(mean, (min(numbers), max(numbers)), pooled.reports)
    return tuple(found)


def _pooled_mean(
    means: Sequence[MeanEstimate], common: Repeated, choice: IntervalChoice, apart: float
) -> MeanEstimate | None:
    """The pooled mean, weighted by inverse estimated variances: none are known in advance.

    The mean of a single report, or of reports that are all equal, has no
    interval, and its weight is unknown.
    """
    if not means:
        return None
    known = [
        (mean, mean.value, mean.variance, mean.sampling_variance)
        for mean in means
        if mean.value is not None and mean.variance is not None
        if mean.low is not None and mean.high is not None
    ]
    if not known:
        return MeanEstimate(unit=means[0].unit)
    used, values, variances, samplings = zip(*known, strict=True)
    value, variance = pool(values, variances)
    precisions = 1 / np.array(variances)
    weights = precisions / precisions.sum()
    if common.people:
        # If the parts of a variance are unknown, all of it may be the sampling part.
        pairs = zip(variances, samplings, strict=True)
        of_people = np.array([whole if part is None else part for whole, part in pairs])
        by_people = variance_of_sum(weights, of_people, is_common=True)
        rest = np.array(variances) - of_people
        variance = float(by_people + variance_of_sum(weights, rest, is_common=common.reports))
    low, high = normal_ends(value, variance, critical_value(choice.confidence), apart)
    if choice.interval is Interval.ANYTIME:
        ends = sums_of_ends([own_ends([each]) for each in used], weights)
        low, high = (float(end[0]) for end in ends)
    return MeanEstimate(value=value, low=low, high=high, variance=variance, unit=means[0].unit)
