"""Values read many at a time are exactly those that their form accepts."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from channel_checks import near_misses
from deniable_sdk import theory
from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import InvalidValue, Mechanism, OneOf, Piecewise, Subset, ValueForm
from deniable_sdk.weights import Weights
from deniable_storage.texts import read_texts, read_values
from mechanism_grid import GRID, WALKED, name

PAIR = Weights(3, 1)
LARGE: list[Mechanism] = [
    Subset(12, 1, PAIR),
    Subset(11, 2, PAIR),
    Subset(120, 1, PAIR),
    Piecewise(OneOf(5000, offers_no_answer=True), 4999, 4999, PAIR),
]


def stored(value: JSON) -> str:
    """A value as a store's JSON array has it: lists are texts there."""
    text = dense(value)
    return json.dumps(text) if isinstance(value, list | str) else text


def dense(value: JSON) -> str:
    """A value as JSON without spaces, even if it is beyond what is canonical."""
    return json.dumps(value, separators=(",", ":"))


def is_legal(mechanism: Mechanism, value: JSON) -> bool:
    """What the mechanism itself says of one value."""
    try:
        mechanism.form.check(value)
    except InvalidValue:
        return False
    return True


def assert_read_like_checked(mechanism: Mechanism, values: list[JSON]) -> None:
    """Each value alone, and after a legal one, is read exactly if it is legal."""
    form = mechanism.form
    legal = next(value for value in values if is_legal(mechanism, value))
    for value in values:
        for members in ([value], [legal, value], [value, legal]):
            array = f"[{','.join(map(stored, members))}]".encode()
            plain = dense(members).encode()
            for found in (
                read_texts(array, form, are_quoted=bool(form.shape)),
                read_texts(plain, form),
                read_values(members, form),
            ):
                expected = members if is_legal(mechanism, value) else None
                assert (None if found is None else found.tolist()) == expected


@pytest.mark.parametrize("mechanism", [*WALKED[::7], *GRID[::61]], ids=name)
def test_outputs_and_near_misses_are_read_as_they_are_checked(mechanism: Mechanism) -> None:
    """Every output is read; values that differ in one step are read only if they are outputs."""
    outputs = [json.loads(output) for output in itertools.islice(theory.channel(mechanism), 4)]
    assert_read_like_checked(
        mechanism, [*outputs, *itertools.chain.from_iterable(map(near_misses, outputs))]
    )


@pytest.mark.parametrize("mechanism", LARGE, ids=name)
def test_numbers_of_several_digits_are_read(mechanism: Mechanism) -> None:
    """Numbers around every power of ten, and around the largest that can be said."""
    around = [10**power + step for power in range(6) for step in (-1, 0, 1)]
    around += [mechanism.form.members + step for step in (-2, -1, 0, 1, 65536, 2**32, 2**64)]
    values: list[JSON] = list(around)
    if mechanism.form.shape:
        values = [[low, high] for low in (0, 1, 9, 10) for high in around]
    assert_read_like_checked(mechanism, values)


@pytest.mark.parametrize(
    "text",
    [
        "01",
        "+1",
        "-0",
        "1.0",
        "1e0",
        " 1",
        "1 ",
        "1,",
        ",1",
        "",
        "0x1",
        "１",
        "1\x00",
        "[1]",
        "1]",
    ],
)
def test_numbers_in_other_spellings_are_refused(text: str) -> None:
    """Only the canonical digits of a number are read."""
    for form in (ValueForm(3), ValueForm(300)):
        for array in (f"[{text}]", f"[2,{text}]", f"[{text},2]"):
            if array != "[]":
                assert read_texts(array.encode(), form) is None


@pytest.mark.parametrize("array", [b"", b"[", b"]", b"1", b"[1", b"1]", b"null", b"{1}", b"[1]]"])
def test_what_is_no_array_is_refused(array: bytes) -> None:
    """An array that is cut off, or something else, is not read."""
    assert read_texts(array, ValueForm(3)) is None


def test_an_empty_array_has_no_values() -> None:
    """Of every form an empty array has the right shape."""
    for form in (ValueForm(3), ValueForm(12, (4,)), ValueForm(5, (2, 2))):
        found = read_texts(b"[]", form)
        assert found is not None
        assert found.shape == (0, *form.shape)


@pytest.mark.parametrize("value", ["1", "[0,1]", True, 1.0, None, b"1", [0, True], "é", "\udcff"])
def test_values_of_other_types_are_refused(value: object) -> None:
    """A text, a truth value, a decimal or nothing is no number, whatever it looks like."""
    assert read_values([1, value], ValueForm(3)) is None
    assert read_values([[0, 1], value], ValueForm(3, (2,))) is None


@given(st.lists(st.integers(0, 299), max_size=40), st.binary(max_size=6), st.integers(0, 200))
@settings(max_examples=60)
def test_arbitrary_bytes_within_are_never_misread(
    numbers: list[int], piece: bytes, index: int
) -> None:
    """Bytes put anywhere into an array are read only where the array is still legal JSON."""
    array = json.dumps(numbers, separators=(",", ":")).encode()
    changed = array[:index] + piece + array[index:]
    found = read_texts(changed, ValueForm(300))
    if found is not None:
        assert json.loads(changed) == found.tolist()
        assert np.all((found >= 0) & (found < 300))
