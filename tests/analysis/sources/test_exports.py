"""What the package offers."""

import inspect

import deniable_analysis
from deniable_analysis import errors
from deniable_sdk import DeniableError


def test_every_public_name_is_there_and_sorted() -> None:
    """__all__ is sorted, without doubles, and everything in it can be imported."""
    names = deniable_analysis.__all__
    assert names == sorted(set(names))
    assert all(hasattr(deniable_analysis, name) for name in names)


def test_every_error_is_exported_and_described() -> None:
    """Every error is a DeniableError, is exported, and has a docstring of its own."""
    found = {
        name: member
        for name, member in inspect.getmembers(errors, inspect.isclass)
        if member.__module__ == errors.__name__
    }
    assert found
    for name, member in found.items():
        assert issubclass(member, DeniableError)
        assert name in deniable_analysis.__all__
        assert vars(member)["__doc__"]
