"""Sign of many answers at once."""

import numpy as np

from deniable_analysis.simulation.mechanisms.base import Answers, Draw, Integers
from deniable_sdk.mechanisms import Sign
from deniable_sdk.mechanisms.sign import HIGH, LOW, NONE


def simulate_sign(mechanism: Sign, answers: Answers, draw: Draw) -> Integers:
    """One end, or no answer, in each row: rounded, then kept or replaced."""
    last = mechanism.domain.options - 1
    rounded = np.where(draw(last) < answers, HIGH, LOW)
    end = np.where(answers > last, NONE, rounded)
    beyond = draw(mechanism.total_weight) - mechanism.weights.favoured
    other = beyond // mechanism.weights.base
    return np.where(beyond < 0, end, other + (other >= end))
