"""Square waves of many answers at once."""

import numpy as np

from deniable_analysis.simulation.mechanisms.base import Answers, Draw, Integers
from deniable_sdk.mechanisms import SquareWave


def simulate_square_wave(mechanism: SquareWave, answers: Answers, draw: Draw) -> Integers:
    """One output in each row, by walking the outputs in ascending order."""
    favoured, base = mechanism.weights.favoured, mechanism.weights.base
    is_none = answers == mechanism.cells
    start = np.where(is_none, mechanism.places, answers)
    beyond = draw(mechanism.total_weight) - start * base
    inside = mechanism.window * favoured
    after = start + mechanism.window + (beyond - inside) // base
    around = np.where(is_none, mechanism.places, start + beyond // favoured)
    outputs = np.where(beyond < inside, around, np.minimum(mechanism.places, after))
    return np.where(beyond < 0, start + beyond // base, outputs)
