"""Moving the published end of a survey: later, or to more reports."""

from collections.abc import Callable

from deniable_collector.clock import Moment
from deniable_collector.errors import ExtensionRefused
from deniable_collector.store.base import StoredSurvey
from deniable_sdk.survey.reading import Problems, Section
from deniable_sdk.survey.window import MAX_REPORTS, Window, read_moment
from deniable_sdk.survey.writing import moment_text
from deniable_storage.ends import End, Ending

_KEYS = ("closes", "at_most_reports")


def read_extension(document: object) -> Window:
    """The new ends that an owner asks for, from JSON; None for those that stay.

    Raises:
        ExtensionRefused: the document is not an object with one or two new ends.
    """
    problems = Problems()
    section = Section(document, (), problems)
    section.refuse_unknown(_KEYS)
    most = section.integer("at_most_reports", 1, MAX_REPORTS) if _KEYS[1] in section else None
    asked = Window(closes=read_moment(section, "closes"), at_most_reports=most)
    if problems.found:
        raise ExtensionRefused("; ".join(map(str, problems.found)))
    return asked


def extended(
    stored: StoredSurvey,
    now: Moment,
    count: Callable[[], int],
    closes: Moment | None,
    at_most_reports: int | None,
) -> Ending:
    """What is to be recorded of a survey's end once it is extended.

    Args:
        stored: the survey.
        now: the present moment.
        count: the number of its reports; called only if that decides.
        closes: the later moment until which it accepts reports; None to keep it.
        at_most_reports: the larger number of reports that it accepts; None to keep it.
    Raises:
        ExtensionRefused: the survey cannot be extended like this.
    """
    _refuse_ended(stored)
    window = stored.window or Window()
    if closes is None and at_most_reports is None:
        raise ExtensionRefused("got no new end; give a later moment, more reports, or both")
    if closes is not None:
        _refuse_earlier(stored, window.closes, closes, now)
    if at_most_reports is not None:
        _refuse_fewer(stored, window.at_most_reports, at_most_reports, count)
    ending = stored.ending
    return Ending(
        closes or ending.closes, at_most_reports or ending.at_most_reports, ending.ended_by
    )


def _name(stored: StoredSurvey) -> str:
    return f"edition {stored.edition} of {stored.survey.slug}"


def _refuse_ended(stored: StoredSurvey) -> None:
    if stored.is_closed:
        raise ExtensionRefused(
            f"{_name(stored)} is closed, and a closed survey never accepts reports again; change "
            "its definition and publish the next edition"
        )
    if stored.ending.ended_by is End.MARGIN:
        raise ExtensionRefused(
            f"{_name(stored)} ended when its results were as precise as its published rule asks, "
            "and a later end would not open it again; to ask more people, close it and publish "
            "the next edition"
        )


def _refuse_earlier(
    stored: StoredSurvey, present: Moment | None, closes: Moment, now: Moment
) -> None:
    if present is None:
        raise _no_such_end(stored, "closes")
    if closes <= present:
        raise ExtensionRefused(
            f"got {moment_text(closes)}; {_name(stored)} closes at {moment_text(present)}, and "
            "only a later moment is allowed"
        )
    if closes <= now:
        raise ExtensionRefused(
            f"got {moment_text(closes)}, which is over; give a moment in the future"
        )


def _refuse_fewer(
    stored: StoredSurvey, present: int | None, at_most_reports: int, count: Callable[[], int]
) -> None:
    if present is None:
        raise _no_such_end(stored, "at_most_reports")
    if at_most_reports <= present:
        raise ExtensionRefused(
            f"got {at_most_reports}; {_name(stored)} accepts at most {present} reports, and only "
            "more are allowed"
        )
    if (reports := count()) >= at_most_reports:
        raise ExtensionRefused(
            f"got {at_most_reports}; {_name(stored)} has {reports} reports already; give a "
            "number above that"
        )


def _no_such_end(stored: StoredSurvey, key: str) -> ExtensionRefused:
    others = {"closes": "moment", "at_most_reports": "number of reports"}
    return ExtensionRefused(
        f"{_name(stored)} was published without `{key}`, so it ends with no {others[key]} that "
        "could be moved; close it when you have decided to, or publish the next edition with one"
    )
