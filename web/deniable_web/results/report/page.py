"""A report as one HTML file, made of the parts of the results page, or as a PDF of that."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib.metadata import version
from typing import Final

from jinja2 import Environment
from markupsafe import Markup, escape

from deniable_analysis.results import ResponseRate
from deniable_storage.ends import End
from deniable_web.packaged_files import page_templates
from deniable_web.pages.languages import catalog, direction, spoken
from deniable_web.pages.policy import report_policy
from deniable_web.pages.static_files import static_files
from deniable_web.results.ending import ended_in_words, reason_in_words
from deniable_web.results.files import File
from deniable_web.results.findings import EditionFindings
from deniable_web.results.glossary import TERM
from deniable_web.results.groups import groups_view
from deniable_web.results.labels import Labels, isolated
from deniable_web.results.page import findings_values
from deniable_web.results.report.method import identity, method_view
from deniable_web.results.report.pdf import Pdf, make_pdf
from deniable_web.results.response import ResponseView, response_view

_STYLES: Final = ("base.css", "results/results.css", "results/report.css")
# The same characters without a font make the text about them in English unreadable, too.
_LACKING: Final = (
    "This file lacks {characters}, because the computer that made it has no font for them. "
    "Install one (on Debian: apt-get install fonts-noto-core fonts-noto-cjk) and make the report "
    "again, or use the report as HTML."
)

HTML, PDF = "html", "pdf"
# The formats, and their media types.
REPORTS: Final = {HTML: "text/html; charset=utf-8", PDF: "application/pdf"}


def cover_lines(findings: EditionFindings, labels: Labels, now: datetime) -> tuple[str, ...]:
    """Sentences about the survey and its fieldwork at the present moment."""
    return (*_who(labels), *_when(findings, labels, now), *_how_many(findings, labels))


def _who(labels: Labels) -> Iterator[str]:
    operator, texts = labels.survey.operator, catalog("report", labels.numbers.language)
    if operator:
        yield texts["cover"]["operator"].format(
            name=isolated(operator.name), contact=isolated(operator.contact)
        )


def _when(findings: EditionFindings, labels: Labels, now: datetime) -> Iterator[str]:
    """When it opened and ended, as far as that was announced: nobody records a moment."""
    texts = catalog("report", labels.numbers.language)["cover"]
    state = findings.estimates.fieldwork
    window = state.window or labels.survey.window
    moment = labels.numbers.moment
    if window and window.opens and window.opens <= now:
        yield texts["opened"].format(moment=moment(window.opens))
    if window and window.closes and state.end in (None, End.CLOSES):
        key = "planned" if state.end is None else "ended"
        yield texts[key].format(moment=moment(window.closes))
    language = labels.numbers.language
    yield f"{ended_in_words(state, language)} {reason_in_words(findings.estimates, language)}"


def _how_many(findings: EditionFindings, labels: Labels) -> Iterator[str]:
    numbers, response = labels.numbers, findings.estimates.response
    if response and findings.estimates.fieldwork.end is not None:
        yield catalog("results", numbers.language)["response"]["found"].format(
            reports=numbers.count(response.reports),
            invited=numbers.count(response.invited),
            rate=numbers.percent(response.rate, 0),
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

    Its first page says which characters a PDF of it lacks.
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
    by_group = report.findings.estimates.by_group
    if not by_group:
        return None
    responses: tuple[ResponseRate, ...] = by_group.responses
    return response_view(report.findings.survey.groups, responses, report.labels, report.now)


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


def report_file(
    report: ResultsReport, suffix: str, make: Callable[[str], Pdf] | None = None
) -> tuple[File, str]:
    """A report in one of the formats of REPORTS, and the characters for which there is no font.

    By default `make_pdf` makes a PDF of a page, with a browser if need be.

    Raises:
        PdfUnavailable: no program that makes a PDF is there, or it failed.
    """
    estimates, page = report.findings.estimates, report_page(report)
    name = f"{estimates.survey}-{estimates.edition}-report.{suffix}"
    if suffix == HTML:
        return File(name, REPORTS[HTML], page.encode()), ""
    make = make or partial(make_pdf, with_browser=True)
    made = make(page)
    # The first page says so to those who get the file from somebody else.
    content = make(report_page(report, made.missing)).content if made.missing else made.content
    return File(name, REPORTS[PDF], content), made.missing
