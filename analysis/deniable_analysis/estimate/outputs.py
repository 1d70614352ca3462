"""Shares from the outputs of `piecewise`: without bias, or by maximum likelihood."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.errors import InvalidArgument
from deniable_sdk.mechanisms import Piecewise


def contributions_to_sums(mechanism: Piecewise, groups: Floats) -> Floats:
    """The contribution of each output to the share of each group of answers.

    Of all contributions without bias, these have the smallest variance when all answers
    are equally common. They depend on the channel alone, so the shares are unbiased.

    Two outputs that are a window apart differ by the step of the wanted means between two
    answers, divided by the extra probability of a window. So the contributions are known
    except for one number for each place in a window, and these follow from weighted least
    squares under a constraint or two. The time is proportional to the number of outputs.

    Args:
        mechanism: mechanism of the block; it does not round answers.
        groups: (answers, groups) 1 where a group contains an answer, "no answer" last if
            there is one.
    Returns:
        (outputs, groups) contributions of a report.
    Source: weighted least squares, Aitken 1936; the chains are those of
        deniable_sdk.theory.piecewise.distribution_error.
    """
    channel, window, places = _Channel.of(mechanism), mechanism.window, mechanism.places
    low, extra, chains = channel.low, channel.extra, -(-places // window)
    answers = np.full(mechanism.domain.size, 1 / mechanism.domain.size)
    law = channel.apply(answers)

    def in_chains(values: Floats) -> Floats:
        """(chains, window, ...): a column has the outputs that are whole windows apart."""
        padding = [(0, chains * window - places)] + [(0, 0)] * (values.ndim - 1)
        return np.pad(values, padding).reshape(chains, window, *values.shape[1:])

    steps = np.zeros((chains * window, groups.shape[1]))
    steps[window:places] = np.diff(groups[: mechanism.cells], axis=0) / extra
    known = np.cumsum(steps.reshape(chains, window, -1), axis=0)
    weights, there = in_chains(law[:places]), in_chains(np.ones(places))
    masses, lengths = weights.sum(axis=0), there.sum(axis=0)
    moments = np.sum(weights[:, :, None] * known, axis=0)
    fixed = low * np.sum(there[:, :, None] * known, axis=(0, 1))
    # One constraint for the first answer, and one for "no answer".
    slopes = np.array([low * lengths + extra, low * lengths])
    aims = groups[[0, -1]] - fixed + slopes @ (moments / masses[:, None])
    none = np.zeros(2)
    if mechanism.domain.offers_no_answer:
        none = window * np.array([low, low + extra])
        system = (slopes / masses) @ slopes.T + np.outer(none, none) / law[-1]
        factors = np.linalg.solve(system, aims)
    else:
        factors = np.zeros_like(aims)
        factors[0] = aims[0] / float((slopes[0] / masses) @ slopes[0])
    free = (slopes.T @ factors - moments) / masses[:, None]
    found = (known + free).reshape(chains * window, -1)[:places]
    if not mechanism.domain.offers_no_answer:
        return np.asarray(found)
    return np.vstack([found, none @ factors / law[-1]])


ITERATIONS = 300
_STANDSTILL = 1e-7


def likeliest_shares(
    counts: ArrayLike, mechanism: Piecewise, iterations: int = ITERATIONS
) -> Floats:
    """The shares of all answers, by expectation maximization from equal ones.

    It stops early on purpose: the likelihood is flat, and later steps fit the
    noise. It does not smooth, because smoothing distorts coarse scales.

    Args:
        counts: (outputs,) reports with each output, at least one in total.
        mechanism: mechanism of the block. If it rounds answers, other shares are as
            likely; but all of these give the outputs the same probabilities.
        iterations: largest number of steps.
    Returns:
        (answers,) shares, "no answer" last if there is one; none is negative,
        and they sum to 1.
    Raises:
        InvalidArgument: there is no report, or not one count for each output.
    Source: Li et al. 2020 (SIGMOD), algorithm 1, without its smoothing.
    """
    return likeliest_of_all([(counts, mechanism)], iterations)


def likeliest_of_all(
    reported: Sequence[tuple[ArrayLike, Piecewise]], iterations: int = ITERATIONS
) -> Floats:
    """The shares as in likeliest_shares, from reports of several mechanisms for the same answers.

    The time of a step is proportional to the number of outputs: each answer favours
    a window of outputs, and the sum of a window is a difference of running sums.

    Args:
        reported: counts and mechanism of each.
        iterations: largest number of steps.
    Raises:
        InvalidArgument: as for likeliest_shares.
    """
    observed = [_read_counts(*each) for each in reported]
    channels = [_Channel.of(mechanism) for _, mechanism in reported]
    total = sum(float(counts.sum()) for counts in observed)
    answers = reported[0][1].domain.size
    shares = np.full(answers, 1 / answers)
    for _ in range(iterations):
        explained = [
            channel.explain(counts / total / channel.apply(shares))
            for channel, counts in zip(channels, observed, strict=True)
        ]
        expected = shares * np.sum(explained, axis=0)
        moved = float(np.abs(expected - shares).sum())
        shares = expected / expected.sum()
        if moved < _STANDSTILL:
            break
    return shares


def _read_counts(counts: ArrayLike, mechanism: Piecewise) -> Floats:
    observed = np.asarray(counts, dtype=np.float64)
    if observed.shape != (mechanism.outputs,) or not observed.sum() > 0:
        raise InvalidArgument(
            f"got counts of shape {observed.shape}, summing to {observed.sum():g}; allowed are "
            f"{mechanism.outputs} counts, one for each output, of at least 1 report"
        )
    return observed


def output_shares(shares: ArrayLike, mechanism: Piecewise) -> Floats:
    """The probability of each output if the answers have these shares: A f."""
    return _Channel.of(mechanism).apply(np.asarray(shares, dtype=np.float64))


@dataclass(frozen=True, slots=True)
class _Channel:
    """The channel's matrix A: answers are rounded to positions, and positions favour windows.

    An answer is at a position, or the part `up` of the way to the next. Under position
    x the outputs from x to x + window - 1 have the high weight; under "no answer" the
    last output has it. So output y has the high weight under the positions
    y - window + 1 to y, and the sum over them is a difference of two running sums.
    """

    cells: int
    window: int
    offers_no_answer: bool
    low: float
    extra: float
    position: Indexes
    up: Floats
    first: Indexes
    last: Indexes

    @classmethod
    def of(cls, mechanism: Piecewise) -> "_Channel":
        outputs, last = np.arange(mechanism.places), mechanism.cells - 1
        low, total = mechanism.weights.low, mechanism.total_weight
        position, beyond = np.divmod(np.arange(mechanism.cells) * mechanism.steps, last)
        return cls(
            cells=mechanism.cells,
            window=mechanism.window,
            offers_no_answer=mechanism.domain.offers_no_answer,
            low=low / total,
            extra=(mechanism.weights.high - low) / total,
            position=position,
            up=beyond / last,
            first=np.maximum(0, outputs - mechanism.window + 1),
            last=np.minimum(mechanism.steps + 1, outputs + 1),
        )

    def apply(self, shares: Floats) -> Floats:
        """A times the shares of the answers."""
        numbers, size = shares[: self.cells], len(self.first) - self.window + 2
        here = np.bincount(self.position, numbers * (1 - self.up), size)
        after = np.bincount(self.position + 1, numbers * self.up, size)
        sums = _running_sums(np.asarray(here + after, np.float64))
        everywhere = self.low * float(shares.sum())
        numeric = everywhere + self.extra * (sums[self.last] - sums[self.first])
        if not self.offers_no_answer:
            return numeric
        return np.append(numeric, self.window * (everywhere + self.extra * shares[self.cells]))

    def explain(self, ratios: Floats) -> Floats:
        """The transpose of A times one value for each output."""
        sums = _running_sums(ratios[: len(self.first)])
        everywhere = self.low * float(sums[-1])
        around = sums[self.window :] - sums[: -self.window]
        after = np.append(around[1:], 0.0)  # nothing is rounded up from the last position
        placed = (1 - self.up) * around[self.position] + self.up * after[self.position]
        answers = np.asarray(everywhere + self.extra * placed)
        if not self.offers_no_answer:
            return answers
        none = self.window * float(ratios[-1])
        answers += self.low * none
        return np.append(answers, everywhere + (self.low + self.extra) * none)


def _running_sums(values: Floats) -> Floats:
    return np.append(0.0, np.cumsum(values))
