"""Numbers as a language writes them: its digits, its signs, its marks."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from babel import Locale
from babel.numbers import format_decimal

from deniable_web.pages.languages import spoken

# The digits of the language itself: Arabic is written with Arabic ones.
_DIGITS = "default"
_MOST_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class Numbers:
    """How numbers are written in a language of the interface."""

    language: str

    def count(self, number: int) -> str:
        """A whole number, its thousands set apart."""
        return format_decimal(number, locale=self._locale, numbering_system=_DIGITS)

    def percent(self, share: float, decimals: int = 1) -> str:
        """A share in percent; never a zero with a sign."""
        shown = round(share, decimals + 2) + 0.0
        pattern = self._locale.percent_formats[None]
        written: str = pattern.apply(
            shown, self._locale, force_frac=(decimals, decimals), numbering_system=_DIGITS
        )
        return written

    def points(self, share: float, decimals: int = 1) -> str:
        """A difference of shares in percentage points, without their name."""
        return self.decimal(100 * share, decimals)

    def decimal(self, number: float, decimals: int) -> str:
        """A number with so many decimals."""
        shown = round(number, decimals) + 0.0
        pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
        return format_decimal(shown, pattern, locale=self._locale, numbering_system=_DIGITS)

    def signed(self, number: float, decimals: int) -> str:
        """A number with its sign, except for zero."""
        written = self.decimal(number, decimals)
        return f"+{written}" if round(number, decimals) > 0 else written

    def short(self, number: float) -> str:
        """A number with at most four significant digits, as an axis has it."""
        digits = 0 if number == 0 else max(0, 3 - math.floor(math.log10(abs(number))))
        return format_decimal(
            round(number, digits) + 0.0,
            "#,##0." + "#" * digits,
            locale=self._locale,
            numbering_system=_DIGITS,
        )

    @property
    def _locale(self) -> Locale:
        return Locale.parse(spoken(self.language))


def decimals_for(errors: Iterable[float | None]) -> int:
    """How many decimals show two digits of the largest of these errors."""
    largest = max((error for error in errors if error), default=0.0)
    if largest <= 0:
        return 2
    return min(_MOST_DECIMALS, max(0, 1 - math.floor(math.log10(largest))))
