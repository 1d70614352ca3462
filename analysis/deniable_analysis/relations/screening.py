"""Scores as screenings: the share above a cut-off, prevalence, comparison with a norm."""

import math

import numpy as np

from deniable_analysis.arguments import is_finite
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.errors import InvalidDesign, NotIdentified
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.estimators.difference import two_sided
from deniable_analysis.estimators.intervals import DEFAULT_INTERVAL, Interval, read_interval
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.mechanisms.linear import LinearShares
from deniable_analysis.mechanisms.share_numbers import NORMAL, Numbers
from deniable_analysis.relations.evidence import evidence
from deniable_analysis.relations.quantiles import Levels, levels_of
from deniable_analysis.relations.questions import find_option, find_question, read_studies
from deniable_analysis.relations.shares import (
    ClosedShares,
    OrderedShares,
    closed_shares,
    numbers_among_answered,
    ratio_numbers,
)
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.screening import (
    NormComparison,
    Rate,
    ScreenedPrevalence,
    ShareAbove,
)
from deniable_analysis.results.shares import OptionEstimate
from deniable_sdk.errors import quote
from deniable_sdk.survey.decimals import format_units, parse_number
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question

_MOST_PERSONS = 10**9
_RATE_RULE = (
    "a number from 0 to 1, or (hits, persons) from the study that measured it, like (88, 100)"
)


def share_above(
    study: ReportedSurvey,
    question: str,
    cutoff: object,
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    interval: Interval | str = DEFAULT_INTERVAL,
) -> ShareAbove:
    """The share of those who answered at a cut-off or above it.

    Args:
        study: of the question.
        question: whose options are in order: the bands of a score, the levels
            of a scale, or numbers.
        cutoff: the first option, or number, that counts.
        confidence: how often the interval contains the true share.
        interval: which interval, or its name; that of a number is normal.
    Raises:
        QuestionNotFound: there is no such question or option.
        NotIdentified: there is no report, the mechanism tells only the mean, or
            everybody or nobody is above the cut-off.
        InvalidConfidence: confidence is not between 0 and 1.
        InvalidInterval: there is no such interval.
    """
    read_studies([study])
    choice = IntervalChoice(read_interval(interval), confidence, simultaneous=False)
    asked = find_question(study, question)
    if not asked.grid:
        return _above_option(study, asked, str(cutoff), choice)
    levels = levels_of(study, asked)
    units = parse_number(cutoff)
    first = find_option(asked, str(cutoff) if units is None else format_units(units))
    _check_cutoff(levels.names, first)
    later = np.zeros((len(levels.shares), 1))
    later[first : len(levels.names)] = 1
    shares = LinearShares.of_total(levels.shares, levels.covariances, levels.reports)
    ordered = OrderedShares(asked.id, shares, len(levels.names), levels.reports)
    (numbers,) = ratio_numbers(ordered, later, choice)
    return _result(levels, levels.names[first], asked, numbers, NORMAL)


def _above_option(
    study: ReportedSurvey, question: Question, cutoff: str, choice: IntervalChoice
) -> ShareAbove:
    first = find_option(question, cutoff)
    found = closed_shares(study, question)
    _check_cutoff(question.names[: found.option_count], first)
    later = np.zeros((len(question.names), 1))
    later[first : found.option_count] = 1
    (numbers,), kind = numbers_among_answered(found, later, choice)
    return _result(found, cutoff, question, numbers, kind)


def _check_cutoff(names: tuple[str, ...], first: int) -> None:
    """Everybody who answered is at the first option or above, and "no answer" is no option."""
    if not 0 < first < len(names):
        shown = ", ".join(names[1:6]) + (", ..." if len(names) > 6 else "")
        raise NotIdentified(
            f"got the cut-off {(*names, NO_ANSWER)[first]!r}; allowed are {shown}: all but the "
            'first, which everybody reaches, and "no answer"'
        )


def _result(
    found: ClosedShares | Levels, cutoff: str, question: Question, numbers: Numbers, kind: str
) -> ShareAbove:
    return ShareAbove(
        question=question.id,
        cutoff=cutoff,
        reports=found.reports,
        epsilon=found.epsilon,
        interval=kind,
        above=OptionEstimate(option=cutoff, **numbers),
    )


def screened_prevalence(  # noqa: PLR0913 - a screening and its two rates; both by name
    study: ReportedSurvey,
    question: str,
    cutoff: object,
    *,
    sensitivity: float | tuple[int, int],
    specificity: float | tuple[int, int],
    confidence: float = DEFAULT_CONFIDENCE,
) -> ScreenedPrevalence:
    """The share of people with a condition that a score above a cut-off detects.

    The share above the cut-off is p = pi Se + (1 - pi) (1 - Sp). The interval
    holds every pi for which a test of this equation does not reject, so that it
    carries the errors of p and of both rates. Rates that were measured on n
    persons are moved towards one half, to (hits + 1) / (n + 2).

    Args:
        study: of the question.
        question: as in share_above.
        cutoff: as in share_above.
        sensitivity: the share of people with the condition who are above it: a
            known number, or (hits, persons) of the study that measured it.
        specificity: the share of people without it who are below, likewise.
        confidence: how often the interval contains the true share.
    Raises:
        InvalidDesign: a rate is none, or the screening is no better than a coin.
        NotIdentified: the share has no variance, or the rates are not known
            well enough for an interval; others as in share_above.
    Source: Rogan and Gladen 1978; Lang and Reiczigel 2014 for the shift; the
        inverted test is Fieller's.
    """
    above = share_above(study, question, cutoff, confidence=confidence)
    reach = critical_value(confidence)
    se, sp = _rate(sensitivity, "sensitivity"), _rate(specificity, "specificity")
    youden = se.value + sp.value - 1
    if youden <= 0:
        raise InvalidDesign(
            f"got sensitivity {se.value:g} and specificity {sp.value:g}; their sum must be above "
            "1, or the screening is no better than a coin"
        )
    share, error = above.above.share, above.above.standard_error
    if share is None or not error:
        raise NotIdentified("the reports show no variance; wait for more")
    low, high = _fieller(share, error**2, se, sp, reach)
    return ScreenedPrevalence(
        above=above,
        sensitivity=se,
        specificity=sp,
        confidence=confidence,
        value=(share + sp.value - 1) / youden,
        low=low,
        high=high,
    )


def _rate(given: object, name: str) -> Rate:
    """A known rate, or one that was measured."""
    if isinstance(given, int | float) and is_finite(given) and 0 <= given <= 1:
        return Rate(value=float(given))
    if isinstance(given, tuple | list) and len(given) == 2:
        hits, persons = given
        if (
            type(hits) is int
            and type(persons) is int
            and 0 <= hits <= persons <= _MOST_PERSONS
            and persons
        ):
            return Rate(value=hits / persons, hits=hits, persons=persons)
    raise InvalidDesign(f"{name}: got {quote(given)}; allowed is {_RATE_RULE}")


def _fieller(
    share: float, variance: float, se: Rate, sp: Rate, reach: float
) -> tuple[float, float]:
    """Every pi with |p - pi Se - (1 - pi) (1 - Sp)| within `reach` standard errors."""
    youden, above = se.shifted + sp.shifted - 1, share - (1 - sp.shifted)
    square = reach**2
    a = youden**2 - square * (se.variance + sp.variance)
    b = -2 * above * youden + 2 * square * sp.variance
    c = above**2 - square * (variance + sp.variance)
    inside = b**2 - 4 * a * c
    if youden <= 0 or a <= 0 or inside < 0:
        raise NotIdentified(
            "sensitivity and specificity are not known well enough for an interval; measure them "
            "on more persons"
        )
    root = math.sqrt(inside)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def compare_with_norm(
    study: ReportedSurvey,
    question: str,
    *,
    mean: float,
    sd: float,
    confidence: float = DEFAULT_CONFIDENCE,
) -> NormComparison:
    """The difference of a mean from that of a reference population.

    Args:
        study: of the question.
        question: a score that is a number, a scale or a number.
        mean: of the reference population, taken as known.
        sd: its standard deviation.
        confidence: how often the interval contains the true difference.
    Raises:
        InvalidDesign: the norm is none.
        QuestionNotFound: there is no such question.
        NotIdentified: it has no mean, or its reports do not vary.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    read_studies([study])
    reach = critical_value(confidence)
    if not (is_finite(mean) and is_finite(sd) and sd > 0):
        raise InvalidDesign(
            f"got the norm {quote(mean)} with standard deviation {quote(sd)}; allowed are two "
            "numbers, the second above 0"
        )
    asked = find_question(study, question)
    choice = IntervalChoice(DEFAULT_INTERVAL, confidence, simultaneous=False)
    found = evidence(study, asked, choice).estimate.mean
    if found is None or found.value is None or not found.standard_error:
        raise NotIdentified(
            f"question {asked.id!r} has no mean with a variance; a score has one if it is "
            "reported as a number and has reports"
        )
    difference, error = found.value - mean, found.standard_error
    return NormComparison(
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
