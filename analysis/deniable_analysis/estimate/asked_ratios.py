"""Shares among those who were asked, and of those who refused; their intervals always exist."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.asked_shares import AskedShares
from deniable_analysis.estimate.choice import IntervalChoice, comparisons_among, critical_value
from deniable_analysis.estimate.linear import Ends
from deniable_analysis.estimate.ratio import Ratio, possible_whole, score_ratio
from deniable_analysis.forms import finite_or_none
from deniable_analysis.results.shares import OptionEstimate
from deniable_analysis.results.valid import clip

# The most that the share of those who refused may be off where it is a row of its own.
_TOLD_APART = 0.02


def share_among(found: AskedShares, index: int, choice: IntervalChoice) -> OptionEstimate:
    """An answer's share among those who were asked; without variances if nobody may be asked."""
    comparisons = comparisons_among(len(found.names)) if choice.simultaneous else 1
    level = choice.confidence, comparisons
    reach, pair = critical_value(*level), found.pair(index)
    near = possible_whole(float(pair[0]), found.informing, reach)

    def variance_if(ratio: float) -> float:
        tested, slopes = np.array([near, ratio * near]), np.array([-ratio, 1.0])
        return found.interval_variance(index, tested, slopes, level)

    ratio = score_ratio((float(pair[0]), float(pair[1])), variance_if, reach)
    shown = OptionEstimate(option=found.names[index - 1], share=ratio.value, reports=found.reports)
    shown = _with_ends(shown, ratio, found.anytime and found.anytime[0], index - 1)
    if not ratio.is_bounded:
        return shown
    slopes = np.array([-ratio.value, 1.0]) / pair[0]
    return _with_variances(shown, found.covariances(index, pair), slopes)


def _with_ends(
    shown: OptionEstimate, ratio: Ratio, anytime: Ends | None, place: int
) -> OptionEstimate:
    """The estimate with the ends for one look, or those that hold at every look."""
    if anytime is None:
        return replace(shown, low=ratio.low, high=ratio.high)
    low, high = (finite_or_none(each[place]) for each in anytime)
    return replace(shown, low=low, high=high)


def _with_variances(
    shown: OptionEstimate, parts: Sequence[Floats], slopes: Floats
) -> OptionEstimate:
    """The estimate with the variance of a weighted sum, from the covariances by cause."""
    mechanism, sampling, *released = (float(slopes @ each @ slopes) for each in parts)
    return replace(
        shown,
        mechanism_variance=mechanism,
        sampling_variance=sampling,
        release_variance=released[0] if released else None,
    )


def asked_and_refused(
    found: AskedShares, choice: IntervalChoice, names: tuple[str, str]
) -> tuple[OptionEstimate, OptionEstimate]:
    """The shares, among all respondents, of those asked and of those asked without an answer.

    Intervals for one look invert score tests, like those of share_among.
    """
    last, level = len(found.names), (choice.confidence, 1)
    reach, pair = critical_value(choice.confidence), found.pair(last)
    near = possible_whole(float(pair[0]), found.informing, reach)
    parts = found.covariances(last, pair)
    shown = []
    for place, name in enumerate(names):
        slopes = np.eye(2)[place]

        def variance_if(share: float, slopes: Floats = slopes) -> float:
            tested = np.array([near, 0.0]) * (1 - slopes) + share * slopes
            return found.interval_variance(last, tested, slopes, level)

        ratio = score_ratio((1.0, float(pair[place])), variance_if, reach)
        estimate = OptionEstimate(
            option=name,
            share=float(pair[place]),
            valid_share=float(clip(pair[place])),
            reports=found.reports,
        )
        estimate = _with_ends(estimate, ratio, found.anytime and found.anytime[1], place)
        shown.append(_with_variances(estimate, parts, slopes))
    return shown[0], shown[1]


def tells_refusals(found: AskedShares, choice: IntervalChoice) -> bool:
    """Whether "not asked" and "no answer" can be distinguished among all respondents.

    They can if the share of those who refused is known well enough where half were asked and
    nobody refused. So it depends on the design and the number of reports alone.
    """
    level, half = (choice.confidence, 1), np.array([0.5, 0.0])
    variance = found.interval_variance(len(found.names), half, np.array([0.0, 1.0]), level)
    return float(critical_value(choice.confidence) * variance**0.5) <= _TOLD_APART
