"""The logit: log-odds are linear."""

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.links.base import TwoLogs


def logit(predictor: Floats) -> TwoLogs:
    """P(yes) = 1 / (1 + exp(-predictor))."""
    small = np.exp(-np.abs(predictor))
    rest = np.log1p(small)
    likelier = 1 / (1 + small)
    other = small * likelier
    is_up = predictor >= 0
    yes, no = np.where(is_up, likelier, other), np.where(is_up, other, likelier)
    both = -likelier * other
    return TwoLogs(
        (-np.maximum(predictor, 0.0) - rest, np.minimum(predictor, 0.0) - rest),
        (-yes, no),
        (both, both),
    )
