"""A result to show, as a few records: lines and tables; charts are in `charts`.

Tables have numbers: data frames take them as they are, and the other renderers write them.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from deniable_analysis.charts import Mark
from deniable_analysis.forms import DataFrame, pandas

# The square of the largest number that four decimals round to 0.
_SHOWN_AS_ZERO = 0.00005**2


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text."""

    text: str
    is_warning: bool = False


class ColumnKind(Enum):
    """What the values of a column are, so that each renderer writes them in its own way."""

    TEXT = "text"
    COUNT = "count"
    NUMBER = "number"
    VARIANCE = "variance"
    CHANCE = "chance"
    RATE = "rate"
    SHORT = "short"
    WITHIN = "within"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Args:
        name: its name in data; empty if it is only for people.
        head: its name for people; None if it is only in data.
        kind: what its values are.
        is_optional: whether people see it only if it has a value.
    """

    name: str
    head: str | None = None
    kind: ColumnKind = ColumnKind.NUMBER
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Columns, and rows with a value for each of them; None is no value."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(
        cls, names: Iterable[Column], numbers: Sequence[Column], rows: Iterable[tuple[Any, ...]]
    ) -> "Table":
        """A row for each record, which comes after its names and has the numbers."""
        return cls(
            (*names, *numbers),
            tuple(
                (*values, *(getattr(record, column.name) for column in numbers))
                for *values, record in rows
            ),
        )

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the columns that people see."""
        return tuple(self.columns[index].head or "" for index in self._shown)

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The rows as people see them."""
        shown = [(index, WRITE[self.columns[index].kind]) for index in self._shown]
        return tuple(
            tuple("" if row[index] is None else write(row[index]) for index, write in shown)
            for row in self.rows
        )

    @property
    def _shown(self) -> list[int]:
        return [
            index
            for index, column in enumerate(self.columns)
            if column.head is not None
            and not (column.is_optional and all(row[index] is None for row in self.rows))
        ]

    def marks(self, value: str) -> tuple[Mark, ...]:
        """The first text of each row, and its value in this column with its interval."""
        places = {column.name: index for index, column in enumerate(self.columns)}
        ends = [places[name] for name in (value, "low", "high")]
        names = (cells[0] for cells in self.cells)
        return tuple(
            Mark(name, *(row[place] for place in ends))
            for name, row in zip(names, self.rows, strict=True)
        )

    def to_frame(self) -> DataFrame:
        """The columns of data, by pandas; numbers are floats even if all of them are missing."""
        kept = [(index, column) for index, column in enumerate(self.columns) if column.name]
        names = [column.name for _, column in kept]
        frame = pandas().DataFrame(
            [[row[index] for index, _ in kept] for row in self.rows], columns=names
        )
        floats = [column.name for _, column in kept if column.kind not in _NO_FLOATS]
        return frame.astype(dict.fromkeys(floats, "float64"))


def joined(tables: Iterable[Table]) -> Table:
    """The rows of tables that have the same columns in data."""
    several = list(tables)
    columns = several[0].columns if several else ()
    return Table(columns, tuple(row for table in several for row in table.rows))


Part = Line | Table
_NO_FLOATS = (ColumnKind.TEXT, ColumnKind.COUNT, ColumnKind.WITHIN)


def write_root(variance: float) -> str:
    """The square root of a part of the variance, which can be negative at a raw share beyond 1."""
    return "<0" if variance <= -_SHOWN_AS_ZERO else f"{math.sqrt(max(0.0, variance)):z.4f}"


WRITE: Mapping[ColumnKind, Callable[[Any], str]] = {
    ColumnKind.TEXT: str,
    ColumnKind.COUNT: str,
    ColumnKind.NUMBER: "{:z.4f}".format,
    ColumnKind.VARIANCE: write_root,
    ColumnKind.CHANCE: "{:.4g}".format,
    ColumnKind.RATE: "{:.1%}".format,
    ColumnKind.SHORT: "{:g}".format,
    ColumnKind.WITHIN: lambda is_within: "" if is_within else "out",
}


def text_column(name: str, head: str | None = None) -> Column:
    """A column of texts."""
    return Column(name, head, ColumnKind.TEXT)


def warning_lines(warnings: Iterable[str]) -> Iterable[Line]:
    """A line for each warning."""
    return (Line(warning, is_warning=True) for warning in warnings)
