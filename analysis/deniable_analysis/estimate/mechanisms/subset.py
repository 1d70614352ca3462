"""Subset selection: a share for each option, and the mean of a scale; random subsets for all."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.estimate.covariance import both_supported
from deniable_analysis.estimate.mechanisms.base import Answers, Draw, MechanismAnalysis
from deniable_analysis.estimate.tallies import option_tallies
from deniable_sdk.mechanisms import OneOf, Subset
from deniable_storage.counts import Integers


@dataclass(frozen=True, slots=True)
class Places:
    """The places that may be marked: their number, and the column of each.

    The argument of `column_of` is one place for all rows, or one for each row.
    """

    count: int
    column_of: Callable[[Integers | int], Integers]


def mark_subsets(
    marks: Bools, places: Places, counts: Integers | int, most: int, draw: Draw
) -> None:
    """Mark `counts` of the places in each row; every set is equally likely.

    The number of draws is `most`, whatever the counts.

    Args:
        marks: (rows, columns) changed in place; at first no place is marked.
        places: places to choose from.
        counts: number of places to mark, for each row or for all; at most
            `most`.
        most: largest count.
        draw: function that draws the random integers.

    Source: Floyd's algorithm (Bentley and Floyd 1987, CACM 30). A row with a
    smaller count begins at a later draw.
    """
    flat = marks.reshape(-1)
    starts = np.arange(len(marks)) * marks.shape[1]
    for last in range(places.count - most, places.count):
        drawn = starts + places.column_of(draw(last + 1))
        cells = np.where(flat[drawn], starts + places.column_of(last), drawn)
        flat[cells] = last >= places.count - counts


def marked_columns(marks: Bools, count: int) -> Integers:
    """The `count` columns marked in each row, ascending."""
    return np.nonzero(marks)[1].reshape(len(marks), count)


_END = Fraction(1, 2)


def _likelihood(mechanism: Subset, values: Integers) -> Floats:
    size, weights, others = mechanism.size, mechanism.weights, mechanism.domain_size - 1
    holding, missing = math.comb(others, size - 1), math.comb(others, size)
    # The integers can be huge; only their quotient fits into a float.
    total = holding * weights.high + missing * weights.low
    found = np.full((len(values), mechanism.domain_size), weights.low / total)
    np.put_along_axis(found, values.reshape(len(values), size), weights.high / total, axis=1)
    return found


def _simulate(mechanism: Subset, answers: Answers, draw: Draw) -> Integers:
    """One value in each row: the index itself for size 1, otherwise an ascending set."""
    kept = draw(mechanism.total_weight) < mechanism.high_weight
    marks = np.zeros((len(answers), mechanism.domain_size), dtype=np.bool_)
    others = Places(mechanism.domain_size - 1, lambda index: index + (index >= answers))
    mark_subsets(marks, others, mechanism.size - kept, mechanism.size, draw)
    marks[np.arange(len(answers)), answers] = kept
    values = marked_columns(marks, mechanism.size)
    return values[:, 0] if mechanism.size == 1 else values


def _mean_variance(mechanism: Subset, domain: OneOf) -> Fraction:
    """The larger variance of two cases: half of the answers at each end, or all at one end."""
    return max(_variance_at(mechanism, domain.options, mean) for mean in (Fraction(0), _END))


def _variance_at(mechanism: Subset, levels: int, mean: Fraction) -> Fraction:
    """The variance of the sum of the set's scores w, which are relative to the mean.

    The score of "no answer" is 0. Given the answer's w, the second moment of
    the sum is a·w² + b·w + c; the mean of w is 0, and that of w² is at most
    END² - mean².
    """
    keep, flip = mechanism.keep, mechanism.flip
    holding, missing = both_supported(mechanism)
    total = -levels * mean
    squares = Fraction(levels * (levels + 1), 12 * (levels - 1)) + levels * mean**2
    curve = max(Fraction(0), keep - flip - 2 * (holding - missing))
    constant = flip * squares + missing * (total**2 - squares)
    variance = curve * (_END**2 - mean**2) + constant - (flip * total) ** 2
    return variance / (keep - flip) ** 2


SUBSET = MechanismAnalysis(
    likelihood=_likelihood,
    simulate=_simulate,
    # The closed form of Gursoy et al. 2022 (TIFS): keep / size for a guess.
    sum_of_largest=lambda mechanism: mechanism.keep * mechanism.domain_size / mechanism.size,
    informative_part=lambda _: Fraction(1),
    tallies=option_tallies,
    mean_variance=_mean_variance,
)
