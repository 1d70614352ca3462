"""The share of people with a condition, from a screening with false results."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UncertainRate:
    """The sensitivity or specificity of a screening.

    Args:
        value: the rate.
        variance: variance of the value; 0 if the rate is known.
    """

    value: float
    variance: float = 0.0

    @property
    def spread(self) -> float:
        """The variance of one person's result."""
        return self.value * (1 - self.value)


def rogan_gladen(share: float, sensitivity: float, specificity: float) -> float:
    """The prevalence behind a share of positive screenings; it may be outside 0 to 1.

    Args:
        share: share of people whose screening is positive.
        sensitivity: sensitivity of the screening.
        specificity: specificity of the screening; both sum to more than 1.
    Source: Rogan and Gladen 1978, "Estimating prevalence from the results of a
        screening test".
    """
    return (share + specificity - 1) / (sensitivity + specificity - 1)


def prevalence_interval(
    positive: tuple[float, float, float],
    sensitivity: UncertainRate,
    specificity: UncertainRate,
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
        sensitivity: Se.
        specificity: Sp.
        reach: half the width of the interval of p, in standard errors.
        population: number of people that p is a share of, if it is finite: those
            who would answer. The false results of the screening then vary too.
    Returns:
        None if the interval is unbounded, because Se + Sp may be 1.
    Source: Zou and Donner 2008 for the two distances; Fieller 1954.
    """
    share, low, high = positive
    youden = sensitivity.value + specificity.value - 1
    square = reach**2
    leading = youden**2 - square * (sensitivity.variance + specificity.variance)
    if youden <= 0 or leading <= 0:
        return None
    rate = 1 / population if population else 0.0
    above = share + specificity.value - 1
    slope = rate * (sensitivity.spread - specificity.spread) - 2 * specificity.variance
    middle = above * youden + square * slope / 2
    constant = square * (specificity.variance + rate * specificity.spread)
    roots = [
        math.sqrt(max(0.0, middle**2 - leading * (above**2 - (end - share) ** 2 - constant)))
        for end in (low, high)
    ]
    return (middle - roots[0]) / leading, (middle + roots[1]) / leading
