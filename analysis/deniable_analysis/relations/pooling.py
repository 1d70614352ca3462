"""Pooled estimates of several editions of a survey, each with its own epsilon.

Counts with different epsilons must not be added up: each edition is debiased on
its own, and the estimates are weighted by the inverse of their variances.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.errors import InvalidCounts
from deniable_analysis.estimators import (
    IntervalRule,
    mechanism_variance,
    normal_ends,
    pool,
    project_to_simplex,
    sampling_variance,
    total_variance,
)
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.estimators.intervals import Interval
from deniable_analysis.estimators.projection import clip
from deniable_analysis.estimators.sanity import mean_warnings, normal_warnings
from deniable_analysis.estimators.shares import normal_numbers
from deniable_analysis.estimators.weights import pooled_interval
from deniable_analysis.mechanisms import IntervalChoice, Tally
from deniable_analysis.mechanisms.scores import scores
from deniable_analysis.relations.evidence import Evidence, evidence
from deniable_analysis.relations.questions import (
    check_same_question,
    choose_intervals,
    label,
    read_studies,
)
from deniable_analysis.relations.repeated import Repeated, repeated, variance_of_sum
from deniable_analysis.relations.shares import SCORE
from deniable_analysis.relations.watched import weighted_ends, weighted_mean_ends
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.editions import PooledEstimates, PooledQuestion
from deniable_analysis.results.numbers import MeanEstimate
from deniable_analysis.results.shares import OptionEstimate, named_options
from deniable_sdk.mechanisms import OneOf
from deniable_sdk.survey.questions import Question


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

    def column(number: Callable[[OptionEstimate], float | None]) -> Floats:
        rows = [[number(option) for option in side.estimate.options] for side in sides]
        return np.array(rows, dtype=np.float64)

    options = sides[0].estimate.options
    shares = (weights * column(lambda option: option.share)).sum(axis=0)
    parts = (
        variance_of_sum(
            weights, column(lambda option: option.mechanism_variance), is_common=common.reports
        ),
        variance_of_sum(
            weights, column(lambda option: option.sampling_variance), is_common=common.people
        ),
    )
    reports = sum(side.estimate.reports for side in sides)
    is_whole = isinstance(question.domain, OneOf) and len(options) == question.domain.size
    valid = project_to_simplex if is_whole else clip
    rule = choice.among(len(options))
    ends = None
    if choice.interval is Interval.ANYTIME:
        ends = weighted_ends(sides, weights, rule, are_different_people=not common.people)
    numbers = normal_numbers(shares, parts, reports, rule, valid, ends=ends)
    tallies = [side.tallies for side in sides if side.tallies]
    if ends is None and len(tallies) == len(sides):
        columns = zip(numbers, zip(*tallies, strict=True), weights.T, shares.tolist(), strict=True)
        numbers = [
            {**row, **_counted_ends(counted, each, common, share, rule)}
            for row, counted, each, share in columns
        ]
    return named_options([option.option for option in options], numbers)


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
    if common.people:
        variance = _repeated_variance(np.array(variances), samplings, common)
    low, high = normal_ends(value, variance, critical_value(choice.confidence), apart)
    if choice.interval is Interval.ANYTIME:
        precisions = 1 / np.array(variances)
        ends = weighted_mean_ends(used, precisions / precisions.sum())
        low, high = (float(end[0]) for end in ends)
    return MeanEstimate(value=value, low=low, high=high, variance=variance, unit=means[0].unit)


def _repeated_variance(
    variances: Floats, samplings: Sequence[float | None], common: Repeated
) -> float:
    """The variance of a mean whose editions share people, and possibly their reports."""
    weights = (1 / variances) / (1 / variances).sum()
    # If the parts of a variance are unknown, all of it may be the sampling part.
    of_people = np.array(
        [whole if part is None else part for whole, part in zip(variances, samplings, strict=True)]
    )
    by_people = variance_of_sum(weights, of_people, is_common=True)
    by_mechanism = variance_of_sum(weights, variances - of_people, is_common=common.reports)
    return float(by_people + by_mechanism)
