"""One block's values in some rows: read already, or as a place holds them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np

from deniable_analysis.arrays import Bools
from deniable_storage.counts import Integers
from deniable_storage.texts import read_values, read_written
from deniable_storage.values import Form


class Column(Protocol):
    """The values of a block in some rows."""

    @property
    def are_said(self) -> Bools:
        """Which of the rows have a value."""
        ...

    def read(self, form: Form, count: int | None = None) -> Integers | None:
        """The values, or so many of the first; None if one is not of this form."""
        ...


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """Values that were found to be of their form.

    Args:
        are_said: which of the rows have a value.
        values: those values, one in each row.
    """

    are_said: Bools
    values: Integers

    def read(self, form: Form, count: int | None = None) -> Integers:  # noqa: ARG002 - it has it
        return self.values[:count]


@dataclass(frozen=True, slots=True)
class RawColumn:
    """Values of any kind, None where there is none.

    Args:
        cells: one for each row.
        are_quoted: whether values are in texts.
    """

    cells: Sequence[object]
    are_quoted: bool

    @property
    def are_said(self) -> Bools:
        return _are_said(cell is not None for cell in self.cells)

    def read(self, form: Form, count: int | None = None) -> Integers | None:
        said = (cell for cell in self.cells if cell is not None)
        return read_values(list(islice(said, count)), form, are_quoted=self.are_quoted)


def column_of_texts(
    texts: Sequence[str | None], form: Form, before: str = "", after: str = ""
) -> ReadColumn | None:
    """The column of values that are in texts, each between the same signs.

    Args:
        texts: one for each row; None or empty where there is no value.
        form: of the values.
        before: the signs before each value.
        after: the signs after each value.
    Returns:
        None where one is not exactly the text of a value of this form.
    """
    said = list(filter(None, texts))
    # Each ends in a sign that is in no value. Within a text, it would make
    # more values than there are texts.
    written = "\n".join([*said, ""])
    values = read_written(
        written.encode(errors="replace"), form, before.encode(), f"{after}\n".encode()
    )
    if values is None or len(values) != len(said):
        return None
    are_all_said = len(said) == len(texts)
    return ReadColumn(
        np.ones(len(texts), np.bool_) if are_all_said else _are_said(map(bool, texts)), values
    )


def _are_said(truths: Iterable[bool]) -> Bools:
    return np.fromiter(truths, np.bool_)
