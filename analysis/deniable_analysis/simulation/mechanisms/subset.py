"""Subset selection of many answers at once."""

import numpy as np

from deniable_analysis.simulation.mechanisms.base import Answers, Draw
from deniable_analysis.simulation.mechanisms.marking import Places, mark_subsets, marked_columns
from deniable_sdk.mechanisms import Subset
from deniable_storage.counts import Integers


def simulate_subset(mechanism: Subset, answers: Answers, draw: Draw) -> Integers:
    """The index itself for size 1, else ascending sets, one in each row."""
    kept = draw(mechanism.total_weight) < mechanism.favoured_weight
    marks = np.zeros((len(answers), mechanism.domain_size), dtype=np.bool_)
    others = Places(mechanism.domain_size - 1, lambda place: place + (place >= answers))
    mark_subsets(marks, others, mechanism.size - kept, mechanism.size, draw)
    marks[np.arange(len(answers)), answers] = kept
    values = marked_columns(marks, mechanism.size)
    return values[:, 0] if mechanism.size == 1 else values
