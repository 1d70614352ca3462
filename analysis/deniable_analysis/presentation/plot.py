"""Charts drawn by matplotlib, loaded when the first one is asked for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deniable_analysis.errors import MatplotlibMissing
from deniable_analysis.forms import installed
from deniable_analysis.presentation.parts import Chart, Look, Mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Seen with every kind of colour vision, and dark in print.
# Source: Okabe and Ito 2008, Color Universal Design.
BLUE = "#0072B2"
_WIDTH_INCHES = 7.0
_HEAD_INCHES, _ROW_INCHES = 1.3, 0.32


def plot_charts(charts: Sequence[Chart]) -> "Figure":
    """A figure with one chart below the other.

    Raises:
        MatplotlibMissing: it is not installed.
    """
    # Here, because loading it takes longer than a whole command.
    module = installed(
        "matplotlib.figure",
        MatplotlibMissing,
        "a plot needs matplotlib, which is not installed; run: pip install 'deniable[plots]'",
    )
    heights = [_HEAD_INCHES + _ROW_INCHES * _rows(chart) for chart in charts]
    size = (_WIDTH_INCHES, sum(heights))
    figure: Figure = module.Figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(charts), squeeze=False, gridspec_kw={"height_ratios": heights})
    for chart, (each,) in zip(charts, axes, strict=True):
        draw_chart(chart, each)
    return figure


def draw_chart(chart: Chart, axes: "Axes") -> None:
    """Draw one chart into axes of one's own."""
    _DRAW[chart.look](chart, axes)
    axes.set_title(chart.title, loc="left", fontsize="medium", wrap=True)
    axes.spines[["top", "right"]].set_visible(False)


def _rows(chart: Chart) -> int:
    return len(chart.marks) if chart.look is Look.INTERVALS else 6


def _draw_intervals(chart: Chart, axes: "Axes") -> None:
    """A dot and its interval for each mark, the first on top."""
    for index, mark in enumerate(chart.marks):
        if mark.value is None:
            continue
        if mark.low is not None and mark.high is not None:
            axes.plot([mark.low, mark.high], [index, index], color=BLUE, linewidth=2)
        axes.plot([mark.value], [index], "o", color=BLUE)
    axes.set_yticks(range(len(chart.marks)), [mark.name for mark in chart.marks])
    axes.set_ylim(len(chart.marks) - 0.5, -0.5)
    axes.set_xlabel(chart.unit)
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
    axes.set_xticks(shown, [chart.marks[index].name for index in shown])
    axes.set_ylabel(chart.unit)


def _draw_steps(chart: Chart, axes: "Axes") -> None:
    """A line over ordered marks, each with its interval."""
    marks = [(mark, mark.value) for mark in chart.marks if mark.value is not None]
    axes.plot(range(len(marks)), [value for _, value in marks], "o-", color=BLUE)
    for index, (mark, _) in enumerate(marks):
        if mark.low is not None and mark.high is not None:
            axes.plot([index, index], [mark.low, mark.high], color=BLUE, linewidth=1)
    axes.set_xticks(range(len(marks)), [mark.name for mark, _ in marks])
    axes.set_ylabel(chart.unit)


_DRAW = {Look.INTERVALS: _draw_intervals, Look.BARS: _draw_bars, Look.STEPS: _draw_steps}
