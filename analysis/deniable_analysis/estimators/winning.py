"""The largest option: the probability that it is not the leader, and which options it may be."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, owens_t

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified


@dataclass(frozen=True, slots=True)
class WrongWinner:
    """The option with the largest share, and the probability that another one is ahead.

    The probabilities are posterior: they are about the truth given these
    reports, with a flat prior on the differences of shares. They are not the
    error rate of such surveys, which in a close race is higher.

    Args:
        leader: index of the option with the largest share.
        rivals: (options,) probability of each that it is ahead of the leader; 0
            for the leader itself.
        probability: upper bound of the probability that any of them is ahead; a
            close one.
    """

    leader: int
    rivals: Floats
    probability: float


def wrong_winner(shares: ArrayLike, covariances: ArrayLike) -> WrongWinner:
    """The probability that the leader is only ahead because of noise.

    The noise is normal. The probability that any rival is ahead is at most the
    sum over all rivals, minus the joint probabilities of each with the
    strongest rival.

    Args:
        shares: (options,) of at least two options.
        covariances: (options, options) of the shares.
    Raises:
        NotIdentified: the noise has no variance, as with a single report.
    Source: Hunter 1976 (Journal of Applied Probability 13), with a star as
        its tree.
    """
    values = np.asarray(shares, dtype=np.float64)
    noise = np.asarray(covariances, dtype=np.float64)
    leader = int(np.argmax(values))
    others, slopes, spread = _against(leader, noise)
    errors = np.sqrt(np.diag(spread))
    behind = slopes @ values / errors
    ahead = ndtr(behind)
    strongest = int(np.argmax(ahead))
    correlations = spread[strongest] / (errors[strongest] * errors)
    shared = sum(
        _both(float(behind[strongest]), float(each), float(correlation))
        for index, (each, correlation) in enumerate(zip(behind, correlations, strict=True))
        if index != strongest
    )
    rivals = np.zeros(len(values))
    rivals[others] = ahead
    bound = max(float(ahead.max()), float(ahead.sum()) - shared)
    return WrongWinner(leader, rivals, min(1.0, bound))


def possible_winners(
    shares: ArrayLike, covariances: ArrayLike, confidence: float
) -> tuple[int, ...]:
    """The options of a confidence set for the largest one.

    The set excludes an option if another is ahead of it by more than the normal
    quantile of tail probability (1 - confidence) / (options - 1). No option is
    ahead of the largest in truth, so by Bonferroni's inequality the set
    excludes it with probability at most 1 - confidence, however close the race
    is.

    Args:
        shares: (options,) of at least two options.
        covariances: (options, options) of these.
        confidence: least probability that the set contains the largest.
    Returns:
        The indexes of the options, the largest share first.
    Raises:
        NotIdentified: the noise has no variance, as with a single report.
    Source: Hsu 1996, Multiple Comparisons, chapter 4 (comparison with the best).
    """
    values = np.asarray(shares, dtype=np.float64)
    noise = np.asarray(covariances, dtype=np.float64)
    # Never below 0, so that the leader stays.
    critical = max(0.0, float(ndtri(1 - (1 - confidence) / (len(values) - 1))))
    found = []
    for index in np.argsort(-values, kind="stable").tolist():
        _, slopes, spread = _against(index, noise)
        if float((slopes @ values / np.sqrt(np.diag(spread))).max()) <= critical:
            found.append(index)
    return tuple(found)


def _against(index: int, noise: Floats) -> tuple[list[int], Floats, Floats]:
    """The other options, contrasts with the given one, and the contrasts' covariances."""
    options = len(noise)
    others = [each for each in range(options) if each != index]
    slopes = np.eye(options)[others] - np.eye(options)[index]
    spread = slopes @ noise @ slopes.T
    if not np.all(np.diag(spread) > 0):
        raise NotIdentified(
            "the reports do not vary enough to say how sure a winner is; wait for more reports"
        )
    return others, slopes, spread


def _both(first: float, second: float, correlation: float) -> float:
    """The probability that two standard normal numbers are below these, both at most 0.

    Source: Owen 1956 (Annals of Mathematical Statistics 27), equation 2.1.
    """
    if correlation > 1 - 1e-9:
        return float(ndtr(min(first, second)))
    if correlation < 1e-9 - 1:
        return 0.0
    # Owen's T takes the slopes' limit at 0, where both sides stay continuous.
    one, other = (min(each, -1e-12) for each in (first, second))
    root = math.sqrt((1 - correlation) * (1 + correlation))
    towards = owens_t(one, (other / one - correlation) / root)
    across = owens_t(other, (one / other - correlation) / root)
    return float((ndtr(one) + ndtr(other)) / 2 - towards - across)
