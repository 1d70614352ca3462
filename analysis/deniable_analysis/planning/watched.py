"""Respondents for a survey that ends when a margin is reached, whoever watches it.

The margin is half the width of the interval that holds at every look. It is
reached after nearly the same number of reports in every survey: the width
depends on the reports only through their rate of support.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from scipy.optimize import brentq

from deniable_analysis.arguments import (
    MAX_RESPONDENTS,
    Number,
    possible,
    read_positive,
    read_respondents,
)
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.designs.design import Design
from deniable_analysis.errors import InvalidPlan
from deniable_analysis.estimators.anytime import log_capital_between
from deniable_analysis.planning.declared import GroupedPlan
from deniable_analysis.planning.designs import (
    Randomized,
    Share,
    check_randomized,
    informative_part,
    planned_share,
)
from deniable_analysis.planning.power import least_whole
from deniable_analysis.planning.sample_size import comparisons_of, read_reach

_CLOSE = 1e-5
_NEXT_TO_0, _NEXT_TO_1 = 1e-300, 1 - 1e-16
# In 90 of 100 surveys, the margin is reached before the expected number times this.
_NINE_OF_TEN = Fraction(104, 100)


def respondents_for_watched_margin(
    mechanism: Randomized,
    margin: Number,
    *,
    confidence: Number = DEFAULT_CONFIDENCE,
    share: Share | Number = Share.WORST,
    simultaneous: bool = False,
) -> int:
    """The expected number of respondents when an anytime interval reaches a margin.

    Args:
        mechanism: as for respondents_for_sd; a design must have two observed
            categories.
        margin: half the width of the interval; 0.03 is ±3 percentage points.
        confidence: confidence of the interval, between 0 and 1.
        share: as for respondents_for_sd.
        simultaneous: as for respondents_for_margin.
    Raises:
        InvalidPlan: an argument is out of range.
        InvalidConfidence: confidence is not between 0 and 1.
        Infeasible: more people are needed than there are.
    Source: the ends of estimators.anytime at the expected rate of support.
    """
    wanted = float(read_positive("margin", margin))
    margin_of = _margins(mechanism, share, confidence, simultaneous)
    if margin_of(1) <= wanted:
        return 1
    if margin_of(MAX_RESPONDENTS) > wanted:
        return possible(MAX_RESPONDENTS + 1)

    def above(logarithm: float) -> float:
        return margin_of(math.exp(logarithm)) - wanted

    near = math.exp(brentq(above, 0, math.log(MAX_RESPONDENTS), xtol=_CLOSE))
    least, most = (math.floor(near * (1 + sign * _CLOSE)) + sign for sign in (-1, 2))
    return least_whole(lambda count: margin_of(count) <= wanted, most, max(1, least))


def margin_for_watched_respondents(
    mechanism: Randomized,
    respondents: int,
    *,
    confidence: Number = DEFAULT_CONFIDENCE,
    share: Share | Number = Share.WORST,
    simultaneous: bool = False,
) -> float:
    """Half the width of an anytime interval from this number of respondents.

    All else is as for respondents_for_watched_margin.
    """
    count = read_respondents("respondents", respondents)
    return _margins(mechanism, share, confidence, simultaneous)(count)


def respondents_in_nine_of_ten(expected: int) -> int:
    """The number of respondents by which 90 of 100 watched surveys reach their margin.

    Args:
        expected: result of respondents_for_watched_margin.
    Raises:
        InvalidPlan: it is not a number of respondents.
        Infeasible: more people are needed than there are.
    Source: simulation, 1.002 to 1.04 times the expected number for margins of
        0.03 to 0.1; tests/analysis/planning/test_watched.py.
    """
    return possible(math.ceil(read_respondents("expected", expected) * _NINE_OF_TEN))


def _margins(
    mechanism: Randomized, share: Share | Number, confidence: Number, simultaneous: bool
) -> Callable[[float], float]:
    """Half the width of the interval at every look, as a function of the respondents."""
    part, (keep, flip) = 1.0, _channel(mechanism)
    if not isinstance(mechanism, Design | GroupedPlan):
        part = float(informative_part(mechanism))
    expected = flip + float(planned_share(mechanism, share)) * (keep - flip)
    comparisons = comparisons_of(mechanism, simultaneous)
    read_reach(confidence, comparisons)
    most = -math.log((1 - float(confidence)) / comparisons)

    def margin(respondents: float) -> float:
        reports = respondents * part
        count = expected * reports

        def above(rate: float) -> float:
            return log_capital_between(rate, count, reports) - most

        # As in anytime_ends, for a single expected count, in a tenth of the time.
        low, high = 0.0, 1.0
        if above(_NEXT_TO_0) > 0:
            low = brentq(above, _NEXT_TO_0, expected, xtol=_NEXT_TO_0)
        if above(_NEXT_TO_1) > 0:
            high = brentq(above, expected, _NEXT_TO_1, xtol=_NEXT_TO_0)
        return (high - low) / 2 / abs(keep - flip)

    return margin


def _channel(mechanism: Randomized) -> tuple[float, float]:
    """The probabilities of support with the option, and without it."""
    check_randomized(mechanism)
    if isinstance(mechanism, GroupedPlan):
        raise InvalidPlan(
            f"got {mechanism.design.name}, whose groups have no common rate of support, so there "
            "is no interval that holds at every look; plan for one look, with a margin"
        )
    if not isinstance(mechanism, Design):
        return float(mechanism.keep), float(mechanism.flip)
    if (len(mechanism.true), len(mechanism.observed)) != (2, 2):
        raise InvalidPlan(
            f"design: got {mechanism.name}, with {len(mechanism.observed)} observed categories; "
            "allowed are two, as an interval that holds at every look needs"
        )
    flip, keep = (float(each) for each in mechanism.matrix[1])
    return keep, flip
