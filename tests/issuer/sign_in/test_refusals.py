"""What is refused in words: forged, repeated and late answers, and providers that lie."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
import requests

from deniable_web.pages.languages import catalog
from live_provider import ANNA, BEN, CARLA, DORA, EMIL, SECRET
from live_sign_in import COLLECTOR, LiveSignIn, live_sign_in

TEXTS = catalog("sign_in", "en")["problems"]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSignIn]:
    """A provider that lies where a test says so, and an issuer."""
    with live_sign_in(tmp_path_factory.mktemp("sign-in"), sends_all=False) as running:
        yield running


@pytest.fixture(autouse=True)
def nothing_is_kept(desk: LiveSignIn) -> Iterator[None]:
    """Each refusal leaves the store as it was, and the provider honest."""
    before = count(desk)
    yield
    assert count(desk) == before
    desk.provider.lie()


def count(desk: LiveSignIn) -> int:
    """How many codes there are."""
    with closing(sqlite3.connect(desk.prepared.store)) as connection:
        found: int = connection.execute("SELECT count(*) FROM codes").fetchone()[0]
        return found


def assert_page(answer: requests.Response, name: str, status: int) -> None:
    """The answer is this page, with safe headers, and leads nowhere but to the survey."""
    assert answer.status_code == status, answer.text
    assert f"<p>{TEXTS[name]}</p>" in answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; style-src")
    assert "access-control-allow-origin" not in answer.headers
    assert "location" not in answer.headers
    assert set(re.findall(r'(?:href|src)="(.*?)"', answer.text)) <= {f"{COLLECTOR}/s/wards"}
    assert "5309" not in answer.text


@pytest.mark.parametrize("state", ["", "x", None])
def test_a_forged_state(desk: LiveSignIn, state: str | None) -> None:
    """A state that this browser did not bring is refused, so nobody is signed in as another."""
    visitor, other = desk.visitor(ANNA), desk.visitor(BEN)
    address = visitor.authorized(visitor.leaves())
    forged = parse_state(other.leaves()) if state is None else state
    assert_page(visitor.open(with_state(address, forged)), "expired", 400)
    # The attempt has ended: not even its own state is good now.
    assert_page(visitor.open(address), "expired", 400)


def parse_state(address: str) -> str:
    """The state in an address."""
    found = re.search(r"[?&]state=([^&]*)", address)
    assert found
    return found[1]


def with_state(address: str, state: str) -> str:
    """The same address with another state."""
    return re.sub(r"([?&]state=)[^&]*", rf"\g<1>{state}", address)


def test_somebody_elses_answer(desk: LiveSignIn) -> None:
    """The answer for one browser is of no use in another one, whether it began or not."""
    visitor, other, third = (desk.visitor(account) for account in (ANNA, BEN, CARLA))
    address = visitor.authorized(visitor.leaves())
    other.leaves()
    assert_page(other.open(address), "expired", 400)
    assert_page(third.open(address), "expired", 400)


@pytest.mark.parametrize("change", ["cut", "flipped", "unsigned", "other"])
def test_a_forged_cookie(desk: LiveSignIn, change: str) -> None:
    """What the issuer did not sign counts as no cookie."""
    visitor = desk.visitor(ANNA)
    address = visitor.authorized(visitor.leaves())
    (cookie,) = (each for each in visitor.session.cookies if each.name == "deniable_sign_in")
    value = cookie.value or ""
    cookie.value = {
        "cut": value[:-3],
        "flipped": value[:5] + ("A" if value[5] != "A" else "B") + value[6:],
        "unsigned": value.rpartition(".")[0],
        "other": "x.y",
    }[change]
    assert_page(visitor.open(address), "expired", 400)


def test_a_planted_cookie(desk: LiveSignIn) -> None:
    """With the attempt of somebody else beside its own, a browser has made none."""
    visitor, other = desk.visitor(ANNA), desk.visitor(BEN)
    address = visitor.authorized(visitor.leaves())
    other.leaves()
    (planted,) = (each for each in other.session.cookies)
    planted.path = "/sign-in"
    visitor.session.cookies.set_cookie(planted)
    assert_page(visitor.open(address), "expired", 400)


def test_a_repeated_answer(desk: LiveSignIn) -> None:
    """The same answer of the provider works once: the cookie is gone, and the provider refuses."""
    visitor = desk.visitor(DORA)
    address = visitor.authorized(visitor.leaves())
    kept = {each.name: each.value or "" for each in visitor.session.cookies}
    assert_page(visitor.open(address), "uninvited", 403)
    assert_page(visitor.open(address), "expired", 400)
    visitor.session.cookies.update(kept)
    assert_page(visitor.open(address), "expired", 400)


def test_an_attempt_that_took_too_long(desk: LiveSignIn) -> None:
    """Ten minutes after the link was pressed, a person has to press it again."""
    visitor = desk.visitor(DORA)
    began = datetime.now(UTC)
    address = visitor.authorized(visitor.leaves())
    desk.issuer.set_clock(began + timedelta(minutes=11))
    try:
        assert_page(visitor.open(address), "expired", 400)
    finally:
        desk.issuer.set_clock(datetime.now(UTC))


DEEP = "[" * 400 + "]" * 400
_DESCRIPTION = "/.well-known/openid-configuration"
LIES: dict[str, dict[str, object]] = {
    **{
        f"{kind} at {path}": {"raw": {path: text}}
        for path in (_DESCRIPTION, "/token", "/jwks")
        for kind, text in (
            ("nothing", ""),
            ("a list", "[]"),
            ("depth", f'{{"more": {DEEP}}}'),
            ("extreme depth", "[" * 100_000),
            ("a key twice", '{"issuer": 1, "issuer": 2}'),
            ("no number", '{"expires_in": NaN}'),
            ("half a pair", '{"error": "\\ud800"}'),
        )
    },
    "deep claims": {"claims": {"more": json.loads(DEEP)}},
    "deep header": {"header": {"more": json.loads(DEEP)}},
    "an odd life": {"token": {"expires_in": [1]}},
    "an odd token": {"token": {"id_token": {"a": 1}}},
    "odd keys": {"raw": {"/jwks": '{"keys": [1, null, {"kty": ["RSA"]}]}'}},
    "nonce": {"claims": {"nonce": "n" * 43}},
    "no nonce": {"claims": {"nonce": None}},
    "audience": {"claims": {"aud": "other"}},
    "audience, for us": {"claims": {"aud": "other", "azp": "survey"}},
    "party": {"claims": {"azp": "other"}},
    "issuer": {"claims": {"iss": "https://elsewhere.example"}},
    "expired": {"claims": {"exp": 1_700_000_000}},
    "from the future": {"claims": {"iat": 4_000_000_000}},
    "nobody": {"claims": {"sub": None}},
    "no name": {"claims": {"sub": ""}},
    "a number": {"claims": {"sub": 5309}},
    "key": {"has_strange_key": True},
    "no signature": {"header": {"alg": "none"}},
    "shared secret": {"header": {"alg": "HS256"}},
    "unknown key": {"header": {"kid": "another"}},
    "user info of another": {"info": {"sub": BEN}},
    "another provider": {"described": {"issuer": "https://elsewhere.example"}},
    "unsafe address": {"described": {"token_endpoint": "http://elsewhere.example/token"}},
    "no keys": {"described": {"jwks_uri": None}},
    "too much": {"described": {"more": "x" * (1 << 20)}},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_provider_that_cannot_be_trusted(desk: LiveSignIn, lie: str) -> None:
    """Whatever is wrong with its answer, the person gets no code, and the log says what it is."""
    visitor = desk.visitor(EMIL if lie == "user info of another" else ANNA)
    address = visitor.authorized(visitor.leaves())
    desk.provider.lie(**LIES[lie])
    assert_page(visitor.open(address), "untrusted", 502)
    assert "nobody was signed in: cause the " in desk.issuer.log.read_text()


def test_another_provider_cannot_send_people_back(desk: LiveSignIn) -> None:
    """An answer that names another provider is not exchanged."""
    visitor = desk.visitor(ANNA)
    address = visitor.authorized(visitor.leaves())
    other = re.sub(r"iss=[^&]*", "iss=https%3A%2F%2Felsewhere.example", address)
    assert other != address
    assert_page(visitor.open(other), "untrusted", 502)


@pytest.mark.parametrize(
    "query",
    ["?next=https://elsewhere.example/", "?redirect_uri=//elsewhere.example", "?collector=x"],
)
def test_no_redirect_to_an_address_of_a_request(desk: LiveSignIn, query: str) -> None:
    """What is in an address, a header or a form field decides nothing about where people go."""
    hostile = {
        "X-Forwarded-Host": "elsewhere.example",
        "X-Forwarded-Prefix": "//elsewhere.example",
    }
    visitor = desk.visitor(DORA, **hostile)
    answer = visitor.open(desk.start + query)
    assert answer.headers["location"].startswith(f"{desk.provider.url}/auth?")
    assert "elsewhere" not in answer.headers["location"]
    address = visitor.authorized(answer.headers["location"])
    assert_page(visitor.open(f"{address}&{query[1:]}"), "uninvited", 403)


@pytest.mark.parametrize("digest", ["0" * 64, "wards", "callbacks", "%2F%2Felsewhere.example"])
def test_a_survey_for_which_nobody_signs_in(desk: LiveSignIn, digest: str) -> None:
    """The page says so, and leads nowhere."""
    answer = desk.visitor(ANNA).open(f"{desk.issuer.url}/sign-in/{digest}")
    if digest.startswith("%"):
        assert answer.status_code == 404
    else:
        assert_page(answer, "unknown", 404)


def test_the_address_alone_does_nothing(desk: LiveSignIn) -> None:
    """Without a cookie the second address says that the attempt is over."""
    answer = desk.visitor(ANNA).open(f"{desk.issuer.url}/sign-in/callback")
    assert_page(answer, "expired", 400)
    posted = requests.post(f"{desk.issuer.url}/sign-in/callback", data={"code": "x"}, timeout=60)
    assert posted.status_code == 405


def test_a_provider_that_is_gone(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Both steps say that the accounts cannot be used now, and the log says it once."""
    with live_sign_in(tmp_path_factory.mktemp("gone")) as desk:
        visitor = desk.visitor(ANNA)
        address = visitor.authorized(visitor.leaves())
        desk.provider.stop()
        assert_page(visitor.open(address), "unreachable", 502)
        assert_page(visitor.open(desk.start), "unreachable", 502)
        log = desk.issuer.log.read_text()
        assert log.count("nobody was signed in: cause the provider cannot be reached") == 1
        # Whoever has a code can still collect a token.
        assert desk.issuer.send("GET", "/healthz").status == 200


@pytest.mark.deep
def test_a_wrong_secret_is_the_operators_fault(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person is asked to try later, and the log says what to check, without the secret."""
    monkeypatch.setattr("live_sign_in.SECRET", wrong := f"{SECRET}-mistyped")
    with live_sign_in(tmp_path_factory.mktemp("wrong")) as desk:
        assert_page(desk.visitor(ANNA).comes_back(), "unreachable", 502)
        log = desk.issuer.log.read_text()
        assert "the provider refuses the client; check its id and secret" in log
        assert wrong not in log
        assert SECRET not in log


@pytest.mark.deep
def test_a_store_that_was_removed(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A code that could not be kept is not handed out."""
    with live_sign_in(tmp_path_factory.mktemp("removed")) as desk:
        visitor = desk.visitor(ANNA)
        address = visitor.authorized(visitor.leaves())
        desk.prepared.store.unlink()
        answer = visitor.open(address)
        assert_page(answer, "busy", 503)
        assert answer.headers["retry-after"] == "5"


@pytest.mark.deep
def test_one_network_cannot_sign_in_without_end(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind a proxy, one network waits once it has asked too often, and others do not."""
    monkeypatch.setenv("DENIABLE_RATE_LIMIT", "3")
    monkeypatch.setenv("DENIABLE_PROXIES", "1")
    with live_sign_in(tmp_path_factory.mktemp("often")) as desk:
        for address, statuses in (("198.51.100.7", [302] * 3 + [503]), ("198.51.100.8", [302])):
            visitor = desk.visitor(ANNA, **{"X-Forwarded-For": address})
            assert [visitor.open(desk.start).status_code for _ in statuses] == statuses
