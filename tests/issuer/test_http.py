"""The issuer over real HTTP: what devices ask, and what it answers."""

import json
import os
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.problems import TYPE_PREFIX
from deniable_issuer.problems import ISSUER_PROBLEMS
from deniable_sdk import PublishedSurvey, check_report, randomize
from deniable_sdk.invitation import request_token
from live_issuer import AFTER, BEFORE, UNTIL, LiveIssuer, Prepared, live_issuer, prepare
from live_server import Answer
from problem_checks import assert_safe_headers

PAGE = (Path(__file__).parents[2] / "docs" / "ISSUER.md").read_text(encoding="utf-8")


@pytest.fixture
def prepared(tmp_path: Path) -> Prepared:
    """A survey with five codes for nurses and three for doctors."""
    return prepare(tmp_path / "issuer.sqlite")


@pytest.fixture
def issuer(prepared: Prepared) -> Iterator[LiveIssuer]:
    """An issuer of that survey, a day before collecting ends."""
    with live_issuer(prepared) as running:
        yield running


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LiveIssuer, Prepared]]:
    """One issuer for all requests that change nothing."""
    found = prepare(tmp_path_factory.mktemp("lasting") / "issuer.sqlite")
    with live_issuer(found) as running:
        yield running, found


def assert_refused(answer: Answer, name: str) -> str:
    """The detail of a refusal of this name, after checking its whole shape."""
    assert answer.headers["content-type"] == "application/problem+json"
    assert_safe_headers(answer)
    document = answer.document
    assert document.keys() == {"type", "title", "status", "detail"}
    assert document["type"] == TYPE_PREFIX + name
    assert document["title"] == ISSUER_PROBLEMS[name].title
    assert answer.status == document["status"] == ISSUER_PROBLEMS[name].status
    return str(document["detail"])


def message_of(survey: PublishedSurvey, group: str) -> bytes:
    """A blinded message that nobody has sent before."""
    return request_token(survey, group).message


def test_from_code_to_report(issuer: LiveIssuer, prepared: Prepared) -> None:
    """Each code buys one token of its own group, and the report with it is accepted."""
    for issued in prepared.issued:
        _, token = issuer.collect(prepared.survey, issued.code)
        assert token.group == issued.group
        check_report(randomize(prepared.survey, {"asthma": True}, token=token), prepared.survey)


def test_a_code_is_read_as_people_type_it(lasting: tuple[LiveIssuer, Prepared]) -> None:
    """Lower case, blanks and missing hyphens are no mistakes."""
    issuer, prepared = lasting
    (code, *_) = prepared.codes("doctors")
    for typed in (code.lower(), code.replace("-", ""), code.replace("-", " "), f" {code}\n"):
        answer = issuer.ask_group(typed)
        assert (answer.status, answer.document) == (200, {"group": "doctors"})
        assert_safe_headers(answer)


def test_the_same_message_gets_the_same_signature(issuer: LiveIssuer, prepared: Prepared) -> None:
    """A device that lost the response asks again, also after a restart and after the end."""
    code, message = prepared.codes("nurses")[0], message_of(prepared.survey, "nurses")
    first = issuer.ask_signature(code, message)
    assert first.status == 200
    assert issuer.ask_signature(code.lower(), message).document == first.document
    issuer.kill()
    with live_issuer(prepared) as again:
        assert again.ask_signature(code, message).document == first.document
        again.set_clock(AFTER)
        assert again.ask_signature(code, message).document == first.document


def test_another_message_is_refused(issuer: LiveIssuer, prepared: Prepared) -> None:
    """A used code buys nothing more, before and after the end, whoever asks."""
    code, message = prepared.codes("nurses")[0], message_of(prepared.survey, "nurses")
    assert issuer.ask_signature(code, message).status == 200
    for moment in (BEFORE, AFTER):
        issuer.set_clock(moment)
        answer = issuer.ask_signature(code, message_of(prepared.survey, "nurses"))
        assert "a token that was lost is not replaced" in assert_refused(answer, "code-used")
    assert issuer.ask_group(code).document == {"group": "nurses"}


def test_many_devices_with_one_code_get_one_token(issuer: LiveIssuer, prepared: Prepared) -> None:
    """Of ten different messages that arrive at once, one is signed."""
    code = prepared.codes("nurses")[0]
    messages = [message_of(prepared.survey, "nurses") for _ in range(10)]
    barrier = threading.Barrier(10)

    def ask(message: bytes) -> int:
        barrier.wait()
        return issuer.ask_signature(code, message).status

    with ThreadPoolExecutor(10) as threads:
        assert sorted(threads.map(ask, messages)) == [200] + [409] * 9


@pytest.mark.parametrize(
    "code", ["AAAA-AAAA-AAAA-AAAA", "AAAA", "", "0000-0000-0000-0000", "ÄÄÄÄ", "A" * 3_000]
)
def test_unknown_codes(lasting: tuple[LiveIssuer, Prepared], code: str) -> None:
    """A code that was never made, or cannot be one, is unknown on both routes."""
    issuer, prepared = lasting
    message = message_of(prepared.survey, "nurses")
    for answer in (issuer.ask_group(code), issuer.ask_signature(code, message)):
        detail = assert_refused(answer, "unknown-code")
        assert "or ask whoever invited you" in detail
        assert not code or code not in answer.body.decode()


def test_a_code_is_good_for_its_survey_alone(tmp_path: Path) -> None:
    """The codes and digests of two surveys in one store do not mix."""
    one = prepare(tmp_path / "issuer.sqlite")
    other = prepare(tmp_path / "issuer.sqlite", edition=1, slug="other")
    with live_issuer(one) as issuer:
        code = other.codes("nurses")[0]
        assert_refused(issuer.ask_group(code), "unknown-code")
        for wrong in ("0" * 64, "", one.survey.digest.upper(), "x" * 64):
            assert_refused(issuer.ask_group(code, survey=wrong), "unknown-code")
        assert issuer.ask_group(code, survey=other.survey.digest).status == 200


def test_after_the_end(issuer: LiveIssuer, prepared: Prepared) -> None:
    """From collect_until on no new message is signed, and the refusal says when it ended."""
    unused, message = prepared.codes("nurses")[0], message_of(prepared.survey, "nurses")
    for moment in (UNTIL, AFTER):
        issuer.set_clock(moment)
        answer = issuer.ask_signature(unused, message)
        assert "until 2040-01-31T18:00Z" in assert_refused(answer, "collecting-over")
    issuer.set_clock(BEFORE)
    assert issuer.ask_signature(unused, message).status == 200


def test_how_many_collected_is_public_after_the_end_only(
    issuer: LiveIssuer, prepared: Prepared
) -> None:
    """Before the end nobody can see whether somebody collects; afterwards the counts are final."""
    path = f"/api/surveys/{prepared.survey.digest}"
    expected = {
        "survey": prepared.survey.digest,
        "slug": "wards",
        "collect_until": "2040-01-31T18:00Z",
    }
    hidden = [
        {"id": "nurses", "invited": 40, "collected": None},
        {"id": "doctors", "invited": 25, "collected": None},
    ]
    for code in prepared.codes("nurses")[:2]:
        assert issuer.send("GET", path).document == {
            **expected,
            "is_over": False,
            "sign_in": None,
            "groups": hidden,
        }
        issuer.collect(prepared.survey, code)
    issuer.set_clock(AFTER)
    counted = [{**hidden[0], "collected": 2}, {**hidden[1], "collected": 0}]
    for _ in range(2):
        answer = issuer.send("GET", path)
        assert answer.document == {
            **expected,
            "is_over": True,
            "sign_in": None,
            "groups": counted,
        }
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("digest", ["0" * 64, "wards", "0" * 63])
def test_an_unknown_survey(lasting: tuple[LiveIssuer, Prepared], digest: str) -> None:
    """Only a survey that codes were made for has a state."""
    assert_refused(lasting[0].send("GET", f"/api/surveys/{digest}"), "unknown-survey")


def test_messages_that_no_device_makes(issuer: LiveIssuer, prepared: Prepared) -> None:
    """Zero, the modulus and more, and other lengths are refused, and use up no code."""
    code = prepared.codes("nurses")[0]
    modulus = prepared.keys["nurses"].modulus
    larger = (int.from_bytes(modulus, "big") + 1).to_bytes(256, "big")
    for message in (bytes(256), modulus, larger, b"\xff" * 256, bytes(255), bytes(257), b""):
        assert_refused(issuer.ask_signature(code, message), "invalid-request")
    assert issuer.ask_signature(code, message_of(prepared.survey, "nurses")).status == 200


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "not-json"),
        (b"{", "not-json"),
        (b"[]", "not-json"),
        (b"[" * 4_000, "not-json"),
        (b"\xff", "not-json"),
        (b"{}", "invalid-request"),
        (b'{"survey": "x"}', "invalid-request"),
        (b'{"survey": "x", "code": 1}', "invalid-request"),
        (b'{"survey": "x", "code": "x", "contact": "x"}', "invalid-request"),
        (b" " * 4_096, "not-json"),
        (b" " * 4_097, "body-too-large"),
    ],
)
def test_other_bodies(lasting: tuple[LiveIssuer, Prepared], body: bytes, problem: str) -> None:
    """Each is refused with its reason, and never with an error of the server."""
    issuer, _ = lasting
    assert_refused(issuer.send("POST", "/api/codes", body), problem)
    # Without a stated length, too.
    in_chunks = iter([body[:2_000], body[2_000:]]) if body else iter([])
    json_type = {"Content-Type": "application/json"}
    assert_refused(issuer.send("POST", "/api/codes", in_chunks, json_type), problem)


def test_other_requests(lasting: tuple[LiveIssuer, Prepared]) -> None:
    """Other media types, methods and paths are refused in the same format."""
    issuer, _ = lasting
    plain = {"Content-Type": "text/plain"}
    assert_refused(issuer.send("POST", "/api/codes", b"{}", plain), "unsupported-media-type")
    answer = issuer.send("GET", "/api/tokens")
    assert_refused(answer, "method-not-allowed")
    assert set(answer.headers["allow"].split(", ")) == {"OPTIONS", "POST"}
    assert_refused(issuer.send("GET", "/api/codes/ABCD"), "not-found")
    assert issuer.send("GET", "/healthz").document == {"status": "ok"}


def test_pages_of_any_origin_may_ask(lasting: tuple[LiveIssuer, Prepared]) -> None:
    """The form comes from the collector, so each route allows every origin, without cookies."""
    issuer, prepared = lasting
    origin = {"Origin": "https://survey.example.org"}
    asked = {**origin, "Access-Control-Request-Method": "POST"}
    for path in ("/api/codes", "/api/tokens"):
        answer = issuer.send("OPTIONS", path, headers=asked)
        assert answer.status == 200
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "POST" in answer.headers["access-control-allow-methods"]
        assert answer.headers["access-control-allow-headers"] == "Content-Type"
        assert "access-control-allow-credentials" not in answer.headers
    answers = [
        issuer.send("GET", f"/api/surveys/{prepared.survey.digest}", headers=origin),
        issuer.send("POST", "/api/codes", b"{}", {**origin, "Content-Type": "application/json"}),
    ]
    for answer in answers:
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"


def test_one_network_cannot_ask_without_end(prepared: Prepared) -> None:
    """Behind a proxy, senders are distinguished, and wait once they have sent too much."""
    environment = {"DENIABLE_RATE_LIMIT": "3", "DENIABLE_PROXIES": "1"}
    with live_issuer(prepared, environment=environment) as issuer:
        for address, statuses in (("198.51.100.7", [404] * 3 + [429]), ("198.51.100.8", [404])):
            answers = [
                issuer.send(
                    "POST",
                    "/api/codes",
                    {"survey": "0" * 64, "code": "AAAA-AAAA-AAAA-AAAA"},
                    {"X-Forwarded-For": address, "Authorization": "Bearer x"},
                )
                for _ in statuses
            ]
            assert [answer.status for answer in answers] == statuses
            if statuses[-1] == 429:
                assert_refused(answers[-1], "too-many-requests")
                assert 1 <= int(answers[-1].headers["retry-after"]) <= 60


def test_a_store_that_was_removed(issuer: LiveIssuer, prepared: Prepared) -> None:
    """Nothing is signed without being recorded; the log says why, and nothing of the request."""
    prepared.store.unlink()
    message = message_of(prepared.survey, "nurses")
    answer = issuer.ask_signature(prepared.codes("nurses")[0], message)
    assert "Retry-After" in assert_refused(answer, "store-unavailable")
    assert answer.headers["retry-after"] == "5"
    assert issuer.send("GET", "/healthz").status == 503
    assert issuer.stop() == 0
    assert "was removed or replaced" in issuer.log.read_text()


def test_the_store_is_closed_behind_a_stop(issuer: LiveIssuer, prepared: Prepared) -> None:
    """A stop signal ends the process, and leaves one file without a log."""
    issuer.collect(prepared.survey, prepared.codes("nurses")[0])
    assert issuer.stop() == 0
    names = sorted(path.name for path in prepared.store.parent.glob("issuer.sqlite*"))
    assert names == ["issuer.sqlite"]
    assert os.stat(prepared.store).st_mode & 0o777 == 0o600  # noqa: PTH116 - as operators see it


def test_the_page_explains_every_refusal_and_its_status() -> None:
    """docs/ISSUER.md has a row for each problem, and no other rows."""
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (\d{3}) \|", PAGE, re.MULTILINE))
    assert rows == {name: str(kind.status) for name, kind in ISSUER_PROBLEMS.items()}


def test_the_page_shows_what_is_sent(issuer: LiveIssuer, prepared: Prepared) -> None:
    """The examples of responses in docs/ISSUER.md have the members of real ones."""
    shown = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    code = prepared.codes("nurses")[0]
    message = message_of(prepared.survey, "nurses")
    issuer.set_clock(AFTER)
    status = issuer.send("GET", f"/api/surveys/{prepared.survey.digest}").document
    issuer.set_clock(BEFORE)
    real = [
        {"survey": "", "code": ""},
        issuer.ask_group(code).document,
        {"survey": "", "code": "", "blinded": ""},
        issuer.ask_signature(code, message).document,
        status,
    ]
    assert [list(each) for each in shown] == [list(each) for each in real]
    assert [list(each) for each in shown[-1]["groups"]] == [["id", "invited", "collected"]] * 2


def test_an_idle_connection_is_no_error(issuer: LiveIssuer) -> None:
    """A sender who goes away in the middle leaves no line in the log."""
    with closing(issuer.connect()) as connection:
        connection.connect()
        connection.sock.send(b"POST /api/tokens HTTP/1.1\r\nContent-Length: 9\r\n\r\n{")
    assert issuer.send("GET", "/healthz").status == 200
    assert issuer.stop() == 0
    assert issuer.log.read_text() == ""
