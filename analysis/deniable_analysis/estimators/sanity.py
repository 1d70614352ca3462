"""Raw shares outside 0 to 1: the nearest valid ones, and whether chance explains them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, bdtrc

from deniable_analysis.arguments import is_whole, read_floats, shown
from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.errors import InvalidCounts
from deniable_analysis.estimators.channel import Channel, support_rates


def project_to_simplex(shares: ArrayLike) -> Floats:
    """The nearest shares that are not negative and sum to 1.

    They are for tables and charts only. They are biased, so intervals and tests
    must not start from them. Every share is moved by the same amount, and
    shares that would become negative are set to 0; exactly one amount makes the
    sum 1.

    Args:
        shares: (options,) raw shares, at least one.
    Returns:
        (options,) shares, the nearest in Euclidean distance.
    Raises:
        InvalidCounts: there is no share, or one is not a finite number.
    Source: Held, Wolfe and Crowder 1974; "Norm-Sub" in Wang et al. 2020 (NDSS).
    """
    raw = read_floats(shares, "shares")
    if raw.ndim != 1 or raw.size == 0:
        raise InvalidCounts(
            f"got shares of shape {raw.shape}; allowed is a list of at least one finite share"
        )
    # The shares that stay positive are the largest ones, for some number of
    # them. Sums of differences from the largest share stay exact if shares are
    # huge.
    below_top = np.sort(raw)[::-1] - raw.max()
    moves = (1 - np.cumsum(below_top)) / np.arange(1, raw.size + 1)
    # The first move is 1, so at least one share stays positive.
    kept = int(np.flatnonzero(below_top + moves > 0)[-1])
    return np.asarray(np.maximum(raw - raw.max() + moves[kept], 0.0))


def clip(shares: Floats) -> Floats:
    """Each share clipped to 0 to 1, for shares that need not sum to 1; for display only."""
    return np.clip(shares, 0.0, 1.0)


def valid_counts(shares: ArrayLike, report_count: int) -> tuple[int, ...]:
    """Whole numbers of respondents that are nearest to the shares.

    The shares are first projected to the simplex. Each number is then rounded
    down, and the largest remainders are rounded up instead until the sum is
    right (the earlier of two equal remainders first). Like the projection, the
    numbers are for display only.

    Args:
        shares: (cells,) raw shares.
        report_count: sum of the whole numbers, 0 or more.
    Raises:
        InvalidCounts: there is no share, one is not a finite number, or
            report_count is not a whole number.
    Source: Hamilton's method of largest remainders.
    """
    if not is_whole(report_count, 0):
        raise InvalidCounts(
            f"got {shown(report_count)} reports to distribute; allowed is a whole number from 0"
        )
    exact = project_to_simplex(shares) * report_count
    counts = np.floor(exact).astype(int)
    missing = report_count - int(counts.sum())
    order = np.argsort(counts - exact, kind="stable")
    counts[order[:missing]] += 1
    return tuple(counts.tolist())


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
    Raises:
        InvalidCounts: there is no report, or a count is not in 0..n.
    """
    support_rates(support, report_count)  # refuses counts that cannot be
    counts = np.asarray(support, dtype=np.float64)
    below = bdtr(counts, report_count, float(channel.flip))
    above = bdtrc(counts - 1, report_count, float(channel.keep))
    limit = FALSE_ALARM_RATE / (2 * (among or counts.size))
    return np.asarray(np.minimum(below, above) < limit, dtype=np.bool_)


def errors_beyond(beyond: ArrayLike, variances: ArrayLike, report_count: int) -> NDArray[Any]:
    """How far estimates are outside their possible range, in standard errors.

    For estimates that are not binomial counts.

    Args:
        beyond: distance outside the range, negative below it; 0 inside it.
        variances: variances at the boundary, which is the most extreme possible
            truth. For a share it is the mechanism part alone, because f (1 - f)
            is 0 there.
        report_count: number of reports of each, at least 1.
    Returns:
        The distances in standard errors. If a variance is 0 or less, as is
        possible far outside, the deviation of the reports is assumed to equal
        the distance of the estimate.
    """
    far, spread = np.asarray(beyond, np.float64), np.asarray(variances, np.float64)
    squares = np.where(spread > 0, spread, far**2 / report_count)
    return np.divide(far, np.sqrt(squares), out=np.zeros_like(far), where=squares > 0)


def largest_by_chance(among: int) -> float:
    """The largest distance in standard errors that chance explains, for several estimates.

    It is Chernoff's bound, not the tail of the normal distribution: with few
    reports the tails of sums are heavier. Each may be outside on either side.
    """
    return float(np.sqrt(2 * np.log(2 * among / FALSE_ALARM_RATE)))


def boundary_deviation(support: ArrayLike, report_count: int, channel: Channel) -> Floats:
    """The distance of each raw share outside 0 to 1, in standard errors.

    The standard error is the one at the boundary. The distance is for people to
    read; is_beyond_chance decides whether chance explains it.

    Returns:
        (options,) negative below 0, positive above 1, 0 between.
    Raises:
        InvalidCounts: there is no report, or a count is not in 0..n.
    """
    rates = np.asarray(support_rates(support, report_count), dtype=np.float64)
    above = _deviation(rates, report_count, float(channel.keep))
    below = _deviation(rates, report_count, float(channel.flip))
    return np.maximum(above, 0.0) + np.minimum(below, 0.0)


def _deviation(rates: NDArray[Any], n: int, boundary: float) -> Floats:
    return np.asarray((rates - boundary) / np.sqrt(boundary * (1 - boundary) / n))


def share_warnings(
    names: Sequence[str],
    support: Sequence[int],
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


def normal_warnings(
    names: Sequence[str], shares: ArrayLike, mechanism_part: ArrayLike, report_count: int
) -> tuple[str, ...]:
    """The same for raw shares that are not binomial counts, from the mechanism parts."""
    raw = np.asarray(shares, dtype=np.float64)
    if not report_count:
        return ()
    beyond = np.maximum(raw - 1, 0) + np.minimum(raw, 0)
    deviations = errors_beyond(beyond, mechanism_part, report_count)
    is_alarming = np.abs(deviations) > largest_by_chance(len(raw))
    return _alarms(names, np.where(is_alarming, deviations, 0.0))


def mean_warnings(
    mean: tuple[float | None, float | None], ends: tuple[float, float], report_count: int
) -> tuple[str, ...]:
    """A sentence if a mean is further outside its scale than chance explains.

    Args:
        mean: estimated mean and its variance; None where unknown.
        ends: smallest and largest answer.
        report_count: number of reports.
    """
    value, variance = mean
    if value is None or variance is None or not report_count:
        return ()
    beyond = max(value - ends[1], 0.0) + min(value - ends[0], 0.0)
    # Reports that are all equal have no variance, as forged ones may; honest reports vary.
    least = variance + beyond**2 / report_count
    deviation = float(errors_beyond(beyond, least, report_count))
    if abs(deviation) <= largest_by_chance(1):
        return ()
    where = f"below {ends[0]:g}" if deviation < 0 else f"above {ends[1]:g}"
    return (f"the raw mean lies {abs(deviation):.1f} standard errors {where}, {_UNLIKELY}",)


def _alarms(names: Sequence[str], deviations: Floats) -> tuple[str, ...]:
    """A sentence for each deviation that is not 0."""
    return tuple(
        f"the raw share of {name!r} lies {abs(deviation):.1f} standard errors "
        f"{'below 0' if deviation < 0 else 'above 1'}, {_UNLIKELY}"
        for name, deviation in zip(names, deviations.tolist(), strict=True)
        if deviation
    )
