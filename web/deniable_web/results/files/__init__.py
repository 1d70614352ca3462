"""Results as files: the estimates as data, and their figures."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from deniable_web.results.files.figures import FIGURES, draw_figure
from deniable_web.results.files.json_file import json_document
from deniable_web.results.files.rows import csv_cells, csv_text, flat_rows
from deniable_web.results.files.workbook import workbook
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True)
class File:
    """A file to be sent."""

    name: str
    media_type: str
    content: bytes


def data_file(findings: EditionFindings, labels: Labels, suffix: str) -> File | None:
    """The estimates in a format; None if the format is not in DATA."""
    data_format = DATA.get(suffix)
    if data_format is None:
        return None
    media_type, write = data_format
    return File(f"{_stem(findings)}.{suffix}", media_type, write(findings, labels))


def figure_file(findings: EditionFindings, labels: Labels, name: str, suffix: str) -> File | None:
    """The figure of a question or crosstab; None without a figure or such a format."""
    content = draw_figure(findings, labels, name, suffix)
    if content is None:
        return None
    return File(f"{_stem(findings)}-{name}.{suffix}", FIGURES[suffix], content)


def _stem(findings: EditionFindings) -> str:
    return f"{findings.estimates.survey}-{findings.estimates.edition}"


def _csv(findings: EditionFindings, labels: Labels) -> bytes:
    # The mark by which spreadsheet programs know that a file is in UTF-8.
    return csv_text(flat_rows(findings, labels)).encode("utf-8-sig")


def _json(findings: EditionFindings, labels: Labels) -> bytes:
    document = json_document(findings, labels)
    return (json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n").encode()


DATA: Mapping[str, tuple[str, Callable[[EditionFindings, Labels], bytes]]] = {
    "csv": ("text/csv; charset=utf-8", _csv),
    "xlsx": (_XLSX, workbook),
    "json": ("application/json", _json),
}

__all__ = [
    "DATA",
    "FIGURES",
    "File",
    "csv_cells",
    "data_file",
    "figure_file",
    "flat_rows",
    "json_document",
]
