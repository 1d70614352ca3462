"""`deniable verify` finds what a server changes, for whomever and in whatever it changes it."""

import gzip
import json
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey
from deniable_web.commands import run
from deniable_web.verification.fetching import MOST_BYTES, Server, fetch
from deniable_web.verification.visitors import VISITORS
from invitations import invited_survey
from sample_definitions import survey, yes_no
from score_samples import score
from served import Served, publish, served
from tampering_proxy import Exchange, Tamper, tampering_proxy

ORDINARY = survey(yes_no(), slug="ordinary")
KINDS: Mapping[str, PublishedSurvey] = {
    "ordinary": ORDINARY,
    "scores": survey(score(), slug="scores"),
    "invited": invited_survey(slug="invited").published,
    "both": invited_survey(score(), first_key=2, slug="both").published,
}
CLOSED = survey(yes_no(), slug="closed")
CLIENTS = [visitor.name for visitor in VISITORS]
IPHONE = "Safari on iPhone"
PAGE, WORKER = "/s/ordinary", "/s/worker.js"
SCRIPT = "form.js"
DOCUMENT = f"/api/surveys/by-digest/{ORDINARY.digest}"
# The files of an ordinary form: page, icon, two styles, script, worker, document.
FILES = 7


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The real command with two workers, a survey of every kind, and a closed one."""
    folder = tmp_path_factory.mktemp("site")
    publish(folder / "store.sqlite", *KINDS.values(), CLOSED)
    with closing(open_store(folder / "store.sqlite")) as store:
        store.close_survey(CLOSED.slug)
    with served(folder / "store.sqlite", folder, workers=2) as running:
        yield running


@dataclass(frozen=True)
class Verified:
    """How the command ended, and the document that it printed."""

    code: int
    document: dict[str, Any]

    @property
    def wrong(self) -> list[dict[str, Any]]:
        """The checks that are not the same."""
        return [check for check in self.document["checks"] if check["result"] != "same"]

    def only(self, *names: str) -> list[tuple[str, ...]]:
        """Some members of these checks, each combination once."""
        found = [tuple(str(check[name]) for name in names) for check in self.wrong]
        return list(dict.fromkeys(found))

    @property
    def problems(self) -> str:
        """All problems in one text."""
        return "\n".join(self.document["problems"])


@pytest.fixture
def verified(capsys: pytest.CaptureFixture[str]) -> Callable[..., Verified]:
    """Runs the command with --json."""

    def verify(*arguments: str) -> Verified:
        code = run(["verify", "--json", *arguments])
        captured = capsys.readouterr()
        assert captured.err == "", "nothing is said where nobody looks"
        return Verified(code, json.loads(captured.out))

    return verify


@pytest.fixture
def tampered(site: Served, verified: Callable[..., Verified]) -> Callable[..., Verified]:
    """Verifies a form behind a proxy that changes it."""

    def verify(tamper: Tamper, *options: str, path: str = PAGE) -> Verified:
        with tampering_proxy(site.url, tamper) as proxy:
            return verified(proxy.url() + path, "--timeout", "60", *options)

    return verify


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_untouched_is_the_same(
    site: Served, verified: Callable[..., Verified], kind: str
) -> None:
    """For every kind of survey, each file is the same for each client, page to document."""
    published = KINDS[kind]
    found = verified(f"{site.url}/s/{kind}")
    assert (found.code, found.wrong, found.document["problems"]) == (0, [], [])
    assert found.document["result"] == "same"
    assert found.document["digest"] == published.digest
    assert found.document["same_for_all"] is True
    issuer = [published.invited.issuer] if published.invited else []
    assert found.document["connects_to"] == [site.url, *issuer]
    checks = found.document["checks"]
    files = list(dict.fromkeys(check["file"] for check in checks))
    assert len(files) == FILES
    assert [files[0], *files[-2:]] == [
        f"/s/{kind}",
        WORKER,
        f"/api/surveys/by-digest/{published.digest}",
    ]
    assert [check["client"] for check in checks] == [name for name in CLIENTS for _ in files]
    assert all(check["sha256"] == check["expected_sha256"] for check in checks)


def test_a_proxy_that_changes_nothing_that_matters_passes(
    tampered: Callable[..., Verified],
) -> None:
    """Headers of servers and proxies, a repeated one and the transport's own are fine."""

    def add_headers(exchange: Exchange) -> None:
        exchange.headers.update(
            {"server": "nginx", "via": "1.1 proxy", "strict-transport-security": "max-age=9"}
        )
        exchange.headers["x-content-type-options"] += "\nnosniff"
        del exchange.headers["vary"]

    assert tampered(add_headers, "--digest", ORDINARY.digest).code == 0


def change(
    end: str,
    *,
    body: Callable[[bytes], bytes] = lambda body: body,
    when: Callable[[Exchange], bool] = lambda _: True,
    status: int = 0,
    headers: Mapping[str, str | None] = MappingProxyType({}),
) -> Tamper:
    """Changes the answers to paths with this end: body, status, headers (None removes one)."""

    def tamper(exchange: Exchange) -> None:
        if not exchange.path.endswith(end) or not when(exchange):
            return
        exchange.body = body(exchange.body)
        exchange.status = status or exchange.status
        for name, value in headers.items():
            exchange.headers.pop(name, None)
            if value is not None:
                exchange.headers[name] = value

    return tamper


def flip(body: bytes, at: int = 100) -> bytes:
    """A body with one other byte."""
    return body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]


@pytest.mark.parametrize("end", [PAGE, "icon.svg", "base.css", "form.css", SCRIPT, WORKER])
def test_one_byte_of_any_file_is_found(tampered: Callable[..., Verified], end: str) -> None:
    """With its position and both digests, for every client."""
    found = tampered(change(end, body=flip))
    assert found.code == 1
    assert found.document["result"] == "differs"
    assert [check["client"] for check in found.wrong] == CLIENTS
    (only,) = found.only("result", "reason", "position", "sha256", "expected_sha256")
    assert only[:3] == ("differs", "its bytes differ from position 100", "100")
    assert only[3] != only[4]
    assert found.wrong[0]["file"].endswith(end)
    assert found.document["same_for_all"] is True


@pytest.mark.parametrize("body", [lambda body: body[:-1], lambda body: body + b" "])
def test_a_file_that_is_longer_or_shorter_is_found(
    tampered: Callable[..., Verified], body: Callable[[bytes], bytes]
) -> None:
    """Also where all bytes that both have are the same."""
    found = tampered(change(SCRIPT, body=body))
    assert found.code == 1
    assert found.wrong[0]["position"] > 10_000


@pytest.mark.parametrize(
    ("end", "headers", "reason"),
    [
        (PAGE, {"content-security-policy": None}, "content-security-policy is missing"),
        (
            PAGE,
            {"content-security-policy": "default-src *; frame-ancestors *"},
            """content-security-policy differs: it has 'default-src *'""",
        ),
        (PAGE, {"permissions-policy": "camera=*"}, "permissions-policy differs"),
        (PAGE, {"content-type": "text/html; charset=utf-7"}, "content-type differs"),
        (PAGE, {"cross-origin-embedder-policy": None}, "cross-origin-embedder-policy is missing"),
        (PAGE, {"set-cookie": "person=17"}, "never sends the header set-cookie"),
        (PAGE, {"link": "</x.css>; rel=stylesheet"}, "never sends the header link"),
        (SCRIPT, {"use-as-dictionary": 'match="/*", id="17"'}, "the header use-as-dictionary"),
        (SCRIPT, {"x-content-type-options": None}, "x-content-type-options is missing"),
        (SCRIPT, {"etag": '"17"'}, "never sends the header etag"),
        (WORKER, {"content-security-policy": None}, "content-security-policy is missing"),
        (WORKER, {"service-worker-allowed": "/"}, "never sends the header service-worker-allowed"),
        (DOCUMENT, {"content-type": "text/html"}, "content-type differs"),
    ],
)
def test_a_header_that_protects_less_is_found(
    tampered: Callable[..., Verified], end: str, headers: dict[str, str | None], reason: str
) -> None:
    """A missing or another one of ours, or one that makes browsers do more."""
    found = tampered(change(end, headers=headers))
    assert found.code == 1
    (only,) = found.only("file", "reason", "position")
    assert only[0].endswith(end)
    assert reason in only[1]
    assert only[2] == "None"


@pytest.mark.parametrize(
    ("when", "clients"),
    [
        (lambda exchange: "iPhone" in exchange.agent, [IPHONE]),
        (lambda exchange: "Windows" in exchange.agent, ["Chrome on Windows"]),
        (
            lambda exchange: exchange.asked.get("accept-language", "").startswith("ar"),
            ["Firefox in Arabic"],
        ),
        (lambda exchange: "referer" in exchange.asked, ["Chrome on Android, from a link"]),
        (lambda exchange: "cookie" in exchange.asked, ["Firefox, reloading with a cookie"]),
        (lambda exchange: "accept-encoding" not in exchange.asked, ["curl"]),
        (lambda exchange: "br" in exchange.asked.get("accept-encoding", ""), CLIENTS[:5]),
    ],
    ids=["iphone", "windows", "arabic", "referer", "cookie", "plain", "brotli"],
)
def test_what_only_some_get_is_named_with_them(
    tampered: Callable[..., Verified], when: Callable[[Exchange], bool], clients: list[str]
) -> None:
    """A page that is changed for one kind of browser is no other client's difference."""
    found = tampered(change(PAGE, body=flip, when=when))
    assert found.code == 1
    assert [check["client"] for check in found.wrong] == clients
    assert found.document["same_for_all"] is False
    assert f"Not everybody gets the same: {PAGE}." in found.problems


def test_what_is_changed_at_one_address_only_is_named_with_it(
    tampered: Callable[..., Verified],
) -> None:
    """One of two servers of one name."""
    both = ("--address", "127.0.0.1", "--address", "127.0.0.2")
    assert tampered(change("none"), *both).code == 0
    tamper = change(SCRIPT, body=flip, when=lambda exchange: exchange.over == "127.0.0.2")
    found = tampered(tamper, *both)
    assert found.code == 1
    assert found.only("address") == [("127.0.0.2",)]
    assert len(found.wrong) == len(CLIENTS)
    assert found.document["same_for_all"] is False
    assert tampered(tamper).code == 0


def test_what_a_page_loads_besides_is_named(tampered: Callable[..., Verified]) -> None:
    """A script that this version's page does not have, wherever it is."""
    more = b'<script src="/static/more.js"></script>'
    found = tampered(change(PAGE, body=lambda body: body.replace(b"</head>", more + b"</head>")))
    assert found.code == 1
    assert found.only("file", "result") == [(PAGE, "differs"), ("/static/more.js", "unknown")]


def test_a_missing_file_is_named(tampered: Callable[..., Verified]) -> None:
    """With all others of the visit still checked."""
    found = tampered(change(WORKER, status=404))
    assert (found.code, found.only("file", "result")) == (1, [(WORKER, "missing")])
    assert len(found.document["checks"]) == FILES * len(CLIENTS)


@pytest.mark.parametrize("end", [PAGE, SCRIPT])
def test_the_right_bytes_with_another_status_differ(
    tampered: Callable[..., Verified], end: str
) -> None:
    """A browser does something else with them."""
    tamper = change(end, status=500, when=lambda exchange: "iPhone" in exchange.agent)
    found = tampered(tamper)
    assert (found.code, found.only("client", "result")) == (1, [(IPHONE, "differs")])
    assert found.wrong[0]["reason"] == "the server answers with status 500"


@pytest.mark.parametrize("end", [PAGE, SCRIPT])
def test_a_redirect_is_not_followed(tampered: Callable[..., Verified], end: str) -> None:
    """Where it leads is named, and nothing is fetched from there."""
    where = "https://elsewhere.example/x"
    tamper = change(
        end,
        status=302,
        headers={"location": where},
        when=lambda exchange: "iPhone" in exchange.agent,
    )
    found = tampered(tamper)
    assert found.code == 1
    assert found.only("client", "result") == [(IPHONE, "differs")]
    assert found.wrong[0]["reason"] == f"it is redirected to '{where}'"


def test_an_address_that_is_redirected_for_everybody(tampered: Callable[..., Verified]) -> None:
    """There is no form to compare; the address to verify is named."""
    found = tampered(change(PAGE, status=301, headers={"location": "https://elsewhere.example/x"}))
    assert (found.code, found.document["checks"]) == (1, [])
    assert "is redirected to 'https://elsewhere.example/x'" in found.problems


def test_another_document_under_the_digest_is_found(tampered: Callable[..., Verified]) -> None:
    """The SHA-256 is computed here."""
    found = tampered(change(DOCUMENT, body=lambda body: body.replace(b"asthma", b"cancer")))
    assert found.code == 1
    assert f"Under the digest {ORDINARY.digest} there is another document" in found.problems


def test_the_form_of_another_survey_is_found(
    tampered: Callable[..., Verified], tmp_path: Path
) -> None:
    """The digest, or the published file, that somebody else gave decides."""
    other = survey(yes_no(), slug="ordinary", epsilon=1)
    file = tmp_path / "other.json"
    file.write_bytes(other.document)
    by_file = tampered(change("none"), "--survey", str(file))
    assert by_file.code == 1
    assert by_file.document["digest"] == other.digest
    assert f"it is the form of another survey, {ORDINARY.digest}" in by_file.wrong[0]["reason"]
    by_digest = tampered(change("none"), "--digest", other.digest)
    assert by_digest.code == 1
    assert f"does not have the survey with the digest {other.digest}" in by_digest.problems
    elsewhere = tampered(change("none"), "--digest", KINDS["scores"].digest)
    assert elsewhere.code == 1
    assert f"survey scores should be at /s/scores, and it is at {PAGE}" in elsewhere.problems


def test_the_file_of_the_survey_may_be_given(
    site: Served, verified: Callable[..., Verified], tmp_path: Path
) -> None:
    """Then what the server says about the document is only compared."""
    file = tmp_path / "ordinary.json"
    file.write_bytes(ORDINARY.document)
    found = verified(site.url + PAGE, "--survey", str(file), "--digest", ORDINARY.digest)
    assert found.code == 0


def test_who_may_frame_the_form_is_the_operators_choice_and_is_shown(
    tampered: Callable[..., Verified],
) -> None:
    """It is a setting, so another value is no difference, unless some get another one."""

    def let(framing: str, exchange: Exchange) -> None:
        policy = exchange.headers.get("content-security-policy", "")
        exchange.headers["content-security-policy"] = policy.replace(
            "frame-ancestors *", f"frame-ancestors {framing}"
        )

    def tamper(exchange: Exchange) -> None:
        if exchange.path == PAGE:
            let("'self' https://a.example", exchange)

    found = tampered(tamper)
    assert (found.code, found.document["frame_ancestors"]) == (0, "'self' https://a.example")

    def some(exchange: Exchange) -> None:
        if exchange.path == PAGE and "iPhone" in exchange.agent:
            let("'none'", exchange)

    assert tampered(some).only("client") == [(IPHONE,)]


def drip(piece: bytes, first: bytes = b"") -> Iterable[bytes]:
    """Bytes that never end, slowly."""
    yield first
    while True:
        time.sleep(0.05)
        yield piece


def flood(piece: bytes, first: bytes = b"") -> Iterable[bytes]:
    """Bytes that never end, fast."""
    yield first
    while True:
        yield piece


HEAD = b"HTTP/1.1 200 OK\r\n"
PLAIN = b"HTTP/1.1 200 OK\r\n\r\n"


def answer(raw: Callable[[], Iterable[bytes]], end: str = SCRIPT) -> Tamper:
    """What an iPhone gets in place of the answer for a path with this end."""

    def tamper(exchange: Exchange) -> None:
        if exchange.path.endswith(end) and "iPhone" in exchange.agent:
            exchange.raw = raw()

    return tamper


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (lambda: drip(b" ", PLAIN), "the answer did not end in time"),
        (lambda: drip(b"x", HEAD + b"X-Slow: "), "the answer did not end in time"),
        (lambda: drip(b"HTTP/1.1 100 Continue\r\n\r\n"), "the answer did not end in time"),
        (lambda: flood(b"X-Many: 1\r\n", HEAD), "what it sent is not HTTP"),
        (lambda: flood(b"x" * 1000, HEAD + b"X-Long: "), "what it sent is not HTTP"),
        (lambda: [b"SSH-2.0-OpenSSH_9.2\r\n"], "what it sent is not HTTP"),
        (lambda: [HEAD + b"no header\r\nRefresh: 0; url=/\r\n\r\n"], "what it sent is not HTTP"),
        (lambda: [HEAD + b"Set-Cookie : a=1\r\n\r\n"], "what it sent is not HTTP"),
        (lambda: [HEAD + b"X: 1\r\r\nSet-Cookie: a=1\r\n\r\n"], "what it sent is not HTTP"),
        (list, "it ended the connection too early"),
        (lambda: [HEAD + b"Content-Length: 9\r\n\r\nx"], "it ended the connection too early"),
        (
            lambda: [HEAD + b"Content-Encoding: br\r\n\r\nx"],
            "a compression that this command cannot read",
        ),
        (lambda: [HEAD + b"Content-Encoding: gzip\r\n\r\nno gzip"], "its body is no gzip"),
        (
            lambda: [HEAD + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"x"), b"x"],
            "its gzip ends too early or too late",
        ),
        (
            lambda: [HEAD + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"x" * 99)[:-9]],
            "its gzip ends too early or too late",
        ),
    ],
    ids=[
        "slow-body", "slow-header", "endless-100", "endless-headers", "endless-header", "no-http",
        "no-colon", "blank-before-colon", "two-returns",
        "nothing", "cut", "brotli", "no-gzip", "more-than-gzip", "half-a-gzip",
    ],
)  # fmt: skip
def test_an_answer_that_cannot_be_read_is_not_passed(
    tampered: Callable[..., Verified], raw: Callable[[], Iterable[bytes]], reason: str
) -> None:
    """A hostile server neither hangs the command nor fills its memory; the others are checked."""
    found = tampered(answer(raw), "--timeout", "5")
    assert found.code == 2
    (wrong,) = found.wrong
    assert (wrong["client"], wrong["result"]) == (IPHONE, "unchecked")
    assert reason in wrong["reason"]
    assert {check["client"] for check in found.document["checks"]} == set(CLIENTS)


@cache
def bomb() -> Sequence[bytes]:
    """A gzip of 256 megabytes."""
    packing = zlib.compressobj(1, wbits=31)
    packed = [packing.compress(bytes(1 << 20)) for _ in range(256)]
    return [HEAD + b"Content-Encoding: gzip\r\n\r\n", *packed, packing.flush()]


@pytest.mark.parametrize("raw", [bomb, partial(flood, b"x" * 9999, PLAIN)], ids=["bomb", "flood"])
@pytest.mark.parametrize("end", [PAGE, SCRIPT])
def test_an_endless_body_is_a_difference(
    tampered: Callable[..., Verified], raw: Callable[[], Iterable[bytes]], end: str
) -> None:
    """Of which no more is read than a limit."""
    found = tampered(answer(raw, end))
    assert found.code == 1
    (wrong,) = found.wrong
    assert (wrong["client"], wrong["result"], wrong["sha256"]) == (IPHONE, "differs", None)
    assert f"it is longer than {MOST_BYTES >> 20} MB" in wrong["reason"]


def test_a_bomb_fills_no_memory(site: Served) -> None:
    """Of 256 megabytes no more than the limit is ever unpacked."""

    def tamper(exchange: Exchange) -> None:
        exchange.raw = bomb()

    bomb()
    with tampering_proxy(site.url, tamper) as proxy:
        tracemalloc.start()
        try:
            got = fetch(Server(proxy.url()), PAGE, {}, time.monotonic() + 60)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert (len(got.body), got.is_whole) == (MOST_BYTES, False)
    assert peak < 3 * MOST_BYTES
