"""SPSS: a file of variables with labels, which PSPP, jamovi, JASP and R read, too."""

import textwrap
from collections.abc import Iterable
from pathlib import Path

from deniable_analysis.codebook import Codebook
from deniable_analysis.sources.exports import words
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
from deniable_sdk.mechanisms.base import Scale
from deniable_storage.chunks import Cells

_NOTE_WIDTH = 76
# The date and the time are in fixed places, after 92 bytes.
_TIME = rb"\A.{92}(.{17})"
_NO_TIME = b"01 Jan 0000:00:00"


def write_rows(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
    """Make a file of the variables of all reports."""
    writer, codebook = pyreadstat(), heading.codebook()
    writer.write_sav(
        labelled_table(heading, codebook, rows),
        path,
        **table_labels(codebook),
        note=_note(heading, codebook),
        variable_measure=_measures(codebook),
        row_compress=True,
    )
    hide_time(path, _TIME, _NO_TIME)


def _measures(codebook: Codebook) -> dict[str, str]:
    """No variable is a "scale": a mean of randomized values is no mean of answers."""
    return {
        variable.name: "nominal" if block.scale is Scale.NOMINAL or variable.option else "ordinal"
        for block in codebook.blocks
        for variable in block.variables
    }


def _note(heading: Heading, codebook: Codebook) -> list[str]:
    """What DISPLAY DOCUMENTS shows."""
    texts = [
        f"Reports of the survey {heading.edition}, digest {codebook.digest}.",
        *(words.NOT_SHARES, words.ROW, words.MISSING, words.NO_ANSWER, words.SHARE),
        *(words.design_of(block) for block in codebook.blocks),
    ]
    return [line for text in texts for line in textwrap.wrap(text, _NOTE_WIDTH)]
