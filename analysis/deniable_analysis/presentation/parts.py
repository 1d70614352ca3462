"""The parts of a displayed result."""

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text."""

    text: str
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose first column is names and whose others are numbers as texts."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Part = Line | Table


class Look(Enum):
    """How a chart is drawn."""

    INTERVALS = "intervals"
    BARS = "bars"
    STEPS = "steps"


@dataclass(frozen=True, slots=True)
class Mark:
    """One estimate of a chart.

    Args:
        name: name of the estimated quantity.
        value: estimate; None if there is none.
        low: lower end of its interval; None without an interval.
        high: upper end of its interval.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Estimates that are drawn together.

    Args:
        title: title with the number of reports and epsilon.
        unit: unit of the values, for the label of the axis.
        marks: marks in the order of drawing.
        look: how they are drawn.
        reference: value to compare with, drawn as a line.
    """

    title: str
    unit: str
    marks: tuple[Mark, ...]
    look: Look = Look.INTERVALS
    reference: float | None = None
