"""Results as text for terminals, HTML for notebooks, figures and data frames."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from textwrap import shorten
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from deniable_analysis.arguments import named
from deniable_analysis.charts import Chart, draw_chart, plot_charts
from deniable_analysis.errors import NameNotFound, NothingToPlot
from deniable_analysis.forms import DataFrame, Documented
from deniable_analysis.parts import Line, Part, Table, joined
from deniable_sdk.errors import on_one_line, printable
from deniable_sdk.wording import near_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LONGEST_REPR = 77


def as_text(parts: Iterable[Part]) -> str:
    """All parts, each on lines of its own."""
    return "\n".join(
        in_words(part) if isinstance(part, Line) else _text_table(part) for part in parts
    )


def in_words(line: Line) -> str:
    """A line as terminals show it."""
    text = printable(line.text)
    return f"warning: {text}" if line.is_warning else text


def _text_table(table: Table) -> str:
    lines = [[on_one_line(text) for text in row] for row in (table.heads, *table.cells)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


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
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in table.heads)
    rows = "".join(f"<tr>{_html_row(row)}</tr>" for row in table.cells)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _html_row(row: tuple[str, ...]) -> str:
    name, *numbers = row
    cells = "".join(f'<td style="text-align: right">{escape(number)}</td>' for number in numbers)
    return f'<th scope="row">{escape(name)}</th>{cells}'


class Presented(Documented):
    """A result with parts and charts, which can be printed, plotted and saved as data."""

    __slots__ = ()

    # What other modules use, and no completion offers.
    INTERNAL: ClassVar = frozenset({"INTERNAL", "charts", "parts", "table"})

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__()} - self.INTERNAL)

    def parts(self) -> Iterable[Part]:
        """The lines and tables of the result, in order."""
        raise NotImplementedError

    def charts(self) -> Iterable[Chart]:
        """The charts of the result; empty without reports."""
        return ()

    def table(self) -> Table:
        """The numbers of the result: by default the first table of its parts."""
        tables = (part for part in self.parts() if isinstance(part, Table))
        return next(tables, Table((), ()))

    def to_frame(self) -> DataFrame:
        """The numbers of the result, as a pandas data frame."""
        return self.table().to_frame()

    def summary(self) -> str:
        """The tables and warnings as text, as print shows them."""
        return as_text(self.parts())

    __str__ = summary

    def __repr__(self) -> str:
        """The kind of the result and its first line, on one line."""
        first: Part = next(iter(self.parts()), Line(""))
        if isinstance(first, Table):
            cells = zip(first.heads, *first.cells[:1], strict=False)
            text = ", ".join(" ".join(pair) for pair in cells)
        else:
            text = first.text
        shown = shorten(f"{type(self).__name__}: {text}", _LONGEST_REPR, placeholder="…")
        return f"<{printable(shown)}>"

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


class OfQuestions(Presented):
    """A result with several questions."""

    __slots__ = ()
    questions: tuple[Presented, ...]

    def table(self) -> Table:
        """The rows of every question."""
        return joined(question.table() for question in self.questions)

    def charts(self) -> Iterable[Chart]:
        """The charts of every question."""
        for question in self.questions:
            yield from question.charts()


Item = TypeVar("Item")


class Named(Generic[Item]):
    """A result whose parts have names: result[name] is one, and the result iterates over names."""

    __slots__ = ()

    def _named(self) -> Mapping[str, Item]:
        """The parts by their names."""
        raise NotImplementedError

    def __getitem__(self, name: object) -> Item:
        """The part of this name.

        Raises:
            NameNotFound: there is none; the message lists similar names.
        """
        parts = self._named()
        if isinstance(name, str) and name in parts:
            return parts[name]
        raise NameNotFound(f"got the name {named(name)}; {near_names(name, parts)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._named())


def sections(results: Iterable[Presented]) -> Iterator[Part]:
    """The parts of several results, each after an empty line."""
    for result in results:
        yield Line("")
        yield from result.parts()
