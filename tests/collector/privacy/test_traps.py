"""The fifteen ways in which collectors leak, and the tests that prevent each of them.

1. Logs and tracebacks with bodies or addresses: test_no_mark_is_in_any_file_or_line,
   test_the_log_has_the_start_and_the_end_alone,
   test_a_failure_is_logged_by_its_class_and_place_alone.
2. Times, sequential ids, the order of rows: test_no_time_of_a_submission_is_kept,
   test_the_order_in_which_rows_are_read_tells_nothing_of_arrival,
   test_a_closed_store_is_the_same_bytes_whoever_sent_when.
3. Free pages and the write-ahead log:
   test_the_places_of_rows_in_a_closed_survey_tell_nothing_of_arrival,
   test_what_was_overwritten_is_nowhere_in_the_file.
4. Tokens in addresses, logs, Referer:
   test_a_token_in_an_address_opens_nothing_and_is_kept_nowhere.
5. When a token was used, or the order of tokens: test_using_a_token_changes_no_byte,
   test_a_closed_store_is_the_same_bytes_whoever_sent_when.
6. Keys of limits that reveal addresses: test_no_mark_is_in_any_file_or_line (hashes of
   addresses too), test_all_that_is_kept_is_times_at_places_that_thousands_share.
7. Lengths or paths that depend on an answer: test_every_value_is_answered_alike, and on
   the device test_python_spends_no_more_than_it_claims.
8. A different definition or address for one person: test_everybody_gets_the_same_answers.
9. ETags, caches, cookies: test_everybody_gets_the_same_answers,
   test_no_answer_has_a_header_that_is_not_listed.
10. Session replay of the page around the form: test_the_policy_is_strict.
11. Language, theme, time zone, version: test_everybody_gets_the_same_answers,
    test_no_mark_is_in_any_file_or_line.
12. Different errors for different answers: test_every_wrong_value_is_refused_in_the_same_words.
13. Noise from another source than the system: test_default_source_is_the_operating_system.
14. Fetches or redirects that depend on an answer: test_nothing_is_ever_redirected,
    test_requests_do_not_depend_on_answers.
15. Forked workers that share random bytes: test_workers_draw_keys_of_their_own,
    test_python_spends_no_more_than_it_claims (a device that forks is among its pairs).
"""

import gc
import hashlib
import json
import multiprocessing
import random
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from multiprocessing.queues import Queue
from pathlib import Path

import pytest

from canaries import CANARY, MarkedClient
from deniable_collector import Settings, create_collector, open_store
from deniable_collector.app import opened
from deniable_collector.limits import RateLimiter
from deniable_collector.tokens import AccessToken, Role, digest_of
from deniable_sdk import Report, randomize
from live_server import ANALYST_TOKEN, OWNER_TOKEN, Answer, LiveCollector, live_collector
from problem_checks import assert_problem
from sample_definitions import choice, survey, yes_no

TESTS = Path(__file__).parents[2]
PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5", slug="silent")
NUMBERS = survey(choice(options=40), slug="numbers", epsilon=6)
LINES = {"Content-Type": "application/x-ndjson"}
ALLOWED_HEADERS = {
    *("access-control-allow-headers", "access-control-allow-methods"),
    *("access-control-allow-origin", "access-control-expose-headers", "access-control-max-age"),
    *("allow", "cache-control", "connection", "content-length", "content-type"),
    *("cross-origin-resource-policy", "date", "referrer-policy", "retry-after", "server"),
    *("www-authenticate", "x-content-type-options"),
    # Surveys travel compressed where that is understood; so much is said to everybody alike.
    *("content-encoding", "vary"),
}
CONDITIONS = {"If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT", "Range": "bytes=0-9"}
GETS = [
    *("/api/surveys/silent", f"/api/surveys/by-digest/{PUBLISHED.digest}", "/healthz"),
    *("/api/openapi.json", "/api/surveys/missing", "/missing", "/api/surveys/silent/results"),
]


def reports(count: int, source: random.Random) -> list[Report]:
    """So many reports of respondents who did not answer."""
    return [randomize(PUBLISHED, {}, read_bytes=source.randbytes) for _ in range(count)]


def without_counters(path: Path) -> bytes:
    """An SQLite file without the two numbers of its header that count changes of it."""
    content = bytearray(path.read_bytes())
    content[24:28] = content[40:44] = content[92:96] = bytes(4)
    return bytes(content)


def test_the_tests_that_are_named_above_are_there() -> None:
    """Each trap names tests, and each of them is in a file of tests."""
    sources = "".join(path.read_text() for path in TESTS.rglob("test_*.py"))
    traps = re.split(r"^\d+\. ", __doc__ or "", flags=re.MULTILINE)[1:]
    assert len(traps) == 15
    for trap in traps:
        names = re.findall(r"test_\w+", trap)
        assert names
        for name in names:
            assert f"def {name}(" in sources, name


def send_plainly(collector: LiveCollector, sent: Sequence[Report]) -> None:
    """Send all at once, and nothing else."""
    body = b"[" + b",".join(report.to_bytes() for report in sent) + b"]"
    assert collector.send("POST", "/api/reports", body).document["stored"] == len(sent)


def send_marked(collector: LiveCollector, sent: Sequence[Report]) -> None:
    """Send backwards, in other parts, twice, marked, with tokens and refusals in between."""
    client = MarkedClient(1)
    with closing(collector.connect()) as connection:
        for number, report in enumerate(reversed(sent)):
            body = report.to_bytes()
            answer = client.send(connection, "POST", "/api/reports", body)
            assert answer.status == 201
            if number % 9 == 0:
                client.send(connection, "POST", "/api/reports", b"\n".join([body] * 3), LINES)
                other = json.loads(body)
                other["values"]["asthma"] = (other["values"]["asthma"] + 1) % 3
                body = json.dumps(other).encode()
                assert client.send(connection, "POST", "/api/reports", body).status == 409
                assert collector.owner("POST", "/api/surveys", PUBLISHED.document).status == 200
    with closing(open_store(collector.store)) as store:
        store.add_token(AccessToken("another", Role.ANALYST), digest_of(ANALYST_TOKEN[:-1] + "b"))
        store.remove_token("another")


def test_a_closed_store_is_the_same_bytes_whoever_sent_when(
    tmp_path: Path, random_source: random.Random
) -> None:
    """Order, parts, repeats, refusals, senders and the use of tokens leave no bit in the file."""
    sent = reports(120, random_source)
    contents = []
    for name, send in (("plain", send_plainly), ("marked", send_marked)):
        path = tmp_path / f"{name}.sqlite"
        if send is send_marked:
            # Older than the owner's, other than in the other store.
            with closing(open_store(path)) as store:
                store.add_token(
                    AccessToken("tests-analyst", Role.ANALYST), digest_of(ANALYST_TOKEN)
                )
        with live_collector(path) as collector:
            assert collector.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
            send(collector, sent)
            assert collector.owner("POST", "/api/surveys/silent/close").status == 200
            assert collector.stop() == 0
        contents.append(without_counters(path))
        assert all(bytes.fromhex(report.id) in contents[-1] for report in sent)
    assert contents[0] == contents[1]


@pytest.fixture(scope="module")
def served(collector: LiveCollector) -> LiveCollector:
    """A collector with two surveys."""
    for published in (PUBLISHED, NUMBERS):
        collector.owner("POST", "/api/surveys", published.document)
    return collector


def told(answer: Answer) -> tuple[int, Mapping[str, str], bytes]:
    """All that an answer says, but for what time it is."""
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return answer.status, headers, answer.body


@pytest.mark.parametrize("path", GETS)
def test_everybody_gets_the_same_answers(served: LiveCollector, path: str) -> None:
    """No mark, condition, language or address changes a bit, and none comes back."""
    plain = told(served.send("GET", path))
    for client in map(MarkedClient, range(2)):
        with closing(served.connect()) as connection:
            answers = [
                client.send(connection, "GET", path, None, more) for more in ({}, CONDITIONS)
            ]
        for answer in answers:
            assert told(answer) == plain
            assert CANARY not in str(answer).lower()


def test_no_answer_has_a_header_that_is_not_listed(
    served: LiveCollector, random_source: random.Random
) -> None:
    """Whatever is asked and however it is answered, no header names anybody or dates anything."""
    (report,) = reports(1, random_source)
    bearer = {"Authorization": f"Bearer {ANALYST_TOKEN}"}
    answers = [served.send("GET", path) for path in GETS]
    answers += [
        served.send("GET", f"/api/surveys/silent/{name}", None, bearer)
        for name in ("results", "editions")
    ]
    answers += [served.send("OPTIONS", path) for path in ("/api/reports", GETS[0])]
    answers += [served.send("PUT", "/api/reports", b"{}"), served.send("GET", "/metrics")]
    bodies = (report.to_bytes(), report.to_bytes(), b"{", b"[]", b"[1]")
    answers += [served.send("POST", "/api/reports", body) for body in bodies]
    assert {200, 201, 400, 401, 404, 405} <= {answer.status for answer in answers}
    for answer in answers:
        assert answer.headers.keys() <= ALLOWED_HEADERS
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["server"] == "deniable"


def test_every_value_is_answered_alike(
    served: LiveCollector, random_source: random.Random
) -> None:
    """What a report says changes neither the length nor a header of its answer."""
    said = set()
    answers = set()
    for _ in range(100):
        report = randomize(NUMBERS, {}, read_bytes=random_source.randbytes)
        said.add(str(report.values))
        status, headers, body = told(served.send("POST", "/api/reports", report.to_bytes()))
        assert status == 201
        answers.add((str(headers), body.replace(report.id.encode(), b"")))
    assert len(said) > 10
    assert len(answers) == 1


def test_every_wrong_value_is_refused_in_the_same_words(served: LiveCollector) -> None:
    """Numbers that no device reports are refused alike, whatever they are."""
    document = json.loads(randomize(NUMBERS, {}).to_bytes())
    answers = set()
    for value in (-1, 41, 77, 5309, 10**9):
        document["values"]["region"] = value
        status, headers, body = told(served.send("POST", "/api/reports", document))
        answers.add((status, str(headers), body))
    assert len(answers) == 1
    assert next(iter(answers))[0] == 422


@pytest.mark.parametrize("slash", ["", "/", "//"])
def test_nothing_is_ever_redirected(served: LiveCollector, slash: str) -> None:
    """A path is right or not found; nobody is sent elsewhere."""
    for path in [*GETS, "/api/reports", "", "/api", "/api//surveys/silent"]:
        for method in ("GET", "POST", "OPTIONS"):
            answer = served.send(
                method, f"{path}{slash}" or "/", b"{}" if method == "POST" else None
            )
            assert not 300 <= answer.status < 400, path
            assert "location" not in answer.headers


@pytest.mark.parametrize("token", [OWNER_TOKEN, ANALYST_TOKEN], ids=["owner", "analyst"])
def test_a_token_in_an_address_opens_nothing_and_is_kept_nowhere(
    served: LiveCollector, token: str
) -> None:
    """Whoever puts one there is refused, and neither file nor log has it."""
    for name in ("token", "access_token", "api_key", "authorization"):
        asked = f"/api/surveys/silent/results?{name}={token}"
        assert_problem(served.send("GET", asked), "token-refused")
        asked = f"/api/surveys/silent/close?{name}={token}"
        answer = served.send("POST", asked, None, {"Cookie": f"{name}={token}"})
        assert_problem(answer, "token-refused")
    bearer = {"Authorization": f"Bearer {token}"}
    assert served.send("GET", "/api/surveys/silent/results", None, bearer).status in (200, 401)
    for path in served.store.parent.iterdir():
        assert token.encode() not in path.read_bytes()


def test_using_a_token_changes_no_byte(served: LiveCollector) -> None:
    """Neither when nor how often a token was used is kept, and none says how old it is."""
    bearer = {"Authorization": f"Bearer {ANALYST_TOKEN}"}
    files = [served.store, served.store.with_name("store.sqlite-wal")]
    before = [path.read_bytes() for path in files]
    for _ in range(20):
        assert served.send("GET", "/api/surveys/silent/results", None, bearer).status == 200
        assert served.owner("POST", "/api/surveys", PUBLISHED.document).status == 200
    assert [path.read_bytes() for path in files] == before


def test_what_was_overwritten_is_nowhere_in_the_file(
    tmp_path: Path, random_source: random.Random
) -> None:
    """Each report is in a closed file once, there is no free page, and no second copy of a row."""
    sent = reports(300, random_source)
    path = tmp_path / "store.sqlite"
    with live_collector(path) as collector:
        collector.owner("POST", "/api/surveys", PUBLISHED.document)
        for begin in range(0, len(sent), 30):
            send_plainly(collector, sent[begin : begin + 30])
        assert collector.owner("POST", "/api/surveys/silent/close").status == 200
        content = path.read_bytes()
        assert path.with_name("store.sqlite-wal").stat().st_size == 0
        assert collector.stop() == 0
    assert {content.count(bytes.fromhex(report.id)) for report in sent} == {1}
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)


def tell_key(path: Path, keys: "Queue[str]") -> None:
    """Open a collector as a worker does, and tell the hash of its limiter's key."""
    open_it = partial(open_store, path)
    before = [found for found in gc.get_objects() if isinstance(found, RateLimiter)]
    with opened(open_it, partial(create_collector, settings=Settings())):
        limiters = [found for found in gc.get_objects() if isinstance(found, RateLimiter)]
        (limiter,) = [found for found in limiters if found not in before]
        keys.put(hashlib.sha256(limiter._key).hexdigest())


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_workers_draw_keys_of_their_own(tmp_path: Path) -> None:
    """Processes that were forked from one do not share what they drew."""
    forking = multiprocessing.get_context("fork")
    keys: Queue[str] = forking.Queue()
    path = tmp_path / "store.sqlite"
    open_store(path).close()
    workers = [forking.Process(target=tell_key, args=(path, keys)) for _ in range(3)]
    for worker in workers:
        worker.start()
    found = {keys.get(timeout=60) for _ in workers}
    for worker in workers:
        worker.join()
    assert len(found) == 3
