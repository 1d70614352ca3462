"""The kinds of outcome, one file each."""

from deniable_analysis.regression.outcomes.base import LogDensity, Outcome, Predictor
from deniable_analysis.regression.outcomes.binary import Binary
from deniable_analysis.regression.outcomes.multinomial import Multinomial
from deniable_analysis.regression.outcomes.normal import LOG_SPREAD, Normal
from deniable_analysis.regression.outcomes.ordered import INTERCEPT, Ordered

__all__ = [
    "INTERCEPT",
    "LOG_SPREAD",
    "Binary",
    "LogDensity",
    "Multinomial",
    "Normal",
    "Ordered",
    "Outcome",
    "Predictor",
]
