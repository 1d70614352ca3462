"""Piecewise of many answers at once."""

import numpy as np

from deniable_analysis.simulation.mechanisms.base import Answers, Draw
from deniable_sdk.mechanisms import Piecewise
from deniable_storage.counts import Integers


def simulate_piecewise(mechanism: Piecewise, answers: Answers, draw: Draw) -> Integers:
    """One output in each row: rounded first, then by walking the outputs in ascending order."""
    favoured, base, last = mechanism.weights.favoured, mechanism.weights.base, mechanism.cells - 1
    position, beyond = np.divmod(answers * mechanism.steps, last)
    rounded = position + (draw(last) < beyond)
    is_none = answers > last
    start = np.where(is_none, mechanism.places, rounded)
    left = draw(mechanism.total_weight) - start * base
    inside = mechanism.window * favoured
    after = start + mechanism.window + (left - inside) // base
    around = np.where(is_none, mechanism.places, start + left // favoured)
    outputs = np.where(left < inside, around, np.minimum(mechanism.places, after))
    return np.where(left < 0, start + left // base, outputs)
