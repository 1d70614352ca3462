"""What a report spends, as the ratio that bounds what it reveals."""

from fractions import Fraction
from numbers import Rational
from typing import Any

from deniable_analysis.arguments import is_finite, shown
from deniable_analysis.errors import InvalidPlan


def read_ratio(value: Any) -> Fraction:
    """What a report spends, e^epsilon, as the fraction it is.

    Raises:
        InvalidPlan: it is no number of at least 1.
    """
    if not is_finite(value) or value < 1:
        raise InvalidPlan(
            f"ratio: got {shown(value)}; allowed is e^epsilon as a number of at least 1, like "
            "mechanism.weights.ratio"
        )
    return Fraction(value) if isinstance(value, Rational) else Fraction(float(value))
