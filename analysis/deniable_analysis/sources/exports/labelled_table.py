"""Tables with labels, as pyreadstat writes them to the files of SPSS and Stata."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from deniable_analysis.codebook import Codebook, CodebookVariable, shortened
from deniable_analysis.errors import PyreadstatMissing
from deniable_analysis.forms import pandas
from deniable_analysis.sources.exports.heading import Heading
from deniable_analysis.sources.exports.tables import TableColumn, table_columns
from deniable_storage.chunks import Cells

# pyreadstat writes tables that are in memory as a whole: two or five bytes for each value.
MOST_VALUES = 200_000_000
# Stata allows 80 characters for a variable and a file, SPSS 256 bytes and 64 bytes.
_MOST_OF_VARIABLE = (80, 255)
_MOST_OF_FILE = (80, 64)
# SPSS allows 120 bytes, some of which may be needed for a number that tells labels apart.
_MOST_OF_VALUE = (120, 112)


def labelled_table(heading: Heading, codebook: Codebook, rows: Iterable[Cells]) -> Any:
    """A data frame of all reports: whole numbers, missing where a report has none."""
    grown = [_Grown() for _ in codebook.variables]
    for columns in table_columns(heading.exported.survey, codebook, rows):
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


def table_labels(codebook: Codebook) -> dict[str, Any]:
    """The labels of a file, its variables and its values, as arguments for pyreadstat."""
    return {
        "file_label": shortened(f"Randomized: {codebook.title}", *_MOST_OF_FILE),
        "column_labels": [
            shortened(variable.label, *_MOST_OF_VARIABLE) for variable in codebook.variables
        ],
        "variable_value_labels": {
            variable.name: value_labels(variable) for variable in codebook.variables
        },
    }


def value_labels(variable: CodebookVariable) -> dict[int, str]:
    """The label of each code, all different."""
    labels = {value.code: shortened(value.text, *_MOST_OF_VALUE) for value in variable.values}
    counts = Counter(labels.values())
    # Programs that show labels instead of codes would take two for one.
    return {
        code: f"{label} [{code}]" if counts[label] > 1 else label for code, label in labels.items()
    }


def hide_time(path: Path, pattern: bytes, instead: bytes) -> None:
    """Replace the time at which a file was written, in its first 1,024 bytes.

    Args:
        path: of the file.
        pattern: a regular expression with one group, which is the time.
        instead: of the same length.
    """
    with path.open("r+b") as file:
        *_, found = re.finditer(pattern, file.read(1024), re.DOTALL)
        assert found.end(1) - found.start(1) == len(instead)  # noqa: S101 - the format's own length
        file.seek(found.start(1))
        file.write(instead)


def pyreadstat() -> Any:
    """The module pyreadstat.

    Raises:
        PyreadstatMissing: it is not installed.
    """
    try:
        import pyreadstat as module  # noqa: PLC0415 - not always installed
    except ImportError:
        raise PyreadstatMissing(
            "SPSS and Stata files require the package pyreadstat; install it with: "
            'pip install "deniable[analysis,statistics]", or export to csv'
        ) from None
    return module
