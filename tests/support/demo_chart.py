"""The chart of README.md: every share that the demo estimates, beside the truth."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from viewports import Scheme

# Ground, text, lines, estimates and the truth, in the colours of the pages.
_COLOURS: dict[Scheme, tuple[str, str, str, str, str]] = {
    "light": ("#ffffff", "#1d2326", "#d4d0c6", "#0f5f63", "#b4540a"),
    "dark": ("#14181a", "#ecefee", "#3b4548", "#6fd0cb", "#f0a068"),
}


def covered(document: Mapping[str, Any]) -> str:
    """How often the intervals of a demo contain the truth, in a sentence."""
    return f"{document['covered']} of {document['intervals']} intervals contain the truth"


def drawn(figure: Figure) -> bytes:
    """The chart as a PNG."""
    file = BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


def demo_figure(document: Mapping[str, Any], scheme: Scheme) -> Figure:
    """The shares of questions and of crosstab cells.

    Args:
        document: what `deniable demo --format json` prints.
        scheme: the colours.
    """
    ground, text, line, *colours = _COLOURS[scheme]
    figure = Figure(figsize=(8.4, 4.3), dpi=160, facecolor=ground, layout="constrained")
    questions = [(f"{each['question']}: {each['option']}", each) for each in document["estimates"]]
    cells = [(", ".join(each["options"]), each) for each in document["crosstabs"]]
    left, right = figure.subplots(1, 2)
    _draw(left, questions, colours)
    _draw(right, cells, colours)
    titles = ("Answers to each question", "Combinations: health, limitation")
    for axes, title in zip((left, right), titles, strict=True):
        axes.set_title(title, loc="left", fontsize=10, fontweight="bold", color=text)
        axes.set_facecolor(ground)
        axes.tick_params(colors=text, length=0, labelsize=8)
        axes.grid(axis="x", color=line, linewidth=0.7)
        axes.set_axisbelow(True)
        for spine in axes.spines.values():
            spine.set_visible(False)
    handles, labels = left.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=2,
        frameon=False,
        labelcolor=text,
        fontsize=9,
    )
    return figure


def _draw(
    axes: Axes, rows: Sequence[tuple[str, Mapping[str, Any]]], colours: Sequence[str]
) -> None:
    """One row for each share, from the top."""
    estimate, truth = colours
    names = [name.replace("_", " ") for name, _ in rows]
    places = range(len(rows))
    shares, lows, highs, truths = (
        [100 * row[key] for _, row in rows] for key in ("share", "low", "high", "truth")
    )
    axes.hlines(places, lows, highs, color=estimate, linewidth=2)
    axes.plot(shares, places, "o", color=estimate, markersize=4, label="estimate, 95% interval")
    axes.plot(truths, places, "|", color=truth, markersize=11, markeredgewidth=2, label="truth")
    axes.set_yticks(places, names)
    axes.set_xticks(range(0, 101, 25), [f"{each}%" for each in range(0, 101, 25)])
    axes.set_xlim(-8, 102)
    axes.invert_yaxis()
