"""Whether chance explains how far an estimate is outside its possible range.

Every limit holds with few reports, at every epsilon and whatever the answers are:
no limit depends on a variance that is estimated from the same reports.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, bdtrc

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.estimate.channel import Channel

FALSE_ALARM_RATE = 1e-4
_UNLIKELY = (
    "which chance alone hardly explains; were reports made up, or randomized by another survey's "
    "rules?"
)


def is_beyond_chance(
    support: ArrayLike, report_count: int, channel: Channel, among: int | None = None
) -> Bools:
    """Whether each raw share is further outside 0 to 1 than chance explains.

    It uses exact binomial tails at a true share of 0 and of 1, where they are
    heaviest. Each option has two tails, so the level of each is
    FALSE_ALARM_RATE divided by twice the number of options (Bonferroni).
    Whatever the true shares, the probability of any false alarm in a question
    is at most FALSE_ALARM_RATE.

    `support`, (options,), is the number of reports that support each option of one
    question; `among` is the number of all its options, if these are only some of them.

    Returns:
        (options,) True where chance does not explain the share.
    """
    counts = np.asarray(support, dtype=np.float64)
    below = bdtr(counts, report_count, float(channel.flip))
    above = bdtrc(counts - 1, report_count, float(channel.keep))
    limit = FALSE_ALARM_RATE / (2 * (among or counts.size))
    return np.asarray(np.minimum(below, above) < limit, dtype=np.bool_)


def boundary_deviation(support: ArrayLike, report_count: int, channel: Channel) -> Floats:
    """The distance of each raw share outside 0 to 1, in standard errors.

    The standard error is the one at the boundary. The distance is for people to
    read; is_beyond_chance decides whether chance explains it.

    Returns:
        (options,) negative below 0, positive above 1, 0 between.
    """
    rates = np.asarray(support, np.float64) / report_count
    above = _deviation(rates, report_count, float(channel.keep))
    below = _deviation(rates, report_count, float(channel.flip))
    return np.maximum(above, 0.0) + np.minimum(below, 0.0)


def _deviation(rates: NDArray[Any], n: int, boundary: float) -> Floats:
    return np.asarray((rates - boundary) / np.sqrt(boundary * (1 - boundary) / n))


# The steps at which a bound is computed, in units of the range of the contributions, and the
# largest ratio of two neighbours.
_FIRST_STEP, _LAST_STEP, _RATIO = 1e-3, 1e5, 1.05
_STEPS = _FIRST_STEP * _RATIO ** np.arange(np.log(_LAST_STEP / _FIRST_STEP) / np.log(_RATIO) + 1)


def tail_variance(contributions: ArrayLike, chances: ArrayLike) -> float:
    """A variance that bounds how far chance moves a mean of reports below its least expectation.

    The expectation of a report's contribution is 0 or more under every answer.
    Then the mean of n reports is below -t with a probability of at most
    exp(-n t² / 2v), whatever the answers are. v is the largest
    2 log E[exp(-s x)] / s² over all steps s > 0 and all answers. Between two
    steps, log E[exp(-s x)] / s only rises, so v is at most their ratio larger.

    Args:
        contributions: (outputs,) what a report of each output contributes.
        chances: (outputs, answers) probability of each output under every answer.
    Source: Boucheron, Lugosi and Massart 2013, "Concentration Inequalities",
        sections 2.2 and 2.3 (Chernoff's bound for sub-Gaussian numbers).
    """
    values, laws = np.asarray(contributions, np.float64), np.asarray(chances, np.float64)
    can_occur = laws.max(axis=1) > 0
    values, laws = values[can_occur], laws[can_occur]
    far, least = float(np.ptp(values)), float(values.min())
    if not far:
        return 0.0
    at_zero = (values**2 @ laws)[np.abs(values @ laws) < _FIRST_STEP * far].max(initial=0.0)
    steps = _STEPS / far
    raised = [float((np.exp(-step * (values - least)) @ laws).max()) for step in steps]
    bounds = 2 * (np.log(raised) - steps * least) / steps**2
    beyond = -2 * least / steps[-1]
    return _RATIO * float(max(at_zero, bounds.max(), beyond))


@lru_cache(maxsize=4096)
def channel_tails(channel: Channel) -> tuple[float, float]:
    """The tail variances of a share at 0 and at 1, for one report that supports it or not."""
    keep, flip = float(channel.keep), float(channel.flip)
    shares = (np.array([1.0, 0.0]) - flip) / (keep - flip)
    return share_tails(shares, np.array([[keep, flip], [1 - keep, 1 - flip]]))


def share_tails(contributions: Floats, chances: Floats) -> tuple[float, float]:
    """The tail variances of a share at 0 and at 1; arguments are those of tail_variance."""
    return tail_variance(contributions, chances), tail_variance(1 - contributions, chances)


def largest_by_chance(among: int) -> float:
    """The largest distance in roots of tail variances that chance explains, for several estimates.

    Each may be outside on either side (Bonferroni).
    """
    return float(np.sqrt(2 * np.log(2 * among / FALSE_ALARM_RATE)))


def share_warnings(
    names: Sequence[str],
    support: Sequence[float],
    report_count: int,
    channel: Channel,
    among: int | None = None,
) -> tuple[str, ...]:
    """A sentence for each share further outside 0 to 1 than chance explains.

    The arguments are names of the shares, and those of is_beyond_chance.
    """
    if not report_count:
        return ()
    found = support, report_count, channel
    deviations = boundary_deviation(*found)
    return _alarms(names, np.where(is_beyond_chance(*found, among), deviations, 0.0))


def sum_warnings(
    names: Sequence[str], shares: ArrayLike, tails: ArrayLike, among: int | None = None
) -> tuple[str, ...]:
    """The same for raw shares that are not binomial counts.

    `tails` are the (2,) or (2, shares) tail variances of the shares at 0 and at 1, those
    of a report divided by the number of reports.
    """
    raw, (at_none, at_all) = np.asarray(shares, np.float64), np.asarray(tails, np.float64)
    deviations = _beyond(raw - 1, at_all) - _beyond(-raw, at_none)
    is_alarming = np.abs(deviations) > largest_by_chance(among or len(raw))
    return _alarms(names, np.where(is_alarming, deviations, 0.0))


def mean_warnings(beyond: tuple[float, float], tails: ArrayLike) -> tuple[str, ...]:
    """A sentence if a mean is further outside its scale than chance explains.

    Args:
        beyond: how far the sum of the answers is below the smallest possible sum for
            the number of answers, and above the largest; negative if it is not.
        tails: (2,) tail variances of these two distances.
    """
    below, above = _beyond(np.array(beyond), np.asarray(tails, np.float64)).tolist()
    far, where = max((below, "below"), (above, "above"))
    if far <= largest_by_chance(1):
        return ()
    return (f"the raw mean lies {far:.1f} standard errors {where} its scale, {_UNLIKELY}",)


def _beyond(distances: Floats, tails: Floats) -> Floats:
    """Distances in roots of tail variances; 0 where nothing is beyond."""
    far = np.maximum(distances, 0.0)
    roots = np.broadcast_to(np.sqrt(tails), far.shape)
    return np.asarray(np.divide(far, roots, out=np.zeros_like(far), where=roots > 0))


def _alarms(names: Sequence[str], deviations: Floats) -> tuple[str, ...]:
    """A sentence for each deviation that is not 0."""
    return tuple(
        f"the raw share of {name!r} lies {abs(deviation):.1f} standard errors "
        f"{'below 0' if deviation < 0 else 'above 1'}, {_UNLIKELY}"
        for name, deviation in zip(names, deviations.tolist(), strict=True)
        if deviation
    )
