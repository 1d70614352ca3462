"""Numbers in the style of a language: its digits, signs and separators."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from babel import Locale
from babel.dates import format_date, format_time, get_datetime_format
from babel.numbers import NumberPattern, parse_pattern

from deniable_web.pages.languages import direction, spoken

# The language's own digits: Arabic, for example, has its own.
_DIGITS = "default"
_MOST_DECIMALS = 4
_WHOLE = "#,##0"
# Shown instead of a missing number.
MISSING = "–"
# A smaller p-value is shown as below this.
LEAST_P = 0.001

# Put around a number in a text written from right to left, so that its signs stay on the
# correct sides.
_ISOLATE, _END = "\u2066", "\u2069"


@dataclass(frozen=True, slots=True)
class Numbers:
    """The format of numbers in a language of the interface; a missing number is MISSING."""

    language: str

    @property
    def is_mirrored(self) -> bool:
        """Whether the language is written from right to left."""
        return direction(self.language) == "rtl"

    def count(self, number: int) -> str:
        """A whole number with separated thousands."""
        return self._isolated(self._decimal(number, 0))

    def percent(self, share: float | None, decimals: int = 1) -> str:
        """A share in percent; never a zero with a sign."""
        if share is None:
            return MISSING
        # The language's own pattern, with decimals: it determines the place of the sign.
        whole = self.locale.percent_formats[None].pattern
        pattern = whole.replace(_WHOLE, _pattern(decimals))
        return self._isolated(self._apply(round(share, decimals + 2) + 0.0, pattern))

    def between(self, low: float | None, high: float | None, decimals: int) -> tuple[str, str]:
        """The ends of an interval of a share in percent: possible ones, rounded outwards."""
        if low is None or high is None:
            return MISSING, MISSING
        first, last = outward(low, high, 100 * 10**decimals)
        return self.percent(first, decimals), self.percent(last, decimals)

    def decimal(self, number: float | None, decimals: int) -> str:
        """A number with this number of decimals."""
        return MISSING if number is None else self._isolated(self._decimal(number, decimals))

    def margin(self, number: float, decimals: int) -> str:
        """Half the width of an interval, with a plus-minus sign."""
        return self._isolated(f"±{self._decimal(number, decimals)}")

    def below(self, number: float, decimals: int) -> str:
        """A number with a less-than sign."""
        return self._isolated(f"<{self._decimal(number, decimals)}")

    def signed(self, number: float | None, decimals: int) -> str:
        """A number with its sign, except for zero."""
        if number is None:
            return MISSING
        sign = "+" if round(number, decimals) > 0 else ""
        return self._isolated(f"{sign}{self._decimal(number, decimals)}")

    def points(self, share: float | None, decimals: int = 1) -> str:
        """A difference of shares in points, with its sign."""
        return self.signed(None if share is None else 100 * share, decimals)

    def p_value(self, value: float | None) -> str:
        """A p-value with three decimals, or "<0.001"."""
        is_least = value is not None and value < LEAST_P
        return self.below(LEAST_P, 3) if is_least else self.decimal(value, 3)

    def moment(self, moment: datetime) -> str:
        """A moment in UTC, to the minute."""
        at = moment.astimezone(UTC)
        pattern = str(get_datetime_format("long", locale=self.locale)).replace("'", "")
        return pattern.format(
            f"{format_time(at, 'HH:mm', tzinfo=UTC, locale=self.locale)} UTC",
            format_date(at, "long", self.locale),
        )

    def short(self, number: float) -> str:
        """A number with at most three significant digits, for an axis."""
        digits = 0 if number == 0 else max(0, 2 - math.floor(math.log10(abs(number))))
        return self._isolated(self._apply(round(number, digits) + 0.0, f"{_WHOLE}.{'#' * digits}"))

    def _decimal(self, number: float, decimals: int) -> str:
        return self._apply(round(number, decimals) + 0.0, _pattern(decimals))

    def _apply(self, number: float, pattern: str) -> str:
        return str(_parsed(pattern).apply(number, self.locale, numbering_system=_DIGITS))

    def _isolated(self, written: str) -> str:
        return f"{_ISOLATE}{written}{_END}" if self.is_mirrored else written

    @property
    def locale(self) -> Locale:
        """The conventions of the language."""
        return _locale(spoken(self.language))


# A page has a thousand numbers in one language.
@cache
def _locale(code: str) -> Locale:
    return Locale.parse(code)


@cache
def _parsed(pattern: str) -> NumberPattern:
    return parse_pattern(pattern)


def decimals_for(errors: Iterable[float | None]) -> int:
    """How many decimals are needed to show two digits of the largest of these errors."""
    largest = max((error for error in errors if error), default=0.0)
    if largest <= 0:
        return 2
    return min(_MOST_DECIMALS, max(0, 1 - math.floor(math.log10(largest))))


def outward(low: float, high: float, steps: int) -> tuple[float, float]:
    """The shortest interval between multiples of 1 / steps, from 0 to 1, around another one."""
    # Decimal fractions have errors in binary, which must not lengthen an interval by a step.
    first, last = math.floor(round(low * steps, 6)), math.ceil(round(high * steps, 6))
    return tuple(min(steps, max(0, each)) / steps for each in (first, last))  # type: ignore[return-value]


def _pattern(decimals: int) -> str:
    return f"{_WHOLE}.{'0' * decimals}" if decimals else _WHOLE
