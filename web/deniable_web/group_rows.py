"""The rows of tables by group, the same for the command line and the pages."""

from deniable_analysis import GroupedQuestion, MeanEstimate, OptionEstimate, QuestionEstimate

# All reports, each of which counts the same.
ALL_REPORTS = "all reports"


def option_rows(
    grouped: GroupedQuestion, plain: QuestionEstimate
) -> dict[str, list[tuple[str, OptionEstimate]]]:
    """For each option, the name of each group and its share.

    Then come "all invited", weighted by group, and ALL_REPORTS, not weighted.

    Args:
        grouped: the estimates of a question by group.
        plain: those of all reports.
    """
    size = len(grouped.groups) + 1
    shares = list(grouped.shares())
    return {
        option.option: [*shares[index * size : (index + 1) * size], (ALL_REPORTS, option)]
        for index, option in enumerate(plain.options)
    }


def mean_rows(
    grouped: GroupedQuestion, plain: QuestionEstimate
) -> tuple[tuple[str, MeanEstimate], ...]:
    """The name of each group and its mean, then those of all; empty if there is no mean."""
    return (*grouped.means(), (ALL_REPORTS, plain.mean)) if plain.mean else ()
