"""A report as one HTML file, made of the parts of the results page."""

from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from typing import Final

from jinja2 import Environment
from markupsafe import Markup, escape

from deniable_analysis import ResponseRate
from deniable_web.packaged_files import page_templates
from deniable_web.pages.languages import catalog, direction, spoken
from deniable_web.pages.policy import report_policy
from deniable_web.pages.static_files import static_files
from deniable_web.results.findings import EditionFindings
from deniable_web.results.glossary import TERM
from deniable_web.results.groups import groups_view
from deniable_web.results.labels import Labels
from deniable_web.results.page import findings_values
from deniable_web.results.report.cover import cover_lines
from deniable_web.results.report.method import identity, method_view
from deniable_web.results.response import ResponseView, response_view

_STYLES: Final = ("base.css", "results/results.css", "results/report.css")
# The same characters without a font make the text about them in English unreadable, too.
_LACKING: Final = (
    "This file lacks {characters}, because the computer that made it has no font for them. "
    "Install one (on Debian: apt-get install fonts-noto-core fonts-noto-cjk) and make the report "
    "again, or use the report as HTML."
)


@dataclass(frozen=True, slots=True)
class ResultsReport:
    """What a report is made of.

    Args:
        findings: the findings of an edition, by group too if its groups may be counted.
        labels: the labels of the survey.
        now: the present moment, in UTC.
        earlier: the number of the edition that it is compared with; 0 without one.
    """

    findings: EditionFindings
    labels: Labels
    now: datetime
    earlier: int = 0


def report_page(report: ResultsReport, missing: str = "") -> str:
    """The HTML of a report: one file without scripts, which loads nothing.

    Args:
        report: what it is made of.
        missing: the characters that a PDF of it lacks, which the first page says.
    """
    findings, labels = report.findings, report.labels
    estimates, language = findings.estimates, labels.numbers.language
    style = _style()
    page = (
        _templates()
        .get_template("results/report.html")
        .render(
            **findings_values(findings, labels),
            texts=catalog("results", language),
            own=catalog("report", language),
            language=spoken(language),
            direction=direction(spoken(language)),
            labels=labels,
            numbers=labels.numbers,
            in_report=True,
            figure_formats=(),
            earlier=labels.numbers.count(report.earlier) if report.earlier else "",
            cover=cover_lines(findings, labels, report.now),
            response=_response(report),
            groups=groups_view(estimates, labels) if estimates.by_group else None,
            method=method_view(findings, labels),
            identity=identity(findings, labels),
            lacking=_lacking(missing),
            policy=report_policy(style),
            style=style,
            version=version("deniable"),
        )
    )
    # A report has no scripts, and nobody opens the folds of a sheet of paper.
    return page.replace("<details", "<details open").strip() + "\n"


def _response(report: ResultsReport) -> ResponseView | None:
    """The response of each group; None if its groups are not counted."""
    estimates, invited = report.findings.estimates, report.findings.survey.invited
    if invited is None or not estimates.by_group:
        return None
    responses: tuple[ResponseRate, ...] = estimates.by_group.responses
    return response_view(invited, responses, report.labels, report.now)


def _lacking(missing: str) -> str:
    if not missing:
        return ""
    count = len(missing)
    return _LACKING.format(characters="one character" if count == 1 else f"{count} characters")


def _style() -> Markup:
    files = static_files().files
    text = "".join(files[name].plain.decode() for name in _STYLES)
    return Markup(text)  # noqa: S704 - our own


def _linked(text: str) -> Markup:
    """A text of the interface as markup, whose terms are links to their explanations."""
    link = r'<a class="term" href="#term-\2">\1</a>'
    return Markup(TERM.sub(link, str(escape(text))))  # noqa: S704 - escaped


def _templates() -> Environment:
    environment = page_templates()
    environment.filters["explained"] = _linked
    return environment
