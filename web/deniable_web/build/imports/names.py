"""Names as a definition allows them, made from any others."""

import re
import unicodedata
from collections.abc import Collection
from typing import Final

_LONGEST_ID: Final = 40
_LONGEST_SLUG: Final = 64


def question_id(name: str, taken: Collection[str]) -> str:
    """An id that is near to a name and not taken."""
    plain = re.sub(r"[^a-z0-9]+", "_", _plain(name)).strip("_")
    if not plain[:1].isalpha():
        plain = f"q_{plain}".rstrip("_")
    return _free(plain[:_LONGEST_ID].rstrip("_"), "_", _LONGEST_ID, taken)


def slug(title: str) -> str:
    """A survey's name in addresses, from its title."""
    plain = re.sub(r"[^a-z0-9]+", "-", _plain(title)).strip("-")
    return plain[:_LONGEST_SLUG].rstrip("-") or "survey"


def _plain(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    return decomposed.encode("ascii", "ignore").decode()


def _free(name: str, joint: str, longest: int, taken: Collection[str]) -> str:
    found, count = name, 1
    while found in taken:
        count += 1
        ending = f"{joint}{count}"
        found = name[: longest - len(ending)] + ending
    return found
