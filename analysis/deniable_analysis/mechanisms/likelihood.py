"""How likely reported values are under every answer: the channels, as arrays."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.errors import InvalidCounts, UnsupportedMechanism
from deniable_sdk.mechanisms import Piecewise, PrivSet, SampledBits, SomeOf, Subset
from deniable_sdk.survey.block import Block
from deniable_storage.counts import Integers
from deniable_storage.values import form_of

# Rows of likelihoods longer than this serve nobody, and soon fill the memory.
MOST_ANSWERS = 1 << 20


def block_likelihood(block: Block, values: ArrayLike) -> Floats:
    """The probability of each value under every answer of the block.

    Args:
        block: any.
        values: one in each row, as its reports carry them: indices, sets or
            pairs; see JointCounts.
    Returns:
        (values, domain.size) exact probabilities, rounded to floats; columns
        in the order of block.domain.answers().
    Raises:
        InvalidCounts: a row is no value of the block's mechanism.
        UnsupportedMechanism: the block has too many possible answers.
    """
    rows = np.asarray(values)
    form, mechanism = form_of(block.mechanism), block.mechanism
    if not form.accepts(rows):
        raise InvalidCounts(
            f"block {block.id!r}: got an array of {rows.dtype} of shape {rows.shape}, or one "
            f"with a row that {mechanism.name!r} cannot give; allowed are rows of shape "
            f"{form.shape} as its reports carry them"
        )
    if block.domain.size > MOST_ANSWERS:
        raise UnsupportedMechanism(
            f"block {block.id!r} takes {block.domain.describe()}, more than {MOST_ANSWERS} "
            "answers in all; relate it option by option, or ask with fewer options or a "
            "smaller at_most"
        )
    return _LIKELIHOODS[mechanism.name](mechanism, rows.astype(np.int64, copy=False))


def _of_subset(mechanism: Subset, values: Integers) -> Floats:
    size, weights, others = mechanism.size, mechanism.weights, mechanism.domain_size - 1
    holding, missing = math.comb(others, size - 1), math.comb(others, size)
    # Of huge integers, which only their quotient brings into a float's range.
    total = holding * weights.favoured + missing * weights.base
    found = np.full((len(values), mechanism.domain_size), weights.base / total)
    np.put_along_axis(found, values.reshape(len(values), size), weights.favoured / total, axis=1)
    return found


def _of_sampled_bits(mechanism: SampledBits, values: Integers) -> Floats:
    chosen = _selections(mechanism.domain, mechanism.domain.options)
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    each = 1 / math.comb(mechanism.domain.options, mechanism.sampled)
    found = np.full((len(values), len(chosen)), each)
    for place in range(mechanism.sampled):
        truths = chosen[:, values[:, place, 0]].T
        found *= np.where(truths == values[:, place, 1, np.newaxis], keep, flip)
    return found


def _of_privset(mechanism: PrivSet, values: Integers) -> Floats:
    domain = mechanism.domain
    chosen = _selections(domain, mechanism.padded)
    dummies = domain.at_most - chosen.sum(axis=1)
    chosen[:, domain.options :] = np.arange(domain.at_most) < dummies[:, np.newaxis]
    is_met = np.zeros((len(values), len(chosen)), dtype=np.bool_)
    for place in range(mechanism.size):
        is_met |= chosen[:, values[:, place]].T
    return _weighed(mechanism, is_met)


def _of_piecewise(mechanism: Piecewise, values: Integers) -> Floats:
    outputs, last = values[:, np.newaxis], mechanism.cells - 1
    position, beyond = np.divmod(np.arange(mechanism.cells) * mechanism.steps, last)
    up = beyond / last

    def favours(start: Integers) -> Bools:
        found: Bools = (start <= outputs) & (outputs < start + mechanism.window)
        return found

    favouring = np.zeros((len(values), mechanism.domain.size))
    favouring[:, : mechanism.cells] = (1 - up) * favours(position) + up * favours(position + 1)
    is_none = values == mechanism.places
    favouring[is_none] = np.arange(mechanism.domain.size) == mechanism.cells
    weights, total = mechanism.weights, mechanism.total_weight
    extra = (weights.favoured - weights.base) / total
    found: Floats = weights.base / total + extra * favouring
    found[is_none] *= mechanism.window
    return found


def _weighed(mechanism: PrivSet, is_favoured: Bools) -> Floats:
    weights, total = mechanism.weights, mechanism.total_weight
    return np.where(is_favoured, weights.favoured / total, weights.base / total)


def _selections(domain: SomeOf, columns: int) -> Bools:
    """Every answer as truth values, in the domain's order."""
    chosen = np.zeros((domain.size, columns), dtype=np.bool_)
    for row, answer in enumerate(domain.answers()):
        chosen[row, list(answer)] = True
    return chosen


_LIKELIHOODS: Mapping[str, Callable[[Any, Integers], Floats]] = {
    Subset.name: _of_subset,
    SampledBits.name: _of_sampled_bits,
    PrivSet.name: _of_privset,
    Piecewise.name: _of_piecewise,
}
