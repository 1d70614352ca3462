"""The privacy loss of a report as a likelihood ratio."""

from fractions import Fraction
from numbers import Rational
from typing import Any

from deniable_analysis.arguments import is_finite, shown
from deniable_analysis.errors import InvalidPlan


def read_ratio(value: Any) -> Fraction:
    """The exact e^epsilon of a report.

    Raises:
        InvalidPlan: it is not a number of at least 1.
    """
    if not is_finite(value) or value < 1:
        raise InvalidPlan(
            f"ratio: got {shown(value)}; allowed is e^epsilon as a number of at least 1, like "
            "mechanism.weights.ratio"
        )
    return Fraction(value) if isinstance(value, Rational) else Fraction(float(value))
