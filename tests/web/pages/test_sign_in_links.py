"""Links that sign somebody in: once, in time, and only for whoever has the secret."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from deniable_collector.errors import Refused
from deniable_collector.settings import Settings
from deniable_collector.store import Store, open_store
from deniable_collector.tokens import AccessToken, Release, Role, digest_of, is_token
from deniable_web.pages.sign_in_links import LASTS, exchange, make_link
from deniable_web.site import create_site
from problem_checks import assert_members

NOW = datetime(2026, 5, 1, 8, tzinfo=UTC)
ANNA = AccessToken("anna@clinic.example", Role.OWNER)


def secret_of(path: str) -> str:
    """What stands in the fragment of a link."""
    return path.partition("#link=")[2]


def made(store: Store, rights: AccessToken = ANNA) -> str:
    """The secret of a new link, whose digest the store has."""
    link = make_link(rights, NOW)
    assert store.add_token(rights, link.digest)
    return secret_of(link.path)


def is_over(store: Store, secret: str, now: datetime = NOW) -> bool:
    """Whether a secret is refused."""
    try:
        exchange(store, secret, now)
    except Refused as refused:
        return refused.problem.name == "link-over"
    return False


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the tokens are."""
    return tmp_path / "store.sqlite"


@pytest.mark.parametrize(
    ("role", "surveys", "page"),
    [
        (Role.OWNER, None, "/surveys"),
        (Role.ANALYST, {"ward"}, "/surveys"),
        (Role.EDITOR, None, "/drafts"),
        (Role.READER, {"ward"}, "/surveys/ward/results"),
    ],
)
def test_a_link_opens_the_first_page_of_its_role(
    role: Role, surveys: set[str] | None, page: str
) -> None:
    """Its secret is in the fragment, and is no token; the object shows only the digest."""
    release = Release(20) if role is Role.READER else None
    rights = AccessToken("Zoë Müller", role, frozenset(surveys) if surveys else None, release)
    link = make_link(rights, NOW)
    address, _, secret = link.path.partition("#link=")
    assert address == page
    assert secret.isascii()
    assert not is_token(secret)
    assert link.digest == digest_of(secret)
    assert secret not in repr(link)


def test_a_link_works_once(path: Path) -> None:
    """The store then knows the new token, and never knew the link's secret."""
    with closing(open_store(path)) as store:
        secret = made(store)
        rights, token = exchange(store, secret, NOW)
        assert rights == ANNA == store.find_token(digest_of(token))
        assert store.find_token(digest_of(secret)) is None
        assert is_over(store, secret)
    kept = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert secret.encode() not in kept
    assert token.encode() not in kept


@pytest.mark.parametrize("late", [LASTS, LASTS * 1_000])
def test_a_link_that_is_too_old_opens_nothing(path: Path, late: timedelta) -> None:
    """Up to the last second it works; its time is part of what the store knows the digest of."""
    with closing(open_store(path)) as store:
        secret = made(store)
        assert is_over(store, secret, NOW + late)
        until, _, others = secret.partition(".")
        assert is_over(store, f"{int(until) + 10**6}.{others}", NOW + late)
        assert not is_over(store, secret, NOW + LASTS - timedelta(seconds=1))


@pytest.mark.parametrize("secret", ["", "x", "1.2.3", f"99999999999.{'a' * 43}.anna", "é" * 60])
def test_other_texts_are_no_links(path: Path, secret: str) -> None:
    """Whether or not they look like one."""
    with closing(open_store(path)) as store:
        made(store)
        assert is_over(store, secret)


def test_of_many_who_use_a_link_at_once_one_gets_a_token(path: Path) -> None:
    """In several processes of one store, too."""
    with closing(open_store(path)) as store, closing(open_store(path)) as other:
        secret = made(store)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda at: is_over(at, secret), [store, other] * 8))
    assert sorted(found) == [False] + [True] * 15


def test_a_new_link_ends_the_one_before(path: Path) -> None:
    """As it ends a token."""
    with closing(open_store(path)) as store:
        first = made(store)
        second = make_link(ANNA, NOW)
        assert store.change_secret(ANNA.name, second.digest)
        assert is_over(store, first)
        assert not is_over(store, secret_of(second.path))


def test_a_link_is_exchanged_over_http(path: Path) -> None:
    """For a token that opens what its account may; no cache keeps the response."""
    with closing(open_store(path)) as store:
        client = create_site(store, Settings(), clock=lambda: NOW).test_client()
        headers = {"Authorization": f"Bearer {made(store)}"}
        assert client.get("/manage/account", headers=headers).status_code == 401
        answer = client.post("/manage/link", headers=headers)
        assert answer.headers["Cache-Control"] == "no-store"
        found = answer.get_json()
        opened = {"Authorization": f"Bearer {found.pop('token')}"}
        assert found == {"name": ANNA.name, "role": "owner", "surveys": None}
        assert client.get("/manage/account", headers=opened).get_json() == found
        again = client.post("/manage/link", headers=headers)
        assert again.status_code == 410
        assert_members(again.get_json(), "link-over")
