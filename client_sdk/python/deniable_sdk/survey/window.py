"""The window of a survey: when a collector accepts its reports, and how many are expected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import Code, quote
from deniable_sdk.survey import decimals
from deniable_sdk.survey.questions import MAX_QUESTIONS
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.writing import SurveyPart

MAX_REPORTS = 1_000_000_000
AT_END = "at_end"
WINDOW_KEYS = ("opens", "closes", "at_most_reports", "stop_when", "respondents", "results")

_AUTHORED = re.compile(r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::00)?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_PUBLISHED = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\dZ", re.ASCII)
_AUTHORED_RULE = "a moment with its offset from UTC, like 2026-12-06T18:00+01:00"
_PUBLISHED_RULE = "a moment in UTC, like 2026-12-06T17:00Z"
_MARGIN_RULE = (
    "a number above 0 and below 0.5 with at most 4 decimals, like 0.03 for 3 percentage points"
)
_PUBLISHED_MARGIN_RULE = "a decimal text above 0 and below 0.5"


class StopWhen(SurveyPart):
    """When the results are precise enough for the collector to close the survey.

    Args:
        margin: half the width of the interval for every look of each share is at most this.
        questions: the ids of the questions whose shares these are, at least one.
    """

    margin: Fraction
    questions: tuple[str, ...]

    def to_document(self) -> dict[str, JSON]:
        """The rule as a published survey contains it."""
        margin = decimals.format_units(int(self.margin * decimals.UNIT))
        return {"margin": margin, "questions": list(self.questions)}


class Window(SurveyPart):
    """When reports are accepted. The collector's clock decides.

    Args:
        opens: from when, in UTC; from publishing on if None.
        closes: until when, in UTC; until somebody closes the survey if None.
        at_most_reports: with how many it closes; there is no limit if None.
        stop_when: with which accuracy it closes; None if that does not matter.
        respondents: how many are expected; it closes nothing. None if nobody said.
        results: AT_END if the survey is sealed: nobody reads a result before its end.
    """

    opens: datetime | None = None
    closes: datetime | None = None
    at_most_reports: int | None = None
    stop_when: StopWhen | None = None
    respondents: int | None = None
    results: str | None = None

    @property
    def has_own_end(self) -> bool:
        """Whether it says how the survey ends, and no result can decide that."""
        return self.stop_when is None and bool(self.closes or self.at_most_reports or self.results)

    def has_opened(self, moment: datetime) -> bool:
        """Whether it is open at a moment, or was before."""
        return self.opens is None or self.opens <= moment

    def has_closed(self, moment: datetime) -> bool:
        """Whether its end has come, at a moment."""
        return self.closes is not None and self.closes <= moment


def read_window(survey: Section, with_shares: Sequence[str] | None = None) -> Window | None:
    """The window of a definition or of a published survey; None where there is none.

    Args:
        survey: the whole document.
        with_shares: the ids of the questions with shares of options in the results, which
            `stop_when` may name; it may name any if they are not known.
    """
    section = survey
    if survey.is_published:
        if "window" not in survey:
            return None
        section = survey.within("window")
        section.refuse_unknown(WINDOW_KEYS)
        if section.is_object and not section.values:
            section.refuse(f"is empty; allowed are {', '.join(WINDOW_KEYS)}")
    elif survey.values.keys().isdisjoint(WINDOW_KEYS):
        return None
    numbers = {
        key: section.integer(key, 1, MAX_REPORTS)
        for key in ("at_most_reports", "respondents")
        if key in section
    }
    results = None
    if "results" in section:
        results = section.read("results", AT_END, lambda value: value == AT_END, None)
    window = Window(
        read_moment(section, "opens"),
        read_moment(section, "closes"),
        stop_when=section.optional("stop_when", lambda inner: _read_stop_when(inner, with_shares)),
        results=results,
        **numbers,
    )
    if window.results and window.stop_when:
        section.refuse("needs results, which are sealed", "stop_when", code=Code.SEALED)
    if window.opens and window.closes and window.closes <= window.opens:
        section.refuse("is not after the survey opens", "closes", code=Code.CLOSES_TOO_EARLY)
    return window


def _read_stop_when(section: Section, with_shares: Sequence[str] | None) -> StopWhen:
    """The rule; without `questions` an author means all that have shares."""
    section.refuse_unknown(("margin", "questions"))
    parse, rule = decimals.parse_number, _MARGIN_RULE
    if section.is_published:
        parse, rule = decimals.parse_canonical, _PUBLISHED_MARGIN_RULE
    half = decimals.UNIT // 2
    margin = section.read("margin", rule, lambda value: 0 < (parse(value) or 0) < half, "0")
    questions = _read_questions(section, with_shares)
    return StopWhen(Fraction(parse(margin) or 0, decimals.UNIT), questions)


def _read_questions(section: Section, with_shares: Sequence[str] | None) -> tuple[str, ...]:
    if section.is_object and "questions" not in section and not section.is_published:
        if not with_shares:
            section.refuse(
                "no question has shares of options in the results; take it out",
                code=Code.UNKNOWN_NAME,
            )
        return tuple(with_shares or ())
    named: list[str] = []
    for index, member in enumerate(section.members("questions", 1, MAX_QUESTIONS, "question ids")):
        if isinstance(member, str) and (with_shares is None or member in with_shares):
            named.append(member)
            continue
        section.refuse(
            f"got {quote(member)}; allowed are the questions with shares of options in the "
            f"results: {', '.join(with_shares or ()) or 'there is none'}",
            "questions",
            index,
            code=Code.UNKNOWN_NAME,
        )
    if len(set(named)) < len(named):
        section.refuse(
            "a question is repeated",
            "questions",
            code=Code.REPEATED,
            name=max(named, key=named.count),
        )
    return tuple(named)


def read_moment(section: Section, key: str) -> datetime | None:
    """The moment under a key, in UTC; None where it is missing or a problem."""
    if key not in section:
        return None
    pattern, rule = (_AUTHORED, _AUTHORED_RULE)
    if section.is_published:
        pattern, rule = _PUBLISHED, _PUBLISHED_RULE
    value = section.values[key]
    if isinstance(value, str) and pattern.fullmatch(value):
        try:
            return datetime.fromisoformat(value).astimezone(UTC)
        except ValueError:
            # Such as the 30th of February: refused below, like any other text.
            pass
    section.refuse_value(value, rule, key)
    return None
