"""Reported values as arrays: their form, their checks, and their counts.

Each row has one value: an index, a set of indexes in ascending order, or pairs of option
and bit in ascending order of the options.
"""

import numpy as np

from deniable_sdk.mechanisms import ValueForm
from deniable_storage.counts import BlockCounts, Integers


def accepts(form: ValueForm, values: Integers) -> bool:
    """Whether every row is a value of this form."""
    if values.shape[1:] != form.shape or values.dtype.kind not in "iu":
        return False
    if not values.size:
        return True
    if form.are_pairs and not _are_within(values[..., 1], values[..., 1], 2):
        return False
    members = values[..., 0] if form.are_pairs else values
    if not form.shape:
        return _are_within(members, members, form.members)
    # Rows ascend, so the first member is the least and the last one the greatest.
    return _ascend(members) and _are_within(members[:, 0], members[:, -1], form.members)


def _ascend(rows: Integers) -> bool:
    """Whether every row ascends strictly; compared as one long row, which is faster."""
    members = rows.reshape(-1)
    is_greater = members[1:] > members[:-1]
    is_greater[rows.shape[1] - 1 :: rows.shape[1]] = True
    return bool(is_greater.all())


def _are_within(lowest: Integers, highest: Integers, count: int) -> bool:
    return bool(lowest.min() >= 0 and highest.max() < count)


class SupportTally:
    """Counts the values of one form, chunk by chunk."""

    def __init__(self, form: ValueForm) -> None:
        self._are_pairs = form.are_pairs
        self._report_count = 0
        self._counts: Integers = np.zeros(form.members * (1 + form.are_pairs), dtype=np.int64)

    def add(self, values: Integers, times: Integers | None = None) -> None:
        """Count values that the form accepts, one in each row.

        Args:
            values: those values.
            times: how often to count each; once if left out.
        """
        # Smaller types would overflow, and bincount accepts no other type.
        values = values.astype(np.intp, copy=False)
        members = values[..., 0] * 2 + values[..., 1] if self._are_pairs else values
        if times is None:
            counts = np.bincount(members.reshape(-1), minlength=len(self._counts))
            counts[: len(self._counts)] += self._counts
            self._counts = counts
            self._report_count += len(values)
        else:
            # Weights of bincount would be floating-point numbers.
            np.add.at(self._counts, members, times.reshape(-1, *[1] * (members.ndim - 1)))
            self._report_count += int(times.sum())

    def counts(self) -> BlockCounts:
        """The counts of all values so far."""
        return BlockCounts(
            self._report_count,
            {
                divmod(member, 2) if self._are_pairs else member: int(self._counts[member])
                for member in self._counts.nonzero()[0].tolist()
            },
        )
