"""`deniable verify` and answers that are no file: missing, redirected, broken or endless."""

import gzip
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

import brotli
import pytest

from deniable_web.verification.fetching import MOST_BYTES, Server, fetch
from served import Served
from tampering_proxy import Exchange, Tamper, tampering_proxy
from web.verification.verified import (
    CLIENTS,
    FILES,
    IPHONE,
    PAGE,
    SCRIPT,
    WORKER,
    Verified,
    change,
)


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


@pytest.mark.sweep
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
            lambda: [HEAD + b"Content-Encoding: zstd\r\n\r\nx"],
            "a compression that this command cannot read; allow br and gzip only",
        ),
        (lambda: [HEAD + b"Content-Encoding: br\r\n\r\nno br"], "its body is no br"),
        (
            lambda: [HEAD + b"Content-Encoding: br\r\n\r\n", brotli.compress(b"x"), b"x"],
            "its body is no br",
        ),
        (
            lambda: [HEAD + b"Content-Encoding: br\r\n\r\n", brotli.compress(b"xyz" * 99)[:-2]],
            "its br ends too early",
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
        "nothing", "cut", "zstd", "no-br", "more-than-br", "half-a-br",
        "no-gzip", "more-than-gzip", "half-a-gzip",
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
def small_bomb() -> Sequence[bytes]:
    """256 megabytes in a few hundred bytes."""
    return [HEAD + b"Content-Encoding: br\r\n\r\n", brotli.compress(bytes(256 << 20), quality=5)]


@cache
def bomb() -> Sequence[bytes]:
    """A gzip of 256 megabytes."""
    packing = zlib.compressobj(1, wbits=31)
    packed = [packing.compress(bytes(1 << 20)) for _ in range(256)]
    return [HEAD + b"Content-Encoding: gzip\r\n\r\n", *packed, packing.flush()]


@pytest.mark.sweep
@pytest.mark.parametrize(
    "raw",
    [bomb, small_bomb, partial(flood, b"x" * 9999, PLAIN)],
    ids=["bomb", "small-bomb", "flood"],
)
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
