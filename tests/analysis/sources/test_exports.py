"""What the package offers."""

import inspect

import deniable_analysis
from analysis.public_names import PUBLIC, ROOMS
from deniable_analysis import errors
from deniable_sdk import DeniableError

MOST_NAMES = 60


def test_every_public_name_is_there_and_sorted() -> None:
    """__all__ is sorted, without doubles, and everything in it can be imported."""
    for room in (deniable_analysis, *ROOMS):
        names = getattr(room, "__all__", [])
        assert names == sorted(set(names)), room
        assert all(hasattr(room, name) for name in names)


def test_the_first_room_is_small_and_nothing_is_in_two() -> None:
    """What everybody needs comes first; the rest has one place each."""
    assert len(deniable_analysis.__all__) <= MOST_NAMES
    places = [
        name for room in (deniable_analysis, *ROOMS) for name in getattr(room, "__all__", ())
    ]
    assert len(places) == len(set(places))


def test_every_error_is_described() -> None:
    """Every error is a DeniableError, is public, and has a docstring of its own."""
    found = {
        name: member
        for name, member in inspect.getmembers(errors, inspect.isclass)
        if member.__module__ == errors.__name__
    }
    assert found
    for name, member in found.items():
        assert issubclass(member, DeniableError)
        assert name in PUBLIC
        assert vars(member)["__doc__"]
