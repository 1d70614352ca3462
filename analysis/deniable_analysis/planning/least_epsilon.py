"""The least epsilon with which something can be done, to six decimals."""

import math
from collections.abc import Callable
from fractions import Fraction

from deniable_analysis.errors import Infeasible
from deniable_analysis.planning.inputs import read_respondents
from deniable_analysis.words import counted
from deniable_sdk.weights import MAX_EPSILON, MIN_EPSILON

_STEPS = 1_000_000


def least_epsilon(
    goal: str,
    respondents: int,
    needed: Callable[[float], int],
    without_privacy: int | None = None,
) -> float:
    """The least epsilon, exact in six decimals, with which respondents are enough.

    Where a slightly larger epsilon changes the best set size, it can take a
    few respondents more; the answer itself is always enough.

    Args:
        goal: what is wanted, for the message.
        respondents: those who are asked the question.
        needed: how many it takes at an epsilon; raises Infeasible if there
            are not so many.
        without_privacy: how many it takes if nothing is randomized; None if
            the largest epsilon tells it well enough.
    Raises:
        InvalidPlan: respondents is below 1.
        Infeasible: it needs more respondents, even without privacy or at the
            largest epsilon.
    """
    read_respondents("respondents", respondents)
    low, high = int(Fraction(MIN_EPSILON) * _STEPS), int(MAX_EPSILON * _STEPS)

    def is_enough(step: int) -> bool:
        return (_or_none(needed, step / _STEPS) or math.inf) <= respondents

    if not is_enough(high):
        raise _infeasible(goal, respondents, _or_none(needed, high / _STEPS), without_privacy)
    if is_enough(low):
        return low / _STEPS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high / _STEPS


def _or_none(needed: Callable[[float], int], epsilon: float) -> int | None:
    try:
        return needed(epsilon)
    except Infeasible:
        return None


def _infeasible(
    goal: str, respondents: int, at_most: int | None, without_privacy: int | None
) -> Infeasible:
    if without_privacy is not None and without_privacy > respondents:
        why = f"even without privacy it takes {without_privacy}"
    else:
        why = (
            f"it would take an epsilon above {MAX_EPSILON}, the most a survey may spend, with "
            f"which {'nobody is enough' if at_most is None else f'it takes {at_most}'}"
        )
    return Infeasible(
        f"{goal} is infeasible with {counted(respondents, 'respondent')}: {why}; ask more "
        "respondents or allow a larger error"
    )
