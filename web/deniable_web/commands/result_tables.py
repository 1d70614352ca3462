"""Tables of estimates: of all reports, of groups, and beside the truth."""

from itertools import groupby

from deniable_analysis import Estimates
from deniable_analysis.results import (
    GroupedEstimates,
    GroupedQuestion,
    MeanEstimate,
    QuestionEstimate,
    ShareEstimate,
)
from deniable_analysis.results.shares import format_sd
from deniable_sdk.survey.text import in_language
from deniable_sdk.wording import counted
from deniable_web.commands.tables import Row, print_result, print_table, print_title, say, warn
from deniable_web.results.findings import QUARTILES, mean_rows, option_rows
from deniable_web.simulation.comparison import Document

_NUMBERS = ("low", "high", "valid_share", "mechanism_variance", "sampling_variance", "covered")


def share_row(found: ShareEstimate) -> dict[str, object]:
    """The numbers of a share, for a table."""
    names = ("reports", "share", "low", "high", "valid_share")
    return {name: getattr(found, name) for name in names} | _deviations(found)


def mean_row(mean: MeanEstimate) -> dict[str, object]:
    """The numbers of a mean, for a table."""
    return {"mean": mean.value, "low": mean.low, "high": mean.high, **_deviations(mean)}


def _deviations(found: ShareEstimate | MeanEstimate) -> dict[str, object]:
    return {
        "sd mechanism": format_sd(found.mechanism_variance) or None,
        "sd sampling": format_sd(found.sampling_variance) or None,
    }


def print_response(found: GroupedEstimates) -> None:
    """Print how many people of each group were invited, and how many reports came."""
    print_table(
        "Response by group",
        [
            {
                "group": each.name,
                "invited": each.invited,
                "reports": each.reports,
                "response rate": each.rate,
            }
            for each in found.responses
        ],
    )


def explain_groups() -> None:
    """Print what the two rows of all people mean."""
    say(
        "all invited: the groups weighted by their numbers of invited people. all reports: each "
        "report counts the same, so groups that responded more count more."
    )


def print_groups(found: Estimates) -> None:
    """Print the response and the estimates of each group, and those of all people."""
    if found.by_group:
        print_response(found.by_group)
        for grouped, plain in zip(found.by_group.questions, found.questions, strict=True):
            _print_question(grouped, plain)
        explain_groups()


def _print_question(question: GroupedQuestion, plain: QuestionEstimate) -> None:
    print_table(
        f"{question.question} by group",
        [
            {"option": option, "group": name, **share_row(share)}
            for option, shares in option_rows(question, plain).items()
            for name, share in shares
        ],
    )
    print_table(
        f"Mean of {question.question} by group",
        [{"group": name, **mean_row(mean)} for name, mean in mean_rows(question, plain)],
    )
    differences: list[Row] = [
        {
            "groups": " - ".join(each.groups),
            "option": each.name,
            "difference": each.difference,
            "low": each.low,
            "high": each.high,
            "p": each.p_value,
            "adjusted p": each.adjusted_p_value,
        }
        for each in question.clearest
    ]
    print_table(f"Differences of {question.question} between groups", differences)
    if question.why:
        say(f"{question.question}: {question.why}")


def print_estimates(estimates: Estimates) -> None:
    """Print the shares, crosstabs, means and groups of a survey, and how to read them."""
    reports = counted(estimates.reports, "report", commas=True)
    rate = f", {estimates.response.in_words}" if estimates.response else ""
    simulated = " (simulated)" if estimates.fieldwork.is_simulated else ""
    print_title(f"{estimates.survey}, edition {estimates.edition}: {reports}{simulated}{rate}")
    questions = estimates.questions
    print_table(
        "Shares",
        [
            {"question": question.question, "option": option.option, **share_row(option)}
            for question in questions
            for option in question.of_all
        ],
    )
    _print_among_asked(questions)
    for crosstab in estimates.crosstabs:
        cells = crosstab.cells
        rows = [{"answers": " · ".join(cell.options), **share_row(cell)} for cell in cells]
        print_table(crosstab.block, rows)
    print_table(
        "Means of those who answered",
        [
            {
                "question": question.question,
                "unit": in_language(mean.unit, "") if mean.unit else None,
                "reports": question.reports,
                **mean_row(mean),
            }
            for question in questions
            if (mean := question.mean)
        ],
    )
    print_table("Distribution of the numbers of those who answered", _spread(questions))
    print_groups(estimates)
    _explain(estimates)


def _explain(estimates: Estimates) -> None:
    """Print what the columns mean."""
    say(
        "share: unbiased; it may lie outside 0 to 1. low, high: its "
        f"{100 * estimates.confidence:g}% {estimates.interval_in_words}. valid_share: adjusted to "
        "sum to 1 if the options exclude each other.\n"
        "sd mechanism, sd sampling: the two parts of the standard error, from the randomization "
        "and from sampling (<0: a variance just below 0)."
    )
    shares = [share for each in estimates.questions for share in each.options]
    if any(share.release_variance is not None for share in shares):
        warn("The noise of the release is a third part, and the intervals include it.")


def _print_among_asked(questions: tuple[QuestionEstimate, ...]) -> None:
    """Print the shares among those who were asked, or why they cannot be estimated."""
    paths = [question.among for question in questions if question.among and question.reports]
    print_table(
        "Shares among those who were asked",
        [
            {"question": path.question, "option": option.option, **share_row(option)}
            for path in paths
            if not path.untold
            for option in path.options
        ],
    )
    for path in paths:
        if path.why:
            warn(f"{path.question}, among those who were asked: {path.why}")


def _spread(questions: tuple[QuestionEstimate, ...]) -> list[Row]:
    return [
        {
            "question": question.question,
            **{f"{part:.0%} at most": spread.quantile(part) for part in QUARTILES},
        }
        for question in questions
        if (spread := question.distribution)
    ]


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
