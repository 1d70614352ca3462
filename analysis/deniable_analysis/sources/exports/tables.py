"""Reports as a table for statistics programs: a column of numbers for each variable."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.arrays import Bools
from deniable_analysis.codebook.records import Codebook, CodebookBlock, Layout
from deniable_analysis.sources.rows import RawColumn
from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.chunks import Cells
from deniable_storage.counts import Integers


@dataclass(frozen=True, slots=True)
class TableColumn:
    """The numbers of a variable in some rows.

    Args:
        numbers: one in each row, and any number where there is none.
        is_missing: where there is none.
    """

    numbers: NDArray[Any]
    is_missing: Bools


def table_columns(
    survey: PublishedSurvey, codebook: Codebook, rows: Iterable[Cells]
) -> Iterator[list[TableColumn]]:
    """Some rows of the table at a time: the column of each variable of the codebook.

    Args:
        survey: the survey of the reports.
        codebook: of the survey.
        rows: columns of values that were checked, whose lists are texts.
    """
    forms = [block.mechanism.form for block in survey.blocks]
    for columns in rows:
        yield [
            column
            for form, described, cells in zip(forms, codebook.blocks, columns, strict=True)
            for column in _columns(form, described, cells)
        ]


def _columns(
    form: ValueForm, described: CodebookBlock, cells: Sequence[object]
) -> Iterator[TableColumn]:
    raw = RawColumn(cells, are_quoted=bool(form.shape))
    is_present, values = raw.are_present, raw.read(form)
    assert values is not None  # noqa: S101 - whoever reads the store has checked them
    if described.layout is Layout.NUMBER:
        yield _numbers(described, is_present, values)
        return
    options, rows = len(described.variables), np.flatnonzero(is_present)
    numbers = np.zeros((options, len(cells)), np.int8)
    is_known = np.zeros((options, len(cells)), np.bool_)
    if described.layout is Layout.SET:
        is_known[:, rows] = True
        # Members beyond the options are dummies, which mean no option.
        for members in values.T:
            are_options = members < options
            numbers[members[are_options], rows[are_options]] = 1
    else:
        for pairs in np.moveaxis(values, 1, 0):
            numbers[pairs[:, 0], rows] = pairs[:, 1]
            is_known[pairs[:, 0], rows] = True
    yield from map(TableColumn, numbers, ~is_known)


def _numbers(described: CodebookBlock, is_present: Bools, values: Integers) -> TableColumn:
    codes = np.array([value.code for value in described.variables[0].values], np.int32)
    numbers = np.zeros(len(is_present), np.int32)
    numbers[is_present] = codes[values]
    return TableColumn(numbers, ~is_present)
