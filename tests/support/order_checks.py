"""Whether one order can be told from a random one of another, at ALPHA.

Is there a trend? Do neighbours in one order stay neighbours in the other? Does
the one rise as often as it falls while the other goes on? Where things lie in
pages, the last question sees an order within each page.
"""

import math
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt
from scipy import stats

from sampling_checks import ALPHA, SampleRejected, count_check

MIN_LENGTH = 100

Places = npt.NDArray[np.int64]


def check_random_order(arrived: Sequence[Hashable], found: Sequence[Hashable]) -> None:
    """Accept the order in which things are found, if nothing ties it to their arrival.

    Args:
        arrived: the things, in the order they arrived.
        found: the same, in the order they were found.
    Raises:
        SampleRejected: one of the p-values is below ALPHA, divided by how many there are.
    """
    assert len(arrived) >= MIN_LENGTH
    assert len(set(arrived)) == len(arrived)
    assert set(arrived) == set(found)
    at = {thing: index for index, thing in enumerate(found)}
    places = np.array([at[thing] for thing in arrived])
    ranks = np.argsort(places)
    p_values = {
        "a trend": float(stats.spearmanr(np.arange(len(places)), places).pvalue),
        "neighbours of arrival": _p_value_of_neighbours(places),
        "neighbours of place": _p_value_of_neighbours(ranks),
        "rises of places": _p_value_of_rises(places),
        "rises of arrival": _p_value_of_rises(ranks),
    }
    count_check()
    name, p_value = min(p_values.items(), key=lambda item: item[1])
    if p_value < ALPHA / len(p_values):
        raise SampleRejected(f"p = {p_value:.3g} for {name} among {len(places)} places")


def _p_value_of_neighbours(places: Places) -> float:
    """Of the correlation of each place with the next."""
    return float(stats.spearmanr(places[:-1], places[1:]).pvalue)


def _p_value_of_rises(places: Places) -> float:
    """Of how often the next place is higher; for random orders nearly normal.

    Source: the Eulerian distribution has mean (n - 1) / 2 and variance
    (n + 1) / 12 (Comtet 1974, chapter 6).
    """
    count = len(places)
    rises = int(np.sum(places[1:] > places[:-1]))
    return 2 * float(stats.norm.sf(abs(rises - (count - 1) / 2) / math.sqrt((count + 1) / 12)))
