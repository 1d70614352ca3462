"""Files of text with one report a line: NDJSON, JSON and CSV.

A line of NDJSON is the object of a report's values by block. JSON is one object, with the survey
and, a line each, the reports. CSV has a header of block ids, and lists as JSON texts.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.sources.exports.survey_file import FORMAT, Heading
from deniable_analysis.sources.rows import (
    LINES_AT_A_TIME,
    Column,
    RawColumn,
    Rows,
    WantedBlocks,
    column_of_texts,
)
from deniable_sdk.foreign import NotJson, read_object
from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Cells
from deniable_storage.csv_tables import open_table
from deniable_storage.errors import UnreadableTable

_JSON_START, _JSON_END = '"reports":[\n', "]}\n"
_REMEDY = "allowed is what `deniable export` writes; export the survey again"
_REMEDY_OF_LINES = (
    "allowed is one report a line, as `deniable export` writes it; export the survey again"
)


def write_ndjson(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
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


def read_ndjson(path: Path, wanted: WantedBlocks) -> Iterator[Rows]:
    """The rows of a file, some at a time."""
    # Such text is the file's bytes again, whatever they are.
    with path.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        yield from read_lines(file, wanted, path, 1)


def read_lines(
    lines: Iterator[str], wanted: WantedBlocks, path: Path, first: int
) -> Iterator[Rows]:
    """The rows of lines, some at a time; `first` is the number of the first."""
    while some := list(islice(lines, LINES_AT_A_TIME)):
        columns = _columns_as_written(some, wanted) or _columns_of_json(some, wanted, path, first)
        yield Rows(first, len(some), columns)
        first += len(some)


def _columns_as_written(lines: Sequence[str], wanted: WantedBlocks) -> Sequence[Column] | None:
    """The columns of lines that are as write_ndjson makes them; None if one is not.

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


def _columns_of_json(
    lines: Sequence[str], wanted: WantedBlocks, path: Path, first: int
) -> Sequence[Column]:
    """The columns of lines of any JSON."""
    reports = [
        _read_report(line.encode(errors="surrogateescape"), f"{path}, line {first + index}")
        for index, line in enumerate(lines)
    ]
    return [
        RawColumn([report.get(block.id) for report in reports], are_quoted=False)
        for block in wanted.blocks
    ]


def _read_report(line: bytes, place: str) -> dict[str, object]:
    # Refused outside the handler: what it handles holds the line.
    try:
        report = read_object(line)
    except NotJson:
        report = {"": None}
    if None not in report.values():
        return report
    raise UnreadableStudy(f"{place}: got no JSON object of values; {_REMEDY_OF_LINES}")


def write_json(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
    """Make a file of rows whose lists are canonical JSON texts."""
    exported = heading.exported
    survey = exported.survey
    about = (
        f'"format":"{FORMAT}","digest":"{survey.digest}","edition":{exported.edition},'
        f'"is_closed":{"true" if exported.is_closed else "false"},'
        f'"survey":{survey.document.decode()}'
    )
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f'{{{about},"reports":[')
        before = "\n"
        for text in report_texts(survey.blocks, rows):
            file.write(f"{before}{text}")
            before = ",\n"
        file.write(f"\n{_JSON_END}")


def read_json(path: Path, wanted: WantedBlocks) -> Iterator[Rows]:
    """The rows of a file, some at a time."""
    with path.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        if not file.readline().endswith(_JSON_START):
            raise UnreadableStudy(f"{path}, line 1: got no start of an export; {_REMEDY_OF_LINES}")
        yield from read_lines(_report_lines(file, path), wanted, path, 2)


def _report_lines(file: Iterable[str], path: Path) -> Iterator[str]:
    """The reports as lines of NDJSON."""
    for line in file:
        if line == _JSON_END:
            return
        yield f"{line[:-2]}\n" if line.endswith(",\n") else line
    raise UnreadableStudy(f"{path}: got no end of its reports; export the survey again")


def write_csv(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
    """Make a file of rows whose lists are canonical JSON texts."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(block.id for block in heading.exported.survey.blocks)
        for columns in rows:
            writer.writerows(zip(*columns, strict=True))


def read_csv(path: Path, wanted: WantedBlocks) -> Iterator[Rows]:
    """The rows of a file, some at a time."""
    fault = ""
    try:
        with open_table(path, [block.id for block in wanted.blocks]) as table:
            places = [table.names.index(block.id) for block in wanted.blocks]
            rows, first = table.rows(), table.line + 1
            while some := list(islice(rows, LINES_AT_A_TIME)):
                cells = list(zip(*some, strict=True))
                columns = [
                    _column_of_cells(block, cells[place])
                    for block, place in zip(wanted.blocks, places, strict=True)
                ]
                yield Rows(first, len(some), columns)
                first += len(some)
    except UnreadableTable as error:
        fault = str(error)
    if fault:
        raise UnreadableStudy(f"{fault}; {_REMEDY}")


def _column_of_cells(block: Block, cells: Sequence[str]) -> Column:
    found = column_of_texts(cells, block.mechanism.form)
    return found or RawColumn([cell or None for cell in cells], are_quoted=True)
