"""Reported values as arrays: their form, their checks, and their counts.

Each row has one value: an index, a set of indexes in ascending order, or pairs of option
and bit in ascending order of the options. Values, and tuples of them, are counted chunk by
chunk; each distinct tuple is kept once.
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deniable_sdk.mechanisms import ValueForm
from deniable_storage.counts import BlockCounts, Integers, JointCounts
from deniable_storage.errors import TooManyTuples

# Members of values are below 2^16, so a key of 64 bits has room for four.
_MEMBERS_OF_A_KEY = 4
_Rows = NDArray[np.uint16]


def width_of(form: ValueForm) -> int:
    """How many numbers a value of this form has."""
    return int(np.prod(form.shape, dtype=np.int64))


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


@dataclass(slots=True)
class TupleTally:
    """Counts the tuples of values of blocks with these forms.

    New tuples are merged only once they are as many as the known tuples, so that all merges
    together cost little more than sorting once. `add` and `joint_counts` raise
    TooManyTuples if there are more than `most` different tuples.
    """

    forms: tuple[ValueForm, ...]
    most: int = sys.maxsize
    _known: tuple[_Rows, Integers] = field(init=False)
    _waiting: list[tuple[_Rows, Integers]] = field(init=False, default_factory=list)
    _waiting_count: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        width = sum(width_of(form) for form in self.forms)
        self._known = (np.empty((0, width), np.uint16), np.empty(0, np.int64))

    def add(self, columns: Sequence[Integers], counts: Integers | None = None) -> None:
        """Count tuples; each has one value of every column.

        Args:
            columns: the values of each block.
            counts: how often to count each tuple; once if left out.
        """
        rows = np.concatenate(
            [
                column.reshape(len(column), width_of(form)).astype(np.uint16)
                for column, form in zip(columns, self.forms, strict=True)
            ],
            axis=1,
        )
        each = np.ones(len(rows), dtype=np.int64) if counts is None else counts
        found = _merge(rows, each)
        self._waiting.append(found)
        self._waiting_count += len(found[0])
        if self._waiting_count > len(self._known[0]):
            self._settle()

    def joint_counts(self) -> JointCounts:
        """The counts of all tuples so far."""
        self._settle()
        rows, counts = self._known
        values, indexes, start = [], [], 0
        for form in self.forms:
            stop = start + width_of(form)
            found, inverse = _distinct(rows[:, start:stop])
            values.append(found.reshape(-1, *form.shape).astype(np.int64))
            indexes.append(inverse)
            start = stop
        return JointCounts(tuple(values), np.stack(indexes, axis=1), counts)

    def _settle(self) -> None:
        rows, counts = zip(self._known, *self._waiting, strict=True)
        self._known = _merge(np.concatenate(rows), np.concatenate(counts))
        self._waiting, self._waiting_count = [], 0
        if len(self._known[0]) > self.most:
            raise TooManyTuples(
                f"got more than {self.most} different tuples of values, the largest number "
                "allowed; ask for fewer blocks"
            )


def sum_of_tuples(forms: tuple[ValueForm, ...], parts: Iterable[JointCounts]) -> JointCounts:
    """The tuples of several sets of reports together, in the order of those of one store."""
    tally = TupleTally(forms)
    for part in parts:
        tally.add([part.of(index) for index in range(len(forms))], part.counts)
    return tally.joint_counts()


def _merge(rows: _Rows, counts: Integers) -> tuple[_Rows, Integers]:
    """The different rows in ascending order, and the sum of each one's counts."""
    found, inverse = _distinct(rows)
    sums = np.zeros(len(found), dtype=np.int64)
    np.add.at(sums, inverse, counts)
    return found, sums


def _distinct(rows: _Rows) -> tuple[_Rows, Integers]:
    """The different rows in ascending order, and the index of each row among them."""
    _, first, inverse = np.unique(_keys(rows), return_index=True, return_inverse=True)
    return rows[first], inverse.reshape(-1).astype(np.int64)


def _keys(rows: _Rows) -> NDArray[np.void] | NDArray[np.uint64]:
    """One key for each row; keys sort as their rows do."""
    width = rows.shape[1]
    if width > _MEMBERS_OF_A_KEY:
        # Big-endian bytes sort as the numbers do.
        return np.ascontiguousarray(rows.astype(">u2")).view(f"V{2 * width}").reshape(-1)
    keys = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        keys = keys << np.uint64(16) | column
    return keys
