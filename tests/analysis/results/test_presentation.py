"""Results as people see them: text, HTML and plots."""

import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.enumerated import estimates, multiple, number, with_mechanism
from deniable_analysis import Estimates
from deniable_analysis.charts import Chart, ChartKind, Mark, draw_chart
from deniable_analysis.errors import NothingToPlot, PackageMissing
from deniable_analysis.parts import Line, Table, text_column
from deniable_analysis.presentation import Presented, as_html
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import OneOf, Piecewise, SampledBits, SomeOf, Subset
from deniable_sdk.weights import Weights
from sample_definitions import scale, yes_no

MUST: dict[str, Any] = {"required": True}
JOINT = with_mechanism(Subset(6, 1, Weights(3, 1)), yes_no(**MUST), scale(levels=3, **MUST))
WAVE = with_mechanism(Piecewise(OneOf(5, offers_no_answer=True), 4, 3, Weights(3, 1)), number())
BITS = with_mechanism(SampledBits(SomeOf(4, 3), 1, Weights(3, 1)), multiple())


def joint() -> Estimates:
    """Two questions, a mean and a crosstab."""
    return estimates(JOINT, {"0": 30, "1": 10, "2": 5, "3": 20, "4": 20, "5": 15})


def wave() -> Estimates:
    """A number with its mean, distribution and "no answer"."""
    return estimates(WAVE, {"0": 15, "1": 9, "2": 10, "3": 11, "4": 12, "5": 18, "6": 23, "7": 30})


class Cells(HTMLParser):
    """The cells of a page's tables, and every element that is opened or closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        del attrs
        self.open.append(tag)
        if tag in {"td", "th"}:
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        """Elements close in the order they were opened."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note the text of a cell."""
        if self.open[-1] in {"td", "th"}:
            self.cells[-1] += data


@pytest.mark.parametrize("example", [joint, wave])
def test_a_notebook_shows_what_the_text_says(example: Callable[[], Estimates]) -> None:
    """Every cell of the text's tables is a cell of the HTML's, and all is well formed."""
    found = example()
    page = Cells(found._repr_html_())
    assert page.open == []
    kinds = {type(part) for part in found.parts()}
    assert kinds == {Table, Line}
    for part in found.parts():
        if isinstance(part, Table):
            assert set(part.heads) <= set(page.cells)
            assert {cell for row in part.cells for cell in row} <= set(page.cells)
        else:
            assert part.text in str(found)


def test_names_are_escaped() -> None:
    """What an author wrote cannot become markup."""
    page = as_html([Line("<b>", is_warning=True), Table((text_column("", "<i>"),), (("a & b",),))])
    assert "<b>" not in page
    assert "<i>" not in page
    assert "&lt;b&gt;" in page
    assert "a &amp; b" in page


def test_warnings_are_marked() -> None:
    """A warning begins with the word, in both forms."""
    found = estimates(JOINT, {"0": 5000})
    assert "\nwarning: " in str(found)
    assert "<strong>Warning:</strong>" in found._repr_html_()


def drawn_lines(axes: Axes) -> list[list[float]]:
    """Where the lines of a chart run, left to right."""
    return [[float(x) for x in line.get_xdata(orig=True)] for line in axes.get_lines()]  # type: ignore[arg-type, union-attr]


def test_a_plot_has_every_estimate_with_its_interval() -> None:
    """Each option has a dot at its share and a line over its interval, named at the side."""
    (question, _) = joint().questions
    figure = question.plot()
    (axes,) = figure.axes
    lines = drawn_lines(axes)
    for option in question.options:
        assert [option.share] in lines
        assert [option.low, option.high] in lines
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == [option.option for option in question.options]
    assert axes.get_title(loc="left") == "asthma (yes_no): 100 reports, epsilon 1.099"
    assert axes.get_xlabel() == "share of those asked"


def test_a_plot_of_everything_has_a_chart_for_each_thing() -> None:
    """Questions, means and crosstabs stand below each other, with reports and epsilon."""
    figure = joint().plot()
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert [title.split(":")[0] for title in titles] == [
        "asthma (yes_no)",
        "stress (scale)",
        "stress (scale)",
        "asthma x stress (crosstab)",
    ]
    assert all("reports, epsilon" in title for title in titles)


def test_a_distribution_is_drawn_as_bars() -> None:
    """Each number of the grid has a bar as high as its share."""
    found = wave()
    (question,) = found.questions
    assert question.distribution
    axes = question.plot().axes[-1]
    heights = [float(bar.get_height()) for bar in axes.patches]  # type: ignore[attr-defined]
    assert heights == pytest.approx(question.distribution.shares)
    (mean_axes,) = [each for each in found.plot().axes if each.get_xlabel() == "visits"]
    assert question.mean
    assert [question.mean.value] in drawn_lines(mean_axes)


def test_a_figure_can_be_saved(tmp_path: Path) -> None:
    """Every kind of chart is drawn to the end, as PNG and as SVG."""
    for found in (joint(), wave()):
        for suffix in ("png", "svg"):
            path = tmp_path / f"plot.{suffix}"
            found.plot().savefig(path)
            assert len(path.read_bytes()) > 1000


def test_marks_without_value_leave_a_gap() -> None:
    """An option of which no report speaks keeps its place and has no dot."""
    figure = Figure()
    axes = figure.subplots()
    draw_chart(Chart("t", "share", (Mark("a", None), Mark("b", -0.1, -0.2, 0.1))), axes)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    assert drawn_lines(axes) == [[-0.2, 0.1], [-0.1], [0.0, 0.0]]


def test_steps_are_drawn_in_order() -> None:
    """Ordered marks are joined by a line, with an interval at each."""
    axes = Figure().subplots()
    marks = (Mark("1", 0.9, 0.8, 1.0), Mark("2", None), Mark("3", 0.5))
    draw_chart(Chart("t", "share", marks, ChartKind.STEPS), axes)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "3"]
    assert drawn_lines(axes) == [[0.0, 1.0], [0.0, 0.0]]


def test_one_question_can_be_drawn_into_axes_of_ones_own() -> None:
    """What has one chart is drawn where it is wanted; several are refused."""
    axes = Figure().subplots()
    joint().questions[0].draw(axes)
    assert axes.get_title(loc="left").startswith("asthma")
    with pytest.raises(NothingToPlot) as caught:
        joint().draw(axes)
    assert str(caught.value) == (
        "got axes for one chart, where there are 4; draw a part of the result, such as one "
        "question, or use plot()"
    )


@pytest.mark.parametrize("published", [JOINT, WAVE, BITS], ids=["joint", "wave", "bits"])
def test_without_reports_there_is_nothing_to_plot(published: PublishedSurvey) -> None:
    """Without reports a plot says so, and the text and HTML are still shown."""
    found = estimates(published, {})
    for draw in (found.plot, lambda: found.draw(Figure().subplots())):
        with pytest.raises(NothingToPlot, match=r"^no estimate has a value yet; wait"):
            draw()
    assert "no report carries" in found._repr_html_()


def test_without_matplotlib_a_plot_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything but the plot works, and the message says what to run."""
    found = joint()
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PackageMissing, match=r"run: pip install 'deniable\[plots\]'$"):
        found.plot()


def test_a_result_must_say_its_parts() -> None:
    """A result that says nothing of itself cannot be shown."""
    with pytest.raises(NotImplementedError):
        Presented().parts()


class Plain(Presented):
    """A result of words alone."""


def test_a_result_without_a_chart_says_so() -> None:
    """That some kind of result is never drawn is not blamed on missing reports."""
    with pytest.raises(NothingToPlot, match=r"^Plain: this kind of result has no chart; print it"):
        Plain().plot()
