"""A million answers randomized at once, to plan and to test with.

The only place that draws from numpy's generator, which anyone who knows its
state can replay: never for a respondent's answer. Devices draw from the
operating system, through deniable_sdk.
"""

from deniable_analysis.simulation.block import simulate_block, simulate_values
from deniable_analysis.simulation.survey import simulate_survey
from deniable_analysis.simulation.synthetic import synthetic_records

__all__ = ["simulate_block", "simulate_survey", "simulate_values", "synthetic_records"]
