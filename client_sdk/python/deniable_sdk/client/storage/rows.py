"""Entries as rows of a file, each with a digest of its content.

SQLite keeps what it is given, and has no sums of its own: a flipped bit would
be another report, or less that was spent.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, get_args

from deniable_sdk import canonical
from deniable_sdk.client.entry import Entry, State
from deniable_sdk.client.errors import StorageDamaged

FIELDS = Entry.__match_args__
_TYPES = [str, int, str, str, str, str, str, bytes, str, int, str, int, float, int]
_TYPES += [str, str, str, int, str]
_TYPES_WITHOUT_BODY = [kind if kind is not bytes else type(None) for kind in _TYPES]
_WEIGHTS = re.compile(r"([1-9][0-9]*/[1-9][0-9]*( [1-9][0-9]*/[1-9][0-9]*)*)?", re.ASCII)
_PANEL = re.compile(r"([1-9][0-9]{0,2}/[1-9][0-9]{0,2} [0-9]{1,2}(\.[0-9]{1,30})?)?", re.ASCII)


def digest_of(entry: Entry) -> str:
    """A digest that changes with any bit of an entry."""
    row = [getattr(entry, field) for field in FIELDS]
    # As SQLite gives them back.
    values = [
        kind(value) if kind in (int, float) else value
        for kind, value in zip(_TYPES, row, strict=True)
    ]
    return hashlib.sha256(repr(values).encode()).hexdigest()


def entry_of_row(row: tuple[Any, ...]) -> Entry:
    """The entry of a row that ends with its digest.

    Raises:
        StorageDamaged: it is none of ours, or not as it was kept.
    """
    *values, digest = row
    entry = Entry(*values)
    # An SQLite file accepts any value in any column from anybody who edits it.
    if [*map(type, values)] not in (_TYPES, _TYPES_WITHOUT_BODY) or not _is_ours(entry):
        raise StorageDamaged(
            "an entry in the file of reports is none of ours; restore the file, or opt out, "
            "which wipes it"
        )
    entry = entry.replace(is_asked=bool(entry.is_asked))
    if digest != digest_of(entry):
        raise StorageDamaged(
            "an entry in the file of reports is not as it was kept, so that what it says is not "
            "used; restore the file, or opt out, which wipes it"
        )
    return entry


def _is_ours(entry: Entry) -> bool:
    is_known = entry.state in get_args(State)
    if not (is_known and _WEIGHTS.fullmatch(entry.weights) and _PANEL.fullmatch(entry.panel)):
        return False
    try:
        return isinstance(canonical.parse(entry.fixed.encode()), dict)
    except (canonical.NotCanonical, UnicodeEncodeError):
        return False
