"""PrivSet of many answers at once."""

import numpy as np

from deniable_analysis.arrays import Bools
from deniable_analysis.simulation.mechanisms.base import Answers, Draw
from deniable_analysis.simulation.mechanisms.marking import Places, mark_subsets, marked_columns
from deniable_sdk.mechanisms import PrivSet
from deniable_storage.counts import Integers


def simulate_privset(mechanism: PrivSet, answers: Answers, draw: Draw) -> Integers:
    """Ascending sets of options and dummies, one in each row."""
    at_most, size = mechanism.domain.at_most, mechanism.size
    chosen = _padded(mechanism, answers)
    met = np.searchsorted(mechanism.weights_up_to, draw(mechanism.total_weight), side="right")
    marks = np.zeros(chosen.shape, dtype=np.bool_)
    mark_subsets(marks, _places(chosen, at_most), met, min(at_most, size), draw)
    mark_subsets(marks, _places(~chosen, mechanism.domain.options), size - met, size, draw)
    return marked_columns(marks, size)


def _padded(mechanism: PrivSet, answers: Answers) -> Bools:
    """Each answer filled up with dummies to as many as may be chosen."""
    missing = mechanism.domain.at_most - answers.sum(axis=1)
    dummies = np.arange(mechanism.domain.at_most) < missing[:, np.newaxis]
    return np.concatenate([answers, dummies], axis=1)


def _places(candidates: Bools, count: int) -> Places:
    """The columns that are marked, `count` of them in each row."""
    columns, rows = marked_columns(candidates, count), np.arange(len(candidates))
    return Places(count, lambda place: columns[rows, place])
