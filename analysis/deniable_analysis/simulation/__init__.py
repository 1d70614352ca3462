"""The randomization of a million answers at once, for planning and tests.

This is the only place that draws from numpy's generator. Anyone who knows its
state can replay it, so it must never randomize a respondent's answer. Devices
draw from the operating system, through deniable_sdk.
"""

from deniable_analysis.simulation.answers import simulate_block, simulate_survey, simulate_values
from deniable_analysis.simulation.synthetic import synthetic_records

__all__ = ["simulate_block", "simulate_survey", "simulate_values", "synthetic_records"]
