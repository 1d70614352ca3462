"""The log of what happens to reports, for debugging: never an answer."""

import logging
from contextlib import suppress
from typing import Literal

from deniable_sdk.client.entry import State

Event = State | Literal["postponed", "failed"]

_LOGGER = logging.getLogger("deniable_sdk")
_LOGGER.addHandler(logging.NullHandler())


def log(event: Event, report: str = "", status: int = 0, error: str = "") -> None:
    """Write an event to the log `deniable_sdk`, at level DEBUG."""
    # A log that fails is no reason to lose a report.
    with suppress(Exception):
        _LOGGER.debug("%s report=%s status=%d error=%s", event, report, status, error)
