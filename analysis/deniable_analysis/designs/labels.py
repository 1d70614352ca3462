"""From the values of a table to the categories of a design."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.arrays import Indexes
from deniable_analysis.errors import InvalidTable
from deniable_analysis.results.frames import pandas
from deniable_analysis.words import counted

MISSING = -1


def readings(labels: Sequence[str]) -> dict[object, int]:
    """Every way to write a category in a table, with the category's place.

    A category is written as its own text, or as the number that its text is.
    Two categories without numbers are also written 0 and 1 (or False and
    True), the first being 0. More of them are not: whether counting starts
    from 0 or 1 would be a guess.
    """
    found = {label: place for place, label in enumerate(labels)}
    numbers = {int(label): place for place, label in enumerate(labels) if _is_number(label)}
    if len(labels) == 2 and not numbers:
        numbers = {0: 0, 1: 1}
    return dict([*found.items(), *numbers.items()])


def written(labels: Sequence[str]) -> str:
    """How a table may write the categories, for a message."""
    also = " (or 0, 1)" if len(labels) == 2 and not any(map(_is_number, labels)) else ""
    return f"{', '.join(labels)}{also}"


def places_of(values: Any, labels: Sequence[str], what: str) -> Indexes:
    """The place of each value among the categories, MISSING where there is none.

    Args:
        values: one for each row; None and NaN are missing.
        labels: the categories.
        what: the values' name, for messages.
    Raises:
        InvalidTable: a value is none of the categories; it is not shown.
    """
    codes, distinct = factorized(values, what)
    known = readings(labels)
    found = np.array([known.get(value, MISSING) for value in distinct] + [MISSING], dtype=np.intp)
    places: Indexes = found[codes]  # a missing value has code -1, the last
    strays = int(np.count_nonzero((places == MISSING) & (codes >= 0)))
    if strays:
        raise InvalidTable(
            f"{what}: got {counted(strays, 'row')} of {len(codes)} with something that is no "
            f"category of the design; allowed are {written(labels)}, or nothing; recode the "
            "column, or rename the design's categories with .renamed()"
        )
    return places


def factorized(values: Any, what: str) -> tuple[Indexes, list[object]]:
    """A number for each different value, -1 where it is missing, and the values.

    Raises:
        InvalidTable: values are lists or other things that have no equals.
    """
    pd = pandas()
    kept = values if isinstance(values, pd.Series) else _as_array(values)
    try:
        codes, distinct = pd.factorize(kept)
    except TypeError:
        raise InvalidTable(
            f"{what}: got values that cannot be compared, like lists; allowed are texts and "
            "numbers"
        ) from None
    return np.asarray(codes, dtype=np.intp), list(distinct)


def _as_array(values: Any) -> NDArray[Any]:
    """Numbers as they are; else objects, so that texts and numbers stay apart."""
    if isinstance(values, np.ndarray):
        return values
    objects = np.empty(len(values), dtype=object)
    objects[:] = list(values)
    return objects


def _is_number(label: str) -> bool:
    return label.isascii() and label.isdigit() and str(int(label)) == label
