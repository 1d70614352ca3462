"""The least epsilon that gives an accuracy with so many respondents."""

from fractions import Fraction

from deniable_analysis.confidence import Number, comparisons_among, critical_value
from deniable_analysis.errors import Infeasible
from deniable_analysis.planning.designs import Share, plan_mechanism
from deniable_analysis.planning.inputs import read_positive, read_respondents, read_share
from deniable_analysis.planning.sample_size import respondents_for_margin
from deniable_sdk.weights import MAX_EPSILON, MIN_EPSILON

_STEPS = 1_000_000


def epsilon_for_margin(  # noqa: PLR0913 - each names one thing a planner may fix
    respondents: int,
    margin: Number,
    *,
    options: int = 2,
    confidence: Number = 0.95,
    share: Share | Number = Share.WORST,
    simultaneous: bool = False,
) -> float:
    """The least epsilon with which respondents give a share to this margin.

    It has at most 6 decimals, so that a definition can carry it, and is exact
    in them. Where a slightly larger epsilon changes the best set size, the
    margin of a single option can grow a little; the answer itself always
    gives the margin.

    Args:
        respondents: those who are asked the question.
        margin: half the width of the interval.
        options: possible answers, "prefer not to say" counted.
        confidence: how often the true share is within the margin.
        share: where the margin is wanted.
        simultaneous: for all options at once (Bonferroni).
    Raises:
        Infeasible: it takes more respondents, even without privacy or at the
            largest epsilon.
        InvalidPlan: an argument is outside what it can mean.
        InvalidConfidence: confidence is not between 0 and 1.
    """

    def needed(step: int) -> int:
        mechanism = plan_mechanism(step / _STEPS, options)
        return respondents_for_margin(
            mechanism, margin, confidence=confidence, share=share, simultaneous=simultaneous
        )

    read_respondents("respondents", respondents)
    low, high = int(Fraction(MIN_EPSILON) * _STEPS), int(MAX_EPSILON * _STEPS)
    if needed(high) > respondents:
        comparisons = comparisons_among(options) if simultaneous else 1
        reach = Fraction(critical_value(confidence, comparisons)) / read_positive("margin", margin)
        raise _infeasible(respondents, margin, reach**2 * _sampling(share, options))
    if needed(low) <= respondents:
        return low / _STEPS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if needed(middle) <= respondents else (middle, high)
    return high / _STEPS


def _sampling(share: Share | Number, options: int) -> Fraction:
    """The variance of one respondent's answer, without privacy."""
    if share is Share.WORST:
        return Fraction(1, 4)
    at = Fraction(1, options) if share is Share.EQUAL else read_share("share", share)
    return at * (1 - at)


def _infeasible(respondents: int, margin: Number, needed: Fraction) -> Infeasible:
    if needed > respondents:
        why = f"even without privacy it takes {-(-needed // 1)}"
    else:
        why = f"it would take an epsilon above {MAX_EPSILON}, the most a survey may spend"
    return Infeasible(
        f"a margin of {float(margin):g} is infeasible with {respondents} respondents: {why}; "
        "ask more respondents or allow a wider margin"
    )
