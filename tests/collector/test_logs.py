"""The log is for operators, and contains nothing from a request."""

import io
import json
import logging
import re
import sys
import threading
from collections.abc import Iterator

import pytest

from deniable_collector import InvalidSettings, Settings
from deniable_collector.logs import LOGGER, ThrottledLog, describe_failure, set_up_logging, tell

CANARY = "canary5309"


@pytest.fixture
def restored() -> Iterator[None]:
    """Leaves logging and the hooks as they were."""
    root = logging.getLogger()
    before = root.handlers[:], LOGGER.level
    hooks = threading.excepthook, sys.unraisablehook, sys.excepthook
    yield
    root.handlers[:], LOGGER.level = before
    threading.excepthook, sys.unraisablehook, sys.excepthook = hooks


@pytest.mark.usefixtures("restored")
def test_an_event_is_one_json_object_a_line() -> None:
    """Programs read the time, the level, the event and its facts."""
    stream = io.StringIO()
    set_up_logging("auto", stream)
    tell("started", workers=2)
    LOGGER.warning("the log\nwas not emptied")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", first.pop("time"))
    assert first == {"level": "info", "event": "started", "workers": 2}
    del second["time"]
    assert second == {"level": "warning", "event": "message", "text": "the log was not emptied"}


@pytest.mark.usefixtures("restored")
def test_an_event_is_a_line_of_text_for_people() -> None:
    """The same, to be read."""
    stream = io.StringIO()
    set_up_logging("text", stream)
    tell("started", workers=2)
    tell("stopped")
    lines = [line.partition("Z ")[2] for line in stream.getvalue().splitlines()]
    assert lines == ["info: started: workers 2", "info: stopped"]


def test_what_goes_on_is_told_once_a_minute() -> None:
    """The log says how often, and not when each time was."""
    moments = iter([0.0, 1.0, 59.9, 60.0, 61.0, 500.0])
    told: list[tuple[object, object]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            facts = record.__dict__["facts"]
            told.append((facts["cause"], facts["times"]))

    handler = Kept()
    LOGGER.addHandler(handler)
    try:
        repeated = ThrottledLog(lambda: next(moments))
        for cause in ("full", "full", "full", "full", "locked", "full"):
            repeated.tell("store unavailable", cause)
    finally:
        LOGGER.removeHandler(handler)
    assert told == [("full", 1), ("full", 3), ("locked", 1), ("full", 1)]


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("style", ["json", "text"])
def test_what_others_log_is_reduced_to_its_place(style: str) -> None:
    """Messages and tracebacks of libraries may quote a request, and are dropped."""
    stream = io.StringIO()
    set_up_logging(style, stream)
    other = logging.getLogger("asyncio")
    other.error("refused %s", CANARY)
    try:
        int(CANARY)
    except ValueError:
        other.exception("task %s", CANARY)
    said = stream.getvalue()
    assert CANARY not in said
    assert len(said.splitlines()) == 2
    assert re.search(r"ValueError at collector/test_logs\.py:\d+ \(asyncio, test_logs:\d+\)", said)


@pytest.mark.usefixtures("restored")
def test_what_nobody_caught_is_told_by_class_and_place() -> None:
    """Threads, finalizers and the process itself say nothing of what they worked on."""
    stream = io.StringIO()
    set_up_logging("json", stream)

    def fail() -> None:
        raise ValueError(CANARY)

    class Failing:
        def __del__(self) -> None:
            fail()

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    Failing()
    try:
        fail()
    except ValueError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    texts = [json.loads(line)["text"] for line in stream.getvalue().splitlines()]
    assert len(texts) == 3
    assert all(re.fullmatch(r"ValueError at collector/test_logs\.py:\d+", text) for text in texts)


def test_a_failure_without_a_place_is_told_by_its_class() -> None:
    """Whatever is known is told, and nothing that it carries."""
    assert describe_failure(ValueError, None) == "ValueError"
    assert describe_failure(None, None) == "an unknown failure"


def test_another_style_is_an_error_at_start() -> None:
    """The setting names what is allowed."""
    with pytest.raises(InvalidSettings, match="DENIABLE_LOG: got 'xml'; allowed is auto, json"):
        Settings.from_environment({"DENIABLE_LOG": "xml"})
