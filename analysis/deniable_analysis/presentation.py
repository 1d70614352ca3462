"""One content, three renderings: text for a terminal, HTML for a notebook, a plot."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from html import escape
from typing import TYPE_CHECKING

from deniable_analysis.errors import MatplotlibMissing, NothingToPlot
from deniable_analysis.forms import installed
from deniable_sdk.errors import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Seen with every kind of colour vision, and dark in print.
# Source: Okabe and Ito 2008, Color Universal Design.
BLUE = "#0072B2"
_WIDTH_INCHES = 7.0
_HEAD_INCHES, _ROW_INCHES = 1.3, 0.32


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


def as_text(parts: Iterable[Part]) -> str:
    """All parts, each on lines of its own."""
    return "\n".join(
        _text_line(part) if isinstance(part, Line) else _text_table(part) for part in parts
    )


def _text_line(line: Line) -> str:
    text = printable(line.text)
    return f"warning: {text}" if line.is_warning else text


def _text_table(table: Table) -> str:
    lines = [[_cell(text) for text in row] for row in (table.headers, *table.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.headers))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _cell(text: str) -> str:
    """A text, which may be of others, on one line."""
    return printable(" ".join(text.splitlines()))


def as_html(parts: Iterable[Part]) -> str:
    """All parts in one element; every text is escaped."""
    inner = "".join(
        _html_line(part) if isinstance(part, Line) else _html_table(part) for part in parts
    )
    return f"<div>{inner}</div>"


def _html_line(line: Line) -> str:
    if not line.text:
        return ""
    text = escape(line.text)
    return f"<p><strong>Warning:</strong> {text}</p>" if line.is_warning else f"<p>{text}</p>"


def _html_table(table: Table) -> str:
    heads = "".join(f'<th scope="col">{escape(header)}</th>' for header in table.headers)
    rows = "".join(f"<tr>{_html_row(row)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _html_row(row: tuple[str, ...]) -> str:
    name, *numbers = row
    cells = "".join(f'<td style="text-align: right">{escape(number)}</td>' for number in numbers)
    return f'<th scope="row">{escape(name)}</th>{cells}'


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


class Presented:
    """A result with parts and charts, which can be printed and plotted."""

    __slots__ = ()

    def parts(self) -> Iterable[Part]:
        """The lines and tables of the result, in order."""
        raise NotImplementedError

    def charts(self) -> Iterable[Chart]:
        """The charts of the result; empty without reports."""
        return ()

    def __repr__(self) -> str:
        return as_text(self.parts())

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """The tables as HTML, for a notebook."""
        return as_html(self.parts())

    def plot(self) -> "Figure":
        """A figure of the estimates with their intervals, by matplotlib.

        Raises:
            MatplotlibMissing: matplotlib is not installed.
            NothingToPlot: no estimate has a value, or the result has no chart.
        """
        return plot_charts(self._some_charts())

    def draw(self, axes: "Axes") -> None:
        """Draw the estimates into axes of one's own.

        Raises:
            NothingToPlot: no estimate has a value, or there is more than one
                chart.
        """
        first, *others = self._some_charts()
        if others:
            raise NothingToPlot(
                f"got axes for one chart, where there are {1 + len(others)}; draw a part of the "
                "result, such as one question, or use plot()"
            )
        draw_chart(first, axes)

    def _some_charts(self) -> list[Chart]:
        if type(self).charts is Presented.charts:
            raise NothingToPlot(
                f"{type(self).__name__}: this kind of result has no chart; print it, or use "
                "to_frame() or to_document() for its numbers"
            )
        charts = list(self.charts())
        if not charts:
            raise NothingToPlot("no estimate has a value yet; wait for reports")
        return charts


def sections(results: Iterable[Presented]) -> Iterator[Part]:
    """The parts of several results, each after an empty line."""
    for result in results:
        yield Line("")
        yield from result.parts()
