"""How many answers are randomized at once by every mechanism, one file each.

A new mechanism is a new file here and one line in SIMULATIONS.
"""

from collections.abc import Mapping

from deniable_analysis.simulation.mechanisms.base import Answers, Draw, Simulate
from deniable_analysis.simulation.mechanisms.piecewise import simulate_piecewise
from deniable_analysis.simulation.mechanisms.privset import simulate_privset
from deniable_analysis.simulation.mechanisms.sampled_bits import simulate_sampled_bits
from deniable_analysis.simulation.mechanisms.subset import simulate_subset
from deniable_sdk.mechanisms import Piecewise, PrivSet, SampledBits, Subset

SIMULATIONS: Mapping[str, Simulate] = {
    Subset.name: simulate_subset,
    SampledBits.name: simulate_sampled_bits,
    PrivSet.name: simulate_privset,
    Piecewise.name: simulate_piecewise,
}

__all__ = ["SIMULATIONS", "Answers", "Draw", "Simulate"]
