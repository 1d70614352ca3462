"""Why a store cannot be opened or counted."""

from deniable_sdk import DeniableError


class PsycopgMissing(DeniableError, ImportError):
    """A database in PostgreSQL needs a package that is not installed."""


class StrangeValue(DeniableError, ValueError):
    """A value is stored that its block's mechanism cannot produce."""


class TooManyTuples(DeniableError, ValueError):
    """More different tuples of values were reported than were asked for."""
