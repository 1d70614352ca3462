"""What a collector may answer, and what is refused of it."""

import http.server
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from analysis.kinds import KINDS
from deniable_analysis import open_study
from deniable_analysis.errors import StudyUnavailable, UnreadableStudy
from deniable_analysis.sources.addresses import Address
from deniable_analysis.sources.collector import CollectorSource
from live_server import ANALYST_TOKEN


@contextmanager
def answering(status: int, body: bytes, **headers: str) -> Iterator[tuple[str, list[str]]]:
    """The address of a server that always answers so, and the tokens it was sent."""
    tokens: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            tokens.append(self.headers.get("Authorization", ""))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """Nothing is logged."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", tokens
        finally:
            server.shutdown()
            thread.join()


def test_a_redirect_is_not_followed() -> None:
    """The token goes to no other host, whatever the collector's address answers."""
    with answering(200, b"{}") as (elsewhere, stolen):  # noqa: SIM117 - one is within the other
        with answering(302, b"", Location=f"{elsewhere}/x") as (url, tokens):
            with pytest.raises(StudyUnavailable, match=r"answered 302: it redirects elsewhere"):
                open_study(f"{url}/s/kinds", token=ANALYST_TOKEN)
            assert tokens == [f"Bearer {ANALYST_TOKEN}"]
    assert stolen == []


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b"{}", b'{"editions":[{}]}', b"[" * 99999]
)
def test_an_answer_of_something_else_is_refused(body: bytes) -> None:
    """What is not a collector's answer is not taken for one."""
    with (
        answering(200, body) as (url, _),
        pytest.raises(UnreadableStudy, match=r"returned something other than the counts"),
    ):
        open_study(f"{url}/s/kinds", token=ANALYST_TOKEN)


def test_failures_of_the_collector_are_told() -> None:
    """An answer of 500, none at all, and one that takes too long are told apart from refusals."""
    with (
        answering(500, b"oops") as (url, _),
        pytest.raises(StudyUnavailable, match=r"answered 500: without saying why; check"),
    ):
        open_study(f"{url}/s/kinds", token=ANALYST_TOKEN)
    with pytest.raises(
        StudyUnavailable, match=r"no answer from the collector at http://127.0.0.1"
    ):
        open_study(f"{url}/s/kinds", token=ANALYST_TOKEN)
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        address = Address(f"http://127.0.0.1:{silent.getsockname()[1]}", "kinds")
        with pytest.raises(StudyUnavailable, match=r"no answer from the collector .*Timeout"):
            CollectorSource(address, ANALYST_TOKEN, timeout_s=0.2).surveys()


def wrong_results() -> list[Any]:
    """Answers to `results` that no reports can give, each wrong in one way."""
    region = {"block": "region", "reports": 2, "support": [[0, 2], [3, 2], [5, 2]]}
    order = {"block": "order", "reports": 3, "support": [[0, 1], [1, 2]]}
    return [
        None,
        [],
        [region],
        [order, region],
        [region, {**order, "reports": 4}],
        [region, {**order, "support": [[0, 1], [77, 2]]}],
        [region, {**order, "support": [[0, -1], [1, 4]]}],
        [region, {**order, "support": [[[0, 1], 3]]}],
        [region, {**order, "support": [["x", 3]]}],
        [region, {**order, "support": None}],
        [{**region, "support": [[0, 6]]}, order],
        [region, {**order, "support": [[0, 1], [0, 1], [1, 1]]}],
        [region, {**order, "support": [[0, 1], [1, 2], [1, 2]]}],
        [region, {**order, "support": [[False, 1], [1, 2]]}],
        [region, {"block": "order", "reports": True, "support": [[0, True]]}],
        [region, {"block": "order", "reports": 2**60, "support": [[0, 2**60]]}],
    ]


@pytest.mark.parametrize("blocks", wrong_results(), ids=lambda given: str(given)[:30])
def test_counts_that_no_reports_give_are_refused(blocks: object) -> None:
    """Whatever a collector answers, only counts of the survey's own blocks are taken."""
    asked = KINDS.blocks[:2]
    assert [block.mechanism.to_document()["size"] for block in asked] == [3, 1]
    body = {"digest": KINDS.digest, "reports": 5, "blocks": blocks}
    assert_refused("count", body)


@pytest.mark.parametrize(
    "tuples",
    [
        None,
        {},
        [[1, 1]],
        [[1, [0, 1], 1]],
        [[[0, 1, 5], 77, 1]],
        [[[0, 1, 5], 1, 0]],
        [[[0, 1, 5], 1, "x"]],
        [[[0, 1, 5], 1, True]],
        [[[0, 1, 5], 1, 2], [[0, 1, 5], 1, 2]],
    ],
    ids=str,
)
def test_tuples_that_no_reports_give_are_refused(tuples: object) -> None:
    """Tuples of another length, of other values or without a count are not taken."""
    assert_refused("joint_counts", {"digest": KINDS.digest, "tuples": tuples})


def test_results_of_another_survey_are_refused() -> None:
    """The digest of an answer must be that of the survey that was opened."""
    assert_refused("joint_counts", {"digest": "0" * 64, "tuples": []})


def assert_refused(what: str, document: object) -> None:
    """The source refuses such an answer, and does not repeat it."""
    with answering(200, json.dumps(document).encode()) as (url, _):
        source = CollectorSource(Address(url, "kinds"), ANALYST_TOKEN)
        editions = {"editions": [{"edition": 1, "digest": KINDS.digest, "is_closed": False}]}
        with answering(200, json.dumps(editions).encode()) as (other, _):
            (stored,) = CollectorSource(Address(other, "kinds"), ANALYST_TOKEN).surveys()
        with pytest.raises(UnreadableStudy, match=r"other than the counts") as refused:
            getattr(source, what)(stored, KINDS.blocks[:2])
    assert "77" not in str(refused.value).replace(url, "")


def test_what_a_collector_answers_can_be_right() -> None:
    """The right forms of both answers are taken, so that the refusals above mean something."""
    region = {"block": "region", "reports": 2, "support": [[0, 2], [3, 2], [5, 2]]}
    order = {"block": "order", "reports": 3, "support": [[0, 1], [1, 2]]}
    body = {"digest": KINDS.digest, "reports": 5, "blocks": [region, order]}
    editions = {"editions": [{"edition": 1, "digest": KINDS.digest, "is_closed": False}]}
    with answering(200, json.dumps({**body, **editions}).encode()) as (url, _):
        source = CollectorSource(Address(url, "kinds"), ANALYST_TOKEN)
        counts = source.count(source.surveys()[0], KINDS.blocks[:2])
    assert counts.blocks["order"].support == {0: 1, 1: 2}
    tuples = {"digest": KINDS.digest, "tuples": [[[0, 1, 5], 1, 4]], **editions}
    with answering(200, json.dumps(tuples).encode()) as (url, _):
        source = CollectorSource(Address(url, "kinds"), ANALYST_TOKEN)
        assert source.joint_counts(source.surveys()[0], KINDS.blocks[:2]).report_count == 4
