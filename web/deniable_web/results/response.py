"""Who took part in a survey by invitation: invited people, tokens and reports of each group."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from deniable_analysis import ResponseRate
from deniable_sdk.survey.invited import Invited
from deniable_web.results.charts import Axis, Span
from deniable_web.results.labels import Labels


class Collected(StrEnum):
    """Whether the issuer publishes now how many people have collected a token."""

    NOW = "now"
    LATER = "later"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class ResponseView:
    """The response of each group; reports are counted by group once the survey is closed.

    Args:
        rows: the groups, and then all invited people: each with its name, and the position
            of the bar of its response rate.
        is_counted: whether its reports are counted by group; otherwise each group has 0.
        collected: whether the issuer publishes how many people have collected a token.
        from_moment: from when it does, in words; "" without an end of collecting.
        nobody: the groups without a report, in words; "" if there are none.
        too_many: the groups with more reports than people, in words; "" if there are none.
    """

    rows: tuple[tuple[str, ResponseRate, Span], ...]
    is_counted: bool
    collected: Collected
    from_moment: str
    nobody: str
    too_many: str


def response_view(
    invited: Invited, counted: Sequence[ResponseRate], labels: Labels, now: datetime
) -> ResponseView:
    """The response of each group in words; nothing is counted while the survey is not closed."""
    responses = counted or [
        ResponseRate(group=each.id, invited=each.invited, reports=0) for each in invited.groups
    ]
    everybody = ResponseRate(
        invited=sum(each.invited for each in responses),
        reports=sum(each.reports for each in responses),
    )
    axis = Axis(0.0, 1.0, (), labels.numbers.is_mirrored)
    until = invited.collect_until
    if until is None:
        collected = Collected.NEVER
    else:
        collected = Collected.LATER if now < until else Collected.NOW
    return ResponseView(
        rows=tuple(
            (labels.group(each.name), each, axis.span(0.0, min(1.0, each.rate)))
            for each in (*responses, everybody)
        ),
        is_counted=bool(counted),
        collected=collected,
        from_moment="" if until is None else labels.numbers.moment(until),
        nobody=labels.groups(each.name for each in counted if not each.reports),
        too_many=labels.groups(each.name for each in counted if each.warnings),
    )
