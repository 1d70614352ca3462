"""The log: events that an operator must act on, and nothing of any request.

One line an event, as JSON or as text. What goes on and on is said at most once
a minute, with how often it happened, so that the log is no timeline of
answers. Of what other libraries log only the place is kept: their messages
and tracebacks may quote addresses, paths and bodies.
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
        stream: where it goes instead.
    """
    target = stream or sys.stderr
    is_text = style == TEXT or (style == AUTO and target.isatty())
    handler = logging.StreamHandler(target)
    handler.setFormatter(TextLines() if is_text else JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    LOGGER.setLevel(logging.INFO)
    # What nobody catches would be printed with all that it says.
    threading.excepthook = lambda args: tell_failure(args.exc_type, args.exc_traceback)
    sys.unraisablehook = lambda args: tell_failure(args.exc_type, args.exc_traceback)
    sys.excepthook = lambda kind, _, traceback: tell_failure(kind, traceback)


def tell(event: str, level: int = logging.INFO, **facts: object) -> None:
    """Log an event; its facts may contain nothing of a request."""
    LOGGER.log(level, "%s", _words(event, facts), extra={"event": event, "facts": facts})


def tell_failure(kind: type[BaseException] | None, traceback: TracebackType | None) -> None:
    """Log that something failed that should not, by its class and place."""
    LOGGER.error("%s", describe_failure(kind, traceback))


def describe_failure(kind: type[BaseException] | None, traceback: TracebackType | None) -> str:
    """An exception's class and where it was raised, and nothing it carries.

    Messages, bodies, paths and addresses may hold what must not be kept.
    """
    name = kind.__name__ if kind else "an unknown failure"
    while traceback and traceback.tb_next:
        traceback = traceback.tb_next
    if traceback is None:
        return name
    file = PurePath(traceback.tb_frame.f_code.co_filename)
    return f"{name} at {'/'.join(file.parts[-2:])}:{traceback.tb_lineno}"


class ThrottledLog:
    """Tells the same event at most once a minute, with how often it happened.

    The first time it is told at once; what comes within a minute is counted,
    and told with the next that comes later.
    """

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._lock = threading.Lock()
        # Of each event: until when it is only counted, and how often it was.
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
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The time, the level and what happened."""
        return f"{_time(record)} {record.levelname.lower()}: {_text(record)}"


class JsonLines(logging.Formatter):
    """A JSON object for programs."""

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


def _words(event: str, facts: dict[str, object]) -> str:
    said = ", ".join(f"{name} {value}" for name, value in facts.items())
    return f"{event}: {said}" if said else event
