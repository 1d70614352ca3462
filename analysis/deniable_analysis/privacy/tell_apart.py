"""How well a report tells two given answers apart."""

from fractions import Fraction


def tell_apart_error(ratio: Fraction) -> Fraction:
    """The least error of deciding, from a report, which of two answers was given.

    If both were equally likely before: 1/2 would be a coin. No report of a
    mechanism that spends this much can do better, and Warner's method is as
    bad as that.

    Args:
        ratio: what the report spends, e^epsilon exactly, at least 1.
    Source: the posterior of two equally likely answers is at most
    ratio / (ratio + 1); Kairouz, Oh and Viswanath 2015 (ICML), theorem 2.1.
    """
    return 1 / (ratio + 1)
