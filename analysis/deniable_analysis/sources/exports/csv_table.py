"""CSV: a header of block ids and one report a line; lists are JSON texts."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.sources.exports.heading import Heading
from deniable_analysis.sources.rows import (
    LINES_AT_A_TIME,
    Column,
    RawColumn,
    Rows,
    WantedBlocks,
    column_of_texts,
)
from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Cells

_REMEDY = "allowed is what `deniable export` writes; export the survey again"


def write_rows(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
    """Make a file of rows whose lists are canonical JSON texts."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(block.id for block in heading.exported.survey.blocks)
        for columns in rows:
            writer.writerows(zip(*columns, strict=True))


def read_rows(path: Path, wanted: WantedBlocks) -> Iterator[Rows]:
    """The rows of a file, some at a time."""
    first = 2
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        lines = csv.reader(file, strict=True)
        header = _take(lines, 1, path, 1)
        places = _places(header[0] if header else [], wanted.blocks, path)
        while rows := _take(lines, LINES_AT_A_TIME, path, first):
            _check_widths(rows, len(header[0]), path, first)
            cells = list(zip(*rows, strict=True))
            columns = [
                _column(block, cells[place])
                for block, place in zip(wanted.blocks, places, strict=True)
            ]
            yield Rows(first, len(rows), columns)
            first += len(rows)


def _column(block: Block, cells: Sequence[str]) -> Column:
    found = column_of_texts(cells, block.mechanism.form)
    return found or RawColumn([cell or None for cell in cells], are_quoted=True)


def _check_widths(rows: Sequence[list[str]], width: int, path: Path, first: int) -> None:
    widths = list(map(len, rows))
    if set(widths) != {width}:
        index, found = next(each for each in enumerate(widths) if each[1] != width)
        raise UnreadableStudy(
            f"{path}, line {first + index}: got {found} cells, the header has {width}; {_REMEDY}"
        )


def _take(lines: Iterator[list[str]], count: int, path: Path, first: int) -> list[list[str]]:
    # Refused outside the handler: what it handles may quote the line.
    try:
        return list(islice(lines, count))
    except csv.Error:
        pass
    raise UnreadableStudy(f"{path}, after line {first - 1}: got no valid CSV; {_REMEDY}")


def _places(header: Sequence[str], blocks: Sequence[Block], path: Path) -> list[int]:
    missing = [block.id for block in blocks if header.count(block.id) != 1]
    if missing:
        raise UnreadableStudy(
            f"{path}, line 1: the header does not name the block {missing[0]!r} once; {_REMEDY}"
        )
    return [header.index(block.id) for block in blocks]
