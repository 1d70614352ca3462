"""Ends as owners, analysts and devices meet them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import randomize
from live_server import ANALYST_TOKEN, Answer, LiveCollector, live_collector
from problem_checks import assert_problem, assert_safe_headers
from sample_definitions import survey, yes_no

BOTH = survey(
    yes_no(),
    slug="both",
    opens="2031-03-01T09:00Z",
    closes="2031-03-08T09:00Z",
    at_most_reports=3,
)
ALWAYS = survey(yes_no(), slug="always")
BY_DIGEST = f"/api/surveys/by-digest/{BOTH.digest}"


@pytest.fixture
def collector(tmp_path: Path) -> Iterator[LiveCollector]:
    """A collector with two surveys, while the first is open."""
    clock = tmp_path / "clock"
    set_clock(clock, "2031-03-02T09:00")
    with live_collector(tmp_path / "store.sqlite", "--clock", str(clock)) as running:
        for published in (BOTH, ALWAYS):
            assert running.owner("POST", "/api/surveys", published.document).status == 201
        yield running


def set_clock(clock: Path, moment: str) -> None:
    """Make it this time, in UTC."""
    new = clock.with_suffix(".new")
    new.write_text(f"{moment}+00:00")
    new.rename(clock)


def send(collector: LiveCollector, count: int) -> list[int]:
    """Send so many new reports, one after another; the statuses of the answers."""
    bodies = (randomize(BOTH, {}).to_bytes() for _ in range(count))
    return [collector.send("POST", "/api/reports", body).status for body in bodies]


def described(answer: Answer) -> dict[str, Any]:
    """What an answer says of how a survey ends."""
    assert answer.status == 200
    members = ("is_closed", "state", "ended_by", "is_extended", "window")
    return {name: answer.document[name] for name in members if name in answer.document}


def extend(collector: LiveCollector, slug: str, body: Any) -> Answer:
    """The answer to an owner who moves an end."""
    return collector.owner("POST", f"/api/surveys/{slug}/extend", body)


def test_a_survey_is_extended_and_everybody_can_see_it(collector: LiveCollector) -> None:
    """The owner, analysts and devices are told the window that applies; the document stays."""
    assert send(collector, 4) == [201, 201, 201, 410]
    more = extend(collector, "both", {"at_most_reports": 5})
    window = {"opens": "2031-03-01T09:00Z", "closes": "2031-03-08T09:00Z", "at_most_reports": 5}
    open_again = {
        "is_closed": False,
        "state": "open",
        "ended_by": None,
        "is_extended": True,
        "window": window,
    }
    assert described(more) == open_again
    assert_safe_headers(more)
    assert send(collector, 3) == [201, 201, 410]
    longer = extend(collector, "both", {"closes": "2031-03-15T10:00+01:00"})
    full = {**open_again, "state": "full", "ended_by": "at_most_reports"}
    full["window"] = {**window, "closes": "2031-03-15T09:00Z"}
    assert described(longer) == full
    for path in ("results", "editions"):
        answer = collector.send(
            "GET",
            f"/api/surveys/both/{path}",
            headers={"Authorization": f"Bearer {ANALYST_TOKEN}"},
        )
        members = answer.document.get("editions", [answer.document])[0]
        assert members.items() >= full.items()
    assert collector.send("GET", BY_DIGEST).body == BOTH.document
    closed = collector.owner("POST", "/api/surveys/both/close")
    assert described(closed) == {**full, "is_closed": True, "state": "closed"}


def test_a_refusal_names_the_end_that_applies(collector: LiveCollector) -> None:
    """A device is told the extended moment, and the extended number."""
    set_clock(collector.store.with_name("clock"), "2031-03-02T09:00")
    assert extend(collector, "both", {"closes": "2031-03-15T09:00Z"}).status == 200
    assert extend(collector, "both", {"at_most_reports": 4}).status == 200
    assert send(collector, 4) == [201] * 4
    body = randomize(BOTH, {}).to_bytes()
    full = collector.send("POST", "/api/reports", body)
    assert "closed with its 4 reports" in assert_problem(full, "survey-closed")
    set_clock(collector.store.with_name("clock"), "2031-03-15T09:00")
    over = collector.send("POST", "/api/reports", b"[" + body + b"]")
    (told,) = over.document["results"]
    assert told["status"] == 410
    assert "The survey closed at 2031-03-15T09:00Z" in told["detail"]


def test_a_device_asks_what_applies_now(collector: LiveCollector) -> None:
    """Pages of any origin may, without a token; the answer is never cached."""
    path = f"{BY_DIGEST}/fieldwork"
    asked = collector.send("GET", path, headers={"Origin": "https://clinic.example"})
    assert asked.document == {
        "state": "open",
        "now": "2031-03-02T09:00:00Z",
        "closes": "2031-03-08T09:00Z",
        "at_most_reports": 3,
        "is_extended": False,
        "site": None,
    }
    assert asked.headers["cache-control"] == "no-store"
    assert asked.headers["access-control-allow-origin"] == "*"
    assert_safe_headers(asked)
    extend(collector, "both", {"closes": "2031-03-15T09:00Z", "at_most_reports": 9})
    assert collector.send("GET", path).document == {
        "state": "open",
        "now": "2031-03-02T09:00:00Z",
        "closes": "2031-03-15T09:00Z",
        "at_most_reports": 9,
        "is_extended": True,
        "site": None,
    }
    set_clock(collector.store.with_name("clock"), "2031-02-01T09:00")
    assert collector.send("GET", path).document["state"] == "not_open"
    without = collector.send("GET", f"/api/surveys/by-digest/{ALWAYS.digest}/fieldwork")
    assert without.document == {
        "state": "open",
        "now": "2031-02-01T09:00:00Z",
        "closes": None,
        "at_most_reports": None,
        "is_extended": False,
        "site": None,
    }
    unknown = collector.send("GET", f"/api/surveys/by-digest/{'0' * 64}/fieldwork")
    assert_problem(unknown, "unknown-survey")


@pytest.mark.parametrize(
    ("slug", "body", "name", "detail"),
    [
        ("both", {}, "extension-refused", "Nothing was changed: got no new end; give"),
        ("both", {"closes": "2031-03-08T09:00Z"}, "extension-refused", "only a later moment"),
        ("both", {"at_most": 5}, "extension-refused", "at_most: unknown key; did you mean"),
        ("both", [], "extension-refused", "allowed is an object with keys"),
        ("always", {"at_most_reports": 5}, "extension-refused", "published without"),
        ("both", b"{", "not-json", "broken at character"),
        ("unknown", {"at_most_reports": 5}, "unknown-survey", "No survey is published"),
    ],
)
def test_an_extension_that_cannot_be_is_a_problem(
    collector: LiveCollector, slug: str, body: Any, name: str, detail: str
) -> None:
    """The owner learns what is allowed, and nothing changes."""
    assert detail in assert_problem(extend(collector, slug, body), name)
    answer = collector.send("GET", f"{BY_DIGEST}/fieldwork")
    assert (answer.document["at_most_reports"], answer.document["is_extended"]) == (3, False)


def test_an_extension_comes_from_the_owner(collector: LiveCollector) -> None:
    """An analyst's token does not open the route."""
    answer = collector.send(
        "POST",
        "/api/surveys/both/extend",
        {"at_most_reports": 5},
        {"Authorization": f"Bearer {ANALYST_TOKEN}"},
    )
    assert_problem(answer, "token-refused")
