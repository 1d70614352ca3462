"""The page's content for a question that only some respondents are asked."""

from dataclasses import dataclass

from babel.lists import format_list

from deniable_analysis import AmongAsked
from deniable_analysis.results.questions import Untold
from deniable_web.results.charts import ChartView, Row
from deniable_web.results.labels import Labels, isolated
from deniable_web.results.shares import share_chart


@dataclass(frozen=True, slots=True)
class AskedView:
    """The respondents who were asked a question, and the shares among them.

    Args:
        found: the estimates.
        leading: the answers that lead to the question, in words.
        router: the text of the question that they answer.
        part: the share of those who were asked; None if it cannot be estimated.
        chart: the shares among them; None if none can be estimated.
        has_gaps: whether a share of the chart cannot be estimated.
        remarks: keys of the sentences on why nothing can be estimated and what to declare.
    """

    found: AmongAsked
    leading: str
    router: str
    part: Row | None
    chart: ChartView[Row] | None
    has_gaps: bool
    remarks: tuple[str, ...]


def asked_view(found: AmongAsked, labels: Labels) -> AskedView:
    """The shares among those who were asked, in words and as a chart."""
    named = [(labels.answer(found.question, each.option), each) for each in found.options]
    (part,) = share_chart([("", found.asked)], labels.numbers).rows
    return AskedView(
        found=found,
        leading=format_list(
            [labels.quoted(labels.option(found.router, name)) for name in found.leading],
            "or",
            labels.numbers.locale,
        ),
        router=isolated(labels.question(found.router)),
        part=part if part.point is not None and part.interval else None,
        chart=None if found.untold else share_chart(named, labels.numbers),
        has_gaps=not found.untold and any(each.share is None for each in found.options),
        remarks=_remarks(found),
    )


def _remarks(found: AmongAsked) -> tuple[str, ...]:
    """Why nothing can be estimated, then what to declare."""
    if not found.untold:
        return ()
    if found.untold is Untold.SEVERAL:
        return (found.untold.value,)
    if found.can_join:
        return (found.untold.value, "join")
    return (found.untold.value, "shares") if found.untold is Untold.MEAN_ONLY else (found.untold,)
