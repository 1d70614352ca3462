"""From a confidence to the tail and to the normal quantile it stands for."""

from numbers import Real

from scipy.special import ndtri

from deniable_analysis.arguments import Number, exact, shown
from deniable_analysis.errors import InvalidConfidence


def tail(confidence: Number, comparisons: int = 1) -> float:
    """The tail probability on one side of a two-sided interval.

    Args:
        confidence: of all intervals together, between 0 and 1.
        comparisons: how many intervals must hold at once (Bonferroni).
    Raises:
        InvalidConfidence: confidence is not between 0 and 1.
    """
    if not isinstance(confidence, Real):
        raise InvalidConfidence(
            f"got a confidence of the type {type(confidence).__name__}; allowed is a number "
            "between 0 and 1, like 0.95"
        )
    # Compared as it is: a huge integer is no float.
    missed = float((1 - exact(confidence)) / (2 * comparisons)) if 0 < confidence < 1 else 0.0
    if not missed > 0:
        raise InvalidConfidence(
            f"got the confidence {shown(confidence)}; allowed is a number between 0 and 1, "
            "like 0.95"
        )
    return missed


def critical_value(confidence: Number, comparisons: int = 1) -> float:
    """How many standard errors a two-sided normal interval reaches.

    Args:
        confidence: of all intervals together, between 0 and 1.
        comparisons: how many intervals must hold at once (Bonferroni).
    Raises:
        InvalidConfidence: confidence is not between 0 and 1.
    """
    return -float(ndtri(tail(confidence, comparisons)))


def comparisons_among(option_count: int) -> int:
    """How many simultaneous intervals a question with this number of options needs.

    Two options are one comparison: their shares add up to exactly 1, so one
    interval holds when the other does.
    """
    return 1 if option_count == 2 else option_count
