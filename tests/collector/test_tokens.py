"""Tokens: their form, their allowed names, and the part of them that is stored."""

import json
import re
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from deniable_collector.access import require_tokens
from deniable_collector.errors import (
    InvalidRelease,
    InvalidTokenName,
    InvalidTokenSurvey,
    OpenToTheNetwork,
)
from deniable_collector.store import open_store
from deniable_collector.tokens import (
    AccessToken,
    Release,
    Role,
    check_name,
    check_release,
    check_surveys,
    digest_of,
    is_token,
    make_token,
)
from deniable_storage.ends import UNDERWAY, End, Fieldwork


@pytest.mark.parametrize("role", Role)
def test_a_token_tells_its_role_and_nothing_else(role: Role) -> None:
    """Its role is readable, and 256 random bits follow, other ones each time."""
    tokens = {make_token(role) for _ in range(100)}
    assert len(tokens) == 100
    for token in tokens:
        assert re.fullmatch(rf"deniable_{role}_[A-Za-z0-9_-]{{43}}", token)
        assert is_token(token)


def test_a_digest_is_the_plain_hash_of_the_text() -> None:
    """Any tool can compute what a store holds of a token."""
    token = make_token(Role.OWNER)
    assert digest_of(token) == sha256(token.encode("ascii")).hexdigest()


@pytest.mark.parametrize(
    "text",
    ["", "secret", "deniable_owner_", "deniable_guest_" + "a" * 43, "deniable_owner_" + "é" * 43]
    + [f"deniable_owner_{'a' * length}" for length in (42, 44)],
)
def test_other_texts_are_no_tokens(text: str) -> None:
    """What no collector made need not be looked up."""
    assert not is_token(text)


NAMES = json.loads((Path(__file__).parent / "person_names.json").read_text())


@pytest.mark.parametrize(("written", "name"), NAMES["read"])
def test_people_have_their_own_names(tmp_path: Path, written: str, name: str) -> None:
    """A person, an address, a machine, in any script: a store takes it in one form."""
    assert check_name(written) == check_name(name) == name
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.add_token(AccessToken(name, Role.OWNER), "b" * 64)
        assert [token.name for token in store.list_tokens()] == [name]


@pytest.mark.parametrize("name", NAMES["refused"])
def test_other_names_are_refused(name: str) -> None:
    """The message says what was got and what is allowed."""
    with pytest.raises(
        InvalidTokenName, match=r"got (the|a) name .*; (allowed are at m|give the)"
    ):
        check_name(name)


def test_a_token_in_the_place_of_a_name_is_not_repeated() -> None:
    """A secret that was mistaken for a name stays out of terminals and logs."""
    token = make_token(Role.ANALYST)
    with pytest.raises(InvalidTokenName, match="give the name of a token, never") as caught:
        check_name(token)
    assert token not in str(caught.value)


def test_a_token_is_for_all_surveys_unless_some_are_named() -> None:
    """No name is every survey; a name is that survey, published or not, and no other."""
    every, some = (
        AccessToken("anna", Role.OWNER, check_surveys(slugs)) for slugs in ((), ("a", "b", "a"))
    )
    assert [every.is_for(slug) for slug in "abc"] == [True, True, True]
    assert [some.is_for(slug) for slug in "abc"] == [True, True, False]


def test_a_reader_without_a_survey_sees_nothing() -> None:
    """A store that was changed by hand does not open all surveys to a reader."""
    token = AccessToken("anna", Role.READER, None, Release())
    assert not token.is_for_all
    assert not token.is_for("a")


@pytest.mark.parametrize(("count", "has_come"), [(99, False), (100, True)])
def test_results_are_released_with_a_number_of_reports(count: int, has_come: bool) -> None:
    """Whether the survey has ended or not."""
    for fieldwork in (UNDERWAY, Fieldwork(End.CLOSES)):
        assert Release(100).has_come(fieldwork, lambda: count) is has_come


def test_results_are_released_at_the_end() -> None:
    """Then the reports are not counted."""
    assert Release().has_come(Fieldwork(End.CLOSES), pytest.fail)
    assert not Release().has_come(UNDERWAY, pytest.fail)


@pytest.mark.parametrize("number", [-1, 0, 1, 19, 1_000_000_001])
def test_a_release_among_few_reports_is_refused(number: int) -> None:
    """The message says which numbers are allowed."""
    with pytest.raises(InvalidRelease, match=f"got {number} reports; allowed are 20 to"):
        check_release(number)
    assert check_release(20) == Release(20)
    assert check_release(None) == Release()


@pytest.mark.parametrize("slug", ["", " ", "A", "two words", "a,b", "-a", "é", "a" * 65])
def test_what_names_no_survey_is_refused(slug: str) -> None:
    """A token that could open nothing is not made; the message says what is allowed."""
    with pytest.raises(
        InvalidTokenSurvey, match=r"got the survey '.*; allowed is the name of a s"
    ):
        check_surveys(["health", slug])


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.8.7", "::1", "localhost"])
def test_this_machine_alone_needs_no_token(tmp_path: Path, host: str) -> None:
    """Whoever tries it out on loopback has nothing to set up."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        require_tokens(host, store)
        assert store.list_tokens() == ()


@pytest.mark.parametrize(
    "host",
    ["0.0.0.0", "::", "", "192.0.2.7", "2001:db8::1", "survey.example.org", "localhost.example"],  # noqa: S104  refused
)
def test_any_other_address_needs_a_token(tmp_path: Path, host: str) -> None:
    """A store without a token is not put on a network; one token of either role is enough."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        with pytest.raises(OpenToTheNetwork, match=r"got the host .*`deniable token make owner"):
            require_tokens(host, store)
        store.add_token(AccessToken("ben", Role.ANALYST), "b" * 64)
        require_tokens(host, store)
