"""NDJSON: one report a line, as the object of its values by block."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.sources.rows import Rows
from deniable_sdk.survey.block import Block


def write_rows(path: Path, blocks: Sequence[Block], rows: Iterable[Rows]) -> None:
    """Make a file of rows whose lists are canonical JSON texts."""
    keys = [f'"{block.id}":' for block in blocks]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for each in rows:
            for row in zip(*each.columns, strict=True):
                said = zip(keys, row, strict=True)
                members = ",".join(f"{key}{value}" for key, value in said if value is not None)
                file.write(f"{{{members}}}\n")


def read_rows(path: Path, blocks: Sequence[Block], rows_at_a_time: int) -> Iterator[Rows]:
    """The rows of a file, some at a time."""
    first = 1
    with path.open("rb") as file:
        while lines := list(islice(file, rows_at_a_time)):
            reports = [
                _read_line(line, f"{path}, line {first + place}")
                for place, line in enumerate(lines)
            ]
            columns = [[report.get(block.id) for report in reports] for block in blocks]
            yield Rows(first, columns)
            first += len(lines)


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
