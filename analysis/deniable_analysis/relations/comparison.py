"""The comparison of two studies: differences, and their tests."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import DEFAULT_CONFIDENCE, Interval
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.choice import IntervalChoice, comparisons_among
from deniable_analysis.estimate.intervals import (
    Correction,
    difference_interval,
    read_correction,
    shows_variance,
    two_sided,
)
from deniable_analysis.relations.anytime import anytime_differences, anytime_mean_difference
from deniable_analysis.relations.common import mean_variances, share_variances
from deniable_analysis.relations.evidence import Evidence, evidence
from deniable_analysis.relations.questions import adjusted, check_same_question
from deniable_analysis.reports.reported import ReportedSurvey, choose_intervals
from deniable_analysis.results.comparison import Comparison, Difference
from deniable_sdk.survey.questions import Question

# An estimate, the ends of its interval, and its standard error.
_Numbers = tuple[float | None, float | None, float | None, float | None]


def compare(  # noqa: PLR0913 - two studies and a question; the rest are keywords, as for estimate
    first: ReportedSurvey,
    second: ReportedSurvey,
    question: str,
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    interval: Interval | str | None = None,
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
            computed from these. By default "wilson" if both surveys ended as
            planned, otherwise "anytime": then the intervals of differences, also
            of means, hold at every look, and p-values are valid whenever one
            stops.
        simultaneous: whether the confidence is that of all intervals together
            (Bonferroni).
        correction: correction of the p-values.
    Raises:
        QuestionNotFound: a survey does not have the question.
        DifferentQuestions: the question is not the same in both.
        NotIdentified: a study has no report on the question.
        InvalidArgument: confidence is not between 0 and 1; there is no such interval or
            correction.
        UnsupportedMechanism: this version cannot debias a block.
    """
    how, asked = read_correction(correction), check_same_question([first, second], question)
    choice = choose_intervals([first, second], interval, confidence, simultaneous)
    # At every look, the intervals of both studies must hold together.
    each = choice.shared(2) if choice.interval is Interval.ANYTIME else choice
    one, other = (_reported(study, asked, each) for study in (first, second))
    (differences,) = option_differences([(one, other)], choice)
    return Comparison(
        question=question,
        first=one.label,
        second=other.label,
        by=None,
        reports=(one.estimate.reports, other.estimate.reports),
        epsilons=(one.estimate.epsilon, other.estimate.epsilon),
        confidence=confidence,
        interval=choice.interval.value,
        correction=how.value,
        options=adjusted(differences, asked, how),
        mean=mean_difference(one, other, choice),
        warnings=(*one.warnings, *other.warnings),
    )


def _reported(study: ReportedSurvey, question: Question, choice: IntervalChoice) -> Evidence:
    found = evidence(study, question, replace(choice, population=study.population))
    if not found.estimate.reports:
        raise NotIdentified(
            f"no report of {found.label} carries question {question.id!r} yet; wait for reports "
            "before comparing it"
        )
    return found


def option_differences(
    pairs: Sequence[tuple[Evidence, Evidence]], choice: IntervalChoice
) -> list[list[Difference]]:
    """The differences of each option's shares, without adjusted p-values, for each pair.

    With intervals that hold at every look, those of both sides' estimates must
    hold together with the confidence.
    """
    if choice.interval is not Interval.ANYTIME or not pairs:
        return [_option_differences(*pair) for pair in pairs]
    options = len(pairs[0][0].estimate.options)
    return anytime_differences(pairs, choice.among(comparisons_among(options)))


def _option_differences(one: Evidence, other: Evidence) -> list[Difference]:
    pairs = zip(one.estimate.options, other.estimate.options, strict=True)
    return [
        _difference(
            first.option,
            (first.share, first.low, first.high, first.standard_error),
            (second.share, second.low, second.high, second.standard_error),
            partial(share_variances, (one, other), index),
        )
        for index, (first, second) in enumerate(pairs)
    ]


def _difference(
    name: str, first: _Numbers, second: _Numbers, if_equal: Callable[[], Floats]
) -> Difference:
    """The difference of two estimates; only these if one has no interval.

    `if_equal` computes the variances of both under the hypothesis of no difference.
    """
    one, other = ([each for each in side if each is not None] for side in (first, second))
    if len(one) < len(first) or len(other) < len(second):
        return Difference(name=name, first=first[0], second=second[0])
    apart, tested = one[0] - other[0], float(if_equal().sum())
    ends = difference_interval((one[0], one[1], one[2]), (other[0], other[1], other[2]))
    z = apart / math.sqrt(tested) if shows_variance(apart, tested) else None
    return tested_difference(name, (one[0], other[0]), ends, math.hypot(one[3], other[3]), z)


def tested_difference(
    name: str,
    pair: tuple[float, float],
    ends: tuple[float | None, float | None],
    error: float | None,
    z: float | None,
) -> Difference:
    """The difference of two numbers with its interval and the test of no difference."""
    return Difference(
        name=name,
        first=pair[0],
        second=pair[1],
        difference=pair[0] - pair[1],
        low=ends[0],
        high=ends[1],
        standard_error=error,
        z=z,
        p_value=two_sided(z),
    )


def mean_difference(one: Evidence, other: Evidence, choice: IntervalChoice) -> Difference | None:
    """The difference of two means, as in option_differences; None if one of them has no mean."""
    first, second = one.estimate.mean, other.estimate.mean
    if first is None or second is None:
        return None
    if choice.interval is Interval.ANYTIME:
        return anytime_mean_difference(first, second)
    numbers, others = (
        (each.value, each.low, each.high, each.standard_error) for each in (first, second)
    )
    found = _difference("mean", numbers, others, partial(mean_variances, (one, other)))
    return replace(found, adjusted_p_value=found.p_value)
