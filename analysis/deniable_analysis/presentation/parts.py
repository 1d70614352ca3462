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
        name: what it is the estimate of.
        value: None where there is none.
        low: where its interval begins; None without an interval.
        high: where it ends.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Estimates to be drawn together.

    Args:
        title: what they are, with the number of reports and epsilon.
        unit: of the values, as the axis says it.
        marks: in the order to be drawn.
        look: how they are drawn.
        reference: what the values are to be compared with, drawn as a line.
    """

    title: str
    unit: str
    marks: tuple[Mark, ...]
    look: Look = Look.INTERVALS
    reference: float | None = None
