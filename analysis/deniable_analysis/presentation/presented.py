"""The methods that every result shares: text, tables, plots."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from deniable_analysis.errors import NothingToPlot
from deniable_analysis.presentation.parts import Chart, Line, Part
from deniable_analysis.presentation.plot import draw_chart, plot_charts
from deniable_analysis.presentation.renderings import as_html, as_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
