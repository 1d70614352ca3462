"""Intervals that hold at every look, for means of answers that are reported as sets.

A tally says how many reports have each member, and not which members come together. So the
spread of the reports is unknown, and bets on single members lose the square root of their number.
But how a device draws a set is known. For each true answer the mean of an exponential bet is
computed exactly, and for each possible mean of the answers the largest such mean is what the
capital is divided by.
"""

from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.estimate.anytime_means import BETS, ends_around, stakes

# Beyond so many options times members, a bet takes too long to compute.
_MOST_WORK = 4_000


@dataclass(frozen=True, slots=True)
class Sets:
    """How devices draw sets: with a probability with the true answer, else evenly without it.

    Args:
        options: number of answers, and of members to draw from.
        size: members of a set.
        keep: the probability that the true answer is in the set.
    """

    options: int
    size: int
    keep: float

    @property
    def are_small(self) -> bool:
        """Whether bets are computed in an acceptable time."""
        return self.options * self.size <= _MOST_WORK

    def mean_products(self, factors: Floats) -> Floats:
        """(..., answers) for each true answer, the mean product of the factors of the members.

        Args:
            factors: (..., options) factor of each member, above 0.
        """
        sizes = np.arange(1, self.size + 1).reshape(-1, *[1] * (factors.ndim - 1))
        # The mean products of all sets of each size, from the options so far.
        means = np.zeros((self.size + 1, *factors.shape[:-1]))
        means[0] = 1
        for place in range(self.options):
            part = sizes / (place + 1)
            means[1:] = (1 - part) * means[1:] + part * factors[..., place] * means[:-1]
        # The same of the sets without each option.
        without, smaller = np.ones_like(factors), np.ones_like(factors)
        for size in range(1, self.size + 1):
            drawn = size / self.options
            smaller = without
            without = (means[size][..., None] - drawn * factors * smaller) / (1 - drawn)
        return self.keep * factors * smaller + (1 - self.keep) * without


def anytime_set_mean(  # noqa: PLR0913 - what a mean and its bets follow from
    contributions: tuple[Floats, Floats],
    truths: tuple[Floats, Floats],
    counts: Floats,
    scale: tuple[float, float],
    missed: float,
    *,
    sets: Sets,
    planned: float | None = None,
) -> tuple[float | None, float | None]:
    """The ends for the mean among those who answered that holds at every look.

    Args:
        contributions: as for anytime_mean: (options,) of each member, of which a report
            contributes the mean.
        truths: (answers,) what each true answer adds to the sum of the answers, and to their
            number.
        counts: (options,) number of reports with each member.
        scale: as for anytime_mean.
        missed: as for anytime_ends.
        sets: how devices draw them.
        planned: as for anytime_mean.
    Returns:
        As for anytime_mean.
    Source: test supermartingales with exponential bets (Howard, Ramdas, McAuliffe and Sekhon 2020,
        Probability Surveys 17), whose means are known exactly; the largest mean for a given mean
        of the answers is a concave envelope, as in linear programming with one condition.
    """
    (above, below), reports = contributions, float(np.sum(counts)) / sets.size
    kinds, kind_of = np.unique(np.array(truths), axis=1, return_inverse=True)
    most, parts = np.log(2 / missed), stakes(planned)
    signed = np.array([1.0, -1.0])[:, None] * BETS * np.sqrt(sets.size)

    some = kinds[0, kinds[1] > 0] / kinds[1, kinds[1] > 0]

    def is_inside(tested: Floats) -> Bools:
        # No answers have a mean beyond the last possible one: its law is taken there, so that
        # ends are not cut off.
        possible = np.clip(tested, some.min(), some.max())
        values = above - possible[:, None] * below
        unit = sets.size * np.ptp(values, axis=1)[:, None]
        means = sets.mean_products(np.exp(signed[..., None, None] * (values / unit)))
        largest = np.stack(
            [means[..., kind_of == kind].max(axis=-1) for kind in range(kinds.shape[1])], axis=-1
        )
        expected = _envelope(kinds[0] - possible[:, None] * kinds[1], largest)
        sums = ((above - tested[:, None] * below) / unit) @ counts
        logs = signed[..., None] * sums - reports * np.log(expected)
        capitals = np.logaddexp.reduce(logs + parts[:, None], axis=1).max(axis=0)
        return np.asarray(capitals < most)

    return ends_around(float(counts @ above / (counts @ below)), scale, is_inside)


def _envelope(places: Floats, values: Floats) -> Floats:
    """The concave envelope of points at 0, on both sides of which there are some: (..., tested).

    Args:
        places: (tested, points) where the points are.
        values: (..., tested, points) how high they are.
    """
    found = np.full(values.shape[:-1], -np.inf)
    for point in range(places.shape[1]):
        left, height = places[:, point, None], values[..., point, None]
        is_between = (left <= 0) & (places >= 0)
        apart = np.where(places > left, places - left, 1.0)
        at_zero = np.where(
            places > left, (places * height - left * values) / apart, np.maximum(height, values)
        )
        found = np.maximum(found, np.where(is_between, at_zero, -np.inf).max(axis=-1))
    return found
