"""CSV: a header of block ids and one report a line; lists are JSON texts."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.sources.rows import Rows
from deniable_sdk.survey.block import Block

_REMEDY = "allowed is what `deniable export` writes; export the survey again"


def write_rows(path: Path, blocks: Sequence[Block], rows: Iterable[Rows]) -> None:
    """Make a file of rows whose lists are canonical JSON texts."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(block.id for block in blocks)
        for each in rows:
            writer.writerows(zip(*each.columns, strict=True))


def read_rows(path: Path, blocks: Sequence[Block], rows_at_a_time: int) -> Iterator[Rows]:
    """The rows of a file, some at a time."""
    first = 2
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        lines = csv.reader(file, strict=True)
        header = _take(lines, 1, path, 1)
        places = _places(header[0] if header else [], blocks, path)
        while rows := _take(lines, rows_at_a_time, path, first):
            width = len(header[0])
            for place, row in enumerate(rows):
                if len(row) != width:
                    raise UnreadableStudy(
                        f"{path}, line {first + place}: got {len(row)} cells, the header has "
                        f"{width}; {_REMEDY}"
                    )
            cells = list(zip(*rows, strict=True))
            yield Rows(first, [[cell or None for cell in cells[place]] for place in places])
            first += len(rows)


def _take(lines: Iterator[list[str]], count: int, path: Path, first: int) -> list[list[str]]:
    # Refused outside the handler: what it handles may quote the line.
    try:
        return list(islice(lines, count))
    except csv.Error:
        pass
    raise UnreadableStudy(f"{path}, after line {first - 1}: got no legal CSV; {_REMEDY}")


def _places(header: Sequence[str], blocks: Sequence[Block], path: Path) -> list[int]:
    missing = [block.id for block in blocks if header.count(block.id) != 1]
    if missing:
        raise UnreadableStudy(
            f"{path}, line 1: the header does not name the block {missing[0]!r} once; {_REMEDY}"
        )
    return [header.index(block.id) for block in blocks]
