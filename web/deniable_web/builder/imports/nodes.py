"""The parts of a file, which record what was read of them, so that nothing is lost in silence."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from deniable_web.builder.imports.imported import Account, Changed

# What a key that nothing reads is noted as; None if it says nothing about what is asked. All
# other keys are noted as settings; those that are settings here also with the value false or 0.
Unread = Mapping[str, Changed | None]

# How the keys end under which SurveyJS and pyxform keep what respondents read.
_WORDED: Final = re.compile(
    "(?:label|hint|title|description|text|html|caption|placeholder|message|msg|labeltrue|labelfalse"
    "|displayvalue|format|cells|datalist)$",
    re.IGNORECASE,
)
_LISTS: Final = "choices rateValues columns rows"


class FileNode:
    """A question, a choice, a group or a whole survey of another program.

    Each key is read once with `take`. Then `list_unread` notes all other keys, so that a key
    that this code does not know is in the account.
    """

    def __init__(self, own: object) -> None:
        self._own: Mapping[str, Any] = own if isinstance(own, Mapping) else {}
        self._read: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._own

    def take(self, *keys: str) -> Any:
        """The value of a key, by the first of its names that the file has; None without any."""
        found = next((key for key in keys if key in self._own), None)
        if found is None:
            return None
        self._read.add(found)
        return self._own[found]

    def list_unread(self, name: str, unread: Unread, account: Account) -> None:
        """Note every key with a value that was not read, as one about the question `name`."""
        for key, value in self._own.items():
            what = unread.get(key, Changed.SETTINGS)
            # A switch that is off, or no limit, says something only if it is not the usual value.
            is_off = value in (False, 0) and unread.get(key) is not Changed.SETTINGS
            if key in self._read or what is None or is_off or value in (None, "", [], {}):
                continue
            account.change(name, what, ": ".join(filter(None, (key, ", ".join(leaves(value))))))

    def words(self) -> Iterator[str]:
        """All that respondents would read of it."""
        return _words(self._own)


def leaves(value: object) -> Iterator[str]:
    """The values in a value that is not a list or a map, as texts."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    elif isinstance(value, bool):
        yield str(value).lower()
    elif value is not None and str(value).strip():
        yield str(value).strip()


def _words(value: object, key: str = "") -> Iterator[str]:
    if _WORDED.search(key):
        yield from leaves(value)
    elif isinstance(value, Mapping):
        if not any(map(_WORDED.search, value)):
            # In place of a missing text its name is shown.
            yield from leaves([value.get("name"), value.get("value")])
        for inner_key, inner in value.items():
            yield from _words(inner, inner_key)
    elif isinstance(value, list):
        for inner in value:
            yield from _words(inner, key)
    elif key in _LISTS.split():
        yield from leaves(value)
