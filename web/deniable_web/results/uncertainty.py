"""How far an estimate may be off, and the causes."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from deniable_analysis import MeanEstimate, ShareEstimate
from deniable_analysis.estimators.confidence import critical_value


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """A margin and its two parts, which add up as squares.

    Args:
        margin: half the width of the normal interval, in the estimate's unit.
        mechanism: the margin that the protection alone would cause; None if the reports
            cannot separate the parts.
        sampling: the margin if nothing were randomized.
        mechanism_part: the part of the variance from the mechanism, from 0 to 1.
    """

    margin: float
    mechanism: float | None = None
    sampling: float | None = None
    mechanism_part: float | None = None


def uncertainty(
    variance: float, mechanism: float | None, sampling: float | None, confidence: float
) -> Uncertainty:
    """The margin for a variance, and the margins for its parts."""
    reach = critical_value(confidence)
    margin = reach * math.sqrt(max(0.0, variance))
    if mechanism is None or sampling is None or variance <= 0:
        return Uncertainty(margin)
    # A part can be slightly negative if a raw share is outside 0 to 1.
    protection, chance = max(0.0, mechanism), max(0.0, sampling)
    return Uncertainty(
        margin,
        reach * math.sqrt(protection),
        reach * math.sqrt(chance),
        protection / (protection + chance),
    )


def of_shares(shares: Iterable[ShareEstimate], confidence: float) -> Uncertainty | None:
    """The uncertainty of the least certain of some shares; None if none is known."""
    known = [share for share in shares if share.standard_error is not None]
    if not known:
        return None
    worst = max(known, key=lambda share: share.standard_error or 0.0)
    parts = worst.mechanism_variance, worst.sampling_variance
    return uncertainty((worst.standard_error or 0.0) ** 2, *parts, confidence)


def of_mean(mean: MeanEstimate | None, confidence: float) -> Uncertainty | None:
    """The uncertainty of a mean; None if it is unknown."""
    if mean is None or mean.variance is None:
        return None
    return uncertainty(mean.variance, mean.mechanism_variance, mean.sampling_variance, confidence)
