"""The base of links: how likely "yes" and "no" are under a linear predictor."""

from collections.abc import Callable
from dataclasses import dataclass

from deniable_analysis.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class TwoLogs:
    """log P(no) and log P(yes) with their first and second derivatives.

    Each is a pair, "no" first, of arrays shaped as the linear predictor.
    """

    value: tuple[Floats, Floats]
    first: tuple[Floats, Floats]
    second: tuple[Floats, Floats]


Link = Callable[[Floats], TwoLogs]
