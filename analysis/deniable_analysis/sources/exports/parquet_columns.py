"""The columns of Parquet files: small whole numbers, and lists of them.

A pair of option and bit is one number, because several engines have no lists of lists.
"""

from typing import Any

import numpy as np

from deniable_analysis.errors import PyarrowMissing
from deniable_analysis.forms import installed
from deniable_sdk.mechanisms import ValueForm
from deniable_storage.counts import Integers


def import_arrow() -> tuple[Any, Any]:
    """The packages for Arrow arrays and for Parquet.

    Raises:
        PyarrowMissing: they are not installed.
    """
    why = (
        "Parquet files require the package pyarrow; install it with: "
        'pip install "deniable[analysis,parquet]", or export to ndjson or csv'
    )
    arrow = installed("pyarrow", PyarrowMissing, why)
    return arrow, installed("pyarrow.parquet", PyarrowMissing, why)


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
