"""Tables in text files, as programs and the spreadsheets of all countries write them."""

import codecs
import csv
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO, TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from deniable_sdk.errors import few
from deniable_storage.errors import UnreadableTable

_SEPARATORS = ",;\t"
_READ_AT_ONCE = 1 << 20
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# What spreadsheets in western Europe write where nobody asks for UTF-8.
_WINDOWS = "cp1252"


class CsvTable:
    """An open table: the names in its first line, and the rows below.

    Commas, semicolons or tabs separate its cells.

    Args:
        path: of the file, for messages.
        file: its text.
        needed: the names of columns without which the table has no use.
    Raises:
        UnreadableTable: a needed column is missing, or there are two of it.
    """

    def __init__(self, path: Path, file: TextIOWrapper, needed: Collection[str]) -> None:
        self.path = path
        self._encoding = file.encoding
        first = file.readline()
        # Excel may say in a line of its own what separates cells.
        self._skipped = first.startswith("sep=")
        if self._skipped:
            first = file.readline()
        separator = _separator_of(first, needed)
        self._reader = csv.reader(chain([first], file), delimiter=separator, strict=True)
        self._lines = self._checked_lines()
        self.names = tuple(_name(cell) for cell in next(self._lines, []))
        counts = {name: self.names.count(name) for name in needed}
        self._refuse("no column", [name for name, count in counts.items() if count == 0])
        self._refuse("two columns", [name for name, count in counts.items() if count > 1])

    @property
    def line(self) -> int:
        """The number of the line that was read last, from 1."""
        return self._reader.line_num + self._skipped

    @property
    def doubt(self) -> str:
        """What to check about the letters of the table; empty if they are certain."""
        if self._encoding != _WINDOWS:
            return ""
        return (
            f"{self.path}: not in UTF-8, so it is read as Windows-1252; if letters with accents "
            "are wrong, save it as CSV in UTF-8"
        )

    def rows(self) -> Iterator[list[str]]:
        """The cells of each row; lines without any text are no rows.

        Raises:
            UnreadableTable: a row has more or fewer cells than there are names, or the text is
                no table; the message has the line and no cell.
        """
        width = len(self.names)
        for row in self._lines:
            if len(row) == width:
                yield row
            elif any(cell.strip() for cell in row):
                raise UnreadableTable(
                    f"{self.path}:{self.line}: got {len(row)} cells; the first line has {width}"
                )

    def records(self) -> Iterator[dict[str, str]]:
        """Each row as a mapping from the names of columns; errors are those of rows."""
        return (dict(zip(self.names, row, strict=True)) for row in self.rows())

    def _checked_lines(self) -> Iterator[list[str]]:
        fault = ""
        try:
            yield from self._reader
        except csv.Error as error:
            fault = str(error)
        # Refused outside the handler: what it handles may quote the line.
        if fault:
            raise UnreadableTable(f"{self.path}:{self.line}: not a CSV table: {fault}")

    def _refuse(self, fault: str, names: list[str]) -> None:
        if names:
            raise UnreadableTable(
                f"{self.path}: {fault} for {few(names)}; the first line must name each once, with "
                "commas, semicolons or tabs between the names"
            )


@contextmanager
def open_table(path: Path, needed: Collection[str] = ()) -> Iterator[CsvTable]:
    """The table in a file: UTF-8, UTF-16 with its mark, or else Windows-1252.

    Names of columns are read without spaces around them, and in lower case.

    Args:
        path: the file.
        needed: the names of columns without which the table has no use, in lower case.
    Raises:
        UnreadableTable: the file cannot be read, it is no text, or a needed column is missing.
    """
    try:
        opened = path.open("rb")
    except OSError as error:
        raise UnreadableTable(f"{path}: {error.strerror or 'cannot be read'}") from None
    with opened:
        # What a pipe says is said only once.
        file = opened if opened.seekable() else BytesIO(opened.read())
        encoding = _encoding_of(path, file)
        with TextIOWrapper(file, encoding=encoding, newline="") as text:
            yield CsvTable(path, text, needed)


def _encoding_of(path: Path, file: BinaryIO) -> str:
    start = file.read(4)
    if start.startswith(_WORKBOOKS):
        raise UnreadableTable(
            f"{path}: it is a workbook; save its sheet as CSV in your spreadsheet program"
        )
    candidates = ["utf-16"] if start.startswith(_UTF_16) else ["utf-8-sig", _WINDOWS]
    for encoding in candidates:
        file.seek(0)
        is_text = _is_text(file, encoding)
        file.seek(0)
        if is_text:
            return encoding
    raise UnreadableTable(f"{path}: not a text in UTF-8 or Windows-1252; save it as CSV in UTF-8")


def _is_text(file: BinaryIO, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for part in iter(partial(file.read, _READ_AT_ONCE), b""):
            decoder.decode(part)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _separator_of(first: str, needed: Collection[str]) -> str:
    """What separates the names in a first line: most of the needed ones, or most at all."""

    def names_with(separator: str) -> tuple[int, int]:
        names = [_name(cell) for cell in next(csv.reader([first], delimiter=separator), [])]
        return len(set(names) & set(needed)), len(names)

    return max(_SEPARATORS, key=names_with)


def _name(cell: str) -> str:
    return cell.strip().lower()
