"""How the fieldwork of a survey ends, and whether that was planned.

An interval for one look covers as often as it says only if nobody decided by the results
when to look. So it matters how a survey ended: at the moment or with the number of reports
that was published, or by somebody's decision; and whether anybody could have seen results then.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import NoneType
from typing import Any

from deniable_sdk import PublishedSurvey
from deniable_sdk.canonical import JSON
from deniable_sdk.survey.reading import Problems, Section
from deniable_sdk.survey.window import AT_END, Window, read_window
from deniable_sdk.survey.writing import moment_text
from deniable_storage.errors import ResultsSealed

# Which intervals the end of a survey allows.
FIXED, ANYTIME = "fixed", "anytime"
# What a store records before the end, if reports were simulated.
_SIMULATED = "simulated"
# Members of a description that are left out unless they are true, in the order of their fields.
_MARKS = ("is_simulated", "is_given_out")


class End(StrEnum):
    """Why a survey accepts no more reports.

    CLOSES and AT_MOST_REPORTS are the ends of its window. MARGIN is the margin of
    `stop_when`, which its estimates reached. HAND is its owner's decision.
    """

    CLOSES = "closes"
    AT_MOST_REPORTS = "at_most_reports"
    MARGIN = "margin"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Ending:
    """What happened to the end of a survey since it was published.

    Args:
        closes: the moment to which its owner extended it; None for the published one.
        at_most_reports: the number of reports to which its owner extended it; None for the
            published one.
        ended_by: the end that is recorded, once there is one: MARGIN when it is reached, and
            any end when the survey is closed.
        is_simulated: whether reports of it were simulated, as `deniable simulate` does.
        is_given_out: whether results were given out while it could still get reports.
    """

    closes: datetime | None = None
    at_most_reports: int | None = None
    ended_by: End | None = None
    is_simulated: bool = False
    is_given_out: bool = False

    @classmethod
    def of_row(
        cls,
        closes: str | None,
        at_most_reports: int | None,
        ended_by: str | None,
        is_given_out: bool | int,
    ) -> "Ending":
        """What a store has recorded; the first three are None if it has no row for the survey.

        Raises:
            ValueError: a value is not one that a store records.
        """
        moment = datetime.fromisoformat(closes) if closes else None
        if moment and moment.tzinfo is None:
            raise ValueError("a moment without its offset from UTC")
        if type(at_most_reports) not in (int, NoneType):
            raise ValueError("a number of reports that is not whole")
        marks = (ended_by or "").split()
        is_simulated = marks[:1] == [_SIMULATED]
        end = " ".join(marks[is_simulated:])
        return cls(
            moment, at_most_reports, End(end) if end else None, is_simulated, bool(is_given_out)
        )

    def to_row(self) -> tuple[str | None, int | None, str | None]:
        """The values that a store records in one row; results that are given out have a mark."""
        closes = moment_text(self.closes) if self.closes else None
        marks = (_SIMULATED if self.is_simulated else "", self.ended_by or "")
        return closes, self.at_most_reports, " ".join(filter(None, marks)) or None

    @property
    def is_extended(self) -> bool:
        """Whether the owner moved the published end."""
        return self.closes is not None or self.at_most_reports is not None

    def covers(self, other: "Ending") -> bool:
        """Whether no end is taken back if this replaces another record of the same survey."""
        return (
            (other.closes is None or (self.closes is not None and self.closes >= other.closes))
            and (self.at_most_reports or 0) >= (other.at_most_reports or 0)
            and other.ended_by in (None, self.ended_by)
            and self.is_simulated >= other.is_simulated
            and self.is_given_out >= other.is_given_out
        )

    def window(self, published: Window | None) -> Window | None:
        """The window that applies, from the published one."""
        if published is None or not self.is_extended:
            return published
        return published.replace(
            closes=self.closes or published.closes,
            at_most_reports=self.at_most_reports or published.at_most_reports,
        )


NOT_ENDED = Ending()


@dataclass(frozen=True, slots=True)
class Fieldwork:
    """The state of a survey's fieldwork at one moment.

    Args:
        end: how it ended; None while the survey accepts reports, or has not opened yet.
        is_extended: whether its owner moved the published end.
        window: the window that applies, if it is not the published one.
        is_simulated: whether reports of it were simulated.
        is_given_out: whether results were given out before it ended; False until then.
    """

    end: End | None
    is_extended: bool = False
    window: Window | None = None
    is_simulated: bool = False
    is_given_out: bool = False

    @classmethod
    def of_document(cls, document: Mapping[str, Any]) -> "Fieldwork":
        """The state of a survey's fieldwork, as descriptions of the survey contain it.

        Raises:
            ValueError: the document does not contain it.
        """
        match document:
            case {"ended_by": str() | None as end, "is_extended": bool(is_extended)}:
                problems = Problems(is_published=True)
                window = read_window(Section(document, (), problems))
                if not problems.found:
                    marks = (document.get(key) is True for key in _MARKS)
                    return cls(End(end) if end else None, is_extended, window, *marks)
        raise ValueError("a document without the state of a survey's fieldwork")

    def to_document(self) -> dict[str, JSON]:
        """The members that say this in the description of a survey."""
        document: dict[str, JSON] = {
            "ended_by": self.end and self.end.value,
            "is_extended": self.is_extended,
            "intervals": FIXED if self.has_planned_end else ANYTIME,
        }
        if self.window:
            document["window"] = self.window.to_document()
        return document | {key: True for key in _MARKS if getattr(self, key)}

    @property
    def in_words(self) -> str:
        """The state in a few words, like "closed by hand"."""
        words = "open" if self.end is None else _WORDS[self.end]
        if self.is_extended:
            words = f"extended, {words}"
        return f"simulated, {words}" if self.is_simulated else words

    @property
    def has_planned_end(self) -> bool:
        """Whether no result could decide when it ended, so that intervals for one look apply."""
        if self.end in (End.CLOSES, End.AT_MOST_REPORTS) and not self.is_extended:
            return True
        return self.end not in (None, End.MARGIN) and not self.is_given_out


_WORDS = {
    End.CLOSES: "closed as planned",
    End.AT_MOST_REPORTS: "closed with the planned number of reports",
    End.MARGIN: "closed when its results were precise enough",
    End.HAND: "closed by hand",
}
# A survey that has not ended, as far as anybody knows.
UNDERWAY = Fieldwork(None)
# Reports that were simulated, or that somebody collected with a fixed plan.
PLANNED = Fieldwork(End.AT_MOST_REPORTS)


def fieldwork_of(
    published: Window | None,
    ending: Ending,
    now: datetime,
    count: Callable[[], int],
    *,
    is_closed: bool,
) -> Fieldwork:
    """The state of a survey's fieldwork.

    Args:
        published: the window in its document.
        ending: what is recorded beside it.
        now: the present moment.
        count: the number of its reports; called only if that decides.
        is_closed: whether its owner closed it.
    """
    end, window = ending.ended_by, ending.window(published)
    if end is None and window is not None and not is_closed:
        most = window.at_most_reports
        if window.has_closed(now):
            end = End.CLOSES
        elif most is not None and count() >= most:
            end = End.AT_MOST_REPORTS
    end = end or (End.HAND if is_closed else None)
    window = window if ending.is_extended else None
    # Before its end, the next look changes it; it matters afterwards.
    is_given_out = end is not None and ending.is_given_out
    return Fieldwork(end, ending.is_extended, window, ending.is_simulated, is_given_out)


def refuse_sealed(survey: PublishedSurvey, fieldwork: Fieldwork) -> None:
    """Raise ResultsSealed if nobody may read results of a survey yet."""
    if survey.is_sealed and fieldwork.end is None:
        raise ResultsSealed(
            f"nobody reads a result of survey {survey.slug!r} before its end (results: {AT_END}); "
            f"wait for its end, or close it: deniable close {survey.slug}"
        )
