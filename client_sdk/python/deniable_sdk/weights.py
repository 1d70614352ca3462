"""Epsilon as a pair of integers, and the proof that it is not exceeded.

A mechanism gives every output one of two weights: `high` where the answer
supports it, `low` elsewhere. The likelihood of an output under one answer is
then at most high / low times that under another, exactly, so the
guarantee is ln(high / low) and no device computes an exponential.

Neighbouring relation: any two answers of one respondent (local model).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction

from deniable_sdk.errors import quote
from deniable_sdk.records import Record

LOW_WEIGHT = 1 << 32
MIN_EPSILON = "0.01"
MAX_EPSILON = 10
EPSILON_RANGE = "a number from 0.01 to 10, with at most 30 decimals"
# Most that devices spend by default: on one survey, and on a person's surveys of so many days.
SURVEY_CAP = 4
YEARLY_CAP = 8
YEAR_DAYS = 365

_SCALE_BITS = 256
_MAX_DECIMALS = 30
_DECIMAL = re.compile(rf"[0-9]{{1,2}}(\.[0-9]{{1,{_MAX_DECIMALS}}})?", re.ASCII)


class Weights(Record):
    """The two integers that fix a block's epsilon: ln(high / low)."""

    high: int
    low: int

    @property
    def ratio(self) -> Fraction:
        """The worst likelihood ratio between two answers, exactly."""
        return Fraction(self.high, self.low)

    @property
    def epsilon(self) -> float:
        """ln(ratio) to double precision: for people to read, not for checks."""
        return math.log(self.high) - math.log(self.low)


def integer_weights(epsilon: Fraction, extra_bits: int = 0) -> Weights:
    """The largest high weight within epsilon, for a low weight of 2^(32 + extra_bits).

    ln(high / low) never exceeds epsilon and falls short of it by less
    than 2.4e-10 divided by 2^extra_bits.

    Source: exact by construction; exponential_floor is a lower bound, and the
    floor only lowers it further.
    """
    low = LOW_WEIGHT << extra_bits
    return Weights(exponential_floor(epsilon) * low >> _SCALE_BITS, low)


def closest_weights(epsilon: Fraction, most_low: int) -> Weights:
    """The weights closest to epsilon and not above it, with a low weight up to `most_low`.

    For where integer_weights would need a larger low weight. Another low
    weight below `most_low` mostly brings ln(high / low) within about
    1 / most_low² of epsilon, and never leaves it farther than `most_low` does.
    """
    target = Fraction(exponential_floor(epsilon), 1 << _SCALE_BITS)
    closest = target.limit_denominator(most_low)
    high, low = closest.numerator, closest.denominator
    if closest > target:
        # The fraction next below, high' / low', has high · low' - high' · low = 1, and the
        # largest such denominator that is allowed.
        low_below = most_low - (most_low - pow(high, -1, low)) % low
        high, low = (high * low_below - 1) // low, low_below
    return Weights(high, low)


def is_within(blocks: Sequence[Weights], epsilon: Fraction) -> bool:
    """Whether reports through all these blocks together spend at most epsilon.

    Integers only: the product of the ratios is compared with a lower bound of
    e^epsilon that is right to more than 70 digits, so a wrong yes is
    impossible.
    """
    high = math.prod(weights.high for weights in blocks)
    low = math.prod(weights.low for weights in blocks)
    return high << _SCALE_BITS <= exponential_floor(epsilon) * low


def exponential_floor(exponent: Fraction) -> int:
    """A lower bound of e^exponent in units of 2^-256, for exponent > 0.

    The Taylor series with every term rounded down: each term is at most its
    true value and the terms left out are positive.
    """
    numerator, denominator = exponent.numerator, exponent.denominator
    term, total, index = 1 << _SCALE_BITS, 0, 0
    while term:
        total += term
        index += 1
        term = term * numerator // (denominator * index)
    return total


def read_epsilon(value: object) -> Fraction:
    """Epsilon as an exact fraction, from a number or a decimal text.

    Raises:
        ValueError: not a plain finite number in the allowed range; the
            message says what was got and what is allowed.
    """
    text = value if isinstance(value, str) else quote(value)
    if isinstance(value, float):
        text = repr(float(value))  # subclasses write themselves in other ways
    is_number = isinstance(value, int | float | str) and not isinstance(value, bool)
    # The pattern bounds the length: as a fraction 1e999999999 would fill memory.
    if is_number and _DECIMAL.fullmatch(text):
        epsilon = Fraction(text)
        if Fraction(MIN_EPSILON) <= epsilon <= MAX_EPSILON:
            return epsilon
    raise ValueError(f"got {quote(value)}; allowed is {EPSILON_RANGE}")


def part_of_epsilon(epsilon: Fraction, parts: int) -> Fraction:
    """An equal part of an epsilon, rounded down to what a decimal text can hold."""
    return Fraction(epsilon * 10**_MAX_DECIMALS // parts, 10**_MAX_DECIMALS)


def format_epsilon(epsilon: Fraction) -> str:
    """The shortest decimal text of an epsilon that read_epsilon gave."""
    scaled = epsilon * 10**_MAX_DECIMALS
    whole, decimals = divmod(int(scaled), 10**_MAX_DECIMALS)
    digits = f"{decimals:0{_MAX_DECIMALS}d}".rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)
