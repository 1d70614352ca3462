"""Whether one order can be told from a random one of another, at ALPHA.

Three questions to the places of things in the order in which they arrived: is
there a trend, do neighbours stay neighbours, and do places rise as often as
they fall?
"""

import math
from collections.abc import Hashable, Sequence

import numpy as np
from scipy import stats

from sampling_checks import ALPHA, SampleRejected, count_check

MIN_LENGTH = 100


def check_random_order(arrived: Sequence[Hashable], found: Sequence[Hashable]) -> None:
    """Accept the order in which things are found, if nothing ties it to their arrival.

    Args:
        arrived: the things, in the order they arrived.
        found: the same, in the order they were found.
    Raises:
        SampleRejected: one of the three p-values is below ALPHA / 3.
    """
    assert len(arrived) >= MIN_LENGTH
    assert len(set(arrived)) == len(arrived)
    assert set(arrived) == set(found)
    at = {thing: place for place, thing in enumerate(found)}
    places = np.array([at[thing] for thing in arrived])
    p_values = {
        "a trend": float(stats.spearmanr(np.arange(len(places)), places).pvalue),
        "neighbours": float(stats.spearmanr(places[:-1], places[1:]).pvalue),
        "rises": _p_value_of_rises(places),
    }
    count_check()
    name, p_value = min(p_values.items(), key=lambda item: item[1])
    if p_value < ALPHA / 3:
        raise SampleRejected(f"p = {p_value:.3g} for {name} among {len(places)} places")


def _p_value_of_rises(places: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> float:
    """Of how often the next place is higher; for random orders nearly normal.

    Source: the Eulerian distribution has mean (n - 1) / 2 and variance
    (n + 1) / 12 (Comtet 1974, chapter 6).
    """
    count = len(places)
    rises = int(np.sum(places[1:] > places[:-1]))
    return 2 * float(stats.norm.sf(abs(rises - (count - 1) / 2) / math.sqrt((count + 1) / 12)))
