"""Sampled bits of many answers at once."""

import numpy as np

from deniable_analysis.simulation.mechanisms.base import Answers, Draw
from deniable_analysis.simulation.mechanisms.marking import Places, mark_subsets, marked_columns
from deniable_sdk.mechanisms import SampledBits
from deniable_storage.counts import Integers


def simulate_sampled_bits(mechanism: SampledBits, answers: Answers, draw: Draw) -> Integers:
    """Pairs of option and bit, ascending by option: rows by pairs by 2."""
    marks = np.zeros(answers.shape, dtype=np.bool_)
    sampled = mechanism.sampled
    mark_subsets(marks, Places(mechanism.domain.options, np.asarray), sampled, sampled, draw)
    drawn = marked_columns(marks, sampled)
    truths = np.take_along_axis(answers, drawn, axis=1)
    favoured = mechanism.weights.favoured
    kept = np.stack([draw(mechanism.total_weight) < favoured for _ in range(sampled)], axis=1)
    return np.stack([drawn, truths == kept], axis=2)
