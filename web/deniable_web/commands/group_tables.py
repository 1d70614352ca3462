"""Tables of groups of invited people, and the numbers of one row."""

from deniable_analysis import (
    Estimates,
    GroupedEstimates,
    GroupedQuestion,
    MeanEstimate,
    QuestionEstimate,
    ShareEstimate,
)
from deniable_analysis.results.shares import format_sd
from deniable_web.commands.tables import Row, print_table, say
from deniable_web.group_rows import mean_rows, option_rows


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
