"""Random subsets of columns, one in each row, all rows at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Bools
from deniable_analysis.mechanisms.base import Draw
from deniable_storage.counts import Integers


@dataclass(frozen=True, slots=True)
class Places:
    """What may be marked: so many places, and the column of each.

    `column_of` accepts one place for all rows, or one in each row.
    """

    count: int
    column_of: Callable[[Integers | int], Integers]


def mark_subsets(
    marks: Bools, places: Places, counts: Integers | int, most: int, draw: Draw
) -> None:
    """Mark `counts` of the places in each row, every set equally likely.

    Asks for `most` draws, whatever the counts.

    Args:
        marks: rows by columns, changed in place; none of the places is marked.
        places: to choose from.
        counts: how many to mark, of each row or of all; at most `most`.
        most: the largest count.
        draw: gives the random integers.

    Source: Floyd's algorithm (Bentley and Floyd 1987, CACM 30). A row that
    marks fewer begins later.
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
