"""The distribution that makes the reports of a square wave most likely."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deniable_analysis.errors import InvalidCounts
from deniable_sdk.mechanisms import SquareWave

Floats = NDArray[np.float64]

ITERATIONS = 300
_STANDSTILL = 1e-7


def likeliest_shares(
    counts: ArrayLike, mechanism: SquareWave, iterations: int = ITERATIONS
) -> Floats:
    """The shares of all answers, by expectation maximization from equal ones.

    Stopped early on purpose: the likelihood is flat, and later steps fit the
    noise. No smoothing, which harms coarse scales. A step takes time in
    proportion to the outputs: each answer favours a window of them, so sums
    of windows are differences of running sums.

    Args:
        counts: (outputs,) reports with each output, at least one.
        mechanism: the block's.
        iterations: the most steps that are made.
    Returns:
        (answers,) shares, "no answer" last where there is one; none negative,
        their sum 1.
    Raises:
        InvalidCounts: there is no report, or not one count for each output.
    Source: Li et al. 2020 (SIGMOD), algorithm 1, without its smoothing.
    """
    observed = np.asarray(counts, dtype=np.float64)
    if observed.shape != (mechanism.output_count,) or not observed.sum() > 0:
        raise InvalidCounts(
            f"got counts of shape {observed.shape}, summing to {observed.sum():g}; allowed are "
            f"{mechanism.output_count} counts, one for each output, of at least 1 report"
        )
    observed = observed / observed.sum()
    shares = np.full(mechanism.domain.size, 1 / mechanism.domain.size)
    for _ in range(iterations):
        outputs = output_shares(shares, mechanism)
        expected = shares * _explained(observed / outputs, mechanism)
        moved = float(np.abs(expected - shares).sum())
        shares = expected / expected.sum()
        if moved < _STANDSTILL:
            break
    return shares


def output_shares(shares: Floats, mechanism: SquareWave) -> Floats:
    """How likely each output is, if the answers have these shares: A f."""
    base, favoured = _likelihoods(mechanism)
    cells, window, places = mechanism.cells, mechanism.window, mechanism.places
    sums = np.concatenate(([0.0], np.cumsum(shares[:cells])))
    # Output y is favoured by the answers from y - window + 1 to y.
    outputs = np.arange(places)
    first, last = np.maximum(0, outputs - window + 1), np.minimum(cells, outputs + 1)
    near = base * shares.sum() + (favoured - base) * (sums[last] - sums[first])
    if not mechanism.domain.has_no_answer:
        return np.asarray(near)
    none = window * (base * shares.sum() + (favoured - base) * shares[cells])
    return np.append(near, none)


def _explained(ratios: Floats, mechanism: SquareWave) -> Floats:
    """What each answer explains of the outputs' ratios: transposed A times r."""
    base, favoured = _likelihoods(mechanism)
    cells, window, places = mechanism.cells, mechanism.window, mechanism.places
    sums = np.concatenate(([0.0], np.cumsum(ratios[:places])))
    # Answer x favours the outputs from x to x + window - 1.
    around = sums[window : window + cells] - sums[:cells]
    everywhere = base * sums[places]
    answers = everywhere + (favoured - base) * around
    if not mechanism.domain.has_no_answer:
        return np.asarray(answers)
    none = window * ratios[places]
    return np.append(answers + base * none, everywhere + favoured * none)


def _likelihoods(mechanism: SquareWave) -> tuple[float, float]:
    total, weights = mechanism.total_weight, mechanism.weights
    return weights.base / total, weights.favoured / total
