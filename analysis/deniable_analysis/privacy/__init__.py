"""The most, and the average, that somebody can learn from a report."""

from deniable_analysis.privacy.belief import Belief, belief_bounds
from deniable_analysis.privacy.guess import guess_with_report, guess_without_report
from deniable_analysis.privacy.tell_apart import most_detected, tell_apart_error

__all__ = [
    "Belief",
    "belief_bounds",
    "guess_with_report",
    "guess_without_report",
    "most_detected",
    "tell_apart_error",
]
