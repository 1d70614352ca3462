"""What a collector returns to analysts, read and checked."""

from collections.abc import Mapping, Sequence

import numpy as np

from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block
from deniable_storage.counts import BlockCounts, Member
from deniable_storage.texts import read_values
from deniable_storage.values import TupleTally


def read_blocks(blocks: Sequence[Block], given: Sequence[object]) -> dict[str, BlockCounts] | None:
    """The counts of these blocks, None where they cannot be those."""
    found: dict[str, BlockCounts] = {}
    for block, counted in zip(blocks, given, strict=False):
        match counted:
            case {"block": block.id, "reports": int(reports), "support": list(pairs)}:
                support = _read_support(block.mechanism.form, pairs)
                if support is not None and _fits(block.mechanism.form, reports, support):
                    found[block.id] = BlockCounts(reports, support)
    return found if len(found) == len(blocks) == len(given) else None


def _read_support(form: ValueForm, pairs: Sequence[object]) -> dict[Member, int] | None:
    support: dict[Member, int] = {}
    for pair in pairs:
        match pair:
            case [[int(option), int(bit)], int(count)] if form.are_pairs and bit in (0, 1):
                support[option, bit] = count
            case [int(option), int(count)] if not form.are_pairs:
                support[option] = count
            case _:
                return None
        if not 0 <= option < form.members or count < 0:
            return None
    return support


def _fits(form: ValueForm, reports: int, support: Mapping[Member, int]) -> bool:
    """Whether so many reports say so much in all, each thing at most once."""
    members = form.shape[0] if form.shape else 1
    return (
        sum(support.values()) == reports * members and max(support.values(), default=0) <= reports
    )


def add_tuples(tally: TupleTally, blocks: Sequence[Block], given: object) -> bool:
    """Whether these are tuples of values of the blocks; they are then counted."""
    if not isinstance(given, list):
        return False
    if not all(isinstance(row, list) and len(row) == len(blocks) + 1 for row in given):
        return False
    if not all(is_count(row[-1]) and row[-1] for row in given):
        return False
    if not given:
        return True
    *values, counts = zip(*given, strict=True)
    columns = [
        read_values(column, block.mechanism.form)
        for block, column in zip(blocks, values, strict=True)
    ]
    read = [column for column in columns if column is not None]
    if len(read) < len(columns):
        return False
    tally.add(read, np.array(counts, dtype=np.int64))
    return True


def is_count(value: object) -> bool:
    """Whether a value is a number of reports."""
    return type(value) is int and 0 <= value < 1 << 53
