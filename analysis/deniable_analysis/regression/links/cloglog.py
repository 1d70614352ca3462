"""The complementary log-log: "yes" is an event that comes at some rate."""

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.links.base import TwoLogs

# Beyond this P(no) is below exp(-1e13), and exp of it would soon overflow.
_HIGHEST = 30.0
# Below this exp of it is nothing to a float.
_LOWEST = -700.0


def cloglog(predictor: Floats) -> TwoLogs:
    """P(yes) = 1 - exp(-exp(predictor))."""
    rate = np.exp(np.clip(predictor, _LOWEST, _HIGHEST))
    with np.errstate(over="ignore", divide="ignore"):
        yes = np.log(-np.expm1(-rate))
        slope = rate / np.expm1(rate)
    return TwoLogs((-rate, yes), (-rate, slope), (-rate, slope * (1 - rate - slope)))
