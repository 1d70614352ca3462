"""Tables for statistics programs: a column of numbers for each variable; SPSS and Stata files.

The files have labels, and are for Stata 14 and later.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.arrays import Bools
from deniable_analysis.codebook.records import Codebook, CodebookBlock, CodebookVariable, Layout
from deniable_analysis.codebook.texts import shortened
from deniable_analysis.forms import installed, pandas
from deniable_analysis.sources.exports import words
from deniable_analysis.sources.exports.survey_file import Heading
from deniable_analysis.sources.rows import RawColumn
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


def table_columns(codebook: Codebook, rows: Iterable[Cells]) -> Iterator[list[TableColumn]]:
    """Some rows of the table at a time: the column of each variable of the codebook.

    Args:
        codebook: of the survey of the reports.
        rows: columns of values that were checked, whose lists are texts.
    """
    for columns in rows:
        yield [
            column
            for described, cells in zip(codebook.blocks, columns, strict=True)
            for column in _columns(described, cells)
        ]


def _columns(described: CodebookBlock, cells: Sequence[object]) -> Iterator[TableColumn]:
    form = described.published.mechanism.form
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


# pyreadstat writes tables that are in memory as a whole: two or five bytes for each value.
MOST_VALUES = 200_000_000
MOST_STATA_VARIABLES = 32_767
_STATA_VERSION = 14
_STATA_TIME = rb"<timestamp>\x11(.{17})</timestamp>"
# The date and the time are in fixed places, after 92 bytes.
_SPSS_TIME = rb"\A.{92}(.{17})"
_NOTE_WIDTH = 76
# Stata allows 80 characters for a variable and a file, SPSS 256 bytes and 64 bytes.
_MOST_OF_VARIABLE = (80, 255)
_MOST_OF_FILE = (80, 64)
# SPSS allows 120 bytes, some of which may be needed for a number that tells labels apart.
_MOST_OF_VALUE = (120, 112)


def _labelled_table(codebook: Codebook, rows: Iterable[Cells]) -> Any:
    """A data frame of all reports: whole numbers, missing where a report has none."""
    grown = [_Grown() for _ in codebook.variables]
    for columns in table_columns(codebook, rows):
        for each, column in zip(grown, columns, strict=True):
            each.append(column)
    frames = pandas()
    arrays = {
        variable.name: frames.arrays.IntegerArray(
            np.frombuffer(each.numbers, each.type), np.frombuffer(each.is_missing, np.bool_)
        )
        for variable, each in zip(codebook.variables, grown, strict=True)
    }
    return frames.DataFrame(arrays, copy=False)


@dataclass(slots=True)
class _Grown:
    """The numbers of a variable as bytes: joining arrays would need all of them twice."""

    numbers: bytearray = field(default_factory=bytearray)
    is_missing: bytearray = field(default_factory=bytearray)
    type: np.dtype[Any] = field(default_factory=lambda: np.dtype(np.int8))

    def append(self, column: TableColumn) -> None:
        self.type = column.numbers.dtype
        self.numbers += column.numbers.tobytes()
        self.is_missing += column.is_missing.tobytes()


def _table_labels(codebook: Codebook) -> dict[str, Any]:
    """The labels of a file, its variables and its values, as arguments for pyreadstat."""
    return {
        "file_label": shortened(f"Randomized: {codebook.title}", *_MOST_OF_FILE),
        "column_labels": [
            shortened(variable.label, *_MOST_OF_VARIABLE) for variable in codebook.variables
        ],
        "variable_value_labels": {
            variable.name: _value_labels(variable) for variable in codebook.variables
        },
    }


def _value_labels(variable: CodebookVariable) -> dict[int, str]:
    """The label of each code, all different."""
    labels = {value.code: shortened(value.text, *_MOST_OF_VALUE) for value in variable.values}
    counts = Counter(labels.values())
    # Two codes with one label would look the same in programs that show only labels.
    return {
        code: f"{label} [{code}]" if counts[label] > 1 else label for code, label in labels.items()
    }


def _hide_time(path: Path, pattern: bytes, instead: bytes) -> None:
    """Replace the time at which a file was written, the group of a pattern in its beginning."""
    with path.open("r+b") as file:
        *_, found = re.finditer(pattern, file.read(1024), re.DOTALL)
        assert found.end(1) - found.start(1) == len(instead)  # noqa: S101 - the format's own length
        file.seek(found.start(1))
        file.write(instead)


def write_sav(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
    """Make an SPSS file of the variables of all reports; PSPP, jamovi, JASP and R read it too."""
    writer, codebook = _pyreadstat(), heading.codebook()
    writer.write_sav(
        _labelled_table(codebook, rows),
        path,
        **_table_labels(codebook),
        note=_note(heading, codebook),
        variable_measure=_measures(codebook),
        row_compress=True,
    )
    _hide_time(path, _SPSS_TIME, b"01 Jan 0000:00:00")


def write_dta(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
    """Make a Stata file of the variables of all reports."""
    writer, codebook = _pyreadstat(), heading.codebook()
    table = _labelled_table(codebook, rows)
    writer.write_dta(table, path, **_table_labels(codebook), version=_STATA_VERSION)
    _hide_time(path, _STATA_TIME, b"01 Jan 2000 00:00")


def _measures(codebook: Codebook) -> dict[str, str]:
    """No variable is a "scale": a mean of randomized values is no mean of answers."""
    return {
        variable.name: words.measure_of(block, variable)
        for block in codebook.blocks
        for variable in block.variables
    }


def _note(heading: Heading, codebook: Codebook) -> list[str]:
    """What DISPLAY DOCUMENTS shows."""
    texts = [
        f"Reports of the survey {heading.edition}, digest {codebook.survey.digest}.",
        *([heading.closed_file.in_words] if heading.closed_file else []),
        *(words.NOT_SHARES, words.ROW, words.MISSING, words.NO_ANSWER, words.SHARE),
        *(words.design_of(block) for block in codebook.blocks),
    ]
    return [line for text in texts for line in textwrap.wrap(text, _NOTE_WIDTH)]


def _pyreadstat() -> Any:
    return installed(
        "pyreadstat",
        "SPSS and Stata files require the package pyreadstat; install it with: "
        'pip install "deniable[analysis,statistics]", or export to csv',
    )
