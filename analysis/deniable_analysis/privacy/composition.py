"""The epsilon of several surveys that the same person answers."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from deniable_analysis.arguments import Number, as_list, kind_of, read_block_epsilon, read_share
from deniable_analysis.errors import InvalidArgument

_MOST_SURVEYS = 1000
_MOST_UNITS = 50_000
_UNDERFLOW = 1e-290  # smaller probabilities are inexact in floats
_SLACK = 1e-10  # more than the error of the logarithm of a ratio of sums in floats


def compose(epsilons: Sequence[float | str], delta: Number = 0) -> float:
    """The epsilon of several surveys together, for somebody who sees all reports of a person.

    With delta 0 it is the sum, which always holds. Otherwise it is the smallest epsilon that
    fails with a probability of at most delta, whatever the mechanisms are. Epsilons whose
    common unit is below 1 / 50,000 of their sum are each rounded up by less than this part.

    Args:
        epsilons: that of each survey; at most 1,000 surveys.
        delta: how often epsilon may fail, from 0 to 1.
    Returns:
        An upper bound, and never more than the sum.
    Raises:
        InvalidArgument: epsilons or delta are not as above.
    Source: Kairouz, Oh and Viswanath 2015 (ICML), theorem 3.3, for unequal epsilons. Reports of
    Warner's method are the worst: each loss is plus or minus its epsilon. The best test takes
    all losses from some value on, so the largest epsilon among these tests is the result.
    """
    spent, most = _read_epsilons(epsilons), float(read_share("delta", delta))
    whole = sum(spent, Fraction())
    if not most or not spent:
        return float(whole)
    unit = Fraction(1, math.lcm(*(each.denominator for each in spent)))
    unit = max(unit, whole / _MOST_UNITS)
    chances = np.ones(1)  # by the sum of the negative losses in units
    for units in (math.ceil(each / unit) for each in spent):
        negative = 1 / (1 + math.exp(units * unit))
        room = np.zeros(units)
        chances = np.concatenate([chances * (1 - negative), room]) + np.concatenate(
            [room, chances * negative]
        )
    found, wrong = np.cumsum(chances), np.cumsum(chances[::-1])
    is_test = (found > most) & (wrong > _UNDERFLOW)
    ratios = (found[is_test] - most) / wrong[is_test]
    if np.any((found > most) & ~is_test):
        return float(whole)
    return min(float(whole), max(0.0, math.log(np.max(ratios, initial=1)) + _SLACK))


def _read_epsilons(values: Any) -> list[Fraction]:
    """The epsilons of up to 1,000 surveys."""
    listed = as_list(values)
    if listed is None or len(listed) > _MOST_SURVEYS:
        got = kind_of(values) if listed is None else f"{len(listed):,}"
        raise InvalidArgument(
            f"epsilons: got {got}; allowed is a list of the epsilons of up to "
            f"{_MOST_SURVEYS:,} surveys"
        )
    return [read_block_epsilon(value) for value in listed]
