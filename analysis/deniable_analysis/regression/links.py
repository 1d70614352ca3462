"""The links of a yes/no outcome: P(yes) and P(no) as functions of a linear predictor."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy import special

from deniable_analysis.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class TwoLogs:
    """log P(no) and log P(yes) with their first and second derivatives.

    Each is a pair of arrays, "no" first, with the shape of the linear
    predictor.
    """

    value: tuple[Floats, Floats]
    first: tuple[Floats, Floats]
    second: tuple[Floats, Floats]


Link = Callable[[Floats], TwoLogs]


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


LOG_ROOT = 0.5 * float(np.log(2 * np.pi))


def probit(predictor: Floats) -> TwoLogs:
    """P(yes) is the normal distribution function of the predictor."""
    no, yes = special.log_ndtr(-predictor), special.log_ndtr(predictor)
    log_density = -0.5 * predictor**2 - LOG_ROOT
    # The inverse Mills ratio; through logarithms, for the far tails.
    up, down = np.exp(log_density - yes), np.exp(log_density - no)
    return TwoLogs((no, yes), (-down, up), (-down * (down - predictor), -up * (up + predictor)))


# Beyond this P(no) is below exp(-1e13), and exp would soon overflow.
_HIGHEST = 30.0
# Below this, exp is 0 in floats.
_LOWEST = -700.0


def cloglog(predictor: Floats) -> TwoLogs:
    """P(yes) = 1 - exp(-exp(predictor))."""
    rate = np.exp(np.clip(predictor, _LOWEST, _HIGHEST))
    with np.errstate(over="ignore", divide="ignore"):
        yes = np.log(-np.expm1(-rate))
        slope = rate / np.expm1(rate)
    return TwoLogs((-rate, yes), (-rate, slope), (-rate, slope * (1 - rate - slope)))


LINKS: Mapping[str, Link] = {"logit": logit, "probit": probit, "cloglog": cloglog}
