"""The base of every mechanism's simulation: integer draws into values."""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from deniable_storage.counts import Integers

# One answer in each row: an index, or a truth value for each option.
Answers = NDArray[Any]
# Gives, for a bound, one uniform integer from 0 to bound - 1 in each row.
Draw = Callable[[int], Integers]

# The values of a mechanism for these answers, one in each row. It asks `draw`
# for the same bounds in the same order whatever the answers are.
Simulate = Callable[[Any, Answers, Draw], Integers]
