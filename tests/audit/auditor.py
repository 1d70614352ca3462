"""A black-box audit: how much, at least, was spent by what left a device.

The auditor is told nothing of mechanisms. It sees samples of two answers and
the epsilon that is claimed between them. On one half of the samples it picks
the events that tell the answers apart best; on the other half it counts them
and bounds the epsilon from below, by Clopper and Pearson's exact limits.

Source: Jagielski, Ullman and Oprea 2020 (NeurIPS), Bichsel et al. 2021 (S&P)
for picking events on a half of its own.
"""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from audit.features import Features, Sample, features
from sampling_checks import ALPHA, count_check

# How many events one audit tests; each of their two limits gets an equal part of ALPHA.
EVENTS = 12
LIMIT_ALPHA = ALPHA / (2 * EVENTS)
# Values seen less often, in both halves for picking together, count as one value.
_RARE = 6

Floats = NDArray[np.float64]


class Overspent(AssertionError):
    """What left the devices tells more of the answers than is claimed."""


@dataclass(frozen=True, slots=True)
class Event:
    """That a feature has one of some values, or (`is_outside`) none of them."""

    feature: str
    values: frozenset[Hashable]
    is_outside: bool
    favours_first: bool

    def count(self, observed: Sequence[Features]) -> int:
        """How many samples it happens in."""
        inside = sum(sample.get(self.feature) in self.values for sample in observed)
        return len(observed) - inside if self.is_outside else inside

    def __str__(self) -> str:
        values = ", ".join(sorted(map(repr, self.values))[:5])
        return f"{self.feature!r} is {'none' if self.is_outside else 'one'} of {values}"


@dataclass(frozen=True, slots=True)
class Finding:
    """The largest lower bound of epsilon, and the event that shows it."""

    epsilon: float
    event: Event | None


def audit(first: Sequence[Sample], second: Sequence[Sample], claim: float) -> Finding:
    """What samples of two answers show at least, if it is not more than the claim.

    Wrong about a right device at most once in 1 / ALPHA audits, whatever the
    events picked.

    Raises:
        Overspent: with the event that shows it.
    """
    count_check()
    seen = [[features(sample) for sample in samples] for samples in (first, second)]
    picked = pick_events(seen[0][::2], seen[1][::2])
    tested = (seen[0][1::2], seen[1][1::2])
    found = Finding(0.0, None)
    for event in picked:
        likely, unlikely = tested if event.favours_first else tested[::-1]
        shown = lower_bound(
            np.array([event.count(likely)]),
            len(likely),
            np.array([event.count(unlikely)]),
            len(unlikely),
        )
        if shown[0] > found.epsilon:
            found = Finding(float(shown[0]), event)
    if found.epsilon > claim:
        raise Overspent(
            f"epsilon is at least {found.epsilon:.3f} where {claim:.3f} is claimed: {found.event}"
        )
    return found


def lower_bound(
    hits: NDArray[np.int64],
    trials: int,
    other_hits: NDArray[np.int64],
    other_trials: int,
    alpha: float = LIMIT_ALPHA,
) -> Floats:
    """Lower bounds of ln(p / q), each wrong at most 2·alpha of the time.

    Args:
        hits: of the event that has probability p, in `trials`.
        trials: samples of the answer that makes it likely.
        other_hits: of the same event with probability q, in `other_trials`.
        other_trials: samples of the other answer.
        alpha: of each of the two limits.
    Returns:
        one bound for each pair of counts; minus infinity where p may be 0.
    """
    low, _ = limits(hits, trials, alpha)
    _, high = limits(other_hits, other_trials, alpha)
    with np.errstate(divide="ignore"):
        return np.log(low) - np.log(high)


def limits(hits: NDArray[np.int64], trials: int, alpha: float) -> tuple[Floats, Floats]:
    """Exact lower and upper limits of a probability, each wrong at most alpha of the time.

    Source: Clopper and Pearson 1934, as quantiles of the beta distribution.
    """
    missed = trials - hits
    low = special.betaincinv(np.maximum(hits, 1), missed + 1, alpha)
    high = special.betainccinv(hits + 1, np.maximum(missed, 1), alpha)
    return np.where(hits > 0, low, 0.0), np.where(missed > 0, high, 1.0)


def pick_events(first: Sequence[Features], second: Sequence[Features]) -> list[Event]:
    """The events that tell these samples apart best, at most one of a feature and side."""
    names = {name for sample in (*first, *second) for name in sample}
    scored: list[tuple[float, Event]] = []
    for name in names:
        counts = [Counter([sample.get(name) for sample in side]) for side in (first, second)]
        if len(counts[0].keys() | counts[1].keys()) > 1:
            scored += _best_of(name, counts[0], counts[1])
    scored.sort(key=lambda pair: (-pair[0], str(pair[1])))
    return [event for score, event in scored[:EVENTS] if score > -math.inf]


def _best_of(
    feature: str, first: Counter[Hashable], second: Counter[Hashable]
) -> list[tuple[float, Event]]:
    """The best event of a feature for each side, with its bound on these counts.

    By Neyman and Pearson's lemma the best are the sets of the values with the
    highest likelihood ratios; rare values stand together at their own place.
    """
    both = first + second
    common = [value for value, count in both.items() if count >= _RARE]
    hits = np.array([[side[value] for value in common] for side in (first, second)])
    hits = hits.reshape(2, len(common))
    totals = np.array([first.total(), second.total()])
    rare = totals - hits.sum(axis=1)
    if rare.any():
        hits = np.column_stack([hits, rare])
    best = []
    for likely, unlikely in ((0, 1), (1, 0)):
        order = np.argsort(-(hits[likely] + 0.5) / (hits[unlikely] + 0.5), kind="stable")[:-1]
        if not len(order):
            continue
        sums = hits[:, order].cumsum(axis=1)
        bounds = lower_bound(sums[likely], totals[likely], sums[unlikely], totals[unlikely])
        length = int(bounds.argmax()) + 1
        chosen = {int(index) for index in order[:length]}
        is_outside = len(common) in chosen
        values = [value for index, value in enumerate(common) if (index in chosen) != is_outside]
        event = Event(feature, frozenset(values), is_outside, favours_first=likely == 0)
        best.append((float(bounds[length - 1]), event))
    return best
