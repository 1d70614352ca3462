"""Until when a survey is open, how it ended, and which intervals follow from that."""

from dataclasses import dataclass
from datetime import datetime

from deniable_analysis import Estimates, Interval
from deniable_collector.store.base import StoredSurvey
from deniable_storage.ends import End, Fieldwork
from deniable_web.pages.languages import catalog
from deniable_web.results.labels import Labels

_OWN_REASONS = ("planned", "unseen", "wider", "one_look")
_REASONS = {None: "open", End.HAND: "hand", End.MARGIN: "margin"}


@dataclass(frozen=True, slots=True)
class EndingView:
    """The end of a survey.

    Args:
        key: the key of its sentence; "" if there is nothing to say.
        moment: the moment in the sentence; None without one.
        words: the moment in UTC, or the number of reports, in words.
        is_ahead: whether the moment is still to come.
    """

    key: str = ""
    moment: datetime | None = None
    words: str = ""
    is_ahead: bool = False


def ending_view(
    stored: StoredSurvey, fieldwork: Fieldwork, state: str, labels: Labels
) -> EndingView:
    """When a survey in this state opens or closes, and whether its owner has moved the end."""
    published = stored.survey.window
    window = fieldwork.window or published
    if window is None or stored.is_purged:
        return EndingView()
    if state == "not_open" and window.opens:
        return EndingView("opens", window.opens, labels.numbers.moment(window.opens))
    is_open = state == "open"
    is_later = fieldwork.is_extended and window.closes != (published and published.closes)
    if window.closes and (is_open or is_later):
        words = labels.numbers.moment(window.closes)
        return EndingView("extended" if is_later else "until", window.closes, words, is_open)
    if window.at_most_reports and fieldwork.is_extended:
        return EndingView("extended_reports", words=labels.numbers.count(window.at_most_reports))
    return EndingView()


def interval_reason(estimates: Estimates) -> str:
    """The key of the sentence on why the intervals are for one look, or for every look."""
    is_watched, fieldwork = estimates.interval is Interval.ANYTIME, estimates.fieldwork
    if fieldwork.has_planned_end:
        is_unseen = fieldwork.is_extended or fieldwork.end is End.HAND
        return "wider" if is_watched else "unseen" if is_unseen else "planned"
    if not is_watched:
        return "one_look"
    return "extended" if fieldwork.is_extended else _REASONS[fieldwork.end]


def ended_in_words(fieldwork: Fieldwork, language: str) -> str:
    """Whether and how the survey ended, and whether its reports were simulated."""
    ends = catalog("files", language)["ends"]
    state = ends["none" if fieldwork.end is None else fieldwork.end.value]
    said = (
        ends["simulated"] if fieldwork.is_simulated else "",
        state,
        ends["extended"] if fieldwork.is_extended else "",
    )
    return " ".join(filter(None, said))


def reason_in_words(estimates: Estimates, language: str) -> str:
    """Why its intervals are these, or a warning that they are for another kind of end."""
    reason = interval_reason(estimates)
    # How the survey ended is in another sentence, so these ends share one reason.
    return catalog("files", language)["why"][reason if reason in _OWN_REASONS else "watched"]
