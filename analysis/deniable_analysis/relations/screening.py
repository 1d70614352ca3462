"""Scores and questions as screenings: prevalence, and comparison with a norm."""

import math
from numbers import Real

from deniable_analysis.arguments import is_finite, is_whole
from deniable_analysis.defaults import DEFAULT_CONFIDENCE, DEFAULT_INTERVAL, Interval
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.estimate.choice import IntervalChoice, critical_value, read_interval
from deniable_analysis.estimate.intervals import two_sided
from deniable_analysis.relations.cutoffs import (
    SummedAnswers,
    answers_above,
    answers_below,
    answers_named,
    summed_share,
)
from deniable_analysis.relations.evidence import evidence
from deniable_analysis.relations.questions import find_question, read_choice, with_caution
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.screening import (
    NormComparison,
    Rate,
    ScreenedPrevalence,
    SummedShare,
)
from deniable_sdk.errors import quote
from deniable_sdk.survey.questions import Question

_MOST_PERSONS = 10**9
_RATE_RULE = (
    "a number from 0 to 1, or (hits, persons) from the study that measured it, like (88, 100)"
)


def screened_prevalence(  # noqa: PLR0913 - a screening and its two rates; all are keywords
    study: ReportedSurvey,
    question: str,
    *,
    above: object = None,
    below: object = None,
    positive: object = None,
    sensitivity: float | tuple[int, int],
    specificity: float | tuple[int, int],
    confidence: float = DEFAULT_CONFIDENCE,
    interval: Interval | str | None = None,
    population: int | None = None,
) -> ScreenedPrevalence:
    """The share of people with a condition that a screening detects.

    The share of positive screenings is p = pi Se + (1 - pi) (1 - Sp). With
    known rates, the ends of the interval of p are transformed. Rates that were
    measured on n persons are moved towards one half, to (hits + 1) / (n + 2),
    and the interval accounts for their errors.

    Args:
        study: study of the question.
        question: id of a score, or of any question whose answers are a test
            result.
        above: cut-off, if the screening is positive at it or above it.
        below: cut-off, if the screening is positive below it.
        positive: answer, or list of answers, that are positive. Exactly one of
            above, below and positive is required.
        sensitivity: share of people with the condition whose screening is
            positive: a known number, or (hits, persons) of the study that
            measured it.
        specificity: share of people without the condition whose screening is
            negative, in the same form.
        confidence: nominal coverage of the interval, between 0 and 1.
        interval: as in share_above, for p. If a rate was measured, only those
            for one look, with a warning unless the survey ended as planned.
        population: as in share_above. False results vary in a finite population
            too, and the interval accounts for this.
    Raises:
        InvalidArgument: a rate is not between 0 and 1, the screening is not
            better than chance, or it is unclear which answers are positive.
        NotIdentified: the share of positive screenings has no interval, or
            sensitivity + specificity may be 1; others as in share_above.
    Source: Rogan and Gladen 1978; Lang and Reiczigel 2014 for the shift;
        Fieller 1954 for the test that the interval inverts.
    """
    se, sp = _read_rates(sensitivity, specificity)
    is_measured = bool(se.variance or sp.variance)
    if is_measured:
        # Their errors are those of one look at another study.
        interval = read_interval(DEFAULT_INTERVAL if interval is None else interval)
    choice = read_choice(study, interval, confidence, population)
    asked = find_question(study, question)
    answers = _positive_answers(asked, above, below, positive)
    found = summed_share(study, asked, answers, choice)
    share, low, high = _interval(found, se, sp, choice)
    prevalence = ScreenedPrevalence(
        positive=found,
        sensitivity=se,
        specificity=sp,
        confidence=confidence,
        value=rogan_gladen(share, se.value, sp.value),
        low=low,
        high=high,
    )
    return with_caution(prevalence, study) if is_measured else prevalence


def _interval(
    found: SummedShare, sensitivity: Rate, specificity: Rate, choice: IntervalChoice
) -> tuple[float, float, float]:
    """The share of positive screenings, and the ends of the interval of the prevalence."""
    share, low, high = found.share.share, found.share.low, found.share.high
    if share is None or low is None or high is None:
        raise NotIdentified(
            f"the reports do not determine the share of {found.answers!r}; wait for more"
        )
    ends = prevalence_interval(
        (share, low, high),
        sensitivity,
        specificity,
        critical_value(choice.confidence),
        choice.population and choice.population * found.answered,
    )
    if ends is None:
        raise NotIdentified(
            "sensitivity and specificity are not known well enough for an interval: their sum may "
            "be 1; measure them on more persons"
        )
    return share, *ends


def _positive_answers(
    question: Question, above: object, below: object, positive: object
) -> SummedAnswers:
    given = {"above": above, "below": below, "positive": positive}
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        raise InvalidArgument(
            f"got {' and '.join(named) or 'no positive answers'}; allowed is exactly one of "
            "above=CUTOFF, below=CUTOFF and positive=ANSWERS"
        )
    read = {"above": answers_above, "below": answers_below, "positive": answers_named}
    (name,) = named
    return read[name](question, given[name])


def _read_rates(sensitivity: object, specificity: object) -> tuple[Rate, Rate]:
    """Both rates of a screening, which must be better than chance."""
    se, sp = _rate(sensitivity, "sensitivity"), _rate(specificity, "specificity")
    if se.value + sp.value <= 1:
        raise InvalidArgument(
            f"got sensitivity {se.value:g} and specificity {sp.value:g}; their sum must be above "
            "1, or the screening is no better than a coin"
        )
    return se, sp


def _rate(given: object, name: str) -> Rate:
    """A known rate, or one that was measured."""
    if isinstance(given, Real) and is_finite(given) and 0 <= float(given) <= 1:
        return Rate(value=float(given))
    if isinstance(given, tuple | list) and len(given) == 2:
        hits, persons = given
        if is_whole(persons, 1, _MOST_PERSONS) and is_whole(hits, 0, int(persons)):
            return Rate(value=int(hits) / int(persons), hits=int(hits), persons=int(persons))
    raise InvalidArgument(f"{name}: got {quote(given)}; allowed is {_RATE_RULE}")


def compare_with_norm(  # noqa: PLR0913 - a mean and a norm; all are keywords
    study: ReportedSurvey,
    question: str,
    *,
    mean: float,
    sd: float,
    confidence: float = DEFAULT_CONFIDENCE,
    population: int | None = None,
) -> NormComparison:
    """The difference of a mean from the mean of a reference population.

    It is for one look, with a warning unless the survey ended as planned.

    Args:
        study: study of the question.
        question: id of a number, a scale, or a score that is a number.
        mean: mean of the reference population, assumed to be known.
        sd: standard deviation of the reference population.
        confidence: nominal coverage of the interval, between 0 and 1.
        population: as in share_above.
    Raises:
        InvalidArgument: mean or sd is invalid; the population is smaller than the number of
            reports; confidence is not between 0 and 1.
        QuestionNotFound: there is no such question.
        NotIdentified: the question has no mean, or its reports do not vary.
    """
    choice = read_choice(study, DEFAULT_INTERVAL, confidence, population)
    reach = critical_value(confidence)
    if not (is_finite(mean) and is_finite(sd) and sd > 0):
        raise InvalidArgument(
            f"got the norm {quote(mean)} with standard deviation {quote(sd)}; allowed are two "
            "numbers, the second above 0"
        )
    asked = find_question(study, question)
    found = evidence(study, asked, choice).estimate.mean
    if found is None or found.value is None or not found.standard_error:
        raise NotIdentified(
            f"question {asked.id!r} has no mean with a variance; a score has one if it is "
            "reported as a number and has reports"
        )
    difference, error = found.value - mean, found.standard_error
    comparison = NormComparison(
        question=question,
        mean=found,
        norm_mean=mean,
        norm_sd=sd,
        confidence=confidence,
        difference=difference,
        low=difference - reach * error,
        high=difference + reach * error,
        p_value=two_sided(difference / error) or 0.0,
    )
    return with_caution(comparison, study)


def rogan_gladen(share: float, sensitivity: float, specificity: float) -> float:
    """The prevalence behind a share of positive screenings; it may be outside 0 to 1.

    Sensitivity and specificity sum to more than 1.

    Source: Rogan and Gladen 1978, "Estimating prevalence from the results of a
        screening test".
    """
    return (share + specificity - 1) / (sensitivity + specificity - 1)


def prevalence_interval(
    positive: tuple[float, float, float],
    sensitivity: Rate,
    specificity: Rate,
    reach: float,
    population: float | None = None,
) -> tuple[float, float] | None:
    """The ends of an interval for a prevalence.

    A prevalence pi is outside if p - pi Se - (1 - pi) (1 - Sp) is too far from
    0. The allowed distance combines, as the root of the sum of squares, the
    half of the interval of p on the side of pi with the errors of both rates.
    So with known rates the ends are those of the interval of p, transformed;
    with known p it is Fieller's interval.

    Args:
        positive: share p of positive screenings, and the ends of its interval.
        sensitivity: Se, shifted if it was measured.
        specificity: Sp, in the same form.
        reach: half the width of the interval of p, in standard errors.
        population: number of people that p is a share of, if it is finite: those
            who would answer. The false results of the screening then vary too.
    Returns:
        None if the interval is unbounded, because Se + Sp may be 1.
    Source: Zou and Donner 2008 for the two distances; Fieller 1954.
    """
    share, low, high = positive
    se, sp = sensitivity.shifted, specificity.shifted
    youden, square = se + sp - 1, reach**2
    leading = youden**2 - square * (sensitivity.variance + specificity.variance)
    if youden <= 0 or leading <= 0:
        return None
    rate = 1 / population if population else 0.0
    above = share + sp - 1
    # The variances of one person's result.
    se_spread, sp_spread = se * (1 - se), sp * (1 - sp)
    slope = rate * (se_spread - sp_spread) - 2 * specificity.variance
    middle = above * youden + square * slope / 2
    constant = square * (specificity.variance + rate * sp_spread)
    roots = [
        math.sqrt(max(0.0, middle**2 - leading * (above**2 - (end - share) ** 2 - constant)))
        for end in (low, high)
    ]
    return (middle - roots[0]) / leading, (middle + roots[1]) / leading
