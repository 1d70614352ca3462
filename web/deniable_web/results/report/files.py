"""A report as a file to save."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from deniable_web.results.files import File
from deniable_web.results.report.page import ResultsReport, report_page
from deniable_web.results.report.pdf import Pdf, make_pdf

HTML, PDF = "html", "pdf"
# The formats, and their media types.
REPORTS: Final = {HTML: "text/html; charset=utf-8", PDF: "application/pdf"}


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report as a file.

    Args:
        file: the file.
        missing: the characters for which there was no font.
    """

    file: File
    missing: str = ""


def report_file(
    report: ResultsReport, suffix: str, make: Callable[[str], Pdf] | None = None
) -> ReportFile:
    """A report in one of the formats of REPORTS.

    Args:
        report: what it is made of.
        suffix: the format.
        make: makes a PDF of a page; by default make_pdf, with a browser if need be.
    Raises:
        PdfUnavailable: no program that makes a PDF is there, or it failed.
    """
    estimates, page = report.findings.estimates, report_page(report)
    name = f"{estimates.survey}-{estimates.edition}-report.{suffix}"
    if suffix == HTML:
        return ReportFile(File(name, REPORTS[HTML], page.encode()))
    make = make or partial(make_pdf, with_browser=True)
    made = make(page)
    # The first page says so to those who get the file from somebody else.
    content = make(report_page(report, made.missing)).content if made.missing else made.content
    return ReportFile(File(name, REPORTS[PDF], content), made.missing)
