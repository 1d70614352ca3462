"""Prints a comparison with the truth: tables for people, JSON or CSV."""

from itertools import groupby

from deniable_analysis.forms import counted
from deniable_web.commands.tables import Row, print_result, print_table, print_title, say
from deniable_web.comparison import Document

_NUMBERS = ("low", "high", "valid_share", "mechanism_variance", "sampling_variance", "covered")


def print_comparison(comparison: Document, output_format: str) -> None:
    """Print the comparison on standard output."""
    print_result(
        output_format, comparison, _flat_rows(comparison), lambda: _print_tables(comparison)
    )


def _print_tables(comparison: Document) -> None:
    print_title(f"{comparison['survey']}: {counted(comparison['reports'], 'report', commas=True)}")
    print_table(
        "Shares",
        [
            {"question": each["question"], "option": each["option"], **_beside_truth(each)}
            for each in comparison["estimates"]
        ],
    )
    for crosstab, cells in groupby(comparison["crosstabs"], lambda cell: cell["crosstab"]):
        print_table(
            f"{crosstab}: share of each combination of answers",
            [{"answers": " · ".join(cell["options"]), **_beside_truth(cell)} for cell in cells],
        )
    print_table(
        "Means of those who answered",
        [{"question": each["question"], **_beside_truth(each)} for each in comparison["means"]],
    )
    print_table(
        "Distribution of the numbers of those who answered",
        [
            {
                "question": each["question"],
                "true quartiles": ", ".join(part["truth"] for part in each["quartiles"]),
                "estimated quartiles": ", ".join(part["estimate"] for part in each["quartiles"]),
                "distance": each["distance"],
            }
            for each in comparison["distributions"]
        ],
    )
    say(
        f"{comparison['covered']} of {comparison['intervals']} intervals cover the truth; in the "
        f"long run about {100 * comparison['confidence']:g}% do.\n"
        "An estimate may lie outside the possible range: it is unbiased and not cut off.\n"
        "distance: the average distance between the estimated and the true numbers, both sorted."
    )


def _beside_truth(each: Document) -> Document:
    return {
        "truth": each["truth"],
        "estimate": each.get("share", each.get("value")),
        "low": each["low"],
        "high": each["high"],
        "covers the truth": each["covered"],
    }


def _flat_rows(comparison: Document) -> list[Row]:
    """One row for each number, all with the same columns."""
    cells = comparison["crosstabs"]
    spreads = comparison["distributions"]
    return [
        *(_flat("option", each["option"], each) for each in comparison["estimates"]),
        *(_flat("cell", ";".join(each["options"]), each) for each in cells),
        *(_flat("mean", "", each) for each in comparison["means"]),
        *(
            _flat("quantile", str(part["probability"]), {**each, **part})
            for each in spreads
            for part in each["quartiles"]
        ),
        *(_flat("distance", "", {**each, "estimate": each["distance"]}) for each in spreads),
    ]


def _flat(kind: str, option: str, found: Document) -> Row:
    return {
        "kind": kind,
        "question": found.get("question", found.get("crosstab")),
        "option": option,
        "truth": found.get("truth"),
        "estimate": found.get("share", found.get("value", found.get("estimate"))),
        **{name: found.get(name) for name in _NUMBERS},
    }
