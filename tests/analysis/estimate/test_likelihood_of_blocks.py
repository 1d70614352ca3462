"""The likelihoods of reported values are the channel, in every entry."""

import json
from typing import Any

import numpy as np
import pytest

from analysis.enumerated import surveys
from deniable_analysis.errors import InvalidArgument, UnsupportedMechanism
from deniable_analysis.estimate.mechanisms import block_likelihood
from deniable_analysis.reports import count_values
from deniable_sdk import theory
from deniable_sdk.mechanisms import Mechanism, SampledBits, SomeOf, Subset
from deniable_sdk.weights import Weights
from deniable_storage.values import accepts
from mechanism_grid import GRID, WALKED, name
from sample_definitions import choice, multiple, survey

SURVEYS = surveys()


@pytest.mark.parametrize("published", SURVEYS.values(), ids=SURVEYS.keys())
def test_likelihoods_are_the_channel(published: object) -> None:
    """Of every output of every kind of block, under every answer in order."""
    (block,) = published.blocks  # type: ignore[attr-defined]
    channel = theory.channel(block.mechanism)
    outputs = np.array([json.loads(output) for output in channel])
    found = block_likelihood(block, outputs)
    expected = np.array([[float(each) for each in row] for row in channel.values()])
    assert found.shape == (len(channel), block.domain.size)
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=0)


def test_likelihoods_of_large_sets_are_finite() -> None:
    """Sets of half of a thousand options have tiny likelihoods, and the right ratio."""
    block = survey(choice(options=999), epsilon=1).blocks[0]
    mechanism = Subset(1000, 500, Weights(3, 1))
    values = np.arange(500)[np.newaxis]
    (row,) = block_likelihood(block.replace(mechanism=mechanism), values)
    assert row[0] / row[999] == pytest.approx(3, rel=1e-12)
    assert 0 < row[999] < 1e-290


def test_too_many_answers_are_refused() -> None:
    """A multiple choice whose answers cannot be listed is refused by what it takes."""
    block = survey(multiple(options=24)).blocks[0]
    assert isinstance(block.mechanism, SampledBits)
    values = np.zeros((1, *block.mechanism.form.shape), dtype=np.int64)
    values[0, :, 0] = np.arange(block.mechanism.sampled)
    with pytest.raises(
        UnsupportedMechanism, match=r"block 'drugs' takes at most 24 of 25 options"
    ):
        block_likelihood(block, values)


def test_values_of_another_mechanism_are_refused() -> None:
    """Rows that the block cannot give are refused, and not repeated."""
    block = survey(choice(options=3)).blocks[0]
    with pytest.raises(
        InvalidArgument, match=r"block 'region': got an array of int64 of shape \(1"
    ):
        block_likelihood(block, np.array([77]))
    with pytest.raises(InvalidArgument, match=r"cannot give; allowed are whole numbers") as found:
        count_values(block.mechanism, np.array([77]))
    assert "77" not in str(found.value)


@pytest.mark.parametrize("mechanism", [*WALKED, *GRID[::7]], ids=name)
def test_exactly_the_outputs_are_accepted(mechanism: Mechanism) -> None:
    """Arrays of the outputs are accepted; with one member changed only if that is an output."""
    outputs = [json.loads(output) for output in theory.channel(mechanism)]
    form = mechanism.form
    assert accepts(form, np.array(outputs))
    known = {json.dumps(output) for output in outputs}
    for output in outputs[:20]:
        flat = np.array(output)
        for index in range(flat.size):
            for step in (-1, 1, 1000):
                changed = flat.copy()
                changed.flat[index] += step
                is_output = json.dumps(changed.tolist()) in known
                assert accepts(form, changed[np.newaxis]) == is_output
    assert not accepts(form, np.array(outputs, dtype=np.float64))
    assert not accepts(form, np.array([outputs]))


def test_values_are_counted_by_what_they_say() -> None:
    """Members of sets, and bits of pairs, are counted one by one."""
    sets = count_values(Subset(4, 2, Weights(3, 1)), np.array([[0, 1], [1, 3]]))
    assert (sets.report_count, sets.support) == (2, {0: 1, 1: 2, 3: 1})
    bits = SampledBits(SomeOf(4, 4), 2, Weights(3, 1))
    pairs = count_values(bits, np.array([[[0, 1], [2, 0]], [[2, 1], [3, 0]]]))
    assert pairs.support == {(0, 1): 1, (2, 0): 1, (2, 1): 1, (3, 0): 1}


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int32, np.uint64])
def test_any_type_of_whole_numbers_is_counted(kind: type[np.integer[Any]]) -> None:
    """Small and unsigned types give the same counts, without an overflow."""
    bits = SampledBits(SomeOf(250, 250), 1, Weights(3, 1))
    values = np.array([[[249, 1]], [[249, 1]], [[0, 0]]])
    assert count_values(bits, values.astype(kind)) == count_values(bits, values)
    sets = Subset(255, 2, Weights(3, 1))
    assert count_values(sets, values[:2, 0, ::-1].astype(kind)).support == {1: 2, 249: 2}
