"""Requests of the builder's page: read within limits, and done by tasks in other processes."""

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from werkzeug.exceptions import RequestEntityTooLarge

from deniable_collector.errors import Refused
from deniable_collector.logs import LOGGER
from deniable_collector.responses import read_body, read_sent_object
from deniable_sdk import PublishedSurvey
from deniable_sdk.foreign import read_json, read_object
from deniable_web.builder.stand_ins import NO_OUTLOOK, TOO_LARGE
from deniable_web.builder.tasks import FORECASTS, TEXTS, WORKBOOKS
from deniable_web.isolation.fork_server import (
    Limits,
    OverLimit,
    TaskFailed,
    TaskRefused,
    TooManyTasks,
)
from deniable_web.pages.languages import CODES, DEFAULT

# Two hundred questions with texts in five languages need about a fifth of this.
MOST_BYTES: Final = 1 << 20
MOST_RESPONDENTS: Final = 10**12

_TASKS: Final = "deniable_web.builder.tasks"
_READING: Final = Limits(cpu_s=1.7, wall_s=6, memory_bytes=1 << 30)
_FORETELLING: Final = Limits(cpu_s=4, wall_s=12, memory_bytes=4 << 30)


def read_file() -> bytes:
    """The body of the request, which is a file of any kind.

    Raises:
        Refused: the body is longer than any definition should be.
    """
    with _limited():
        return read_body(MOST_BYTES)


def read_document() -> Mapping[str, Any]:
    """The JSON object in the body of the request.

    Raises:
        Refused: the body is not a JSON object, or too long.
    """
    with _limited():
        return read_sent_object(MOST_BYTES)


def read_definition() -> bytes:
    """The JSON object in the body of the request, for a task.

    Raises:
        Refused: as read_document.
    """
    return json.dumps(read_document()).encode()


@contextmanager
def _limited() -> Iterator[None]:
    try:
        yield
    except RequestEntityTooLarge:
        raise Refused.because(
            "body-too-large",
            f"A definition may have at most {MOST_BYTES:,} bytes; remove questions, or shorten "
            "its texts.",
        ) from None


def read_draft(document: Mapping[str, Any]) -> dict[str, Any]:
    """The draft, and the respondents, the margin and the language of its forecast.

    Raises:
        Refused: they are not possible numbers, or the interface does not have the language.
    """
    respondents, margin = document.get("respondents", 1000), document.get("margin", 0.05)
    if type(respondents) is not int or not 1 <= respondents <= MOST_RESPONDENTS:
        raise refuse(f"respondents: allowed is a whole number from 1 to {MOST_RESPONDENTS:,}")
    if type(margin) not in (int, float) or not math.isfinite(margin) or not 0 < margin < 1:
        raise refuse("margin: allowed is a number above 0 and below 1, like 0.05")
    language = document.get("language", DEFAULT)
    if language not in CODES:
        raise refuse(f"language: allowed is one of {', '.join(CODES)}")
    return {
        "definition": document.get("definition"),
        "language": language,
        "respondents": respondents,
        "margin": float(margin),
    }


def refuse(reason: str) -> Refused:
    """The refusal of a draft, for a reason in words."""
    return Refused.because("invalid-definition", f"Not done: {reason}.")


def prepare() -> None:
    """Start the processes that read files and forecast drafts, before anyone waits."""
    for server in (TEXTS, FORECASTS, WORKBOOKS):
        server.start()


def check(sent: Mapping[str, Any], before: PublishedSurvey | None) -> dict[str, Any]:
    """The problems of a draft and its forecast, as plain JSON values.

    `before` is the published edition with the same slug, if there is one.

    Raises:
        Refused: the draft is too large to be checked.
    """
    draft = read_draft(sent)
    body = json.dumps(draft).encode()
    problems = read_json(run_task("list_problems", body))
    return {"problems": problems, "redrawn": _redrawn(draft, before), **_outlook(body)}


def _redrawn(draft: Mapping[str, Any], before: PublishedSurvey | None) -> list[str]:
    """The fixed questions whose kept reports would not be repeated."""
    if before is None or not any(block.fixed for block in before.blocks):
        return []
    sent = {"definition": draft["definition"], "published": read_json(before.document)}
    found: list[str] = read_json(run_task("list_redrawn", json.dumps(sent).encode()))
    return found


def _outlook(body: bytes) -> dict[str, Any]:
    try:
        return read_object(FORECASTS.run(f"{_TASKS}:foretell", body, _FORETELLING))
    except OverLimit:
        return TOO_LARGE
    except TaskFailed as error:
        raise _failed(error) from None
    except TooManyTasks:
        return NO_OUTLOOK


def run_task(task: str, body: bytes) -> bytes:
    """The result of one of the functions in `tasks`.

    Raises:
        Refused: the task refuses the body, takes too much time or memory, or must wait.
    """
    server = WORKBOOKS if task == "read_workbook" else TEXTS
    try:
        return server.run(f"{_TASKS}:{task}", body, _READING)
    except TaskRefused as error:
        raise refuse(str(error)) from None
    except OverLimit:
        raise refuse(
            "this takes more time or memory than is allowed here; remove what is not part of the "
            "survey, or use deniable check and deniable publish, which have no such limits"
        ) from None
    except TooManyTasks:
        raise Refused.because(
            "too-busy", "Other files are being read; send this one again in a moment."
        ) from None
    except TaskFailed as error:
        raise _failed(error) from None


def _failed(error: TaskFailed) -> Refused:
    LOGGER.error("%s", error)
    return Refused.because(
        "internal-error", "This could not be done; the log says where it failed."
    )
