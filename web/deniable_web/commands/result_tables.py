"""Tables of estimates: as print shows them, and beside the truth."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final

from deniable_analysis import Estimates
from deniable_analysis.parts import Line, Part
from deniable_analysis.presentation import in_words
from deniable_sdk.wording import counted
from deniable_web.commands.tables import (
    Row,
    console,
    print_cells,
    print_result,
    print_table,
    print_title,
    say,
)
from deniable_web.simulation.comparison import Document

_SHOWN: Final = ("truth", "estimate", "low", "high", "covered")
_IN_FILES: Final = ("valid_share", "mechanism_variance", "sampling_variance")
_TITLES: Final[Mapping[str, str]] = {
    "option": "Shares",
    "cell": "Shares of combinations of answers",
    "mean": "Means of those who answered",
    "quantile": "Quartiles of the numbers of those who answered",
    "distance": "Average distance between the estimated and the true numbers, both sorted",
}


def print_estimates(estimates: Estimates) -> None:
    """Print the shares, crosstabs, means and groups of a survey, and how to read them."""
    print_parts(estimates.parts())
    say(
        "share: unbiased; it may lie outside 0 to 1. low, high: its "
        f"{100 * estimates.confidence:g}% {estimates.interval_in_words}. valid: adjusted to sum "
        "to 1 if the options exclude each other.\n"
        "sd mechanism, sd sampling: the two parts of the standard error, from the randomization "
        "and from sampling (<0: a variance just below 0). sd release: a third part, from the "
        "noise of a release."
    )
    if estimates.by_group:
        explain_groups()


def print_parts(parts: Iterable[Part]) -> None:
    """Print the lines and tables of a result; the line after an empty one is a title."""
    is_title = True
    for part in parts:
        if isinstance(part, Line):
            console().print(in_words(part), style="bold" if is_title else "", soft_wrap=True)
            is_title = not part.text
        else:
            print_cells(part.heads, part.cells, range(1, len(part.heads)))
            is_title = False


def explain_groups() -> None:
    """Print what the rows of all people mean."""
    say(
        "all invited: the groups weighted by their numbers of invited people. In all reports "
        "together each report counts the same, so groups that responded more count more."
    )


def print_comparison(comparison: Document, output_format: str) -> None:
    """Print the comparison on standard output."""
    rows = _rows(comparison)
    print_result(output_format, comparison, rows, lambda: _print_tables(comparison, rows))


def _print_tables(comparison: Document, rows: list[Row]) -> None:
    print_title(f"{comparison['survey']}: {counted(comparison['reports'], 'report', commas=True)}")
    for kind, of_kind in groupby(rows, lambda row: str(row["kind"])):
        group = list(of_kind)
        names = ("question", "option", *_SHOWN)
        filled = [name for name in names if any(row[name] not in (None, "") for row in group)]
        print_table(_TITLES[kind], [{name: row[name] for name in filled} for row in group])
    say(
        f"{comparison['covered']} of {comparison['intervals']} intervals cover the truth; in the "
        f"long run about {100 * comparison['confidence']:g}% do.\n"
        "An estimate may lie outside the possible range: it is unbiased and not cut off."
    )


def _rows(comparison: Document) -> list[Row]:
    """One row for each number, all with the same columns."""
    cells = comparison["crosstabs"]
    spreads = comparison["distributions"]
    return [
        *(_row("option", each["option"], each) for each in comparison["estimates"]),
        *(_row("cell", ";".join(each["options"]), each) for each in cells),
        *(_row("mean", "", each) for each in comparison["means"]),
        *(
            _row("quantile", str(part["probability"]), {**each, **part})
            for each in spreads
            for part in each["quartiles"]
        ),
        *(_row("distance", "", {**each, "estimate": each["distance"]}) for each in spreads),
    ]


def _row(kind: str, option: str, numbers: Document) -> Row:
    estimate = numbers.get("share", numbers.get("value", numbers.get("estimate")))
    return {
        "kind": kind,
        "question": numbers.get("question", numbers.get("crosstab")),
        "option": option,
        "truth": numbers.get("truth"),
        "estimate": estimate,
        **{name: numbers.get(name) for name in ("low", "high", *_IN_FILES, "covered")},
    }
