"""JSON: one object that holds the survey and, a line each, the reports."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.sources.exports.heading import Heading
from deniable_analysis.sources.exports.ndjson import read_lines, report_texts
from deniable_analysis.sources.exports.survey_file import FORMAT
from deniable_analysis.sources.rows import Rows, WantedBlocks
from deniable_storage.chunks import Cells

_START = '"reports":[\n'
_END = "]}\n"


def write_rows(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:
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
        file.write(f"\n{_END}")


def read_rows(path: Path, wanted: WantedBlocks) -> Iterator[Rows]:
    """The rows of a file, some at a time."""
    with path.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        if not file.readline().endswith(_START):
            raise UnreadableStudy(
                f"{path}, line 1: got no start of an export; allowed is one report a line, as "
                "`deniable export` writes it; export the survey again"
            )
        yield from read_lines(_lines(file, path), wanted, path, 2)


def _lines(file: Iterable[str], path: Path) -> Iterator[str]:
    """The reports as lines of NDJSON."""
    for line in file:
        if line == _END:
            return
        yield f"{line[:-2]}\n" if line.endswith(",\n") else line
    raise UnreadableStudy(f"{path}: got no end of its reports; export the survey again")
