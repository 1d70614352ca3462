"""The logit: log-odds are linear."""

from scipy import special

from deniable_analysis.regression.links.base import Floats, TwoLogs


def logit(predictor: Floats) -> TwoLogs:
    """P(yes) = 1 / (1 + exp(-predictor))."""
    yes, no = special.expit(predictor), special.expit(-predictor)
    both = -yes * no
    return TwoLogs(
        (special.log_expit(-predictor), special.log_expit(predictor)), (-yes, no), (both, both)
    )
