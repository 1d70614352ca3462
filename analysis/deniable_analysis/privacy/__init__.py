"""The most, and the average, that somebody can learn from a report."""

from deniable_analysis.privacy.bounds import (
    Belief,
    belief_bounds,
    most_detected,
    tell_apart_error,
)
from deniable_analysis.privacy.guess import guess_with_report, guess_without_report

__all__ = [
    "Belief",
    "belief_bounds",
    "guess_with_report",
    "guess_without_report",
    "most_detected",
    "tell_apart_error",
]
