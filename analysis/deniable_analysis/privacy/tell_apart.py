"""How well a report distinguishes two given answers."""

from fractions import Fraction

from deniable_analysis.arguments import Number, read_share
from deniable_analysis.privacy.ratio import read_ratio


def tell_apart_error(ratio: Fraction) -> Fraction:
    """The smallest error probability of deciding between two answers from a report.

    Both answers are equally likely before the report, so the error of a coin is
    1/2. The error is at least this for every mechanism with this epsilon, and
    exactly this for Warner's method.

    Args:
        ratio: exact e^epsilon of the report, at least 1.
    Raises:
        InvalidPlan: the ratio is below 1.
    Source: the posterior of two equally likely answers is at most
    ratio / (ratio + 1); Kairouz, Oh and Viswanath 2015 (ICML), theorem 2.1.
    """
    return 1 / (read_ratio(ratio) + 1)


def most_detected(false_alarms: Number, ratio: Fraction) -> Fraction:
    """The largest power of a test that detects a given answer from one report.

    It bounds every test and every mechanism with this epsilon.

    Args:
        false_alarms: probability that the test detects the answer if another
            one is true.
        ratio: exact e^epsilon of the report, at least 1.
    Raises:
        InvalidPlan: false_alarms is not from 0 to 1, or ratio is below 1.
    Source: Kairouz, Oh and Viswanath 2015 (ICML), theorem 2.1, both bounds.
    """
    wrong = read_share("false_alarms", false_alarms)
    most = read_ratio(ratio)
    return min(most * wrong, 1 - (1 - wrong) / most)
