"""Parquet: a column for each block, of small whole numbers or of lists of them.

A pair of option and bit is one number, because several engines have no lists of lists.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.forms import installed
from deniable_analysis.sources.exports.survey_file import Heading
from deniable_analysis.sources.rows import Column, RawColumn, ReadColumn, Rows, WantedBlocks
from deniable_sdk.foreign import read_json
from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Cells, rows_of_chunk
from deniable_storage.counts import Integers
from deniable_storage.values import accepts


def import_arrow() -> tuple[Any, Any]:
    """The packages for Arrow arrays and for Parquet.

    Raises:
        PackageMissing: they are not installed.
    """
    why = (
        "Parquet files require the package pyarrow; install it with: "
        'pip install "deniable[analysis,parquet]", or export to ndjson or csv'
    )
    arrow = installed("pyarrow", why)
    return arrow, installed("pyarrow.parquet", why)


def column_type(arrow: Any, form: ValueForm) -> Any:
    """The type of a block's column."""
    return arrow.list_(arrow.int16()) if form.shape else arrow.int16()


def codes_of(form: ValueForm, values: Any) -> Any:
    """The numbers in a column: the members of a value, or twice the option plus the bit.

    Args:
        form: of the values.
        values: (reports, *form.shape) an array of them.
    """
    return values[..., 0] * 2 + values[..., 1] if form.are_pairs else values


def values_of_codes(form: ValueForm, codes: Integers) -> Integers:
    """The values with these numbers."""
    return np.stack([codes // 2, codes % 2], axis=-1) if form.are_pairs else codes


def code_count(form: ValueForm) -> int:
    """Every number in a column is below this."""
    return form.members * (1 + form.are_pairs)


def write_rows(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
    """Make a file of rows whose lists are canonical JSON texts."""
    arrow, parquet = import_arrow()
    blocks = heading.exported.survey.blocks
    forms = [block.mechanism.form for block in blocks]
    types = [column_type(arrow, form) for form in forms]
    schema = arrow.schema(list(zip((block.id for block in blocks), types, strict=True)))
    with parquet.ParquetWriter(path, schema) as writer:
        for columns in rows:
            arrays = [
                arrow.array([_cell(form, value) for value in column], type=kind)
                for form, kind, column in zip(forms, types, columns, strict=True)
            ]
            writer.write_batch(arrow.record_batch(arrays, schema=schema))


def read_rows(path: Path, wanted: WantedBlocks) -> Iterator[Rows]:
    """The rows of a file, some at a time."""
    arrow, parquet = import_arrow()
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
        form = block.mechanism.form
        return RawColumn([_value(form, cell) for cell in cells.to_pylist()], are_quoted=False)
    return ReadColumn(cells.is_valid().to_numpy(zero_copy_only=False), values)


def _values(cells: Any, form: ValueForm) -> Integers | None:
    """The values in an array, one in each row; None if it is no plain array of them."""
    from pyarrow import types  # noqa: PLC0415 - not always installed

    members = cells
    if form.shape:
        if not types.is_list(members.type) or members.null_count:
            return None
        if np.any(members.value_lengths().to_numpy() != form.shape[0]):
            return None
        members = members.flatten()
    if not types.is_integer(members.type) or members.null_count:
        return None
    values = values_of_codes(form, members.to_numpy().reshape(-1, *form.shape[:1]))
    return values if accepts(form, values) else None


def _cell(form: ValueForm, value: object) -> object:
    """The numbers of a value that is a JSON text, or a number."""
    if not isinstance(value, str):
        return value
    numbers = read_json(value.encode())
    return [2 * option + bit for option, bit in numbers] if form.are_pairs else numbers


def _value(form: ValueForm, cell: object) -> object:
    """The value of a cell that was read, whatever it contains."""
    if not (form.are_pairs and isinstance(cell, list)):
        return cell
    return [[*divmod(code, 2)] if isinstance(code, int) else code for code in cell]
