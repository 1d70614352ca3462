"""How much the sites of a study differ, and their mean: a random-effects analysis.

Cochran's Q, I-squared, the moment estimate of the variance between sites by DerSimonian and
Laird (1986), and the interval of the mean by Hartung and Knapp (2001), at least as wide as
Knapp and Hartung (2003) propose: as if the standard error were never below the usual one.

Estimates of editions are not independent if the same people answered them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, stdtrit

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.channel import sampling_scale

# More than the rounding of a rate, and less than the rate of one report in any study.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class RandomEffects:
    """What the estimates of several sites say about their differences and their mean.

    See SiteDifferences for the fields. Q has a chi-squared distribution if all sites are
    equal. I-squared gets smaller with epsilon: randomization is variation within sites.
    """

    q: float
    degrees_of_freedom: int
    p_value: float
    i_squared: float
    tau: float
    mean: float
    standard_error: float
    low: float
    high: float


def random_effects(values: ArrayLike, variances: ArrayLike, confidence: float) -> RandomEffects:
    """The random-effects analysis of estimates.

    Args:
        values: (sites,) unbiased estimates of independent sites.
        variances: (sites,) their variances within the site, above 0.
        confidence: nominal coverage of the interval of the mean.
    Raises:
        NotIdentified: there are fewer than two sites, or a variance is not above 0.
    """
    found, within = np.asarray(values, np.float64), np.asarray(variances, np.float64)
    if len(found) < 2:
        raise NotIdentified("got fewer than two sites with an estimate; a comparison needs two")
    if not (within > 0).all():
        raise NotIdentified("a site has no variance, as if all of its reports were the same")
    freedom = len(found) - 1
    weights = 1 / within
    q = float(_squares(found, weights))
    # Each weight times the sum of the others. A difference of sums would be rounded to 0 if one
    # weight is by far the largest.
    scale = (weights * (weights @ (1 - np.eye(len(found))))).sum() / weights.sum()
    between = max(0.0, (q - freedom) / float(scale))
    weights = 1 / (within + between)
    mean = float(weights @ found / weights.sum())
    usual = 1 / math.sqrt(weights.sum())
    error = max(usual, math.sqrt(float(_squares(found, weights)) / (freedom * weights.sum())))
    half = float(stdtrit(freedom, (1 + confidence) / 2)) * error
    return RandomEffects(
        q=q,
        degrees_of_freedom=freedom,
        p_value=float(chdtrc(freedom, q)),
        i_squared=max(0.0, 1 - freedom / q) if q > 0 else 0.0,
        tau=math.sqrt(between),
        mean=mean,
        standard_error=error,
        low=mean - half,
        high=mean + half,
    )


def _squares(values: Floats, weights: Floats) -> float:
    """The weighted sum of squared differences from the weighted mean."""
    mean = weights @ values / weights.sum()
    return float(weights @ (values - mean) ** 2)


def common_variances(
    support: ArrayLike,
    reports: ArrayLike,
    keep: ArrayLike,
    flip: ArrayLike,
    populations: Sequence[int | None] | None = None,
) -> Floats:
    """(sites,) variances of debiased shares, if the share is the same at every site.

    With its own variance, a site whose estimate is by chance near an end of the range would
    weigh too much, and Q would exceed its quantile in 5.7 % of surveys in place of 5 %.

    Args:
        support: (sites,) how many reports support the option.
        reports: (sites,) how many reports there are, above 0.
        keep: (sites,) the probability of support if the option is true.
        flip: (sites,) the probability of support if it is not.
        populations: the number of people that the reports of each site are a sample of;
            None for many.
    Returns:
        0 or less at a site that cannot have the common share. Also 0 at a site whose rate of
        support is 0 or 1 within `ROUNDING`: then all of its reports are the same.
    """
    n, p, q = (np.asarray(each, np.float64) for each in (reports, keep, flip))
    lifts = p - q
    shares = (np.asarray(support, np.float64) / n - q) / lifts
    weights = n * lifts**2
    rates = q + lifts * (weights @ shares / weights.sum())
    rates[np.abs(rates) < ROUNDING] = 0
    rates[np.abs(1 - rates) < ROUNDING] = 1
    found = rates * (1 - rates) / weights
    if populations is None:
        return np.asarray(found)
    pairs = zip(n.tolist(), populations, strict=True)
    drawn = np.array([sampling_scale(1 / count, people) - 1 / count for count, people in pairs])
    shares = (rates - q) / lifts
    return np.asarray(found + shares * (1 - shares) * drawn)


@dataclass(frozen=True, slots=True)
class Repeated:
    """The errors that estimates may have in common.

    Args:
        reports: whether they may share reports, and so the mechanism's errors.
        people: whether they may share people, and so the sampling errors.
    """

    reports: bool
    people: bool


NOTHING = Repeated(reports=False, people=False)


def variance_of_sum(weights: Floats, variances: ArrayLike, *, is_common: bool) -> Floats:
    """The variance of a weighted sum of editions.

    Args:
        weights: (editions, ...) weights.
        variances: (editions, ...) variances of the terms. An estimate outside 0
            to 1 has a negative sampling part, which stays negative.
        is_common: whether the errors may be the same in all editions. The
            result is then the largest possible variance.
    Returns:
        (...) variances.
    """
    parts = np.asarray(variances, dtype=np.float64)
    if not is_common:
        return np.asarray((weights**2 * parts).sum(axis=0))
    errors = (weights * np.sign(parts) * np.sqrt(np.abs(parts))).sum(axis=0)
    return np.asarray(errors * np.abs(errors))
