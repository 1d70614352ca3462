"""The one shape that every refusal has."""

from collections.abc import Mapping
from typing import Any

from deniable_collector.problems import PROBLEMS, TYPE_PREFIX
from live_server import Answer

SAFE_HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}
IDENTIFIERS = {"etag", "last-modified", "set-cookie", "x-request-id"}
NEVER_SENT = IDENTIFIERS | {"via", "x-powered-by"}


def assert_safe_headers(answer: Answer) -> None:
    """Nothing identifies server or client, and nothing is guessed or passed on."""
    assert SAFE_HEADERS.items() <= answer.headers.items()
    assert not NEVER_SENT & answer.headers.keys()
    # No version, and not what it is built of.
    assert answer.headers["server"] == "deniable"


def assert_problem(answer: Answer, name: str) -> str:
    """The detail of a refusal of this name, after checking its whole shape."""
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    assert_safe_headers(answer)
    assert answer.status == PROBLEMS[name].status
    assert_members(answer.document, name)
    return str(answer.document["detail"])


def assert_members(document: Mapping[str, Any], name: str) -> None:
    """The members of a problem, and no others."""
    assert document.keys() == {"type", "title", "status", "detail"}
    assert document["type"] == TYPE_PREFIX + name
    assert document["title"] == PROBLEMS[name].title
    assert document["status"] == PROBLEMS[name].status
    # What was got or allowed, and what to do: at least a sentence.
    assert len(document["detail"]) > 30
    assert document["detail"].endswith(".")
