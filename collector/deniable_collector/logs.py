"""The log: events that an operator must act on, and nothing from any request.

Each event is one line, as JSON or as text. An event that repeats is logged at most once a
minute, with how often it happened, so that the log is not a timeline of reports. Messages
and tracebacks of other libraries may quote addresses, paths and bodies, so only the place
of their log calls is kept.
"""

import json
import logging
import sys
import threading
import time
from collections.abc import Callable
from pathlib import PurePath
from types import TracebackType
from typing import Final, TextIO

from deniable_sdk.errors import printable

LOGGER = logging.getLogger("deniable_collector")

AUTO: Final = "auto"
JSON: Final = "json"
TEXT: Final = "text"
STYLES: Final = (AUTO, JSON, TEXT)
QUIET_S: Final = 60.0


def set_up_logging(style: str = AUTO, stream: TextIO | None = None) -> None:
    """Send everything that this process logs to standard error in this style.

    Args:
        style: json, text, or auto: text on a terminal and json elsewhere.
        stream: where to write instead of standard error.
    """
    target = stream or sys.stderr
    is_text = style == TEXT or (style == AUTO and target.isatty())
    handler = logging.StreamHandler(target)
    handler.setFormatter(TextLines() if is_text else JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    LOGGER.setLevel(logging.INFO)
    # Otherwise an uncaught exception would be printed with its message.
    threading.excepthook = lambda args: tell_failure(args.exc_type, args.exc_traceback)
    sys.unraisablehook = lambda args: tell_failure(args.exc_type, args.exc_traceback)
    sys.excepthook = lambda kind, _, traceback: tell_failure(kind, traceback)


def tell(event: str, level: int = logging.INFO, **facts: object) -> None:
    """Log an event; its facts may contain nothing from a request."""
    said = ", ".join(f"{name} {value}" for name, value in facts.items())
    text = f"{event}: {said}" if said else event
    LOGGER.log(level, "%s", text, extra={"event": event, "facts": facts})


def tell_failure(kind: type[BaseException] | None, traceback: TracebackType | None) -> None:
    """Log an unexpected exception by its class and place."""
    LOGGER.error("%s", describe_failure(kind, traceback))


def describe_failure(kind: type[BaseException] | None, traceback: TracebackType | None) -> str:
    """An exception's class and where it was raised, but nothing of its content.

    Messages, bodies, paths and addresses may contain data that must not be kept.
    """
    name = kind.__name__ if kind else "an unknown failure"
    while traceback and traceback.tb_next:
        traceback = traceback.tb_next
    if traceback is None:
        return name
    file = PurePath(traceback.tb_frame.f_code.co_filename)
    return f"{name} at {'/'.join(file.parts[-2:])}:{traceback.tb_lineno}"


class ThrottledLog:
    """Logs the same event at most once a minute, with how often it happened.

    The first event is logged at once. Repetitions within a minute are counted; the count is
    logged with the next event after that minute.
    """

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._lock = threading.Lock()
        # For each event: until when it is only counted, and the count.
        self._quiet: dict[tuple[str, str], tuple[float, int]] = {}

    def tell(self, event: str, cause: str) -> None:
        """Log the event, or count it."""
        key = event, cause
        with self._lock:
            now = self._clock_s()
            until, count = self._quiet.get(key, (now, 0))
            is_due = now >= until
            self._quiet[key] = (now + QUIET_S, 0) if is_due else (until, count + 1)
        if is_due:
            tell(event, logging.ERROR, cause=cause, times=count + 1)


class TextLines(logging.Formatter):
    """Formats an event as a line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The time, the level and what happened."""
        return f"{_time(record)} {record.levelname.lower()}: {_text(record)}"


class JsonLines(logging.Formatter):
    """Formats an event as a JSON object for programs."""

    def format(self, record: logging.LogRecord) -> str:
        """The time, the level, the event and its facts."""
        event = getattr(record, "event", None)
        facts = getattr(record, "facts", {}) if event else {"text": _text(record)}
        document = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "event": event or "message",
            **facts,
        }
        return json.dumps(document)


def _text(record: logging.LogRecord) -> str:
    if record.name == LOGGER.name:
        return printable(record.getMessage().replace("\n", " "))
    place = f"{record.name}, {record.module}:{record.lineno}"
    if not record.exc_info or record.exc_info[0] is None:
        return place
    return f"{describe_failure(record.exc_info[0], record.exc_info[2])} ({place})"


def _time(record: logging.LogRecord) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
