"""How every page is looked at: by language, colour scheme and width.

`make test` looks in one way: right to left, dark, on a phone. `make deep` looks in all others.
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal

import pytest

Scheme = Literal["light", "dark"]


@dataclass(frozen=True)
class Viewport:
    """One way to look at a page; the width is in CSS pixels."""

    language: str
    scheme: Scheme
    width: int

    def __str__(self) -> str:
        return f"{self.language}-{self.scheme}-{self.width}"


SCHEMES: tuple[Scheme, Scheme] = ("light", "dark")
_ALL = [Viewport(*each) for each in product(("en", "ar"), SCHEMES, (360, 1280))]
_OFTEN = ("ar", "dark", 360)
VIEWPORTS = [
    pytest.param(
        look,
        id=str(look),
        marks=() if (look.language, look.scheme, look.width) == _OFTEN else pytest.mark.deep,
    )
    for look in _ALL
]
