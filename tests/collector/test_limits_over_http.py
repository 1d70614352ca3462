"""Senders with too many requests, over HTTP.

The tests act as the operator's proxy: they add the sender's address.
"""

import http.client
import re
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from deniable_sdk import randomize
from live_server import ANALYST_TOKEN, OWNER_TOKEN, Answer, LiveCollector, live_collector
from problem_checks import assert_problem
from sample_definitions import survey, yes_no

PUBLISHED = survey(yes_no())
SURVEY = "/api/surveys/health"
HOME = "203.0.113.77"
OTHER = "2001:db8:77:1::5"
BEHIND_ONE = {"DENIABLE_PROXIES": "1", "DENIABLE_RATE_LIMIT": "6"}
WRONG = f"Bearer {OWNER_TOKEN[:-1]}x"


def ask(
    collector: LiveCollector, forwarded: str, headers: Mapping[str, str] | None = None
) -> Answer:
    """The answer to a device that asks for the survey through a proxy."""
    return collector.send("GET", SURVEY, headers={"X-Forwarded-For": forwarded, **(headers or {})})


def statuses(collector: LiveCollector, count: int, *forwarded: str) -> list[int]:
    """The statuses of as many requests of senders that take turns."""
    turns = (forwarded * count)[:count]
    return [ask(collector, address).status for address in turns]


def test_who_asks_too_often_is_told_when_to_come_back(store_path: Path) -> None:
    """A problem with the time to wait, which pages of any origin can read."""
    with live_collector(store_path, environment=BEHIND_ONE) as collector:
        assert statuses(collector, 6, HOME) == [404] * 6
        refused = ask(collector, HOME)
        detail = assert_problem(refused, "too-many-requests")
        assert "more than 6 requests per minute" in detail
        assert HOME not in detail
        assert 1 <= int(refused.headers["retry-after"]) <= 10
        assert refused.headers["access-control-allow-origin"] == "*"
        assert refused.headers["access-control-expose-headers"] == "Retry-After"
        assert ask(collector, OTHER).status == 404


def test_a_refused_report_is_not_stored_and_can_be_sent_again(
    store_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """What was refused for its sender's haste is as if it had never come."""
    report = randomize(PUBLISHED, {}, read_bytes=read_bytes)
    with live_collector(store_path, environment=BEHIND_ONE) as collector:
        collector.owner("POST", "/api/surveys", PUBLISHED.document)
        statuses(collector, 6, HOME)
        sent = [
            collector.send("POST", "/api/reports", report.to_bytes(), {"X-Forwarded-For": address})
            for address in (HOME, OTHER)
        ]
    assert_problem(sent[0], "too-many-requests")
    assert sent[1].status == 201


def test_what_a_sender_writes_into_the_header_does_not_help(store_path: Path) -> None:
    """Only the last address, which the proxy added, counts."""
    spoofed = [f"198.51.100.{number}, {HOME}" for number in range(6)]
    with live_collector(store_path, environment=BEHIND_ONE) as collector:
        assert statuses(collector, 6, *spoofed) == [404] * 6
        for forwarded in (HOME, f"127.0.0.1, {HOME}", f"{OTHER},{HOME}"):
            assert_problem(ask(collector, forwarded), "too-many-requests")


def test_two_headers_are_one_list(store_path: Path) -> None:
    """A header of the sender's own before the proxy's changes nothing either."""
    with live_collector(store_path, environment=BEHIND_ONE) as collector:
        statuses(collector, 6, HOME)
        with closing(collector.connect()) as connection:
            connection.putrequest("GET", SURVEY)
            connection.putheader("X-Forwarded-For", OTHER)
            connection.putheader("X-Forwarded-For", HOME)
            connection.endheaders()
            assert connection.getresponse().status == http.client.TOO_MANY_REQUESTS


@pytest.mark.parametrize(
    "environment",
    [
        {"DENIABLE_RATE_LIMIT": "1"},
        {"DENIABLE_RATE_LIMIT": "0", "DENIABLE_PROXIES": "1"},
    ],
    ids=["no proxy", "no limit"],
)
def test_this_machine_and_a_limit_of_0_are_not_limited(
    store_path: Path, environment: Mapping[str, str]
) -> None:
    """Where no proxy is declared its header is not read, and loopback is the operator's own."""
    with live_collector(store_path, environment=environment) as collector:
        assert statuses(collector, 12, HOME) == [404] * 12


def test_health_and_preflights_do_not_count(store_path: Path) -> None:
    """Neither uses up what a sender may ask, and both are answered when it is used up."""
    sender = {"X-Forwarded-For": HOME}
    with live_collector(store_path, environment=BEHIND_ONE) as collector:
        for _ in range(2):
            free = [
                collector.send(method, path, headers=sender).status
                for method, path in (("GET", "/healthz"), ("OPTIONS", "/api/reports")) * 6
            ]
            assert free == [200] * 12
            statuses(collector, 6, HOME)
        assert ask(collector, HOME).status == 429


def test_a_wrong_token_costs_ten_requests(store_path: Path) -> None:
    """Whoever tries tokens, well-formed or not, is soon refused for it."""
    environment = {"DENIABLE_PROXIES": "1", "DENIABLE_RATE_LIMIT": "25"}
    with live_collector(store_path, environment=environment) as collector:
        answers = [
            ask(collector, HOME, {"Authorization": text}).status
            for text in (WRONG, "Bearer guess", WRONG)
        ]
        assert answers == [404, 404, 429]
        assert statuses(collector, 6, HOME) == [404] * 5 + [429]


def test_wrong_tokens_count_where_pages_and_counts_ask(store_path: Path) -> None:
    """Tokens are tried nowhere more often than at the interface; right ones cost nothing there."""
    environment = {"DENIABLE_PROXIES": "1", "DENIABLE_RATE_LIMIT": "25"}

    def of(path: str, token: str) -> int:
        headers = {"X-Forwarded-For": HOME, "Authorization": token}
        return collector.send("GET", path, headers=headers).status

    with live_collector(store_path, environment=environment) as collector:
        paths = ("/manage/account", "/metrics", "/manage/surveys")
        right = [of(path, f"Bearer {ANALYST_TOKEN}") for path in paths * 10]
        assert right == [404, 200, 404] * 10
        assert [of(path, WRONG) for path in paths] == [404, 401, 429]
        # What is left of this minute is for others of the network.
        assert statuses(collector, 6, HOME) == [404] * 5 + [429]
        assert of("/manage/account", f"Bearer {ANALYST_TOKEN}") == 404


def test_an_owner_is_never_limited_and_an_analyst_like_anyone(store_path: Path) -> None:
    """A valid owner's token opens the way, also where the network's share is used up."""
    with live_collector(store_path, environment=BEHIND_ONE) as collector:
        owner = {"Authorization": f"Bearer {OWNER_TOKEN}"}
        analyst = {"Authorization": f"Bearer {ANALYST_TOKEN}"}
        assert [ask(collector, HOME, owner).status for _ in range(12)] == [404] * 12
        assert [ask(collector, HOME, analyst).status for _ in range(7)] == [404] * 6 + [429]
        assert ask(collector, HOME, owner).status == 404


def test_no_address_is_written_down(store_path: Path, read_bytes: Callable[[int], bytes]) -> None:
    """Neither where senders are limited, nor where their requests fail, is it kept or said."""
    environment = {"DENIABLE_PROXIES": "1", "DENIABLE_RATE_LIMIT": "3"}
    addresses = (HOME, OTHER, "not-an-address-5309")
    with live_collector(store_path, "--crash-route", environment=environment) as collector:
        collector.owner("POST", "/api/surveys", PUBLISHED.document)
        answers = []
        for address in addresses:
            sender = {"X-Forwarded-For": address}
            for _ in range(5):
                report = randomize(PUBLISHED, {}, read_bytes=read_bytes)
                sent = collector.send("POST", "/api/reports", report.to_bytes(), sender)
                answers.append((sent.status, sent.body, str(sent.headers)))
            collector.send("POST", "/crash/x", b"{}", sender)
        assert [status for status, _, _ in answers] == [201, 201, 201, 429, 429] * 3
        running = b"".join(path.read_bytes() for path in store_path.parent.iterdir())
        assert collector.stop() == 0
    log = collector.log.read_text()
    assert re.fullmatch(r"(ValueError at support/live_server\.py:\d+\n){3}", log)
    stopped = b"".join(path.read_bytes() for path in store_path.parent.iterdir())
    for address in addresses:
        assert address.encode() not in running + stopped
        assert address not in log + str(answers)
