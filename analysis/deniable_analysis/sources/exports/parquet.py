"""Parquet: a column for each block, of whole numbers or of lists of them."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from deniable_analysis.errors import PyarrowMissing, UnreadableStudy
from deniable_analysis.sources.exports.heading import Heading
from deniable_analysis.sources.rows import (
    Column,
    RawColumn,
    ReadColumn,
    Rows,
    WantedBlocks,
)
from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Cells, rows_of_chunk
from deniable_storage.counts import Integers
from deniable_storage.values import accepts


def write_rows(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
    """Make a file of rows whose lists are canonical JSON texts."""
    arrow, parquet = _import()
    schema = arrow.schema(
        [(block.id, _type(arrow, block)) for block in heading.exported.survey.blocks]
    )
    with parquet.ParquetWriter(path, schema) as writer:
        for columns in rows:
            arrays = [
                arrow.array(map(_from_text, column), type=field.type)
                for column, field in zip(columns, schema, strict=True)
            ]
            writer.write_batch(arrow.record_batch(arrays, schema=schema))


def read_rows(path: Path, wanted: WantedBlocks) -> Iterator[Rows]:
    """The rows of a file, some at a time."""
    arrow, parquet = _import()
    names, first = [block.id for block in wanted.blocks], 1
    problem = ""
    try:
        with parquet.ParquetFile(path) as file:
            missing = set(names) - set(file.schema_arrow.names)
            if missing:
                problem = f"there is no column {min(missing)!r}"
            else:
                rows_at_a_time = rows_of_chunk(wanted.blocks)
                for batch in file.iter_batches(rows_at_a_time, columns=names):
                    columns = [_column(block, batch.column(block.id)) for block in wanted.blocks]
                    yield Rows(first, batch.num_rows, columns)
                    first += batch.num_rows
    except arrow.ArrowException:
        problem = f"the file is damaged after row {first - 1}"
    if problem:
        raise UnreadableStudy(
            f"{path}: {problem}; allowed is what `deniable export` writes; export the survey again"
        )


def _column(block: Block, cells: Any) -> Column:
    values = _values(cells.drop_null(), block.mechanism.form)
    if values is None:
        return RawColumn(cells.to_pylist(), are_quoted=False)
    return ReadColumn(cells.is_valid().to_numpy(zero_copy_only=False), values)


def _values(cells: Any, form: ValueForm) -> Integers | None:
    """The values in an array, one in each row; None if it is no plain array of them."""
    from pyarrow import types  # noqa: PLC0415 - not always installed

    members = cells
    for length in form.shape:
        if not types.is_list(members.type) or members.null_count:
            return None
        if np.any(members.value_lengths().to_numpy() != length):
            return None
        members = members.flatten()
    if not types.is_integer(members.type) or members.null_count:
        return None
    values: Integers = members.to_numpy().reshape(-1, *form.shape)
    return values if accepts(form, values) else None


def _import() -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # noqa: PLC0415 - not always installed
        from pyarrow import parquet  # noqa: PLC0415 - as above
    except ImportError:
        raise PyarrowMissing(
            "Parquet files require the package pyarrow; install it with: "
            'pip install "deniable[analysis,parquet]", or export to ndjson or csv'
        ) from None
    return pa, parquet


def _type(arrow: Any, block: Block) -> Any:
    kind = arrow.int16()
    for _ in block.mechanism.form.shape:
        kind = arrow.list_(kind)
    return kind


def _from_text(value: object) -> object:
    return json.loads(value) if isinstance(value, str) else value
