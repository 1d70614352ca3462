"""Studies of a running collector, over real HTTP."""

import http.server
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import numpy as np
import pytest

from deniable_analysis import (
    StudyNotFound,
    StudyRefused,
    StudyUnavailable,
    SurveyNotFound,
    UnreadableStudy,
    UnsafeAddress,
    open_study,
)
from deniable_analysis.sources import CollectorSource
from deniable_analysis.sources.address import Address
from deniable_collector import add_reports, open_store
from deniable_sdk import randomize
from live_server import ANALYST_TOKEN, OWNER_TOKEN, LiveCollector, live_collector
from sample_definitions import choice, multiple, number, survey, yes_no
from told import told

KINDS = survey(
    choice("region", 12, required=True),
    yes_no("order", required=True),
    multiple(options=12),
    number(),
    epsilon=4,
    ask=3,
    slug="kinds",
)


@pytest.fixture(scope="module")
def collector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveCollector]:
    """A running collector with two editions of a survey."""
    path = tmp_path_factory.mktemp("collector") / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(survey(yes_no("order"), slug="kinds"))
        store.close_survey("kinds")
        store.publish(KINDS)
        add_reports(
            store, [randomize(KINDS, {"order": "yes", "region": "o1"}) for _ in range(300)]
        )
    with live_collector(path) as running:
        yield running


def page(collector: LiveCollector, slug: str = "kinds") -> str:
    """The address of a survey's page."""
    return f"{collector.url}/s/{slug}"


def test_a_collectors_study_is_that_of_its_store(
    collector: LiveCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Estimates and tuples over HTTP are those of the file, with either way to give the token."""
    store = open_study(collector.store)
    study = open_study(page(collector), token=ANALYST_TOKEN)
    assert study.survey == KINDS
    assert study.edition == 2
    assert study.report_count == 300
    assert study.estimate() == store.estimate()
    assert study.estimate("order") == store.estimate("order")
    for blocks in (KINDS.blocks[:2], KINDS.blocks[1:]):
        one, other = store._together(blocks), study._together(blocks)
        np.testing.assert_array_equal(one.counts, other.counts)
        for place in range(len(blocks)):
            np.testing.assert_array_equal(one.of(place), other.of(place))
    monkeypatch.setenv("DENIABLE_ANALYST_TOKEN", ANALYST_TOKEN)
    assert open_study(page(collector)).estimate() == store.estimate()


def test_an_earlier_edition_can_be_opened(collector: LiveCollector) -> None:
    """slug@1 is the first edition, and has no reports and no tuples."""
    first = open_study(page(collector), "kinds@1", token=ANALYST_TOKEN)
    assert (first.edition, first.report_count) == (1, 0)
    assert first.estimate().questions[0].options[0].share is None
    assert first._together(first.survey.blocks).report_count == 0
    with pytest.raises(SurveyNotFound, match=r"got the survey 'other'; the store holds: kinds@1,"):
        open_study(page(collector), "other", token=ANALYST_TOKEN)


def test_a_token_is_needed_and_never_told(
    collector: LiveCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a token, and with a wrong one, it is said what to do, and no token is repeated."""
    monkeypatch.delenv("DENIABLE_ANALYST_TOKEN", raising=False)
    with pytest.raises(StudyRefused, match=r"give token=\.\.\., or set DENIABLE_ANALYST_TOKEN in"):
        open_study(page(collector))
    with pytest.raises(StudyRefused, match=r"answered 401: Send the analyst's token in the hea"):
        open_study(page(collector), token=OWNER_TOKEN)
    with pytest.raises(StudyRefused) as refused:
        open_study(page(collector), token="secret-of-someone-else")  # noqa: S106 - a wrong one
    assert "secret-of-someone-else" not in told(refused.value)
    assert ANALYST_TOKEN not in repr(open_study(page(collector), token=ANALYST_TOKEN))


def test_an_unknown_survey_is_not_found(collector: LiveCollector) -> None:
    """A slug that the collector does not have is refused in its words."""
    with pytest.raises(StudyNotFound, match=r"answered 404: No survey is published here under"):
        open_study(page(collector, "other"), token=ANALYST_TOKEN)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("https://example.org", r"got the address https://example\.org; allowed is that of a sur"),
        ("https://example.org/s/", r"allowed is that of a survey's page, like https://"),
        ("https://example.org/s/a/b", r"allowed is that of a survey's page, like https://"),
        ("https:///s/a", r"got an address that cannot be read"),
        ("https://[::1/s/a", r"got an address that cannot be read"),
    ],
)
def test_other_addresses_are_refused(url: str, problem: str) -> None:
    """An address that names no survey says what one looks like."""
    with pytest.raises(StudyNotFound, match=problem):
        open_study(url, token=ANALYST_TOKEN)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://example.org/s/a", r"got http:// to example\.org, which is not this machine"),
        ("http://127.0.0.1.example.org/s/a", r"which is not this machine: the token could be"),
        ("http://localhost@example.org/s/a", r"a name or password before the host; leave it out"),
        ("https://me:secret77@example.org/s/a", r"a name or password before the host"),
    ],
)
def test_a_token_is_not_sent_where_it_could_be_read(url: str, problem: str) -> None:
    """Nothing is sent in clear to another machine, and a password is not repeated."""
    with pytest.raises(UnsafeAddress, match=problem) as refused:
        open_study(url, token=ANALYST_TOKEN)
    assert "secret77" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "collector_url"),
    [
        ("http://127.0.0.1:8000/s/a", "http://127.0.0.1:8000"),
        ("http://[::1]:8000/s/a/", "http://[::1]:8000"),
        ("http://localhost/surveys/s/a", "http://localhost/surveys"),
        ("https://example.org/s/a?x=1#y", "https://example.org"),
        ("HTTPS://example.org/s/a", "https://example.org"),
    ],
)
def test_addresses_of_pages_are_read(url: str, collector_url: str) -> None:
    """The collector's routes begin where the page's address has /s/."""
    assert Address.of(url) == Address(collector_url, "a")


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
        thread = threading.Thread(target=server.serve_forever)
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
            with pytest.raises(StudyUnavailable, match=r"answered 302: it sends elsewhere, and"):
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
        pytest.raises(UnreadableStudy, match=r"gave an answer that is not the counts of this sur"),
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
    region = {"block": "region", "reports": 2, "said": [[0, 2], [3, 2], [5, 2]]}
    order = {"block": "order", "reports": 3, "said": [[0, 1], [1, 2]]}
    return [
        None,
        [],
        [region],
        [order, region],
        [region, {**order, "reports": 4}],
        [region, {**order, "said": [[0, 1], [77, 2]]}],
        [region, {**order, "said": [[0, -1], [1, 4]]}],
        [region, {**order, "said": [[[0, 1], 3]]}],
        [region, {**order, "said": [["x", 3]]}],
        [region, {**order, "said": None}],
        [{**region, "said": [[0, 6]]}, order],
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
    ],
    ids=str,
)
def test_tuples_that_no_reports_give_are_refused(tuples: object) -> None:
    """Tuples of another length, of other values or without a count are not taken."""
    assert_refused("together", {"digest": KINDS.digest, "tuples": tuples})


def test_results_of_another_survey_are_refused() -> None:
    """The digest of an answer must be that of the survey that was opened."""
    assert_refused("together", {"digest": "0" * 64, "tuples": []})


def assert_refused(what: str, document: object) -> None:
    """The source refuses such an answer, and does not repeat it."""
    with answering(200, json.dumps(document).encode()) as (url, _):
        source = CollectorSource(Address(url, "kinds"), ANALYST_TOKEN)
        editions = {"editions": [{"edition": 1, "digest": KINDS.digest, "is_closed": False}]}
        with answering(200, json.dumps(editions).encode()) as (other, _):
            (stored,) = CollectorSource(Address(other, "kinds"), ANALYST_TOKEN).surveys()
        with pytest.raises(UnreadableStudy, match=r"not the counts of this survey") as refused:
            getattr(source, what)(stored, KINDS.blocks[:2])
    assert "77" not in str(refused.value).replace(url, "")


def test_what_a_collector_answers_can_be_right() -> None:
    """The right forms of both answers are taken, so that the refusals above mean something."""
    region = {"block": "region", "reports": 2, "said": [[0, 2], [3, 2], [5, 2]]}
    order = {"block": "order", "reports": 3, "said": [[0, 1], [1, 2]]}
    body = {"digest": KINDS.digest, "reports": 5, "blocks": [region, order]}
    editions = {"editions": [{"edition": 1, "digest": KINDS.digest, "is_closed": False}]}
    with answering(200, json.dumps({**body, **editions}).encode()) as (url, _):
        source = CollectorSource(Address(url, "kinds"), ANALYST_TOKEN)
        counts = source.count(source.surveys()[0], KINDS.blocks[:2])
    assert counts.blocks["order"].said == {0: 1, 1: 2}
    tuples = {"digest": KINDS.digest, "tuples": [[[0, 1, 5], 1, 4]], **editions}
    with answering(200, json.dumps(tuples).encode()) as (url, _):
        source = CollectorSource(Address(url, "kinds"), ANALYST_TOKEN)
        assert source.together(source.surveys()[0], KINDS.blocks[:2]).report_count == 4
