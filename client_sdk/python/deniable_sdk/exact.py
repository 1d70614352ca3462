"""Exact ratios, imported when the first one is needed.

The module fractions takes as long to import as half of this package, and a
device that randomizes needs it only to read an epsilon.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction


def fraction(numerator: int | str | Fraction, denominator: int | Fraction = 1) -> Fraction:
    """Numerator / denominator, exactly; a text is read as a decimal."""
    from fractions import Fraction  # noqa: PLC0415 - see above

    return Fraction(numerator) / denominator
