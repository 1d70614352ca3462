"""Tokens: what they are, what they may be called, and what is kept of them."""

import re
from hashlib import sha256

import pytest

from deniable_collector.errors import InvalidTokenName
from deniable_collector.tokens import Role, check_name, digest_of, is_token, make_token


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


@pytest.mark.parametrize("name", ["anna", "Anna.B", "7", "a@b-c_d", "a" * 64])
def test_ordinary_names_are_allowed(name: str) -> None:
    """A person, an address, a machine."""
    check_name(name)


@pytest.mark.parametrize("name", ["", " ", "-a", "a b", "a\n", "é", "a" * 65])
def test_other_names_are_refused(name: str) -> None:
    """The message says what was got and what is allowed."""
    with pytest.raises(InvalidTokenName, match=r"got the name '.*; allowed are at most 64 lett"):
        check_name(name)


def test_a_token_in_the_place_of_a_name_is_not_repeated() -> None:
    """A secret that was mistaken for a name stays out of terminals and logs."""
    token = make_token(Role.ANALYST)
    with pytest.raises(InvalidTokenName, match="give the name of a token, never") as caught:
        check_name(token)
    assert token not in str(caught.value)
