"""How fast an issuer signs, and how fast mails with codes leave: printed, never asserted."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from deniable_collector import signing
from deniable_issuer import Issuer, open_issuer_store
from deniable_sdk.invitation import request_token
from live_issuer import BEFORE, live_issuer, prepare, signing_key

pytestmark = pytest.mark.bench

SIGNATURES = 100
PEOPLE = 400
ROUNDS = 3
POWERS = {"gmpy2": signing._secret_power, "Python alone": pow}


def best_ms(work: Callable[[], object]) -> float:
    """The processor time of one of several runs, the shortest, in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return 1_000 * min(times)


def test_a_signature(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The check of the signature and the random factor included."""
    key, message = signing_key("nurses"), b"\1" * 256
    lines = ["signing one message with a key of 2048 bits, processor time"]
    for name, power in POWERS.items():
        monkeypatch.setattr(signing, "_secret_power", power)
        took_ms = best_ms(lambda: [key.sign(message) for _ in range(SIGNATURES)]) / SIGNATURES
        lines.append(f"  {name:12} {took_ms:6.2f} ms")
    with capsys.disabled():
        print("\n" + "\n".join(lines))  # noqa: T201 - the result
    assert len(lines) == 3


def test_tokens_over_http(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each on disk before the response, on connections of their own, 8 at a time."""
    prepared = prepare(
        tmp_path / "issuer.sqlite", {"nurses": PEOPLE}, groups={"nurses": PEOPLE, "doctors": 25}
    )
    codes = prepared.codes("nurses")
    messages = [request_token(prepared.survey, "nurses").message for _ in codes]
    environment = {"DENIABLE_RATE_LIMIT": "0"}
    with (
        live_issuer(prepared, environment=environment) as issuer,
        ThreadPoolExecutor(8) as threads,
    ):
        begun = time.monotonic()
        answers = list(threads.map(issuer.ask_signature, codes, messages))
        took_s = time.monotonic() - begun
    assert {answer.status for answer in answers} == {200}
    with capsys.disabled():
        print(f"\ntokens signed over HTTP: {PEOPLE / took_s:,.0f} a second")  # noqa: T201


def test_closing_a_large_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is rewritten in the order of its keys, which takes longer the larger it is."""
    lines = ["closing a store after a token was signed"]
    for people in (1_000, 100_000):
        store = tmp_path / f"{people}.sqlite"
        groups = {"nurses": people, "doctors": 25}
        prepared = prepare(store, {"nurses": people}, groups=groups)
        with closing(open_issuer_store(store)) as opened:
            issuer = Issuer(opened, lambda: BEFORE)
            for code in islice(prepared.codes("nurses"), 1):
                message = request_token(prepared.survey, "nurses").message
                issuer.sign(prepared.survey.digest, code, message)
            begun = time.monotonic()
            opened.close()
        lines.append(f"  {people:7,} codes {1_000 * (time.monotonic() - begun):8.0f} ms")
    with capsys.disabled():
        print("\n" + "\n".join(lines))  # noqa: T201 - the result
    assert len(lines) == 3
