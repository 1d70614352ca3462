"""The public log over real HTTP, signed and not."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from deniable_collector.settings import LOG_KEY
from deniable_collector.signing import write_key_file
from deniable_sdk import InvalidLog, NotInLog
from deniable_sdk.log import Head, check_log, head_of
from deniable_sdk.tokens import EXPONENT, base64url, from_base64url
from live_issuer import signing_key
from live_server import LiveCollector, live_collector
from problem_checks import assert_safe_headers
from sample_definitions import survey, yes_no

FIRST, SECOND = (survey(yes_no(), slug=slug) for slug in ("first", "second"))
KEY, OTHER = (base64url(signing_key(name).modulus) for name in ("log", "other"))


@contextmanager
def signing_collector(store: Path) -> Iterator[LiveCollector]:
    """A collector whose log is signed."""
    key = store.with_suffix(".key")
    write_key_file(key, signing_key("log"))
    with live_collector(store, environment={LOG_KEY: str(key)}) as running:
        yield running


def test_without_a_key_the_log_has_a_head_and_no_signature(store_path: Path) -> None:
    """Everybody may read it, from pages of any origin; nothing keeps it."""
    with live_collector(store_path) as collector:
        empty = collector.send("GET", "/log")
        assert check_log(empty.body).entries == ()
        for each in (FIRST, SECOND):
            assert collector.owner("POST", "/api/surveys", each.document).status == 201
        answer = collector.send("GET", "/log", headers={"Origin": "https://clinic.example"})
        packed = collector.send("GET", "/log", headers={"Accept-Encoding": "gzip"})
    entries = [FIRST.digest, SECOND.digest]
    head = head_of(entries)
    assert answer.document == {
        "log": "deniable-log/1",
        "size": 2,
        "head": head.digest,
        "entries": entries,
        "signature": None,
    }
    assert gzip.decompress(packed.body) == answer.body
    assert_safe_headers(answer)
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["content-type"] == "application/json"
    with pytest.raises(InvalidLog, match="the head of the log is not signed"):
        check_log(answer.body, key=KEY)


def test_the_log_names_digests_and_nothing_else(collector: LiveCollector) -> None:
    """No slug, no title, no time: what a survey is about is in its document alone."""
    secret = survey(yes_no(), slug="canary-slug", title="Canary title")
    assert collector.owner("POST", "/api/surveys", secret.document).status == 201
    body = collector.send("GET", "/log").body
    assert secret.digest.encode() in body
    assert b"anary" not in body


def test_a_signed_log_verifies_with_its_key_and_no_other(store_path: Path) -> None:
    """One signature for each head, which another library verifies, also after a restart."""
    with signing_collector(store_path) as collector:
        collector.owner("POST", "/api/surveys", FIRST.document)
        one, again = (collector.send("GET", "/log").body for _ in range(2))
        assert one == again
        collector.owner("POST", "/api/surveys", SECOND.document)
        both = collector.send("GET", "/log").body
    first = check_log(one, survey=FIRST.digest, key=KEY)
    log = check_log(both, survey=SECOND.digest, key=KEY, seen=first.head)
    assert log.entries == (FIRST.digest, SECOND.digest)
    assert log.signature is not None
    modulus = int.from_bytes(from_base64url(KEY), "big")
    rsa.RSAPublicNumbers(EXPONENT, modulus).public_key().verify(
        from_base64url(log.signature),
        b'deniable-log-head/1{"head":"' + log.head.digest.encode() + b'","size":2}',
        padding.PSS(padding.MGF1(hashes.SHA384()), 48),
        hashes.SHA384(),
    )
    with pytest.raises(InvalidLog, match="was not signed with the key that is required"):
        check_log(both, key=OTHER)
    with pytest.raises(NotInLog, match="is not in the public log of its collector"):
        check_log(one, survey=SECOND.digest, key=KEY)
    with pytest.raises(InvalidLog, match="with 2 entries and the head"):
        check_log(one, key=KEY, seen=log.head)
    with pytest.raises(InvalidLog, match="does not continue the one that was seen"):
        check_log(both, seen=Head(1, log.head.digest))
    with live_collector(
        store_path, environment={LOG_KEY: str(store_path.with_suffix(".key"))}
    ) as collector:
        assert check_log(collector.send("GET", "/log").body, key=KEY).head == log.head
