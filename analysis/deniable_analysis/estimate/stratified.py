"""Shares of a population from its strata, each weighted by its part of the population.

The weights are public and known exactly. Only the strata's own shares have
errors, and these are independent.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv

from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.binomial import few_reports
from deniable_analysis.estimate.channel import Channel, sampling_scale
from deniable_analysis.estimate.choice import IntervalRule, critical_value, tail

# The variance of a stratum is computed as if it had so many more reports, with the common share:
# at the share of its own few reports it would be too small.
_ADDED = 4.0


@dataclass(frozen=True, slots=True)
class Strata:
    """The strata of a population, with the number of reports of each.

    Args:
        populations: (strata,) number of people.
        reports: (strata,) number of reports, at least 1. If there are more than
            people, no correction for a finite population is made.
        are_finite: whether each report is surely by another one of these people.
    """

    populations: Floats
    reports: Floats
    are_finite: bool = True

    @property
    def weights(self) -> Floats:
        """(strata,) each stratum's part of all people."""
        return np.asarray(self.populations / self.populations.sum())

    @property
    def scales(self) -> Floats:
        """(strata,) the factor of f (1 - f) in the variance of a stratum's share."""
        pairs = zip(self.reports.tolist(), self.populations.tolist(), strict=True)
        return np.array(
            [
                sampling_scale(1 / n, int(people) if self.are_finite and n <= people else None)
                for n, people in pairs
            ]
        )

    def drawn_together(self, shares: Floats) -> Floats:
        """Shares of strata, each drawn towards the common one the more, the fewer its reports.

        They are for variances, never for estimates.

        Args:
            shares: (strata, ...) raw shares.
        """
        own = self.reports.reshape(-1, *(1,) * (shares.ndim - 1))
        common = (own * shares).sum(axis=0) / own.sum()
        return np.asarray((own * shares + _ADDED * common) / (own + _ADDED))


def stratified_interval(
    support: Floats, strata: Strata, channel: Channel, rule: IntervalRule
) -> tuple[float, float]:
    """The interval of a weighted share, from the supporting reports of each stratum.

    It contains the shares F that a score test does not reject. Its hypothesis
    moves the share of every stratum by the same amount, so that their weighted
    sum is F. The test is corrected for continuity. If few reports support the
    option, or few do not, the end is that of a weighted Poisson number if this
    is further out.

    `support`, (strata,), is the number of reports that support the option. The channel is
    the same in all strata; the kind and the population of the rule are ignored.

    Source: own derivation, whose coverage the tests simulate; Fay and Feuer
        1997 (Statistics in Medicine 16) for the weighted Poisson number.
    """
    flip, spread = float(channel.flip), float(channel.spread)
    reach, weights = critical_value(rule.confidence, rule.comparisons), strata.weights
    rates = support / strata.reports
    share = float(weights @ (rates - flip)) / spread
    half = 0.5 * float(weights @ (weights / strata.reports)) / spread
    law = _variance_law((rates - flip) / spread, strata, channel)
    low, high = law.end(share - half, -reach), law.end(share + half, reach)
    missed = tail(rule.confidence, rule.comparisons)
    least, rest = (_poisson_low(each, strata, missed) for each in (rates, 1 - rates))
    if least is not None:
        low = min(low, (least - flip) / spread)
    if rest is not None:
        high = max(high, (1 - rest - flip) / spread)
    return min(low, share), max(high, share)


@dataclass(frozen=True, slots=True)
class _VarianceLaw:
    """The variance of a weighted share if it is F.

    It is at + slope (F - centre) - curve (F - centre)².
    """

    centre: float
    at: float
    slope: float
    curve: float

    def end(self, share: float, reach: float) -> float:
        """The F that is `reach` standard errors from a share; below it if reach is negative."""
        square = reach**2
        leading = 1 + square * self.curve
        middle = share + square * (self.slope / 2 + self.curve * self.centre)
        at_zero = self.at - self.slope * self.centre - self.curve * self.centre**2
        inside = middle**2 - leading * (share**2 - square * at_zero)
        return (middle + math.copysign(math.sqrt(max(0.0, inside)), reach)) / leading


def _variance_law(shares: Floats, strata: Strata, channel: Channel) -> _VarianceLaw:
    keep, flip, spread = (float(each) for each in (channel.keep, channel.flip, channel.spread))
    kept, flipped = keep * (1 - keep) / spread**2, flip * (1 - flip) / spread**2
    near, scales = strata.drawn_together(shares), strata.scales
    once = 1 / strata.reports
    variances = (near * kept + (1 - near) * flipped) * once + scales * near * (1 - near)
    slopes = (kept - flipped) * once + scales * (1 - 2 * near)
    squares = strata.weights**2
    return _VarianceLaw(
        centre=float(strata.weights @ near),
        at=float(squares @ variances),
        slope=float(squares @ slopes),
        curve=float(squares @ scales),
    )


def _poisson_low(rates: Floats, strata: Strata, missed: float) -> float | None:
    """The lower end of a weighted sum of few Poisson numbers; None if they are not few."""
    rate = float(strata.weights @ rates)
    if rate <= 0:
        return 0.0
    variance = float(strata.weights**2 @ (rates / strata.reports))
    count = rate**2 / variance
    return (
        float(variance / rate * gammaincinv(count, missed))
        if count < few_reports(missed)
        else None
    )
