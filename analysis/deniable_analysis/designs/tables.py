"""The columns of a table, and their values as categories of a design."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.arguments import kind_of
from deniable_analysis.arrays import Indexes
from deniable_analysis.errors import ColumnNotFound, InvalidArgument
from deniable_analysis.forms import pandas
from deniable_sdk.wording import counted, near_names


def column_names(table: Any) -> tuple[str, ...]:
    """The names of a table's columns.

    Raises:
        InvalidArgument: it is neither a pandas table nor a mapping.
    """
    if hasattr(table, "columns"):
        return tuple(map(str, table.columns))
    if isinstance(table, Mapping):
        return tuple(map(str, table))
    raise InvalidArgument(
        f"got something of the type {type(table).__name__}; allowed is a pandas table, or a "
        "mapping from names to columns"
    )


def column_of(table: Any, name: str) -> Any:
    """One column of a table.

    Raises:
        ColumnNotFound: there is no column of this name; the message lists
            similar names.
        InvalidArgument: it is not a table, has several columns of this name, or
            columns of different lengths.
    """
    names = column_names(table)
    if not isinstance(name, str):
        raise ColumnNotFound(
            f"got {kind_of(name)} for the name of a column; the table has: {', '.join(names)}"
        )
    if names.count(name) > 1:
        raise InvalidArgument(
            f"got a table with {names.count(name)} columns {name!r}; rename all but one of them"
        )
    if name in names and name in table:
        return _as_long(table, name)
    raise ColumnNotFound(
        f"got the column {name!r}, which the table does not have; "
        f"{near_names(name, names, 'it has')}"
    )


def _as_long(table: Any, name: str) -> Any:
    """The column of a table, if all columns of a mapping have the same length."""
    column = table[name]
    if not hasattr(table, "columns"):
        lengths = {len(each) for each in table.values() if hasattr(each, "__len__")}
        if len(lengths) > 1 or not hasattr(column, "__len__"):
            raise InvalidArgument(
                f"column {name!r}: got columns of different lengths, or something that is not a "
                "column; allowed are lists with as many rows each"
            )
    return column


MISSING = -1


def readings(labels: Sequence[str]) -> dict[object, int]:
    """Every way to write a category in a table, with the category's index.

    A category is written as its text, or as a number if its text is one. If
    there are two categories and their texts are not numbers, 0 or False is the
    first and 1 or True the second. For more categories this is not allowed:
    whether counting starts at 0 or 1 would be a guess.
    """
    found = {label: index for index, label in enumerate(labels)}
    numbers = {int(label): index for index, label in enumerate(labels) if _is_number(label)}
    if len(labels) == 2 and not numbers:
        numbers = {0: 0, 1: 1}
    return dict([*found.items(), *numbers.items()])


def written(labels: Sequence[str]) -> str:
    """The allowed ways to write the categories, for a message."""
    also = " (or 0, 1)" if len(labels) == 2 and not any(map(_is_number, labels)) else ""
    return f"{', '.join(labels)}{also}"


def indexes_of(values: Any, labels: Sequence[str], what: str) -> Indexes:
    """The index of each value among the categories, MISSING for missing values.

    There is a value for each row; None and NaN are missing. Messages name `what`.

    Raises:
        InvalidArgument: a value is not a category; the message does not show it.
    """
    indexes, strays = looked_up(values, readings(labels), what)
    if strays:
        raise InvalidArgument(
            f"{what}: got {counted(strays, 'row')} of {len(indexes)} with something that is not "
            f"a category of the design; allowed are {written(labels)}, or nothing; recode the "
            "column, or rename the design's categories with .renamed()"
        )
    return indexes


def factorized(values: Any, what: str) -> tuple[Indexes, list[object]]:
    """A code for each different value, -1 where it is missing, and the values.

    Raises:
        InvalidArgument: values are lists or other unhashable objects.
    """
    pd = pandas()
    kept = values if isinstance(values, pd.Series) else _as_array(values)
    try:
        codes, distinct = pd.factorize(kept)
    except TypeError:
        raise InvalidArgument(
            f"{what}: got values that cannot be compared, like lists; allowed are texts and "
            "numbers"
        ) from None
    return np.asarray(codes, dtype=np.intp), list(distinct)


def _as_array(values: Any) -> NDArray[Any]:
    """Numbers unchanged; other values as objects, so that texts and numbers differ."""
    if isinstance(values, np.ndarray):
        return values
    objects = np.empty(len(values), dtype=object)
    objects[:] = list(values)
    return objects


def _is_number(label: str) -> bool:
    return label.isascii() and label.isdigit() and str(int(label)) == label


def looked_up(values: Any, known: Mapping[Any, int], what: str) -> tuple[Indexes, int]:
    """The index of each value, MISSING where it has none, and the number of unknown values.

    There is a value for each row; None and NaN are missing, not unknown.
    """
    codes, distinct = factorized(values, what)
    found = np.array([known.get(value, MISSING) for value in distinct] + [MISSING], dtype=np.intp)
    indexes: Indexes = found[codes]  # a missing value has code -1, which is the last
    return indexes, int(np.count_nonzero((indexes == MISSING) & (codes >= 0)))
