"""Canonical JSON: one value, one sequence of bytes; all else is refused by name."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable_sdk.canonical import JSON, MAX_INTEGER, NotCanonical, decode, digest, encode, parse

keys = st.text(st.characters(max_codepoint=127), max_size=5)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-MAX_INTEGER, MAX_INTEGER)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4)
)


def _nested(depth: int) -> JSON:
    value: JSON = 0
    for _ in range(depth):
        value = [value]
    return value


@given(values)
def test_values_round_trip(value: JSON) -> None:
    """The canonical bytes read back as the value, and are JSON with sorted keys."""
    data = encode(value)
    assert decode(data) == parse(data) == value
    if isinstance(value, dict):
        assert list(json.loads(data)) == sorted(value)


def test_the_form_is_fixed() -> None:
    """No spaces, keys sorted, characters as they are, control characters escaped."""
    value: JSON = {"b": [1, True, None], "a": 'é𝄞\u2028"\\\n\x00\x7f', "B": -0}
    expected = '{"B":0,"a":"é𝄞\u2028\\"\\\\\\n\\u0000\x7f","b":[1,true,null]}'
    assert encode(value).decode() == expected


def test_the_digest_is_sha_256() -> None:
    """A digest is the SHA-256 of the bytes in lower-case hex digits."""
    assert digest(b"{}") == hashlib.sha256(b"{}").hexdigest()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1.0, "got a number with decimals; only JSON without decimals is allowed"),
        ([float("nan")], "got a number with decimals; only JSON without decimals is allowed"),
        ((1,), "got a tuple; only JSON without decimals is allowed"),
        (b"", "got a bytes; only JSON without decimals is allowed"),
        (MAX_INTEGER + 1, f"got an integer beyond ±{MAX_INTEGER}"),
        (-MAX_INTEGER - 1, f"got an integer beyond ±{MAX_INTEGER}"),
        ({"é": 1}, "got a key that is not plain ASCII text"),
        ({1: 1}, "got a key that is not plain ASCII text"),
        ("\ud800", "got a text with half a surrogate pair"),
        (_nested(32), "nested deeper than 32 levels"),
    ],
)
def test_what_has_no_canonical_form_is_refused(value: JSON, message: str) -> None:
    """A value without a canonical form is named by its kind."""
    with pytest.raises(NotCanonical) as caught:
        encode(value)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff", "the bytes are not UTF-8"),
        (b"", "not JSON: broken at character 0"),
        (b"[1,", "not JSON: broken at character 3"),
        (b"\xef\xbb\xbf1", "not JSON: broken at character 0"),
        (b"1.0", "got a number with decimals; only whole numbers are allowed"),
        (b"1e2", "got a number with decimals; only whole numbers are allowed"),
        (b"NaN", "got a number with decimals; only whole numbers are allowed"),
        (b"-Infinity", "got a number with decimals; only whole numbers are allowed"),
        (b"9" * 5000, "a number is too large"),
        (b"[" * 100_000, "nested deeper than 32 levels"),
        (b'{"a":1,"a":1}', "an object has the same key twice"),
    ],
)
def test_what_cannot_be_parsed_is_refused(data: bytes, message: str) -> None:
    """Bytes that are not JSON without decimals are refused, in any layout."""
    with pytest.raises(NotCanonical) as caught:
        parse(data)
    assert str(caught.value) == message
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "data", [b" 1", b"[1, 2]", b'{"b":1,"a":2}', b'"\\u00e9"', b'"\\/"', b"1\n"]
)
def test_another_form_of_the_same_value_is_refused(data: bytes) -> None:
    """Bytes that parse but are not the canonical ones are refused."""
    parse(data)
    with pytest.raises(NotCanonical) as caught:
        decode(data)
    assert str(caught.value) == (
        "the JSON is not in canonical form (keys sorted and unique, no spaces)"
    )


def test_the_deepest_allowed_value_round_trips() -> None:
    """31 levels of lists around a value are still allowed."""
    assert decode(encode(_nested(31))) == _nested(31)
