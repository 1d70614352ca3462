"""Estimates as flat rows, for CSV and spreadsheets."""

from collections.abc import Mapping

from deniable_analysis import Estimates, GroupedEstimates, QuestionEstimate, ShareEstimate
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
        *(
            _of_share("cell", crosstab.block, ";".join(cell.options), cell)
            for crosstab in estimates.crosstabs
            for cell in crosstab.cells
        ),
        *(_of_groups(estimates.by_group) if estimates.by_group else ()),
        *(_flat("warning", name, text, {}) for name, text in estimates.named_warnings),
    ]


def _of_question(question: QuestionEstimate) -> list[Row]:
    name, reports = question.question, question.reports
    among = question.among.options if question.among else ()
    rows = [
        *(_of_share("option", name, option.option, option) for option in question.of_all),
        *(_of_share("among_asked", name, option.option, option) for option in among),
    ]
    if question.among and question.among.untold:
        rows.append(_flat("untold", name, question.among.why, {}))
    if question.mean:
        numbers = {**question.mean.to_document(), "reports": reports}
        rows.append(_flat("mean", name, "", numbers, question.mean.value))
    if spread := question.distribution:
        rows += [
            _flat("quantile", name, str(part), {"reports": reports}, spread.quantile(part))
            for part in QUARTILES
        ]
    return rows


def _of_groups(found: GroupedEstimates) -> list[Row]:
    """The response of each group, its shares and means, and the differences between groups.

    The name of the group is before that of the option.
    """
    rows = [
        _flat("response", "", each.name, {"reports": each.reports}, each.rate)
        for each in found.responses
    ]
    for question in found.questions:
        name = question.question
        rows += [
            _of_share("group_option", name, f"{group}: {share.option}", share)
            for group, share in question.shares()
        ]
        rows += [
            _flat("group_mean", name, group, mean.to_document(), mean.value)
            for group, mean in question.means()
        ]
        rows += [
            _flat(
                "group_difference",
                name,
                f"{' - '.join(each.groups)}: {each.name}",
                each.to_document(),
                each.difference,
            )
            for each in question.differences
        ]
    return rows


def _of_share(kind: str, question: str, option: str, share: ShareEstimate) -> Row:
    return _flat(kind, question, option, share.numbers(), share.share)


def _flat(kind: str, question: str, option: str, numbers: Row, estimate: object = None) -> Row:
    named = {"kind": kind, "question": question, "option": option, "estimate": estimate}
    return {name: named.get(name, numbers.get(name)) for name in COLUMNS}
