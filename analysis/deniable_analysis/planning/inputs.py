"""Reading what a planner is asked, with errors that name the argument."""

from fractions import Fraction

from deniable_analysis.confidence import Number, exact
from deniable_analysis.errors import InvalidPlan


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
