"""Reading what an estimator is given, with errors that name the argument."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.arguments import (
    LARGEST_COUNT,
    finite_numbers,
    is_finite,
    is_flag,
    is_whole,
    kind_of,
    shown,
)
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import (
    InvalidChannel,
    InvalidCounts,
    InvalidInterval,
    UnsupportedMechanism,
)
from deniable_analysis.estimators.channel import Channel
from deniable_sdk.mechanisms import MECHANISMS, Subset


def read_report_count(value: Any, what: str = "an estimate") -> int:
    """A number of reports, at least 1.

    Raises:
        InvalidCounts: it is none.
    """
    if not is_whole(value, 1):
        raise InvalidCounts(
            f"got {shown(value)} reports; {what} needs at least 1, and takes a whole number up "
            f"to {LARGEST_COUNT:g}"
        )
    return int(value)


def read_numbers(values: Any, what: str) -> NDArray[Any]:
    """An array of finite numbers, as exact as they were given.

    Raises:
        InvalidCounts: it is none.
    """
    found = finite_numbers(values)
    if found is None:
        raise InvalidCounts(
            f"{what}: got {kind_of(values)}, or one that holds something other than finite "
            "numbers; allowed is a list or array of them"
        )
    return found


def read_floats(values: Any, what: str) -> Floats:
    """An array of finite floats.

    Raises:
        InvalidCounts: it is none.
    """
    return read_numbers(values, what).astype(np.float64, copy=False)


def read_number(value: Any, what: str) -> float:
    """A finite number as a float.

    Raises:
        InvalidCounts: it is none.
    """
    if not is_finite(value):
        raise InvalidCounts(f"{what}: got {shown(value)}; allowed is a finite number")
    return float(value)


def check_channel(channel: Any) -> None:
    """Raise InvalidChannel unless it is a Channel.

    Raises:
        InvalidChannel: it is something else.
    """
    if not isinstance(channel, Channel):
        raise InvalidChannel(
            f"channel: got {kind_of(channel)}; allowed is a Channel(keep, flip), such as that of "
            "a block's mechanism: Channel.of(mechanism)"
        )


def check_simultaneous(value: Any) -> None:
    """Raise InvalidInterval unless it is True or False.

    Raises:
        InvalidInterval: it is something else.
    """
    if not is_flag(value):
        raise InvalidInterval(
            f"simultaneous: got {shown(value)}; allowed are True, where all intervals are to "
            "hold at once, and False"
        )


def check_mechanism(mechanism: Any) -> None:
    """Raise UnsupportedMechanism unless it is a mechanism.

    Raises:
        UnsupportedMechanism: it is something else.
    """
    if not isinstance(mechanism, tuple(MECHANISMS.values())):
        raise UnsupportedMechanism(
            f"mechanism: got {kind_of(mechanism)}; allowed is the mechanism of a block of a "
            "published survey"
        )


def check_subset(mechanism: Any) -> None:
    """Raise InvalidChannel unless it is subset selection.

    Raises:
        InvalidChannel: it is something else.
    """
    if not isinstance(mechanism, Subset):
        raise InvalidChannel(
            f"mechanism: got {kind_of(mechanism)}; allowed is subset selection, the mechanism of "
            "a yes_no, choice or scale"
        )
