"""How sure the estimates of a question are: the causes of its margins, and made-up reports."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from deniable_analysis.estimate.choice import critical_value
from deniable_analysis.results import MeanEstimate, OptionEstimate, ShareEstimate
from deniable_web.pages.numbers import Numbers, decimals_for


@dataclass(frozen=True, slots=True)
class SplitView:
    """A margin and its two causes, in words; the parts add up as squares.

    Args:
        margin: the margin of the least certain estimate for one look.
        mechanism: the margin that the protection alone would cause; "" if the reports cannot
            separate the parts.
        sampling: the margin if nothing were randomized.
        mechanism_width: the part of the variance from the protection, in percent.
    """

    margin: str
    mechanism: str = ""
    sampling: str = ""
    mechanism_width: float = 0.0


def share_split(
    options: Sequence[OptionEstimate], confidence: float, numbers: Numbers
) -> SplitView | None:
    """The margin of the least certain share; None if "no answer" is the only option."""
    known = [each for each in options if each.standard_error is not None]
    if len(options) < 2 or not known:
        return None
    worst = max(known, key=lambda each: each.standard_error or 0.0)
    return _split(worst, 100 * critical_value(confidence), numbers, 1)


def mean_split(mean: MeanEstimate | None, confidence: float, numbers: Numbers) -> SplitView | None:
    """The margin of a mean; None if it is unknown."""
    if mean is None or mean.standard_error is None:
        return None
    return _split(mean, critical_value(confidence), numbers, decimals_for([mean.standard_error]))


def forged_points(shares: Sequence[ShareEstimate], numbers: Numbers) -> str:
    """By how many points made-up reports can change a share; "" without shares."""
    margins = [each.manipulation_margin for each in shares if each.manipulation_margin is not None]
    return numbers.decimal(100 * max(margins), 1) if margins else ""


def _split(
    found: OptionEstimate | MeanEstimate, reach: float, numbers: Numbers, decimals: int
) -> SplitView:
    """The margin, which is the standard error times the reach, and its parts."""
    error = found.standard_error or 0.0
    margin = numbers.margin(reach * error, decimals)
    if found.mechanism_variance is None or found.sampling_variance is None or error <= 0:
        return SplitView(margin)
    # A part can be slightly negative if a raw share is outside 0 to 1.
    mechanism, sampling = max(0.0, found.mechanism_variance), max(0.0, found.sampling_variance)
    return SplitView(
        margin,
        numbers.decimal(reach * math.sqrt(mechanism), decimals),
        numbers.decimal(reach * math.sqrt(sampling), decimals),
        round(100 * mechanism / (mechanism + sampling), 2),
    )
