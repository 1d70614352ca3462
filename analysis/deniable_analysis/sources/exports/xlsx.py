"""XLSX: a sheet of reports for spreadsheet programs, and one that says what they are."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

from deniable_analysis.errors import UnreadableStudy, XlsxwriterMissing
from deniable_analysis.sources.exports.survey_file import ExportedSurvey
from deniable_analysis.sources.rows import WantedBlocks
from deniable_sdk.weights import format_epsilon
from deniable_storage.chunks import Cells

# A sheet has 1,048,576 rows, and the first one names the columns.
MOST_REPORTS = 1_048_575
# A file reveals nothing about when it was made.
_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
_NOTE_WIDTH = 100
_ROW = (
    "One respondent's report, randomized on their own device: no row reveals what somebody "
    "answered. Rows are in the order of random ids, which are left out."
)
_READING = (
    "Shares of these values are not shares of answers. `deniable results` estimates the shares "
    "of answers, with intervals; so does open_study on another export. A number counts the "
    "possible answers from 0; [1,4] is a set of them, [[3,1]] a pair of option and bit; an empty "
    "cell is a block that the respondent was not asked."
)


def write_rows(path: Path, heading: ExportedSurvey, rows: Iterable[Cells]) -> None:
    """Make a file of rows whose lists are canonical JSON texts."""
    xlsxwriter = _import()
    with TemporaryDirectory(dir=path.parent, prefix=f"{path.name}.") as folder:
        options = {
            "constant_memory": True,
            "tmpdir": folder,
            "strings_to_formulas": False,
            "strings_to_urls": False,
        }
        with xlsxwriter.Workbook(str(path), options) as book:
            book.set_properties({"created": _NO_TIME})
            bold = book.add_format({"bold": True})
            _write_reports(book.add_worksheet("reports"), heading, rows, bold)
            _write_about(book.add_worksheet("about"), heading, bold)


def read_rows(path: Path, wanted: WantedBlocks) -> NoReturn:  # noqa: ARG001 - as others are read
    """Raise UnreadableStudy: a spreadsheet program changes a file when it saves it."""
    raise UnreadableStudy(
        f"{path} is for spreadsheet programs, which change what they save; to analyse the "
        "reports here, export them to ndjson, csv, json or parquet"
    )


def _write_reports(sheet: Any, heading: ExportedSurvey, rows: Iterable[Cells], bold: Any) -> None:
    for index, block in enumerate(heading.survey.blocks):
        sheet.write_string(0, index, block.id, bold)
    sheet.freeze_panes(1, 0)
    number = 0
    for columns in rows:
        for row in zip(*columns, strict=True):
            number += 1
            for index, value in enumerate(row):
                # Never as what it looks like: no cell is a formula.
                if isinstance(value, str):
                    sheet.write_string(number, index, value)
                elif value is not None:
                    sheet.write_number(number, index, value)


def _write_about(sheet: Any, heading: ExportedSurvey, bold: Any) -> None:
    sheet.set_column(0, 0, 34)
    sheet.set_column(1, 1, _NOTE_WIDTH)
    for number, (name, text) in enumerate(_facts(heading)):
        sheet.write_string(number, 0, name, bold)
        sheet.write_string(number, 1, text)


def _facts(heading: ExportedSurvey) -> list[tuple[str, str]]:
    """The explanations for people who open the file."""
    survey = heading.survey
    return [
        ("survey", survey.slug),
        ("edition", str(heading.edition)),
        ("digest", survey.digest),
        ("epsilon", format_epsilon(survey.epsilon)),
        ("blocks asked of each respondent", f"{survey.asked} of {len(survey.blocks)}"),
        ("takes reports", "no" if heading.is_closed else "yes, when this was exported"),
        ("what a row is", _ROW),
        ("how to read it", _READING),
        *(
            (
                f"values of {block.id}",
                f"question {names}; mechanism {block.mechanism.name}",
            )
            for block in survey.blocks
            for names in [", ".join(question.id for question in block.questions)]
        ),
    ]


def _import() -> Any:
    try:
        import xlsxwriter  # noqa: PLC0415 - not always installed
    except ImportError:
        raise XlsxwriterMissing(
            "XLSX files require the package xlsxwriter; install it with: "
            'pip install "deniable[analysis,xlsx]", or export to csv, which spreadsheet programs '
            "read too"
        ) from None
    return xlsxwriter
