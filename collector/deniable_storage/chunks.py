"""Reading and counting reports in chunks, so that memory does not grow with them."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deniable_sdk.survey.block import Block
from deniable_storage.counts import BlockCounts, Integers, JointCounts, SurveyCounts
from deniable_storage.errors import StrangeValue
from deniable_storage.texts import read_texts
from deniable_storage.values import SupportTally, TupleTally, width_of

# For each block, its values as a store contains them, or None if there is no value.
Cells = Sequence[Sequence[object]]
# How many numbers are read at a time, over all blocks.
CHUNK_MEMBERS = 1 << 19
REMEDY = "the store was changed by something other than the collector; restore it"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some of the reports: their number, and the values of each block.

    A column has a row for each report that contains its block.
    """

    report_count: int
    columns: Sequence[Integers]


def rows_of_chunk(blocks: Sequence[Block]) -> int:
    """How many reports of these blocks are read at a time."""
    members = sum(width_of(block.mechanism.form) for block in blocks)
    return CHUNK_MEMBERS // max(16, members)


def count_chunks(blocks: Sequence[Block], chunks: Iterable[Chunk]) -> SurveyCounts:
    """The counts of blocks, over all chunks."""
    report_count = 0
    tallies = [SupportTally(block.mechanism.form) for block in blocks]
    for chunk in chunks:
        report_count += chunk.report_count
        for tally, column in zip(tallies, chunk.columns, strict=True):
            tally.add(column)
    counted: dict[str, BlockCounts] = {
        block.id: tally.counts() for block, tally in zip(blocks, tallies, strict=True)
    }
    return SurveyCounts(report_count, counted)


def tuples_of_chunks(
    blocks: Sequence[Block], chunks: Iterable[Chunk], most: int = sys.maxsize
) -> JointCounts:
    """The tuples of values, over all chunks of reports that contain all blocks.

    Raises:
        TooManyTuples: there are more than `most` different tuples.
    """
    tally = TupleTally(tuple(block.mechanism.form for block in blocks), most)
    for chunk in chunks:
        tally.add(chunk.columns)
    return tally.joint_counts()


def read_column(block: Block, array: bytes) -> Integers:
    """The values of one block, read from a JSON array and checked one by one.

    Raises:
        StrangeValue: the mechanism cannot produce one of them.
    """
    form = block.mechanism.form
    values = read_texts(array, form, are_quoted=bool(form.shape))
    if values is None:
        raise StrangeValue(strange_value(block))
    return values


def strange_value(block: Block, where: str = "", remedy: str = REMEDY) -> str:
    """The error message for a value that a block's mechanism cannot produce.

    Args:
        block: the block of the value.
        where: the place of the value, or nothing; never the value itself.
        remedy: what to do.
    """
    return (
        f"{where}block {block.id!r}: got a stored value that its mechanism "
        f"{block.mechanism.name!r} cannot give; {remedy}"
    )
