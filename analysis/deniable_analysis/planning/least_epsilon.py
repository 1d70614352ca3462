"""The least epsilon with which something can be done, to six decimals."""

from collections.abc import Callable
from fractions import Fraction

from deniable_analysis.errors import Infeasible
from deniable_analysis.planning.inputs import read_respondents
from deniable_sdk.weights import MAX_EPSILON, MIN_EPSILON

_STEPS = 1_000_000


def least_epsilon(
    goal: str,
    respondents: int,
    needed: Callable[[float], int],
    without_privacy: Fraction | None = None,
) -> float:
    """The least epsilon, exact in six decimals, with which respondents are enough.

    Where a slightly larger epsilon changes the best set size, it can take a
    few respondents more; the answer itself is always enough.

    Args:
        goal: what is wanted, for the message.
        respondents: those who are asked the question.
        needed: how many it takes at an epsilon.
        without_privacy: how many it takes if nothing is randomized; None if
            the largest epsilon tells it well enough.
    Raises:
        InvalidPlan: respondents is below 1.
        Infeasible: it takes more respondents, even without privacy or at the
            largest epsilon.
    """
    read_respondents("respondents", respondents)
    low, high = int(Fraction(MIN_EPSILON) * _STEPS), int(MAX_EPSILON * _STEPS)
    at_most = needed(high / _STEPS)
    if at_most > respondents:
        raise _infeasible(goal, respondents, at_most, without_privacy)
    if needed(low / _STEPS) <= respondents:
        return low / _STEPS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if needed(middle / _STEPS) <= respondents else (middle, high)
    return high / _STEPS


def _infeasible(
    goal: str, respondents: int, at_most: int, without_privacy: Fraction | None
) -> Infeasible:
    if without_privacy is not None and without_privacy > respondents:
        why = f"even without privacy it takes {-(-without_privacy // 1)}"
    else:
        why = (
            f"it would take an epsilon above {MAX_EPSILON}, the most a survey may spend, with "
            f"which it takes {at_most}"
        )
    return Infeasible(
        f"{goal} is infeasible with {respondents} respondents: {why}; ask more respondents or "
        "allow a larger error"
    )
