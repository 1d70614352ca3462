"""Makes names that a definition allows from any other names."""

import re
import unicodedata
from typing import Final

_LONGEST_ID: Final = 40
_LONGEST_SLUG: Final = 64
# Only the beginning of a longer name is used: the time to sort the marks of a letter grows
# with the square of their number.
_LOOKED_AT: Final = 200


class Names:
    """The ids so far."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._tried: dict[str, int] = {}

    def make(self, name: str) -> str:
        """A new id that resembles a name and is different from all others."""
        plain = re.sub(r"[^a-z0-9]+", "_", _plain(name)).strip("_")
        if not plain[:1].isalpha():
            plain = f"q_{plain}".rstrip("_")
        first = plain[:_LONGEST_ID].rstrip("_")
        found, count = first, self._tried.get(first, 1)
        while found in self._taken:
            count += 1
            ending = f"_{count}"
            found = first[: _LONGEST_ID - len(ending)] + ending
        self._tried[first] = count
        self._taken.add(found)
        return found


def slug(title: str) -> str:
    """A survey's slug, made from its title."""
    plain = re.sub(r"[^a-z0-9]+", "-", _plain(title)).strip("-")
    return plain[:_LONGEST_SLUG].rstrip("-") or "survey"


def _plain(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name[:_LOOKED_AT].casefold())
    return decomposed.encode("ascii", "ignore").decode()
