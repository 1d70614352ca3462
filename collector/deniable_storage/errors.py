"""Why a store or a table cannot be opened or counted."""

from deniable_sdk import DeniableError


class PackageMissing(DeniableError, ImportError):
    """Something needs a package that is not installed; `name` is that of its module."""


class StrangeValue(DeniableError, ValueError):
    """The store contains a value that its block's mechanism cannot produce."""


class ResultsSealed(DeniableError, ValueError):
    """Nobody reads a result of this survey before its end."""


class InconsistentTally(DeniableError, ValueError):
    """The tally of a survey is not one that any reports have."""


class TooManyTuples(DeniableError, ValueError):
    """The reports contain more different tuples of values than the caller allows."""


class UnreadableTable(DeniableError, ValueError):
    """A file is no table that can be used; the message has line numbers and no cell."""
