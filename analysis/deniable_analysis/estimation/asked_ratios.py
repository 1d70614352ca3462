"""Shares among those who were asked, and of those who refused; their intervals always exist."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimation.asked_shares import AskedShares
from deniable_analysis.estimators.confidence import comparisons_among, critical_value
from deniable_analysis.estimators.ratio import possible_whole, score_ratio
from deniable_analysis.estimators.sanity import clip
from deniable_analysis.mechanisms.base import IntervalChoice
from deniable_analysis.mechanisms.linear import known
from deniable_analysis.results.shares import OptionEstimate

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
    low, high = ratio.low, ratio.high
    if found.watched is not None:
        low, high = (known(each[index - 1]) for each in found.watched[0])
    shown = OptionEstimate(
        option=found.names[index - 1],
        share=ratio.value,
        low=low,
        high=high,
        reports=found.reports,
    )
    if not ratio.is_bounded:
        return shown
    slopes = np.array([-ratio.value, 1.0]) / pair[0]
    return replace(shown, **_variances(found.covariances(index, pair), slopes))


def _variances(parts: Sequence[Floats], slopes: Floats) -> dict[str, float | None]:
    """The parts of the variance of a weighted sum, from the covariances by cause."""
    mechanism, sampling, *released = (float(slopes @ each @ slopes) for each in parts)
    return {
        "mechanism_variance": mechanism,
        "sampling_variance": sampling,
        "release_variance": released[0] if released else None,
    }


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
        low, high = ratio.low, ratio.high
        if found.watched is not None:
            low, high = (known(each[place]) for each in found.watched[1])
        numbers = _variances(parts, slopes)
        shown.append(
            OptionEstimate(
                option=name,
                share=float(pair[place]),
                low=low,
                high=high,
                valid_share=float(clip(pair[place])),
                reports=found.reports,
                **numbers,
            )
        )
    return shown[0], shown[1]


def tells_refusals(found: AskedShares, choice: IntervalChoice) -> bool:
    """Whether "not asked" and "no answer" can be distinguished among all respondents.

    They can if the share of those who refused is known well enough where half were asked and
    nobody refused. So it depends on the design and the number of reports alone.
    """
    level, half = (choice.confidence, 1), np.array([0.5, 0.0])
    variance = found.interval_variance(len(found.names), half, np.array([0.0, 1.0]), level)
    return critical_value(choice.confidence) * variance**0.5 <= _TOLD_APART
