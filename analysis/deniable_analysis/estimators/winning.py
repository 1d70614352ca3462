"""How likely the option that looks largest is not the largest."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, owens_t

from deniable_analysis.errors import NotIdentified

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WrongWinner:
    """The leader of shares, and how likely another option is really ahead.

    Args:
        leader: its place.
        rivals: (options,) for each the probability that it is ahead of the
            leader; 0 for the leader itself.
        probability: that any of them is; at most this, and hardly less.
    """

    leader: int
    rivals: Floats
    probability: float


def wrong_winner(shares: ArrayLike, covariances: ArrayLike) -> WrongWinner:
    """How likely noise of these covariances puts another option on top.

    Normal noise. The probability of any is bounded from above by the sum of
    all, less how often each goes together with the strongest rival.

    Args:
        shares: (options,) of at least two options.
        covariances: (options, options) of these.
    Raises:
        NotIdentified: the noise has no variance, as with a single report.
    Source: Hunter 1976 (Journal of Applied Probability 13), with a star as
        its tree.
    """
    values = np.asarray(shares, dtype=np.float64)
    noise = np.asarray(covariances, dtype=np.float64)
    leader = int(np.argmax(values))
    others = [place for place in range(len(values)) if place != leader]
    slopes = np.eye(len(values))[others] - np.eye(len(values))[leader]
    spread = slopes @ noise @ slopes.T
    errors = np.sqrt(np.maximum(0.0, np.diag(spread)))
    if not np.all(errors > 0):
        raise NotIdentified(
            "the reports do not vary enough to say how sure a winner is; wait for more reports"
        )
    behind = slopes @ values / errors
    ahead = ndtr(behind)
    strongest = int(np.argmax(ahead))
    correlations = spread[strongest] / (errors[strongest] * errors)
    shared = sum(
        _both(float(behind[strongest]), float(each), float(correlation))
        for place, (each, correlation) in enumerate(zip(behind, correlations, strict=True))
        if place != strongest
    )
    rivals = np.zeros(len(values))
    rivals[others] = ahead
    bound = max(float(ahead.max()), float(ahead.sum()) - shared)
    return WrongWinner(leader, rivals, min(1.0, bound))


def _both(first: float, second: float, correlation: float) -> float:
    """How often two standard normal numbers are below these, both at most 0.

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
