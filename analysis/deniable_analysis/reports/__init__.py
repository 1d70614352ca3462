"""Reports as arrays and counts, which are all that estimates use."""

import numpy as np

from deniable_analysis.arguments import check_mechanism, kind_of
from deniable_analysis.errors import InvalidArgument
from deniable_sdk.mechanisms import Mechanism
from deniable_storage.counts import BlockCounts, Integers
from deniable_storage.values import SupportTally, accepts


def count_values(mechanism: Mechanism, values: Integers) -> BlockCounts:
    """The counts of values in an array, one in each row.

    Raises:
        InvalidArgument: values is not an array, or the mechanism cannot produce a
            row; the message does not show it.
        UnsupportedMechanism: mechanism is not a mechanism.
    """
    check_mechanism(mechanism)
    form = mechanism.form
    if not isinstance(values, np.ndarray):
        raise InvalidArgument(
            f"got {kind_of(values)}; allowed is an array of reported values, one in each row: "
            "numpy.array(...)"
        )
    if not accepts(form, values):
        raise InvalidArgument(
            f"got an array of {values.dtype} of shape {values.shape}, or one with a row that "
            f"{mechanism.name!r} cannot give; allowed are whole numbers of shape "
            f"(reports, {', '.join(map(str, form.shape))}) as its reports carry them"
        )
    tally = SupportTally(form)
    tally.add(values)
    return tally.counts()
