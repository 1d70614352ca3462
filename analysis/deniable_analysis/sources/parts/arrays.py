"""Whole reports as batches of Arrow arrays, in an order that says nothing about their ids."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from deniable_analysis.sources.exports.parquet_columns import codes_of, column_type
from deniable_sdk.mechanisms import ValueForm
from deniable_storage.tables import GROUP_COLUMN
from deniable_storage.whole_rows import NO_VALUE, Smalls, WholeRows, width_of

# How many numbers are sorted, and written to a row group, at a time: 16 MiB of them.
BATCH_MEMBERS = 1 << 23


def schema_of(arrow: Any, wanted: WholeRows) -> Any:
    """The columns of a part: the group if people are invited, and each block."""
    group = [(GROUP_COLUMN, arrow.string())] if wanted.groups else []
    blocks = [(block.id, column_type(arrow, block.mechanism.form)) for block in wanted.blocks]
    return arrow.schema([*group, *blocks])


def sorted_batches(chunks: Iterable[Smalls], width: int) -> Iterator[Smalls]:
    """The same rows, so many at a time that memory is bounded; each batch sorted by its values.

    Whoever knows the id of a report, because they have the device, cannot tell its row by the
    order of the rows; and the same reports always make the same batch.
    """
    waiting: list[Smalls] = []
    for chunk in chunks:
        if waiting and (sum(map(len, waiting)) + len(chunk)) * width > BATCH_MEMBERS:
            yield _sorted(waiting)
            waiting = []
        waiting.append(chunk)
    if waiting:
        yield _sorted(waiting)


def _sorted(chunks: list[Smalls]) -> Smalls:
    rows = np.concatenate(chunks)
    # The first column is the last key of lexsort.
    found: Smalls = rows[np.lexsort(rows.T[::-1])]
    return found


def record_batch(arrow: Any, wanted: WholeRows, rows: Smalls) -> Any:
    """Rows as Arrow arrays with the columns of schema_of."""
    arrays, start = [], 0
    if wanted.groups:
        groups = arrow.DictionaryArray.from_arrays(rows[:, 0], list(wanted.groups))
        arrays.append(groups.cast(arrow.string()))
        start = 1
    for block in wanted.blocks:
        stop = start + width_of(block.mechanism.form)
        arrays.append(_array(arrow, block.mechanism.form, rows[:, start:stop]))
        start = stop
    return arrow.record_batch(arrays, schema=schema_of(arrow, wanted))


def _array(arrow: Any, form: ValueForm, rows: Smalls) -> Any:
    is_missing = rows[:, 0] == NO_VALUE
    if not form.shape:
        return arrow.array(rows[:, 0], mask=is_missing)
    members = codes_of(form, rows[~is_missing].reshape(-1, *form.shape))
    ends = np.cumsum(~is_missing, dtype=np.int32) * np.int32(form.shape[0])
    starts_and_end = np.concatenate([np.zeros(1, np.int32), ends])
    return arrow.ListArray.from_arrays(
        starts_and_end, members.reshape(-1).astype(np.int16), mask=arrow.array(is_missing)
    )
