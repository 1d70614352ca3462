"""Parquet: a column for each block, of whole numbers or of lists of them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from deniable_analysis.errors import PyarrowMissing, UnreadableStudy
from deniable_analysis.reports.values import form_of
from deniable_analysis.sources.rows import Rows
from deniable_sdk.survey.block import Block


def write_rows(path: Path, blocks: Sequence[Block], rows: Iterable[Rows]) -> None:
    """Make a file of rows whose lists are canonical JSON texts."""
    arrow, parquet = _import()
    schema = arrow.schema([(block.id, _type(arrow, block)) for block in blocks])
    with parquet.ParquetWriter(path, schema) as writer:
        for each in rows:
            arrays = [
                arrow.array(map(_from_text, column), type=field.type)
                for column, field in zip(each.columns, schema, strict=True)
            ]
            writer.write_batch(arrow.record_batch(arrays, schema=schema))


def read_rows(path: Path, blocks: Sequence[Block], rows_at_a_time: int) -> Iterator[Rows]:
    """The rows of a file, some at a time."""
    arrow, parquet = _import()
    names, first = [block.id for block in blocks], 1
    problem = ""
    try:
        with parquet.ParquetFile(path) as file:
            missing = set(names) - set(file.schema_arrow.names)
            if missing:
                problem = f"there is no column {min(missing)!r}"
            else:
                for batch in file.iter_batches(rows_at_a_time, columns=names):
                    yield Rows(first, [batch.column(name).to_pylist() for name in names])
                    first += batch.num_rows
    except arrow.ArrowException:
        problem = f"the file is damaged after row {first - 1}"
    if problem:
        raise UnreadableStudy(
            f"{path}: {problem}; allowed is what `deniable export` writes; export the survey again"
        )


def _import() -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # noqa: PLC0415 - not always installed
        from pyarrow import parquet  # noqa: PLC0415 - as above
    except ImportError:
        raise PyarrowMissing(
            "Parquet files take the package pyarrow; install it with: "
            'pip install "deniable[analysis,parquet]", or export to ndjson or csv'
        ) from None
    return pa, parquet


def _type(arrow: Any, block: Block) -> Any:
    kind = arrow.int16()
    for _ in form_of(block.mechanism).shape:
        kind = arrow.list_(kind)
    return kind


def _from_text(value: object) -> object:
    return json.loads(value) if isinstance(value, str) else value
