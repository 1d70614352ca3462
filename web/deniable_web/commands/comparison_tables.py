"""Prints a comparison with the truth: tables for people, JSON or CSV."""

from itertools import groupby

from deniable_analysis.forms import counted
from deniable_web.commands.options import Format
from deniable_web.commands.tables import Row, print_csv, print_json, print_table, print_title, say
from deniable_web.comparison import ComparedMean, ComparedShare, TruthComparison

_NUMBERS = ("low", "high", "valid_share", "mechanism_variance", "sampling_variance", "covered")


def print_comparison(comparison: TruthComparison, output_format: str) -> None:
    """Print the comparison on standard output."""
    if output_format == Format.JSON:
        print_json(comparison)
    elif output_format == Format.CSV:
        print_csv(_flat_rows(comparison))
    else:
        _print_tables(comparison)


def _print_tables(comparison: TruthComparison) -> None:
    print_title(f"{comparison['survey']}: {counted(comparison['reports'], 'report', commas=True)}")
    options: list[Row] = [
        {"question": each["question"], "option": each["option"], **_beside_truth(each)}
        for each in comparison["estimates"]
    ]
    print_table("Shares", options)
    for crosstab, cells in groupby(comparison["crosstabs"], lambda cell: cell["crosstab"]):
        print_table(
            f"{crosstab}: share of each combination of answers",
            [{"answers": " · ".join(cell["options"]), **_beside_truth(cell)} for cell in cells],
        )
    print_table(
        "Means of those who answered",
        [{"question": each["question"], **_beside_truth(each)} for each in comparison["means"]],
    )
    print_table("Distribution of the numbers of those who answered", _spread_rows(comparison))
    say(
        f"{comparison['covered']} of {comparison['intervals']} intervals cover the truth; in the "
        f"long run about {100 * comparison['confidence']:g}% do.\n"
        "An estimate may lie outside the possible range: it is unbiased and not cut off.\n"
        "distance: the average distance between the estimated and the true numbers, both sorted."
    )


def _beside_truth(each: ComparedShare | ComparedMean) -> dict[str, object]:
    return {
        "truth": each["truth"],
        "estimate": each.get("share", each.get("value")),
        "low": each["low"],
        "high": each["high"],
        "covers the truth": each["covered"],
    }


def _spread_rows(comparison: TruthComparison) -> list[Row]:
    return [
        {
            "question": each["question"],
            "true quartiles": ", ".join(quartile["truth"] for quartile in each["quartiles"]),
            "estimated quartiles": ", ".join(
                quartile["estimate"] for quartile in each["quartiles"]
            ),
            "distance": each["distance"],
        }
        for each in comparison["distributions"]
    ]


def _flat_rows(comparison: TruthComparison) -> list[Row]:
    """One row for each number, all with the same columns."""
    options = [
        _flat("option", each["question"], each["option"], each) for each in comparison["estimates"]
    ]
    cells = [
        _flat("cell", each["crosstab"], ";".join(each["options"]), each)
        for each in comparison["crosstabs"]
    ]
    means = [_flat("mean", each["question"], "", each) for each in comparison["means"]]
    spreads = comparison["distributions"]
    quartiles = [
        _flat("quantile", each["question"], str(quartile["probability"]), quartile)
        for each in spreads
        for quartile in each["quartiles"]
    ]
    distances = [
        _flat("distance", each["question"], "", {"estimate": each["distance"]}) for each in spreads
    ]
    return options + cells + means + quartiles + distances


def _flat(kind: str, question: str, option: str, found: Row) -> Row:
    estimate = found.get("share", found.get("value", found.get("estimate")))
    return {
        "kind": kind,
        "question": question,
        "option": option,
        "truth": found.get("truth"),
        "estimate": estimate,
        **{name: found.get(name) for name in _NUMBERS},
    }
