"""Reading what a planner is asked, with errors that name the argument."""

import re
from decimal import Decimal
from fractions import Fraction

from deniable_analysis.errors import InvalidPlan
from deniable_analysis.estimators.confidence import Number, exact
from deniable_sdk.errors import quote
from deniable_sdk.survey.questions import MAX_QUESTIONS
from deniable_sdk.weights import MAX_EPSILON, MIN_EPSILON

MIN_BLOCK_EPSILON = Fraction(MIN_EPSILON) / MAX_QUESTIONS

_DECIMAL = re.compile(r"[0-9]{1,2}(\.[0-9]{1,30})?", re.ASCII)


def read_block_epsilon(value: float | str) -> Fraction:
    """What one respondent spends on one of the questions they are asked.

    Raises:
        InvalidPlan: no survey can spend so much or so little on a question.
    """
    # The shortest text of a small float has an exponent, which no survey allows.
    text = f"{Decimal(repr(float(value))):f}" if isinstance(value, float) else quote(value)
    text = value if isinstance(value, str) else text
    # The pattern bounds the length: as a fraction 1e999999999 would fill memory.
    if _DECIMAL.fullmatch(text):
        epsilon = Fraction(text)
        if MIN_BLOCK_EPSILON <= epsilon <= MAX_EPSILON:
            return epsilon
    raise InvalidPlan(
        f"epsilon: got {quote(value)}; allowed is a number from {MIN_EPSILON} (for one of many "
        f"questions from {float(MIN_BLOCK_EPSILON):.5f}) to {MAX_EPSILON}, with at most 30 "
        "decimals"
    )


def read_positive(name: str, value: Number) -> Fraction:
    """A number above 0, as the fraction it was written as.

    Raises:
        InvalidPlan: it is not a finite number above 0.
    """
    number = _read(name, value, "a number above 0")
    if number <= 0:
        raise InvalidPlan(f"{name}: got {float(value):g}; allowed is a number above 0")
    return number


def read_probability(name: str, value: Number) -> Fraction:
    """A number between 0 and 1, both left out.

    Raises:
        InvalidPlan: it is not.
    """
    number = _read(name, value, "a number between 0 and 1")
    if not 0 < number < 1:
        raise InvalidPlan(f"{name}: got {float(value):g}; allowed is a number between 0 and 1")
    return number


def read_share(name: str, value: Number) -> Fraction:
    """A share of the respondents, from 0 to 1.

    Raises:
        InvalidPlan: it is not.
    """
    number = _read(name, value, "a share from 0 to 1")
    if not 0 <= number <= 1:
        raise InvalidPlan(
            f"{name}: got {float(value):g}; allowed is a share from 0 to 1, so 30 percent is 0.3"
        )
    return number


def read_respondents(name: str, value: int) -> int:
    """A number of respondents, at least 1.

    Raises:
        InvalidPlan: it is not.
    """
    if value < 1:
        raise InvalidPlan(f"{name}: got {value}; allowed is a whole number from 1")
    return value


def _read(name: str, value: Number, allowed: str) -> Fraction:
    try:
        return exact(value)
    except ValueError:
        raise InvalidPlan(f"{name}: got {float(value)}; allowed is {allowed}") from None
