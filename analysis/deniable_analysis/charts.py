"""Charts of estimates, drawn by matplotlib."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from deniable_analysis.forms import installed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Seen with every kind of colour vision, and dark in print.
# Source: Okabe and Ito 2008, Color Universal Design.
BLUE = "#0072B2"
# For texts in which every dollar sign is escaped: see _as_written.
_NO_MARKUP: Mapping[str, Any] = {"parse_math": True, "usetex": False}
_WIDTH_INCHES = 7.0
_HEAD_INCHES, _ROW_INCHES = 1.3, 0.32


class ChartKind(Enum):
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
        kind: how they are drawn.
        reference: value to compare with, drawn as a line.
    """

    title: str
    unit: str
    marks: tuple[Mark, ...]
    kind: ChartKind = ChartKind.INTERVALS
    reference: float | None = None


def plot_charts(charts: Sequence[Chart]) -> "Figure":
    """A figure with one chart below the other.

    Raises:
        PackageMissing: it is not installed.
    """
    # Here, because loading it takes longer than a whole command.
    module = installed(
        "matplotlib.figure",
        "a plot needs matplotlib, which is not installed; run: pip install 'deniable[plots]'",
    )
    heights = [_HEAD_INCHES + _ROW_INCHES * _rows(chart) for chart in charts]
    size = (_WIDTH_INCHES, sum(heights))
    figure: Figure = module.Figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(charts), squeeze=False, gridspec_kw={"height_ratios": heights})
    for chart, (place,) in zip(charts, axes, strict=True):
        draw_chart(chart, place)
    return figure


def draw_chart(chart: Chart, axes: "Axes") -> None:
    """Draw one chart on given axes."""
    _DRAW[chart.kind](chart, axes)
    title = _as_written(chart.title)
    axes.set_title(title, loc="left", fontsize="medium", wrap=True, **_NO_MARKUP)
    axes.spines[["top", "right"]].set_visible(False)


def _as_written(text: str) -> str:
    """A text that matplotlib draws as it is, although it reads formulas between dollar signs.

    Switching formulas off is not enough: lines that wrap are measured as formulas even then.
    """
    return text.replace("$", r"\$")


def _names(marks: Iterable[Mark]) -> list[str]:
    return [_as_written(mark.name) for mark in marks]


def _rows(chart: Chart) -> int:
    return len(chart.marks) if chart.kind is ChartKind.INTERVALS else 6


def _draw_intervals(chart: Chart, axes: "Axes") -> None:
    """A dot and its interval for each mark, the first on top."""
    for index, mark in enumerate(chart.marks):
        if mark.value is None:
            continue
        if mark.low is not None and mark.high is not None:
            axes.plot([mark.low, mark.high], [index, index], color=BLUE, linewidth=2)
        axes.plot([mark.value], [index], "o", color=BLUE)
    axes.set_yticks(range(len(chart.marks)), _names(chart.marks), **_NO_MARKUP)
    axes.set_ylim(len(chart.marks) - 0.5, -0.5)
    axes.set_xlabel(_as_written(chart.unit), **_NO_MARKUP)
    if _are_levels(chart.marks):
        axes.locator_params(axis="x", integer=True)
    if chart.reference is not None:
        axes.axvline(chart.reference, color="grey", linewidth=0.8, linestyle="--")
    elif _reaches_below_zero(chart.marks):
        axes.axvline(0, color="grey", linewidth=0.8)


def _are_levels(marks: Sequence[Mark]) -> bool:
    """Whether values are whole numbers further apart than shares can be."""
    values = [mark.value for mark in marks if mark.value is not None]
    is_wide = max(values, default=0.0) - min(values, default=0.0) > 1
    return is_wide and all(value.is_integer() for value in values)


def _reaches_below_zero(marks: Sequence[Mark]) -> bool:
    lows = [mark.low if mark.low is not None else mark.value for mark in marks]
    return any(low is not None and low < 0 for low in lows)


def _draw_bars(chart: Chart, axes: "Axes") -> None:
    """A bar for each mark, with as many names as stay legible."""
    values = [mark.value or 0.0 for mark in chart.marks]
    axes.bar(range(len(values)), values, width=1.0, color=BLUE, edgecolor="white")
    step = max(1, len(values) // 10)
    shown = range(0, len(values), step)
    axes.set_xticks(shown, _names(chart.marks[index] for index in shown), **_NO_MARKUP)
    axes.set_ylabel(_as_written(chart.unit), **_NO_MARKUP)


def _draw_steps(chart: Chart, axes: "Axes") -> None:
    """A line over ordered marks, each with its interval."""
    marks = [(mark, mark.value) for mark in chart.marks if mark.value is not None]
    axes.plot(range(len(marks)), [value for _, value in marks], "o-", color=BLUE)
    for index, (mark, _) in enumerate(marks):
        if mark.low is not None and mark.high is not None:
            axes.plot([index, index], [mark.low, mark.high], color=BLUE, linewidth=1)
    axes.set_xticks(range(len(marks)), _names(mark for mark, _ in marks), **_NO_MARKUP)
    axes.set_ylabel(_as_written(chart.unit), **_NO_MARKUP)


_DRAW = {
    ChartKind.INTERVALS: _draw_intervals,
    ChartKind.BARS: _draw_bars,
    ChartKind.STEPS: _draw_steps,
}
