"""The probit: a normal tail."""

import numpy as np
from scipy import special

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.links.base import TwoLogs

_LOG_ROOT = 0.5 * float(np.log(2 * np.pi))


def probit(predictor: Floats) -> TwoLogs:
    """P(yes) is the normal distribution function of the predictor."""
    no, yes = special.log_ndtr(-predictor), special.log_ndtr(predictor)
    log_density = -0.5 * predictor**2 - _LOG_ROOT
    # The inverse Mills ratio; through logarithms, for the far tails.
    up, down = np.exp(log_density - yes), np.exp(log_density - no)
    return TwoLogs((no, yes), (-down, up), (-down * (down - predictor), -up * (up + predictor)))
