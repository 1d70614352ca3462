"""Whole reports without their ids, of one range of ids after the other, for every engine."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.chunks import REMEDY, read_column, strange_value
from deniable_storage.errors import StrangeValue
from deniable_storage.texts import read_texts
from deniable_storage.values import width_of

ID_BITS = 128
# Where a report has no value.
NO_VALUE = -1
# Options and groups are fewer than 2^15.
Smalls = NDArray[np.int16]
# The ids of reports, each as two numbers.
Ids = NDArray[np.uint64]
_IS_PRESENT = ValueForm(2)


@dataclass(frozen=True, slots=True)
class IdRange:
    """All ids that begin with the same bits.

    The bounds follow from `place` and `bits` alone, so that no id of a report is ever in a
    statement.

    Args:
        place: the number that the first bits are.
        bits: how many bits these are, at most 128.
    """

    place: int
    bits: int

    @property
    def bounds(self) -> tuple[bytes, bytes]:
        """The first and the last id."""
        rest = ID_BITS - self.bits
        first = self.place << rest
        last = first + (1 << rest) - 1
        return first.to_bytes(16, "big"), last.to_bytes(16, "big")

    def split(self, bits: int) -> "list[IdRange]":
        """The ranges that have so many bits more, in their order."""
        first = self.place << bits
        return [IdRange(place, self.bits + bits) for place in range(first, first + (1 << bits))]


EVERY_ID = IdRange(0, 0)


def bits_of_ranges(count: int, most: int) -> int:
    """The first bits of ids by which so many reports are split, so that ranges have fewer.

    Args:
        count: of the reports.
        most: how many reports with random ids a range is expected to have at most.
    """
    return (max(1, -(-count // most)) - 1).bit_length()


def ranges_up_to(
    ranges: Sequence[IdRange], most: int, count: Callable[[IdRange], int]
) -> Iterator[IdRange]:
    """The same ids in ranges that have reports, at most so many each.

    Args:
        ranges: the ranges at first; one with too many reports is halved.
        most: how many reports a range may have.
        count: returns how many reports a range has.
    """
    for ids in ranges:
        found = count(ids)
        if found > most and ids.bits < ID_BITS:
            yield from ranges_up_to(ids.split(1), most, count)
        elif found:
            yield ids


@dataclass(frozen=True, slots=True)
class WholeRows:
    """What is read of each report of a survey: its group if the survey has groups, its blocks.

    Args:
        blocks: of the survey.
        groups: what reports have as their group; empty if the survey has no groups.
        are_complete: whether every report has a value of every block.
    """

    blocks: tuple[Block, ...]
    groups: tuple[str, ...]
    are_complete: bool

    @classmethod
    def of_survey(cls, survey: PublishedSurvey) -> "WholeRows":
        """What the reports of a survey have."""
        return cls(survey.blocks, survey.kept_groups, survey.asked == len(survey.blocks))

    @property
    def widths(self) -> list[int]:
        """How many numbers the group, if there is one, and each block have in a row."""
        group = [1] if self.groups else []
        return [*group, *(width_of(block.mechanism.form) for block in self.blocks)]

    def read(self, count: int, arrays: Sequence[bytes]) -> Smalls:
        """The rows of some reports, each value checked.

        Args:
            count: of the reports.
            arrays: JSON arrays: the index of each report's group, if there are groups; the
                values of each block; and, unless reports are complete, for each block whether
                each report has a value (1 or 0).
        Returns:
            (reports, sum of widths) the numbers, NO_VALUE where a report has no value.
        Raises:
            StrangeValue: a block cannot produce one of its values, or there is no such group.
        """
        rest = list(arrays)
        rows = np.full((count, sum(self.widths)), NO_VALUE, np.int16)
        start = 0
        if self.groups:
            rows[:, 0] = _read_groups(rest.pop(0), len(self.groups), count)
            start = 1
        values, presence = rest[: len(self.blocks)], rest[len(self.blocks) :]
        for index, block in enumerate(self.blocks):
            found = read_column(block, values[index])
            is_present = read_texts(presence[index], _IS_PRESENT) if presence else np.ones(count)
            if is_present is None or np.count_nonzero(is_present) != len(found):
                raise StrangeValue(strange_value(block))
            width = width_of(block.mechanism.form)
            rows[is_present.astype(np.bool_), start : start + width] = found.reshape(-1, width)
            start += width
        return rows


def ids_of(found: Sequence[bytes]) -> Ids:
    """(reports, 2) the ids of some reports, which compare as their bytes do.

    Raises:
        StrangeValue: one of them does not have 16 bytes.
    """
    if any(len(each) * 8 != ID_BITS for each in found):
        raise StrangeValue(f"got a report whose id does not have 16 bytes; {REMEDY}")
    return np.frombuffer(b"".join(found), ">u8").astype(np.uint64).reshape(-1, 2)


def _read_groups(array: bytes, groups: int, count: int) -> Smalls:
    found = read_texts(array, ValueForm(groups))
    if found is None or len(found) != count:
        raise StrangeValue(f"got a report of a group that the survey does not have; {REMEDY}")
    return found.astype(np.int16)
