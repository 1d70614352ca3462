"""Who took part in a survey with groups: the people, tokens and reports of each group."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from deniable_analysis.results import ResponseRate
from deniable_analysis.results.responses import response_of
from deniable_sdk.survey.groups import Group
from deniable_web.results.charts import Axis, Span
from deniable_web.results.labels import Labels


class Collected(StrEnum):
    """Whether the issuer publishes now how many people have collected a token.

    A survey with groups by link has no tokens.
    """

    NOTHING = ""

    NOW = "now"
    LATER = "later"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class ResponseView:
    """The response of each group; reports are counted by group once the survey is closed.

    Args:
        rows: the groups, and then the people of all: each with its name, and the position
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
    groups: Sequence[Group], counted: Sequence[ResponseRate], labels: Labels, now: datetime
) -> ResponseView:
    """The response of each group in words; nothing is counted while the survey is not closed."""
    survey = labels.survey
    responses = counted or [response_of(survey, each.id, each.people, 0) for each in groups]
    everybody = response_of(
        survey,
        None,
        sum(each.invited for each in responses),
        sum(each.reports for each in responses),
    )
    axis = Axis(0.0, 1.0, (), labels.numbers.is_mirrored)
    until = survey.invited.collect_until if survey.invited else None
    if survey.invited is None:
        collected = Collected.NOTHING
    elif until is None:
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
