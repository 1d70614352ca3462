"""Pooled estimates of several editions of a survey, each with its own epsilon.

Counts with different epsilons must not be added up: each edition is debiased on
its own, and the estimates are weighted by the precision of their designs.

Reports of different editions cannot be matched, so nobody can estimate how many
people answered several. The worst case that the survey allows is assumed. For a
fixed question, the same report may be in every edition. Waves of a panel have
different reports of the same people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import DEFAULT_CONFIDENCE, Interval
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.alarms import sum_warnings
from deniable_analysis.estimate.channel import (
    mechanism_variance,
    sampling_variance,
    total_variance,
)
from deniable_analysis.estimate.choice import IntervalChoice, IntervalRule
from deniable_analysis.estimate.heterogeneity import Repeated, variance_of_sum
from deniable_analysis.estimate.means import PooledSums, impossible_mean, mean_of_sums
from deniable_analysis.estimate.tallies import Tally, normal_numbers
from deniable_analysis.estimate.weights import pooled_interval
from deniable_analysis.relations.anytime import weighted_ends
from deniable_analysis.relations.common import (
    common_sums,
    mean_weights,
    share_precision,
    share_tails,
    sum_tails,
)
from deniable_analysis.relations.evidence import Evidence, evidence
from deniable_analysis.relations.questions import (
    check_same_question,
    label,
    read_studies,
)
from deniable_analysis.relations.shares import SCORE
from deniable_analysis.relations.stratified import anytime_mean_ends
from deniable_analysis.reports.reported import ReportedSurvey, choose_intervals
from deniable_analysis.results.answers import numeric_levels
from deniable_analysis.results.editions import PooledEstimates, PooledQuestion
from deniable_analysis.results.numbers import MeanEstimate
from deniable_analysis.results.shares import OptionEstimate, named_options
from deniable_analysis.results.valid import clip, project_to_simplex
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
        InvalidArgument: there is no study; confidence is not between 0 and 1; there is no such
            interval.
        NotAStudy: one of them is not a study.
        QuestionNotFound: a survey does not have the question.
        DifferentQuestions: the question is not the same in all of them.
        UnsupportedMechanism: this version cannot debias a block.
    """
    given = read_studies(studies)
    if not given:
        raise InvalidArgument("got no study; pass at least one, like those of open_editions")
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
    level = choice
    if choice.interval is Interval.ANYTIME:
        # At every look, the intervals of all editions must hold together; for a mean also those
        # of "no answer".
        level = choice.shared(len(studies) * (1 + (numeric_levels(question) is not None)))
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
    common = repeated(studies, question)
    options = _options(question, sides, weights, common, choice) if sides else blank
    mean, of_means, of_mean = _pooled_mean(found, common, choice)
    return PooledQuestion(
        question=question.id,
        type=question.type,
        editions=tuple(side.label for side in sides),
        weights=tuple((weights[:, 0] if weights.size else of_means).tolist()),
        reports=sum(side.estimate.reports for side in sides),
        options=options,
        mean=mean,
        warnings=(
            *(warning for side in sides for warning in side.warnings),
            *_impossible_shares(sides, weights, common, options),
            *of_mean,
        ),
    )


def repeated(studies: Sequence[ReportedSurvey], question: Question) -> Repeated:
    """The errors that these editions of a question may have in common."""
    is_fixed = question.fixed and len(studies) > 1
    is_panel = sum(study.survey.waves > 1 for study in studies) > 1
    return Repeated(reports=is_fixed, people=is_fixed or is_panel)


def _precisions(found: Evidence) -> Floats:
    """The inverse variance of each option, computed without the answers.

    The variances are at equal shares for a closed question, otherwise at a
    share of one half. Weights that depend on the reports would bias the pooled
    shares, and these would not sum to 1.
    """
    options = len(found.estimate.options)
    if found.margins:
        return np.full(options, share_precision(found))
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


def _impossible_shares(
    sides: Sequence[Evidence],
    weights: Floats,
    common: Repeated,
    options: Sequence[OptionEstimate],
) -> tuple[str, ...]:
    """A sentence for each pooled share further outside 0 to 1 than chance explains."""
    if not weights.size:
        return ()
    each = np.array([share_tails(side) for side in sides])
    tails = variance_of_sum(weights[:, None], each, is_common=common.reports)
    shares = np.array([option.share for option in options], np.float64)
    return sum_warnings([option.option for option in options], shares, tails)


def _pooled_mean(
    found: Sequence[Evidence], common: Repeated, choice: IntervalChoice
) -> tuple[MeanEstimate | None, Floats, tuple[str, ...]]:
    """The pooled mean, the weights of the editions that have one, and a warning.

    It is the pooled sum of the answers divided by their pooled number. Its variance
    is that of the answers to all editions together.
    """
    sides = [side for side in found if side.estimate.mean is not None]
    reported = [side for side in sides if side.estimate.reports]
    if not reported:
        return (sides[0].estimate.mean if sides else None), np.empty(0), ()
    if len(reported) == 1:
        return reported[0].estimate.mean, np.ones(1), ()
    question, numbers = sides[0].question, numeric_levels(sides[0].question) or ()
    weights = mean_weights(reported, numbers)
    sums = PooledSums(common_sums(reported, numbers), weights, common)
    mean = mean_of_sums(question, numbers, sums, choice.confidence)
    if choice.interval is Interval.ANYTIME and mean.value is not None:
        low, high = anytime_mean_ends(reported, weights)
        mean = replace(mean, low=low, high=high)
    tails = [each for side in reported if (each := sum_tails(side, numbers)) is not None]
    if len(tails) < len(reported):
        return mean, weights, ()
    limits = variance_of_sum(weights[:, None], tails, is_common=common.reports)
    return mean, weights, impossible_mean(sums, max(numbers) - min(numbers), limits)
