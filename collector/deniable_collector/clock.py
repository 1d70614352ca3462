"""The time of day, which decides only whether the window of a survey is open.

No time is stored with a report. All waiting is measured by clocks that never jump.
"""

from collections.abc import Callable
from datetime import UTC, datetime

Moment = datetime
Clock = Callable[[], Moment]


def utc_now() -> Moment:
    """The present moment, in UTC, as this machine knows it."""
    return datetime.now(UTC)
