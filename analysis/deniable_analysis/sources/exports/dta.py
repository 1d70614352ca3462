"""Stata: a file of variables with labels, for Stata 14 and later."""

from collections.abc import Iterable
from pathlib import Path

from deniable_analysis.sources.exports.heading import Heading
from deniable_analysis.sources.exports.labelled_table import (
    MOST_VALUES as MOST_VALUES,  # noqa: PLC0414 - a limit of this kind of file
)
from deniable_analysis.sources.exports.labelled_table import (
    hide_time,
    labelled_table,
    pyreadstat,
    table_labels,
)
from deniable_storage.chunks import Cells

MOST_VARIABLES = 32_767
_VERSION = 14
_TIME = rb"<timestamp>\x11(.{17})</timestamp>"
_NO_TIME = b"01 Jan 2000 00:00"


def write_rows(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
    """Make a file of the variables of all reports."""
    writer, codebook = pyreadstat(), heading.codebook()
    table = labelled_table(heading, codebook, rows)
    writer.write_dta(table, path, **table_labels(codebook), version=_VERSION)
    hide_time(path, _TIME, _NO_TIME)
