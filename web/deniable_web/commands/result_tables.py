"""The tables of deniable results."""

from deniable_analysis import Estimates, QuestionEstimate
from deniable_analysis.forms import counted
from deniable_sdk.survey.text import in_language
from deniable_web.commands.group_tables import mean_row, print_groups, share_row
from deniable_web.commands.tables import Row, print_table, print_title, say, warn
from deniable_web.comparison import QUARTILES


def print_estimates(estimates: Estimates) -> None:
    """Print the shares, crosstabs, means and groups of a survey, and how to read them."""
    reports = counted(estimates.reports, "report", commas=True)
    rate = f", {estimates.response.in_words}" if estimates.response else ""
    print_title(f"{estimates.survey}, edition {estimates.edition}: {reports}{rate}")
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
        if path.untold:
            warn(f"{path.question}, among those who were asked: cannot be estimated; {path.why}")


def _spread(questions: tuple[QuestionEstimate, ...]) -> list[Row]:
    return [
        {
            "question": question.question,
            **{f"{part:.0%} at most": spread.quantile(part) for part in QUARTILES},
        }
        for question in questions
        if (spread := question.distribution)
    ]
