"""How far an estimate may be off, and what makes it so."""

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
        mechanism: what of it the protection would cause alone; None where the
            reports cannot tell the parts apart.
        sampling: what of it would be there if nothing were randomized.
        mechanism_part: of the variance, from 0 to 1.
    """

    margin: float
    mechanism: float | None = None
    sampling: float | None = None
    mechanism_part: float | None = None


def uncertainty(
    variance: float, mechanism: float | None, sampling: float | None, confidence: float
) -> Uncertainty:
    """The margin that a variance gives, and what its parts would give."""
    reach = critical_value(confidence)
    margin = reach * math.sqrt(max(0.0, variance))
    if mechanism is None or sampling is None or variance <= 0:
        return Uncertainty(margin)
    # A part can be just below 0 at a raw share outside 0 to 1.
    protection, chance = max(0.0, mechanism), max(0.0, sampling)
    return Uncertainty(
        margin,
        reach * math.sqrt(protection),
        reach * math.sqrt(chance),
        protection / (protection + chance),
    )


def of_shares(shares: Iterable[ShareEstimate], confidence: float) -> Uncertainty | None:
    """That of the least sure of some shares; None where none is known."""
    known = [share for share in shares if share.standard_error is not None]
    if not known:
        return None
    worst = max(known, key=lambda share: share.standard_error or 0.0)
    parts = worst.mechanism_variance, worst.sampling_variance
    return uncertainty((worst.standard_error or 0.0) ** 2, *parts, confidence)


def of_mean(mean: MeanEstimate | None, confidence: float) -> Uncertainty | None:
    """That of a mean; None where it is not known."""
    if mean is None or mean.variance is None:
        return None
    return uncertainty(mean.variance, mean.mechanism_variance, mean.sampling_variance, confidence)
