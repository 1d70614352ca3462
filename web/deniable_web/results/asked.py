"""The page's content for a question that only some respondents are asked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from babel.lists import format_list

from deniable_analysis import AmongAsked, OptionEstimate
from deniable_analysis.results.asked import Untold
from deniable_web.results.labels import PageLocale
from deniable_web.results.shares import ShareChart, share_chart

# Put around a name that may have another direction than the sentence.
_FIRST, _LAST = "\u2068", "\u2069"


@dataclass(frozen=True, slots=True)
class Leader:
    """The option with the largest share."""

    name: str
    share: str
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class AskedView:
    """The respondents who were asked a question, and the shares among them.

    Args:
        ids: the ids of the question that leads to it, and of the question itself.
        router: the text of the first question.
        options: the answers that lead to the second question, in words.
        part: the share of those who were asked, with its interval; None if it cannot be
            estimated.
        leader: the most common answer among them; None unless every share can be estimated.
        chart: the shares among them; None if none can be estimated.
        has_gaps: whether a share of the chart cannot be estimated.
        shares_row: whether "not asked" shares a row with "no answer".
        remarks: keys of the sentences on why nothing can be estimated and what to declare.
    """

    ids: tuple[str, str]
    router: str
    options: str
    part: tuple[str, str, str] | None
    leader: Leader | None
    chart: ShareChart | None
    has_gaps: bool
    shares_row: bool
    remarks: tuple[str, ...]


def asked_view(found: AmongAsked, locale: PageLocale) -> AskedView:
    """The shares among those who were asked, in words and as a chart."""
    labels, numbers = locale.labels, locale.numbers
    named = [(labels.answer(found.question, each.option), each) for each in found.options]
    has_gaps = any(each.share is None for each in found.options)
    names = [
        labels.own["quoted"].format(name=f"{_FIRST}{labels.option(found.router, name)}{_LAST}")
        for name in found.leading
    ]
    shown = (found.asked.share, found.asked.low, found.asked.high)
    part = tuple(numbers.percent(min(1.0, max(0.0, each))) for each in shown if each is not None)
    told = [
        replace(
            each, share=_possible(each.share), low=_possible(each.low), high=_possible(each.high)
        )
        for each in found.options
    ]
    return AskedView(
        ids=(found.router, found.question),
        router=labels.question(found.router),
        options=format_list(names, "or", locale.numbers.locale),
        part=(part[0], part[1], part[2]) if len(part) == 3 else None,
        leader=None if has_gaps else leader_of(found.question, told, locale),
        chart=None
        if found.untold
        else share_chart(named, numbers, is_mirrored=locale.is_mirrored),
        has_gaps=has_gaps and not found.untold,
        shares_row=not found.tells_refusals,
        remarks=_remarks(found),
    )


def leader_of(
    question_id: str, options: Sequence[OptionEstimate], locale: PageLocale
) -> Leader | None:
    """The option with the largest share; None if "no answer" is the only option."""
    known = [each for each in options if each.share is not None and each.low is not None]
    if len(options) < 2 or not known:
        return None
    first = max(known, key=lambda each: each.share or 0.0)
    shown = (first.share, first.low, first.high)
    share, low, high = (locale.numbers.percent(each or 0.0) for each in shown)
    return Leader(locale.labels.answer(question_id, first.option), share, low, high)


def _possible(share: float | None) -> float | None:
    """The share limited to 0 to 1, for a sentence; the chart shows the raw share."""
    return None if share is None else min(1.0, max(0.0, share))


def _remarks(found: AmongAsked) -> tuple[str, ...]:
    """Why nothing can be estimated, then what to declare."""
    if not found.untold:
        return ()
    if found.untold is Untold.SEVERAL:
        return (found.untold.value,)
    if found.can_join:
        return (found.untold.value, "join")
    return (found.untold.value, "shares") if found.untold is Untold.MEAN_ONLY else (found.untold,)
