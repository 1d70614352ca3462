"""One content, three renderings: text for a terminal, HTML for a notebook, charts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from deniable_analysis.charts import Chart, draw_chart, plot_charts
from deniable_analysis.errors import NothingToPlot
from deniable_sdk.errors import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
            PackageMissing: matplotlib is not installed.
            NothingToPlot: no estimate has a value, or the result has no chart.
        """
        return plot_charts(self._some_charts())

    def draw(self, axes: "Axes") -> None:
        """Draw the estimates on given axes.

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
