"""NDJSON: one report a line, as the object of its values by block."""

import json
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


def write_rows(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
    """Make a file of rows whose lists are canonical JSON texts."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{text}\n" for text in report_texts(heading.exported.survey.blocks, rows))


def report_texts(blocks: Sequence[Block], rows: Iterable[Cells]) -> Iterator[str]:
    """Each report as the text of an object."""
    keys = [f'"{block.id}":' for block in blocks]
    for columns in rows:
        for row in zip(*columns, strict=True):
            said = zip(keys, row, strict=True)
            members = ",".join(f"{key}{value}" for key, value in said if value is not None)
            yield f"{{{members}}}"


def read_rows(path: Path, wanted: WantedBlocks) -> Iterator[Rows]:
    """The rows of a file, some at a time."""
    # Such text is the file's bytes again, whatever they are.
    with path.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        yield from read_lines(file, wanted, path, 1)


def read_lines(
    lines: Iterator[str], wanted: WantedBlocks, path: Path, first: int
) -> Iterator[Rows]:
    """The rows of lines, some at a time; `first` is the number of the first."""
    while some := list(islice(lines, LINES_AT_A_TIME)):
        columns = _columns_as_written(some, wanted) or _columns(some, wanted, path, first)
        yield Rows(first, len(some), columns)
        first += len(some)


def _columns_as_written(lines: Sequence[str], wanted: WantedBlocks) -> Sequence[Column] | None:
    """The columns of lines that are as write_rows makes them; None if one is not.

    Every value of a line is checked, so nothing is taken for JSON that is none.
    """
    reports = _values_by_name(lines)
    if reports is None:
        return None
    columns = {}
    for block in wanted.of_survey:
        texts = [report.get(block.id) for report in reports]
        column = column_of_texts(texts, block.mechanism.form, ":", ",")
        if column is None:
            return None
        columns[block.id] = column
    # Else a value is there under another name.
    if sum(map(len, reports)) != sum(len(column.values) for column in columns.values()):
        return None
    return [columns[block.id] for block in wanted.blocks]


def _values_by_name(lines: Sequence[str]) -> list[dict[str, str]] | None:
    """What is after each name, up to the next one; None where there are no names.

    A name is between quotes, and no value that is read has any.
    """
    reports = []
    for line in lines:
        if line[:1] != "{" or line[-2:] != "}\n":
            return None
        start, *pieces = f"{line[1:-2]},".split('"')
        report = dict(zip(pieces[::2], pieces[1::2], strict=False))
        if start or len(pieces) != 2 * len(report):
            return None
        reports.append(report)
    return reports


def _columns(
    lines: Sequence[str], wanted: WantedBlocks, path: Path, first: int
) -> Sequence[Column]:
    """The columns of lines of any JSON."""
    reports = [
        _read_line(line.encode(errors="surrogateescape"), f"{path}, line {first + index}")
        for index, line in enumerate(lines)
    ]
    return [
        RawColumn([report.get(block.id) for report in reports], are_quoted=False)
        for block in wanted.blocks
    ]


def _read_line(line: bytes, place: str) -> dict[str, object]:
    # Refused outside the handler: what it handles holds the line.
    try:
        report = json.loads(line)
    except (ValueError, RecursionError):
        report = None
    if isinstance(report, dict) and None not in report.values():
        return report
    raise UnreadableStudy(
        f"{place}: got no JSON object of values; allowed is one report a line, as "
        "`deniable export` writes it; export the survey again"
    )
