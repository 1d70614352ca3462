"""Why a store that can be read is not counted."""

from deniable_sdk import DeniableError


class StrangeValue(DeniableError, ValueError):
    """A value is stored that its block's mechanism cannot produce."""


class TooManyTuples(DeniableError, ValueError):
    """More different tuples of values were reported than were asked for."""
