from .beliefs import (
    Belief,
    belief_bounds,
    guess_with_report,
    guess_without_report,
    most_detected,
    tell_apart_error,
)
from .composition import compose
from .shuffling import FilePrivacy, shuffled_epsilon

# fmt: off
__all__ = [
    "Belief", "FilePrivacy", "belief_bounds", "compose", "guess_with_report",
    "guess_without_report", "most_detected", "shuffled_epsilon", "tell_apart_error",
]
# fmt: on
