"""Records: frozen, equal by value, and strict about their fields."""

import copy
import pickle
from typing import ClassVar

import pytest

from deniable_sdk.records import Record


class Point(Record, hidden="whisper"):
    """A record with a default, a hidden field and a constant."""

    origin: ClassVar[int] = 0

    x: int
    y: int = 2
    whisper: str = "canary"

    def __post_init__(self) -> None:
        if self.x < self.origin:
            raise ValueError("x is negative")


class Named(Point):
    """A record with one more field than its base."""

    name: str = ""


def test_fields_by_place_and_by_name() -> None:
    """Fields are given in order or by name, and those with a default may be left out."""
    assert Point(1) == Point(x=1, y=2) == Point(1, 2, "canary")
    assert Named(1, name="a").name == "a"
    assert Point(1) != Point(2)
    assert Point(1) != Named(1)
    assert hash(Point(1)) == hash(Point(1))


@pytest.mark.parametrize(("values", "named"), [((), {}), ((1, 2, "", 4), {}), ((1,), {"z": 1})])
def test_other_fields_are_refused(values: tuple[object, ...], named: dict[str, int]) -> None:
    """A missing, unknown or superfluous field is named with those that are taken."""
    with pytest.raises(TypeError, match="Point takes the fields x, y, whisper"):
        Point(*values, **named)  # type: ignore[arg-type]  # which this shows


def test_a_field_given_twice_is_refused() -> None:
    """A field by place and again by name is a mistake."""
    with pytest.raises(TypeError, match="Point takes the fields x, y, whisper"):
        Point(1, x=1)  # type: ignore[misc]  # which this shows


def test_fields_are_checked() -> None:
    """What __post_init__ refuses is never made, neither by copying with a change."""
    with pytest.raises(ValueError, match="x is negative"):
        Point(1).replace(x=-1)


def test_hidden_fields_are_not_shown() -> None:
    """The repr leaves out what is hidden, also of a base."""
    assert repr(Named(1)) == "Named(x=1, y=2, name='')"


def test_copies_are_equal() -> None:
    """Records survive copying and pickling."""
    assert copy.deepcopy(Point(1)) == Point(1) == pickle.loads(pickle.dumps(Point(1)))  # noqa: S301 - our own bytes
    assert Point(1).replace(y=5) == Point(1, 5)


def test_no_other_attributes() -> None:
    """A record has its fields and nothing else."""
    with pytest.raises(AttributeError, match="cannot be changed: records are frozen"):
        Point(1).z = 3
    assert not hasattr(Point(1), "__dict__")
