"""Figures of questions and crosstabs as SVG and PNG, with titles and labels in one language."""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from textwrap import fill
from threading import Lock
from typing import Any

from deniable_analysis.charts import Chart, ChartKind, Mark, plot_charts
from deniable_analysis.codebook.texts import one_line
from deniable_analysis.results import (
    CellEstimate,
    CrosstabEstimate,
    OptionEstimate,
    QuestionEstimate,
)
from deniable_web.pages.languages import Catalog, catalog
from deniable_web.pages.numbers import Numbers, decimals_for
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels

# Has Latin, Greek, Cyrillic, Hebrew and Arabic letters; matplotlib contains it.
_OWN = "DejaVu Sans"
# Fonts of systems and of their packages, above all for Chinese, Japanese and Korean.
_WIDE = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "SimHei",
    "Arial Unicode MS",
)

FIGURES: Mapping[str, str] = {"svg": "image/svg+xml", "png": "image/png"}
# Dots per inch, enough to print a figure as wide as a page.
_PNG_DPI = 200
# The longest lines of titles and labels, in characters.
_TITLE, _LABEL = 72, 36
# One figure at a time, because matplotlib's fonts and parser are shared.
_DRAWING = Lock()
# Marks around a number of a page; a figure orders its text without them.
_WITHOUT_MARKS = dict.fromkeys((0x2066, 0x2068, 0x2069))

Found = QuestionEstimate | CrosstabEstimate
Write = Callable[[float], str]


def fitting_fonts() -> list[str]:
    """The names of the fonts that are there, in the order in which a character is looked up."""
    from matplotlib.font_manager import get_font_names  # noqa: PLC0415 - takes long

    there = frozenset(get_font_names())
    return [_OWN, *(name for name in _WIDE if name in there)]


def can_draw(text: str) -> bool:
    """Whether the fonts have all characters of a text."""
    return {ord(character) for character in text if not character.isspace()} <= _characters()


@cache
def _characters() -> frozenset[int]:
    from matplotlib.font_manager import findfont  # noqa: PLC0415 - takes long
    from matplotlib.ft2font import FT2Font  # noqa: PLC0415 - as above

    # The very files that matplotlib uses: a name may have others, with fewer letters.
    found = (FT2Font(findfont(name)).get_charmap() for name in fitting_fonts())
    return frozenset().union(*found)


@dataclass(frozen=True, slots=True)
class _Figure:
    """The charts of a figure, and how the numbers of each axis are written."""

    charts: tuple[tuple[Chart, Write], ...]
    is_mirrored: bool

    def __str__(self) -> str:
        """All of its text."""
        texts = (
            (chart.title, chart.unit, *(mark.name for mark in chart.marks))
            for chart, _ in self.charts
        )
        return "".join(map("".join, texts))


def draw_figure(findings: EditionFindings, labels: Labels, name: str, suffix: str) -> bytes | None:
    """The figure of a question or crosstab; None without reports or such a format.

    If no font has the characters of its text, it shows ids, and says so in English.
    """
    found = _with_reports(findings).get(name)
    if found is None or suffix not in FIGURES:
        return None
    with _DRAWING:
        figure = _Draft(findings, labels).figure(found)
        if not can_draw(str(figure)):
            plain = replace(labels, own={}, numbers=Numbers("en"))
            figure = _Draft(findings, plain, are_ids=True).figure(found)
        return _drawn(figure, suffix)


def _with_reports(findings: EditionFindings) -> Mapping[str, Found]:
    estimates = findings.estimates
    drawn: dict[str, Found] = {each.question: each for each in estimates.questions if each.reports}
    return drawn | {each.block: each for each in estimates.crosstabs if each.reports}


@dataclass(frozen=True, slots=True)
class _Draft:
    """The texts and marks of figures.

    Args:
        are_ids: whether ids are shown instead of labels.
    """

    findings: EditionFindings
    labels: Labels
    are_ids: bool = False

    def figure(self, found: Found) -> _Figure:
        charts = (
            self._of_question(found)
            if isinstance(found, QuestionEstimate)
            else self._of_crosstab(found)
        )
        return _Figure(tuple(charts), self.labels.numbers.is_mirrored)

    @property
    def _texts(self) -> Catalog:
        return catalog("files", self.labels.numbers.language)

    def _of_question(self, found: QuestionEstimate) -> Iterator[tuple[Chart, Write]]:
        own, name = self._texts["figures"], found.question
        title = self._title((name,), found)
        if found.options:
            unit = own["of_asked" if found.among is None else "of_all"]
            yield self._shares(title, unit, self._options(name, found.of_all))
            title = ""
        if found.among and not found.among.untold:
            yield self._shares("", own["of_asked"], self._options(name, found.among.options))
        if found.mean and found.mean.value is not None:
            mean = found.mean
            mark = Mark("", mean.value, mean.low, mean.high)
            decimals = decimals_for([mean.standard_error])
            unit = " ".join(filter(None, (own["mean"], self._unit(name))))
            yield Chart(title, unit, (mark,)), self._plain(decimals)
            title = ""
        if found.distribution:
            pairs = zip(found.distribution.names, found.distribution.shares, strict=True)
            marks = tuple(Mark(self._number(number), share) for number, share in pairs)
            title = "\n".join(filter(None, (title, own["distribution"])))
            yield Chart(title, own["of_answered"], marks, ChartKind.BARS), self._percent

    def _of_crosstab(self, found: CrosstabEstimate) -> Iterator[tuple[Chart, Write]]:
        marks = [(self._cell(found.questions, cell), cell) for cell in found.cells]
        unit = self._texts["figures"]["of_asked"]
        yield self._shares(self._title(found.questions, found), unit, marks)

    def _shares(
        self, title: str, unit: str, named: Sequence[tuple[str, OptionEstimate | CellEstimate]]
    ) -> tuple[Chart, Write]:
        marks = (Mark(fill(name, _LABEL), each.share, each.low, each.high) for name, each in named)
        return Chart(title, unit, tuple(marks)), self._percent

    def _options(
        self, question: str, options: Sequence[OptionEstimate]
    ) -> list[tuple[str, OptionEstimate]]:
        return [(self._answer(question, each.option), each) for each in options]

    def _title(self, questions: Sequence[str], found: Found) -> str:
        numbers, own = self.labels.numbers, self._texts["figures"]
        asked = questions if self.are_ids else map(self.labels.question, questions)
        based = own["based"].format(
            reports=numbers.count(found.reports),
            epsilon=numbers.short(found.epsilon),
            confidence=numbers.percent(self.findings.estimates.confidence, 0),
        )
        lines = [one_line(" × ".join(asked)), based, *([own["no_font"]] * self.are_ids)]
        return "\n".join(fill(line, _TITLE) for line in lines).translate(_WITHOUT_MARKS)

    def _answer(self, question: str, name: str) -> str:
        return name if self.are_ids else one_line(self.labels.answer(question, name))

    def _cell(self, questions: Sequence[str], cell: CellEstimate) -> str:
        pairs = zip(questions, cell.options, strict=True)
        return " · ".join(self._answer(*pair) for pair in pairs)

    def _unit(self, question: str) -> str:
        unit = "" if self.are_ids else self.labels.unit(question)
        return f"({one_line(unit)})" if unit else ""

    def _number(self, name: str) -> str:
        return self._plain(len(name.partition(".")[2]))(float(name))

    def _percent(self, share: float) -> str:
        return self.labels.numbers.percent(share, 0).translate(_WITHOUT_MARKS)

    def _plain(self, decimals: int) -> Write:
        return lambda number: self.labels.numbers.decimal(number, decimals).translate(
            _WITHOUT_MARKS
        )


def _drawn(figure: _Figure, suffix: str) -> bytes:
    from matplotlib import rc_context  # noqa: PLC0415 - importing takes longer than a page

    written = io.BytesIO()
    # Without a date and with ids that are not random, the same reports give the same file.
    with rc_context({"svg.hashsalt": "deniable", "font.family": fitting_fonts()}):
        plot = plot_charts([chart for chart, _ in figure.charts])
        for (chart, write), axes in zip(figure.charts, plot.axes, strict=True):
            axis = axes.yaxis if chart.kind is ChartKind.BARS else axes.xaxis
            axis.set_major_formatter(partial(_tick, write))
            if figure.is_mirrored:
                _mirror(axes)
        title = figure.charts[0][0].title.partition("\n")[0]
        metadata = {"Date": None, "Title": title} if suffix == "svg" else {"Title": title}
        plot.savefig(written, format=suffix, dpi=_PNG_DPI, metadata=metadata)
    return written.getvalue()


def _tick(write: Write, number: float, _place: int) -> str:
    return write(number)


def _mirror(axes: Any) -> None:
    """Let a chart begin at the right, as its language does."""
    title = axes.get_title(loc="left")
    axes.set_title("", loc="left")
    axes.set_title(title, loc="right", fontsize="medium", wrap=True)
    axes.invert_xaxis()
    axes.yaxis.tick_right()
    axes.yaxis.set_label_position("right")
    axes.spines["left"].set_visible(False)
    axes.spines["right"].set_visible(True)
