"""Who took part in a survey by invitation: invited people, tokens and reports of each group."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from babel.dates import format_date, format_time, get_datetime_format
from babel.lists import format_list

from deniable_analysis import ResponseRate
from deniable_analysis.results.response import ALL_INVITED
from deniable_collector.store.base import StoredSurvey
from deniable_sdk.survey.invited import Invited
from deniable_web.results.axis import Span
from deniable_web.results.labels import PageLocale
from deniable_web.results.numbers import Numbers


class Collected(StrEnum):
    """Whether the issuer publishes now how many people have collected a token."""

    NOW = "now"
    LATER = "later"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class ResponseRow:
    """One group, or all invited people.

    Args:
        id: the id of the group; "" for all.
        name: the name of the group.
        people: the number of invited people.
        invited: the same in words.
        reports: the number of reports, in words; "" while the survey is not closed.
        rate: the response rate, in words; "" like the reports.
        bar: the position of the bar of the response rate.
    """

    id: str
    name: str
    people: int
    invited: str
    reports: str = ""
    rate: str = ""
    bar: Span | None = None


@dataclass(frozen=True, slots=True)
class ResponseView:
    """The response of each group; reports are counted by group once the survey is closed.

    Args:
        id: what distinguishes this edition from all others on a page.
        digest: the digest of the survey, by which the issuer knows it.
        title: the title of the survey.
        rows: the groups, and then all invited people.
        is_closed: whether the survey is closed.
        is_counted: whether its reports are counted by group.
        collected: whether the issuer publishes how many people have collected a token.
        from_moment: from when it does, in words; "" without an end of collecting.
        nobody: the groups without a report, in words; "" if there are none.
        too_many: the groups with more reports than people, in words; "" if there are none.
    """

    id: str
    digest: str
    title: str
    rows: tuple[ResponseRow, ...]
    is_closed: bool
    is_counted: bool
    collected: Collected
    from_moment: str
    nobody: str
    too_many: str


def response_view(
    stored: StoredSurvey,
    invited: Invited,
    responses: Sequence[ResponseRate],
    locale: PageLocale,
    now: datetime,
) -> ResponseView:
    """The response of each group in words.

    Args:
        stored: the survey.
        invited: its groups.
        responses: of each group; empty while the survey is not closed.
        locale: of the page.
        now: the present moment, in UTC.
    """
    labels, numbers, until = locale.labels, locale.numbers, invited.collect_until
    if responses:
        rows = [_closed_row(each, locale) for each in (*responses, _all(responses))]
    else:
        people = [(each.id, each.invited) for each in invited.groups]
        whole = ("", sum(count for _, count in people))
        rows = [_open_row(*each, locale) for each in (*people, whole)]
    if until is None:
        collected = Collected.NEVER
    else:
        collected = Collected.LATER if now < until else Collected.NOW
    return ResponseView(
        id=f"{stored.survey.slug}-{stored.edition}",
        digest=stored.survey.digest,
        title=labels.text(stored.survey.title),
        rows=tuple(rows),
        is_closed=stored.is_closed,
        is_counted=bool(responses),
        collected=collected,
        from_moment="" if until is None else _moment(until, numbers),
        nobody=listed(
            [labels.group(each.name) for each in responses if not each.reports], numbers
        ),
        too_many=listed([labels.group(each.name) for each in responses if each.warnings], numbers),
    )


def listed(names: Sequence[str], numbers: Numbers) -> str:
    """Names as a part of a sentence, in any direction of writing."""
    return format_list([isolated(name) for name in names], locale=numbers.locale)


def isolated(name: str) -> str:
    """A name that may have another direction than the sentence."""
    return f"\u2068{name}\u2069"


def _all(responses: Sequence[ResponseRate]) -> ResponseRate:
    """The response of all invited people."""
    return ResponseRate(
        invited=sum(each.invited for each in responses),
        reports=sum(each.reports for each in responses),
    )


def _open_row(group: str, people: int, locale: PageLocale) -> ResponseRow:
    name = locale.labels.group(group or ALL_INVITED)
    return ResponseRow(group, name, people, locale.numbers.count(people))


def _closed_row(found: ResponseRate, locale: PageLocale) -> ResponseRow:
    numbers, width = locale.numbers, round(100 * min(1.0, found.rate), 3)
    return ResponseRow(
        id=found.group or "",
        name=locale.labels.group(found.name),
        people=found.invited,
        invited=numbers.count(found.invited),
        reports=numbers.count(found.reports),
        rate=numbers.percent(found.rate),
        bar=Span(round(100 - width, 3) if locale.is_mirrored else 0.0, width),
    )


def _moment(moment: datetime, numbers: Numbers) -> str:
    """A moment in UTC, to the minute."""
    at = moment.astimezone(UTC)
    pattern = str(get_datetime_format("long", locale=numbers.locale)).replace("'", "")
    return pattern.format(
        f"{format_time(at, 'HH:mm', tzinfo=UTC, locale=numbers.locale)} UTC",
        format_date(at, "long", numbers.locale),
    )
