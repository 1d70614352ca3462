"""The page's content for a question that only some respondents are asked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from babel.lists import format_list

from deniable_analysis import AmongAsked, OptionEstimate
from deniable_analysis.results.asked import Untold
from deniable_web.results.charts import ChartView, Row
from deniable_web.results.labels import Labels, isolated
from deniable_web.results.shares import EstimateRow, share_chart


@dataclass(frozen=True, slots=True)
class AskedView:
    """The respondents who were asked a question, and the shares among them.

    Args:
        found: the estimates.
        leading: the answers that lead to the question, in words.
        part: the share of those who were asked, with its interval; None if it cannot be
            estimated.
        leader: the most common answer among them; None unless every share can be estimated.
        chart: the shares among them; None if none can be estimated.
        has_gaps: whether a share of the chart cannot be estimated.
        remarks: keys of the sentences on why nothing can be estimated and what to declare.
    """

    found: AmongAsked
    leading: str
    part: Row | None
    leader: Row | None
    chart: ChartView[EstimateRow] | None
    has_gaps: bool
    remarks: tuple[str, ...]


def asked_view(found: AmongAsked, labels: Labels) -> AskedView:
    """The shares among those who were asked, in words and as a chart."""
    named = [(labels.answer(found.question, each.option), each) for each in found.options]
    has_gaps = any(each.share is None for each in found.options)
    names = [
        labels.own["quoted"].format(name=isolated(labels.option(found.router, name)))
        for name in found.leading
    ]
    possible = [_possible(each) for each in found.options]
    part = _row("", _possible(found.asked), labels)
    return AskedView(
        found=found,
        leading=format_list(names, "or", labels.numbers.locale),
        part=None if None in (found.asked.share, found.asked.low, found.asked.high) else part,
        leader=None if has_gaps else leader_of(found.question, possible, labels),
        chart=None if found.untold else share_chart(named, labels.numbers),
        has_gaps=has_gaps and not found.untold,
        remarks=_remarks(found),
    )


def leader_of(question_id: str, options: Sequence[OptionEstimate], labels: Labels) -> Row | None:
    """The option with the largest share; None if "no answer" is the only option."""
    known = [each for each in options if each.share is not None and each.low is not None]
    if len(options) < 2 or not known:
        return None
    first = max(known, key=lambda each: each.share or 0.0)
    return _row(labels.answer(question_id, first.option), first, labels)


def _row(name: str, found: OptionEstimate, labels: Labels) -> Row:
    return Row.of(name, (found.share, found.low, found.high), labels.numbers.percent)


def _possible(found: OptionEstimate) -> OptionEstimate:
    """The estimate limited to 0 to 1, for a sentence; the chart shows the raw share."""
    ends = (found.share, found.low, found.high)
    share, low, high = (None if each is None else min(1.0, max(0.0, each)) for each in ends)
    return replace(found, share=share, low=low, high=high)


def _remarks(found: AmongAsked) -> tuple[str, ...]:
    """Why nothing can be estimated, then what to declare."""
    if not found.untold:
        return ()
    if found.untold is Untold.SEVERAL:
        return (found.untold.value,)
    if found.can_join:
        return (found.untold.value, "join")
    return (found.untold.value, "shares") if found.untold is Untold.MEAN_ONLY else (found.untold,)
