"""Random subsets of columns, one in each row, all rows at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Bools
from deniable_analysis.mechanisms.base import Draw
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
