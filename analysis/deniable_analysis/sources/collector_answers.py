"""What a collector returns to analysts, read and checked."""

from collections.abc import Mapping, Sequence
from typing import TypeGuard

import numpy as np

from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block
from deniable_storage.counts import BlockCounts, JointCounts, Member
from deniable_storage.texts import read_values
from deniable_storage.values import TupleTally


def read_blocks(blocks: Sequence[Block], given: Sequence[object]) -> dict[str, BlockCounts] | None:
    """The counts of these blocks; None if they do not match."""
    found: dict[str, BlockCounts] = {}
    for block, counted in zip(blocks, given, strict=False):
        match counted:
            case {"block": block.id, "reports": reports, "support": list(pairs)} if is_count(
                reports
            ):
                support = _read_support(block.mechanism.form, pairs)
                if support is not None and _fits(block.mechanism.form, reports, support):
                    found[block.id] = BlockCounts(reports, support)
    return found if len(found) == len(blocks) == len(given) else None


def _read_support(form: ValueForm, pairs: Sequence[object]) -> dict[Member, int] | None:
    """How many reports have each member; None if these are no members, or one is there twice."""
    support: dict[Member, int] = {}
    for pair in pairs:
        match pair:
            case [[option, bit], count] if form.are_pairs and is_count(bit) and bit < 2:
                pass
            case [option, count] if not form.are_pairs:
                bit = None
            case _:
                return None
        if not (is_count(option) and option < form.members and is_count(count)):
            return None
        member: Member = option if bit is None else (option, bit)
        if member in support:
            return None
        support[member] = count
    return support


def _fits(form: ValueForm, reports: int, support: Mapping[Member, int]) -> bool:
    """Whether the total of the counts is possible for this number of reports."""
    members = form.shape[0] if form.shape else 1
    return (
        sum(support.values()) == reports * members and max(support.values(), default=0) <= reports
    )


def read_tuples(blocks: Sequence[Block], given: object) -> JointCounts | None:
    """The tuples of values of these blocks; None if they are not those, or one is there twice."""
    tally = TupleTally(tuple(block.mechanism.form for block in blocks))
    if not isinstance(given, list) or not _add_tuples(tally, blocks, given):
        return None
    found = tally.joint_counts()
    return found if len(found.counts) == len(given) else None


def _add_tuples(tally: TupleTally, blocks: Sequence[Block], given: Sequence[object]) -> bool:
    """Whether these are tuples of values of the blocks; they are then counted."""
    rows = [row for row in given if isinstance(row, list) and len(row) == len(blocks) + 1]
    if len(rows) < len(given) or not all(is_count(row[-1]) and row[-1] for row in rows):
        return False
    if not rows:
        return True
    *values, counts = zip(*rows, strict=True)
    columns = [
        read_values(column, block.mechanism.form)
        for block, column in zip(blocks, values, strict=True)
    ]
    read = [column for column in columns if column is not None]
    if len(read) < len(columns):
        return False
    tally.add(read, np.array(counts, dtype=np.int64))
    return True


def is_count(value: object) -> TypeGuard[int]:
    """Whether a value is a number of reports."""
    return type(value) is int and 0 <= value < 1 << 53
