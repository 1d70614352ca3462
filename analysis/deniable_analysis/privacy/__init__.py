"""What reports say about one person: one report, those of several surveys, or a whole file.

The figure of a file is in `shuffling`, which needs scipy; the form does without it.
"""

from deniable_analysis.privacy.beliefs import (
    Belief,
    belief_bounds,
    guess_with_report,
    guess_without_report,
    most_detected,
    tell_apart_error,
)
from deniable_analysis.privacy.composition import compose

__all__ = [
    "Belief",
    "belief_bounds",
    "compose",
    "guess_with_report",
    "guess_without_report",
    "most_detected",
    "tell_apart_error",
]
