"""The comparison of two waves or groups: a difference for each option, and its test."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimators import shows_variance
from deniable_analysis.estimators.difference import (
    Correction,
    corrected,
    difference_interval,
    finite_rates_z,
    rates_z,
    read_correction,
    two_sided,
)
from deniable_analysis.estimators.intervals import DEFAULT_INTERVAL, Interval, read_interval
from deniable_analysis.mechanisms import IntervalChoice, Tally
from deniable_analysis.relations.evidence import Evidence, evidence
from deniable_analysis.relations.questions import check_same_question, label
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results import MeanEstimate, OptionEstimate
from deniable_analysis.results.comparison import Comparison, Difference
from deniable_sdk.mechanisms import OneOf
from deniable_sdk.survey.questions import Question

# The tallies of an option in both studies, and the populations of the two.
_Counted = tuple[Tally, Tally, tuple[int | None, int | None]]


@dataclass(frozen=True, slots=True)
class DifferenceRule:
    """The intervals and p-values of differences.

    Args:
        choice: which intervals.
        correction: correction of the p-values of all options.
    """

    choice: IntervalChoice
    correction: Correction


def compare(  # noqa: PLR0913 - two studies and a question; the rest are keywords, as for estimate
    first: ReportedSurvey,
    second: ReportedSurvey,
    question: str,
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    interval: Interval | str = DEFAULT_INTERVAL,
    simultaneous: bool = False,
    correction: Correction | str = Correction.HOLM,
) -> Comparison:
    """The differences between two studies, option by option.

    The respondents of the two studies must be different people: waves of a
    repeated cross-section, or groups that were surveyed separately, such as
    study.group("nurses"). If people are invited, the population of a study is
    their number.

    Args:
        first: first study.
        second: second study; its epsilon may differ.
        question: id of a question with the same wording in both.
        confidence: nominal coverage of the intervals, between 0 and 1.
        interval: which interval of the shares; the intervals of differences are
            computed from these.
        simultaneous: whether the confidence is that of all intervals together
            (Bonferroni).
        correction: correction of the p-values.
    Raises:
        QuestionNotFound: a survey does not have the question.
        DifferentQuestions: the question is not the same in both.
        NotIdentified: a study has no report on the question.
        InvalidConfidence: confidence is not between 0 and 1.
        InvalidInterval: there is no such interval or correction.
        UnsupportedMechanism: this version cannot debias a block.
    """
    choice = IntervalChoice(read_interval(interval), confidence, simultaneous)
    rule = DifferenceRule(choice, read_correction(correction))
    asked = check_same_question([first, second], question)
    sides = [_reported(study, asked, choice) for study in (first, second)]
    one, other = sides
    return Comparison(
        question=question,
        first=label(first),
        second=label(second),
        by=None,
        reports=(one.estimate.reports, other.estimate.reports),
        epsilons=(one.estimate.epsilon, other.estimate.epsilon),
        confidence=confidence,
        correction=rule.correction.value,
        options=adjusted(option_differences(one, other), _correction_over(asked, rule)),
        mean=mean_difference(one.estimate.mean, other.estimate.mean),
        warnings=tuple(
            f"{label(study)}: {warning}"
            for study, side in zip((first, second), sides, strict=True)
            for warning in side.estimate.warnings
        ),
    )


def _reported(study: ReportedSurvey, question: Question, choice: IntervalChoice) -> Evidence:
    found = evidence(study, question, replace(choice, population=study.population))
    if not found.estimate.reports:
        raise NotIdentified(
            f"no report of {label(study)} carries question {question.id!r} yet; wait for reports "
            "before comparing it"
        )
    return found


def option_differences(one: Evidence, other: Evidence) -> list[Difference]:
    """The difference of each option's shares, without adjusted p-values."""
    tallies = list(zip(one.tallies or (), other.tallies or (), strict=False))
    populations = one.population, other.population
    return [
        _option_difference(*pair, (*tallies[index], populations) if tallies else None)
        for index, pair in enumerate(
            zip(one.estimate.options, other.estimate.options, strict=True)
        )
    ]


def is_one_comparison(question: Question) -> bool:
    """Whether the differences of a question are one comparison: of two options that sum to 1."""
    return isinstance(question.domain, OneOf) and len(question.names) == 2


def _correction_over(question: Question, rule: DifferenceRule) -> Correction:
    return Correction.NONE if is_one_comparison(question) else rule.correction


def adjusted(differences: Sequence[Difference], correction: Correction) -> tuple[Difference, ...]:
    """The same differences with adjusted p-values."""
    p_values = corrected([each.p_value for each in differences], correction)
    return tuple(
        replace(each, adjusted_p_value=p_value)
        for each, p_value in zip(differences, p_values, strict=True)
    )


def _option_difference(
    one: OptionEstimate, other: OptionEstimate, counted: _Counted | None
) -> Difference:
    name = one.option
    numbers = (one.share, one.low, one.high, other.share, other.low, other.high)
    if one.standard_error is None or other.standard_error is None or None in numbers:
        return Difference(name=name, first=one.share, second=other.share)
    error = math.hypot(one.standard_error, other.standard_error)
    first, second = _ends(one.share, one.low, one.high), _ends(other.share, other.low, other.high)
    z = _z(first[0] - second[0], error, counted)
    return difference(name, first, second, error, z)


def _ends(value: float | None, low: float | None, high: float | None) -> tuple[float, ...]:
    return tuple(each for each in (value, low, high) if each is not None)


def _z(apart: float, error: float, counted: _Counted | None) -> float | None:
    """The z statistic: of the rates of reports if the channels are equal, otherwise of shares."""
    if counted and counted[0].channel == counted[1].channel:
        one, other, populations = counted
        support, reports = (one.support, other.support), (one.reports, other.reports)
        if populations == (None, None):
            return rates_z(support, reports)
        return finite_rates_z(support, reports, one.channel, populations)
    return apart / error if shows_variance(apart, error**2) else None


def difference(
    name: str,
    first: tuple[float, ...],
    second: tuple[float, ...],
    standard_error: float,
    z: float | None,
) -> Difference:
    """The difference of two estimates, each with its value and the ends of its interval."""
    (value, low, high), (other, other_low, other_high) = first, second
    ends = difference_interval((value, low, high), (other, other_low, other_high))
    return Difference(
        name=name,
        first=value,
        second=other,
        difference=value - other,
        low=ends[0],
        high=ends[1],
        standard_error=standard_error,
        z=z,
        p_value=two_sided(z),
    )


def mean_difference(one: MeanEstimate | None, other: MeanEstimate | None) -> Difference | None:
    """The difference of two means; None if one of them has no mean."""
    if one is None or other is None:
        return None
    first, second = (_ends(each.value, each.low, each.high) for each in (one, other))
    if len(first) < 3 or len(second) < 3:
        return Difference(name="mean", first=one.value, second=other.value)
    error = math.hypot(one.standard_error or 0.0, other.standard_error or 0.0)
    found = difference("mean", first, second, error, _z(first[0] - second[0], error, None))
    return replace(found, adjusted_p_value=found.p_value)
