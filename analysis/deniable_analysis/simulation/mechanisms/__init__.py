"""How many answers are randomized at once by every mechanism, one file each.

A new mechanism is a new file here and one line in SIMULATIONS.
"""

from collections.abc import Mapping

from deniable_analysis.simulation.mechanisms.base import Answers, Draw, Integers, Simulate
from deniable_analysis.simulation.mechanisms.privset import simulate_privset
from deniable_analysis.simulation.mechanisms.sampled_bits import simulate_sampled_bits
from deniable_analysis.simulation.mechanisms.sign import simulate_sign
from deniable_analysis.simulation.mechanisms.square_wave import simulate_square_wave
from deniable_analysis.simulation.mechanisms.subset import simulate_subset
from deniable_sdk.mechanisms import PrivSet, SampledBits, Sign, SquareWave, Subset

SIMULATIONS: Mapping[str, Simulate] = {
    Subset.name: simulate_subset,
    SampledBits.name: simulate_sampled_bits,
    PrivSet.name: simulate_privset,
    SquareWave.name: simulate_square_wave,
    Sign.name: simulate_sign,
}

__all__ = ["SIMULATIONS", "Answers", "Draw", "Integers", "Simulate"]
