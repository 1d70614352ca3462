"""What a collector's answer means for the report that was sent."""

from datetime import UTC
from email.utils import parsedate_to_datetime

from deniable_sdk.client.entry import Entry, State
from deniable_sdk.client.transport import Outcome
from deniable_sdk.transport import STORED

_TOO_MANY = 429
_UNAVAILABLE = 503
_TOO_EARLY = 425
_PASSING = (408, _TOO_EARLY, _TOO_MANY)
_REFUSALS = range(400, 500)
_LONGEST_REASON = 300
_LONGEST_NUMBER = 9


def verdict_of(outcome: Outcome, entry: Entry) -> State:
    """The new state of the report: sent, refused, or waiting for another try.

    An answer that does not name the report did not come from the collector.
    """
    if outcome.status in STORED:
        return "sent" if outcome.report == entry.report else "waiting"
    is_final = outcome.status in _REFUSALS and outcome.status not in _PASSING
    return "refused" if is_final else "waiting"


def concerns_all(outcome: Outcome) -> bool:
    """Whether other reports would fail now too: no response, or too busy.

    That a survey is not open yet concerns no other one.
    """
    status = outcome.status
    if status == _TOO_EARLY:
        return False
    return status < _REFUSALS.start or status in _PASSING or status == _UNAVAILABLE


def asked_wait(outcome: Outcome, now: float) -> float | None:
    """The seconds in Retry-After; None without it."""
    text = (outcome.retry_after or "").strip()
    if text.isascii() and text.isdigit():
        # More digits than these are longer than any wait that is kept.
        return float(text[:_LONGEST_NUMBER])
    try:
        wait = parsedate_to_datetime(text).replace(tzinfo=UTC).timestamp() - now
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return wait if wait >= 0 else None


def reason_of(outcome: Outcome) -> str:
    """Why a report was refused, in the collector's words where it has some."""
    reason = outcome.detail or f"the collector answered {outcome.status}"
    return "".join(sign if sign.isprintable() else " " for sign in reason[:_LONGEST_REASON])
