"""Results as files: the estimates as data, and their figures."""

import csv
import io
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import xlsxwriter

from deniable_analysis import CrosstabEstimate, QuestionEstimate
from deniable_web.estimate_rows import COLUMNS, flat_rows
from deniable_web.results.findings import EditionFindings

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# Dots per inch, enough to print a figure as wide as a page.
_PNG_DPI = 200
# One figure at a time, because matplotlib's fonts and parser are shared.
_DRAWING = Lock()


@dataclass(frozen=True, slots=True)
class File:
    """A file to be sent."""

    name: str
    media_type: str
    content: bytes


def data_file(findings: EditionFindings, suffix: str) -> File | None:
    """The estimates in a format; None if the format is not in DATA."""
    known = DATA.get(suffix)
    if known is None:
        return None
    media_type, write = known
    return File(f"{_stem(findings)}.{suffix}", media_type, write(findings))


def figure_file(findings: EditionFindings, name: str, suffix: str) -> File | None:
    """The figure of a question or crosstab; None without a figure or such a format."""
    drawn = _with_reports(findings).get(name)
    if drawn is None or suffix not in FIGURES:
        return None
    content = _drawn(drawn, suffix)
    return File(f"{_stem(findings)}-{name}.{suffix}", FIGURES[suffix], content)


def _drawn(found: QuestionEstimate | CrosstabEstimate, suffix: str) -> bytes:
    from matplotlib import rc_context  # noqa: PLC0415 - importing takes longer than a page

    written = io.BytesIO()
    # Without a date and with ids that are not random, the same reports give the same file.
    with _DRAWING, rc_context({"svg.hashsalt": "deniable"}):
        metadata = {"Date": None} if suffix == "svg" else {}
        found.plot().savefig(written, format=suffix, dpi=_PNG_DPI, metadata=metadata)
    return written.getvalue()


def _with_reports(findings: EditionFindings) -> Mapping[str, QuestionEstimate | CrosstabEstimate]:
    estimates = findings.estimates
    drawn: dict[str, QuestionEstimate | CrosstabEstimate] = {
        each.question: each for each in estimates.questions if each.reports
    }
    return drawn | {each.block: each for each in estimates.crosstabs if each.reports}


def _stem(findings: EditionFindings) -> str:
    return f"{findings.estimates.survey}-{findings.estimates.edition}"


def _csv(findings: EditionFindings) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat_rows(findings.estimates))
    return text.getvalue().encode()


def _json(findings: EditionFindings) -> bytes:
    document = findings.estimates.to_document()
    return (json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _xlsx(findings: EditionFindings) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "estimates.xlsx"
        # Texts remain texts, whatever character they begin with.
        options = {"strings_to_formulas": False, "strings_to_urls": False}
        with xlsxwriter.Workbook(path, options) as workbook:
            sheet = workbook.add_worksheet("estimates")
            sheet.write_row(0, 0, COLUMNS)
            for line, row in enumerate(flat_rows(findings.estimates), start=1):
                sheet.write_row(line, 0, row.values())
            sheet.freeze_panes(1, 3)
            about = workbook.add_worksheet("about")
            for line, pair in enumerate(_about(findings).items()):
                about.write_row(line, 0, pair)
        return path.read_bytes()


def _about(findings: EditionFindings) -> dict[str, object]:
    """Explanations of the numbers, for later readers of the file."""
    estimates, response = findings.estimates, findings.estimates.response
    return {
        "survey": estimates.survey,
        "edition": estimates.edition,
        "digest": estimates.digest,
        "reports": estimates.reports,
        **({"invited": response.invited, "response_rate": response.rate} if response else {}),
        "epsilon": float(findings.survey.epsilon),
        "confidence": estimates.confidence,
        "interval": estimates.interval.value,
    }


DATA: Mapping[str, tuple[str, Callable[[EditionFindings], bytes]]] = {
    "csv": ("text/csv; charset=utf-8", _csv),
    "xlsx": (_XLSX, _xlsx),
    "json": ("application/json", _json),
}
FIGURES: Mapping[str, str] = {"svg": "image/svg+xml", "png": "image/png"}
