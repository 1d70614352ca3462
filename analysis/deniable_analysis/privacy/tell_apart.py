"""How well a report distinguishes two given answers."""

from fractions import Fraction

from deniable_analysis.arguments import Number, read_share
from deniable_analysis.privacy.ratio import read_ratio


def tell_apart_error(ratio: Fraction) -> Fraction:
    """The least error of deciding, from a report, which of two answers was given.

    If both were equally likely before: 1/2 would be a coin. No report of a
    mechanism that spends this much can do better, and Warner's method is as
    bad as that.

    Args:
        ratio: what the report spends, e^epsilon exactly, at least 1.
    Raises:
        InvalidPlan: the ratio is below 1.
    Source: the posterior of two equally likely answers is at most
    ratio / (ratio + 1); Kairouz, Oh and Viswanath 2015 (ICML), theorem 2.1.
    """
    return 1 / (read_ratio(ratio) + 1)


def most_detected(false_alarms: Number, ratio: Fraction) -> Fraction:
    """How often, at most, a test of one report finds an answer if it was given.

    Whatever the test and whatever the mechanism that spends this much.

    Args:
        false_alarms: how often the test finds the answer if another was given.
        ratio: what the report spends, e^epsilon exactly, at least 1.
    Raises:
        InvalidPlan: false_alarms is not from 0 to 1, or the ratio below 1.
    Source: Kairouz, Oh and Viswanath 2015 (ICML), theorem 2.1, both bounds.
    """
    wrong = read_share("false_alarms", false_alarms)
    most = read_ratio(ratio)
    return min(most * wrong, 1 - (1 - wrong) / most)
