"""How the fieldwork of a survey ends, and whether that was planned.

An interval for one look covers as often as it says only if nobody decided by the results
when to look. So it matters how a survey ended: at the moment or with the number of reports
that was published, or by somebody's decision.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from deniable_sdk.survey.window import Window


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
    """

    closes: datetime | None = None
    at_most_reports: int | None = None
    ended_by: End | None = None

    @property
    def is_extended(self) -> bool:
        """Whether the owner moved the published end."""
        return self.closes is not None or self.at_most_reports is not None

    def window(self, published: Window | None) -> Window | None:
        """The window that applies, from the published one."""
        if published is None or not self.is_extended:
            return published
        return Window(
            published.opens,
            self.closes or published.closes,
            self.at_most_reports or published.at_most_reports,
        )


NOT_ENDED = Ending()


@dataclass(frozen=True, slots=True)
class Fieldwork:
    """The state of a survey's fieldwork at one moment.

    Args:
        end: how it ended; None while the survey accepts reports, or has not opened yet.
        is_extended: whether its owner moved the published end.
    """

    end: End | None
    is_extended: bool = False

    @property
    def in_words(self) -> str:
        """The state in a few words, like "closed by hand"."""
        words = "open" if self.end is None else _WORDS[self.end]
        return f"extended, {words}" if self.is_extended else words

    @property
    def has_planned_end(self) -> bool:
        """Whether it ended as published, so that intervals for one look apply."""
        return self.end in (End.CLOSES, End.AT_MOST_REPORTS) and not self.is_extended


_WORDS = {
    End.CLOSES: "closed as planned",
    End.AT_MOST_REPORTS: "closed with the planned number of reports",
    End.MARGIN: "closed when its results were precise enough",
    End.HAND: "closed by hand",
}
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
    # A survey that was closed before ends were recorded may have been closed at any look.
    return Fieldwork(end or (End.HAND if is_closed else None), ending.is_extended)
