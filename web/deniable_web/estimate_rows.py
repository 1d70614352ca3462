"""Estimates as flat rows, for CSV and spreadsheets."""

from collections.abc import Mapping

from deniable_analysis import CrosstabEstimate, Estimates, GroupedEstimates, QuestionEstimate
from deniable_web.comparison import QUARTILES

Row = Mapping[str, object]

NUMBERS = ("reports", "estimate", "low", "high", "valid_share")
PARTS = ("mechanism_variance", "sampling_variance")
TESTS = ("adjusted_p_value",)
COLUMNS: tuple[str, ...] = ("kind", "question", "option", *NUMBERS, *PARTS, *TESTS)


def flat_rows(estimates: Estimates) -> list[Row]:
    """A row for each number of a survey and each warning, all with the same columns."""
    return [
        *(row for question in estimates.questions for row in _of_question(question)),
        *(row for crosstab in estimates.crosstabs for row in _of_crosstab(crosstab)),
        *(_of_groups(estimates.by_group) if estimates.by_group else ()),
        *(_flat("warning", name, text, {}) for name, text in estimates.named_warnings),
    ]


def _of_question(question: QuestionEstimate) -> list[Row]:
    name, reports = question.question, question.reports
    among = question.among.options if question.among else ()
    rows = [
        _flat(kind, name, option.option, {**option.numbers(), "estimate": option.share})
        for kind, options in (("option", question.of_all), ("among_asked", among))
        for option in options
    ]
    if question.among and question.among.untold:
        rows.append(_flat("untold", name, question.among.why, {}))
    if question.mean:
        numbers = {**question.mean.to_document(), "estimate": question.mean.value}
        rows.append(_flat("mean", name, "", {**numbers, "reports": reports}))
    if question.distribution:
        rows += [
            _flat(
                "quantile",
                name,
                str(part),
                {"reports": reports, "estimate": question.distribution.quantile(part)},
            )
            for part in QUARTILES
        ]
    return rows


def _of_crosstab(crosstab: CrosstabEstimate) -> list[Row]:
    return [
        _flat(
            "cell",
            crosstab.block,
            ";".join(cell.options),
            {**cell.numbers(), "estimate": cell.share},
        )
        for cell in crosstab.cells
    ]


def _of_groups(found: GroupedEstimates) -> list[Row]:
    """The response of each group, its shares and means, and the differences between groups.

    The name of the group is before that of the option.
    """
    rows = [
        _flat("response", "", each.name, {"reports": each.reports, "estimate": each.rate})
        for each in found.responses
    ]
    for question in found.questions:
        rows += [
            _flat(
                "group_option",
                question.question,
                f"{name}: {share.option}",
                {**share.numbers(), "estimate": share.share},
            )
            for name, share in question.shares()
        ]
        for name, mean in question.means():
            numbers = {**mean.to_document(), "estimate": mean.value}
            rows.append(_flat("group_mean", question.question, name, numbers))
        rows += [
            _flat(
                "group_difference",
                question.question,
                f"{' - '.join(each.groups)}: {each.name}",
                {**each.to_document(), "estimate": each.difference},
            )
            for each in question.differences
        ]
    return rows


def _flat(kind: str, question: str, option: str, numbers: Row) -> Row:
    given = (numbers.get(name) for name in (*NUMBERS, *PARTS, *TESTS))
    return dict(zip(COLUMNS, (kind, question, option, *given), strict=True))
