"""The columns of a table: pandas, or a mapping from names to columns."""

from collections.abc import Mapping
from typing import Any

from deniable_analysis.arguments import kind_of, near_names
from deniable_analysis.errors import ColumnNotFound, InvalidTable


def column_names(table: Any) -> tuple[str, ...]:
    """The names of a table's columns.

    Raises:
        InvalidTable: it is neither a pandas table nor a mapping.
    """
    if hasattr(table, "columns"):
        return tuple(map(str, table.columns))
    if isinstance(table, Mapping):
        return tuple(map(str, table))
    raise InvalidTable(
        f"got something of the type {type(table).__name__}; allowed is a pandas table, or a "
        "mapping from names to columns"
    )


def column_of(table: Any, name: str) -> Any:
    """One column of a table.

    Raises:
        ColumnNotFound: there is none of this name; the message lists near ones.
        InvalidTable: it is no table, has several of this name, or columns of
            different lengths.
    """
    names = column_names(table)
    if not isinstance(name, str):
        raise ColumnNotFound(
            f"got {kind_of(name)} for the name of a column; the table has: {', '.join(names)}"
        )
    if names.count(name) > 1:
        raise InvalidTable(
            f"got a table with {names.count(name)} columns {name!r}; rename all but one of them"
        )
    if name in names and name in table:
        return _as_long(table, name)
    raise ColumnNotFound(
        f"got the column {name!r}, which the table does not have; "
        f"{near_names(name, names, 'it has')}"
    )


def _as_long(table: Any, name: str) -> Any:
    """The column of a table, if all of a mapping's columns have as many rows."""
    column = table[name]
    if not hasattr(table, "columns"):
        lengths = {len(each) for each in table.values() if hasattr(each, "__len__")}
        if len(lengths) > 1 or not hasattr(column, "__len__"):
            raise InvalidTable(
                f"column {name!r}: got columns of different lengths, or something that is no "
                "column; allowed are lists with as many rows each"
            )
    return column
