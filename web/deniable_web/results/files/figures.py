"""Figures of questions and crosstabs as SVG and PNG, with titles and labels in one language."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from textwrap import fill
from threading import Lock
from typing import Any, TypeVar

from deniable_analysis.charts import Chart, ChartKind, Mark, plot_charts
from deniable_analysis.codebook.texts import one_line
from deniable_analysis.results import (
    CellEstimate,
    CrosstabEstimate,
    OptionEstimate,
    QuestionEstimate,
)
from deniable_web.pages.languages import catalog
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

Estimate = QuestionEstimate | CrosstabEstimate
Write = Callable[[float], str]
# A chart, and how the numbers of its axis are written.
Drawn = tuple[Chart, Write]
AnyShare = TypeVar("AnyShare", OptionEstimate, CellEstimate)


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
    maps = (FT2Font(findfont(name)).get_charmap() for name in fitting_fonts())
    return frozenset().union(*maps)


def draw_figure(findings: EditionFindings, labels: Labels, name: str, suffix: str) -> bytes | None:
    """The figure of a question or crosstab; None without reports or such a format.

    If no font has the characters of its text, it shows ids, and says so in English.
    """
    estimates = findings.estimates
    if suffix not in FIGURES or name not in estimates or not estimates[name].reports:
        return None
    estimate = estimates[name]
    with _DRAWING:
        charts = list(_charts(estimate, estimates.confidence, labels))
        if not can_draw("".join(_text(chart) for chart, _ in charts)):
            labels = _Ids(labels.survey, labels.language, {}, Numbers("en"))
            charts = list(_charts(estimate, estimates.confidence, labels))
        return _drawn(charts, suffix, is_mirrored=labels.numbers.is_mirrored)


def _text(chart: Chart) -> str:
    """All of its text."""
    return "".join((chart.title, chart.unit, *(mark.name for mark in chart.marks)))


class _Ids(Labels):
    """Ids instead of texts."""

    def question(self, question_id: str) -> str:
        return question_id

    def answer(self, question_id: str, name: str) -> str:  # noqa: ARG002 - as in Labels
        return name

    def unit(self, question_id: str) -> str:  # noqa: ARG002 - as in Labels
        return ""


def _charts(estimate: Estimate, confidence: float, labels: Labels) -> Iterator[Drawn]:
    """The charts of an estimate with its texts; only the first has the title."""
    title = _title(estimate, confidence, labels)
    charts = (
        _of_crosstab(estimate, labels)
        if isinstance(estimate, CrosstabEstimate)
        else _of_question(estimate, labels)
    )
    for chart, write in charts:
        lines = filter(None, (title, chart.title))
        yield replace(chart, title="\n".join(lines)), write
        title = ""


def _title(estimate: Estimate, confidence: float, labels: Labels) -> str:
    numbers, own = labels.numbers, _texts(labels)
    questions = (
        estimate.questions if isinstance(estimate, CrosstabEstimate) else (estimate.question,)
    )
    based = own["based"].format(
        reports=numbers.count(estimate.reports),
        epsilon=numbers.short(estimate.epsilon),
        confidence=numbers.percent(confidence, 0),
    )
    texts = one_line(" × ".join(map(labels.question, questions)))
    lines = [texts, based, *([own["no_font"]] * isinstance(labels, _Ids))]
    return "\n".join(fill(line, _TITLE) for line in lines).translate(_WITHOUT_MARKS)


def _texts(labels: Labels) -> Mapping[str, str]:
    return catalog("files", labels.numbers.language)["figures"]


def _of_crosstab(crosstab: CrosstabEstimate, labels: Labels) -> Iterator[Drawn]:
    def name(cell: CellEstimate) -> str:
        pairs = zip(crosstab.questions, cell.options, strict=True)
        return " · ".join(one_line(labels.answer(*pair)) for pair in pairs)

    yield _shares(crosstab.cells, name, _texts(labels)["of_asked"], labels)


def _of_question(estimate: QuestionEstimate, labels: Labels) -> Iterator[Drawn]:
    def name(share: OptionEstimate) -> str:
        return one_line(labels.answer(estimate.question, share.option))

    own, among, mean = _texts(labels), estimate.among, estimate.mean
    if estimate.options:
        yield _shares(estimate.of_all, name, own["of_all" if among else "of_asked"], labels)
    if among and not among.untold:
        yield _shares(among.options, name, own["of_asked"], labels)
    if mean and mean.value is not None:
        unit = labels.unit(estimate.question)
        text = f"{own['mean']} ({one_line(unit)})" if unit else own["mean"]
        mark = Mark("", mean.value, mean.low, mean.high)
        yield Chart("", text, (mark,)), _decimal(decimals_for([mean.standard_error]), labels)
    if spread := estimate.distribution:
        marks = tuple(
            Mark(_decimal(len(number.partition(".")[2]), labels)(float(number)), share)
            for number, share in zip(spread.names, spread.shares, strict=True)
        )
        chart = Chart(own["distribution"], own["of_answered"], marks, ChartKind.BARS)
        yield chart, _percent(labels)


def _shares(
    shares: Iterable[AnyShare], name: Callable[[AnyShare], str], unit: str, labels: Labels
) -> Drawn:
    marks = (
        Mark(fill(name(share), _LABEL), share.share, share.low, share.high) for share in shares
    )
    return Chart("", unit, tuple(marks)), _percent(labels)


def _percent(labels: Labels) -> Write:
    return lambda share: labels.numbers.percent(share, 0).translate(_WITHOUT_MARKS)


def _decimal(decimals: int, labels: Labels) -> Write:
    return lambda number: labels.numbers.decimal(number, decimals).translate(_WITHOUT_MARKS)


def _drawn(charts: Sequence[Drawn], suffix: str, *, is_mirrored: bool) -> bytes:
    from matplotlib import rc_context  # noqa: PLC0415 - importing takes longer than a page

    written = io.BytesIO()
    # Without a date and with ids that are not random, the same reports give the same file.
    with rc_context({"svg.hashsalt": "deniable", "font.family": fitting_fonts()}):
        plot = plot_charts([chart for chart, _ in charts])
        for (chart, write), axes in zip(charts, plot.axes, strict=True):
            axis = axes.yaxis if chart.kind is ChartKind.BARS else axes.xaxis
            axis.set_major_formatter(partial(_tick, write))
            if is_mirrored:
                _mirror(axes)
        title = charts[0][0].title.partition("\n")[0]
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
