"""The responses of the routes for results: two pages, and data for their scripts."""

import re
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256

from flask import Response, make_response, render_template, request

from deniable_analysis import Estimates, Interval
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_collector.access import require_survey
from deniable_collector.clock import utc_now
from deniable_collector.errors import Refused
from deniable_collector.permissions import present_token
from deniable_collector.problems import problem_of_status
from deniable_collector.responses import json_response
from deniable_collector.store.base import StoredSurvey
from deniable_sdk import PublishedSurvey
from deniable_web.pages import policy
from deniable_web.pages.numbers import Numbers
from deniable_web.pages.organiser_frame import in_language, render_page, wanted_language
from deniable_web.results.apart import RESULTS
from deniable_web.results.files import DATA, FIGURES, File, data_file, figure_file
from deniable_web.results.findings import EditionFindings
from deniable_web.results.groups import groups_view
from deniable_web.results.labels import Labels
from deniable_web.results.outlook import wanted
from deniable_web.results.page import has_groups, page_values
from deniable_web.results.query import (
    CONFIDENCES,
    DEFAULT_MARGIN,
    MARGINS,
    chosen,
    merged_groups,
    pending_release,
    require_results,
    wanted_margin,
)
from deniable_web.results.report.page import HTML, PDF, REPORTS, ResultsReport, report_file
from deniable_web.results.report.pdf import PdfUnavailable, can_make_pdf
from deniable_web.results.response import response_view
from deniable_web.results.results_cache import ResultsCache, edition_named, survey_cards

_BLANKS = re.compile(r"\s*\n\s*")


class Views:
    """The responses to requests for results, from one cache."""

    def __init__(self, cache: ResultsCache) -> None:
        self._cache = cache

    def surveys(self) -> str:
        """The page that lists surveys."""
        return render_page(
            "results/surveys.html", here="surveys", script="results/surveys.js", surface="results"
        )

    def results(self, slug: str) -> str:
        """The page for a survey's results, still empty."""
        numbers = Numbers(wanted_language())
        RESULTS.start()  # the page asks for its content next
        return render_page(
            "results/results.html",
            here="surveys",
            script="results/results.js",
            surface="results",
            slug=slug,
            confidences=[(each, numbers.percent(each, 0)) for each in CONFIDENCES],
            default_confidence=DEFAULT_CONFIDENCE,
            intervals=[each.value for each in Interval],
            margins=MARGINS,
            default_margin=DEFAULT_MARGIN,
            data_formats=list(DATA),
            report_format=PDF if can_make_pdf() else HTML,
        )

    def cards(self) -> str:
        """The cards of the surveys that the token is for."""
        surveys = self._cache.surveys(present_token().is_for)
        language = wanted_language()
        cards = survey_cards(self._cache, surveys, language)
        return _fragment("surveys", "./", cards=cards, numbers=Numbers(language))

    def state(self, slug: str) -> Response:
        """How many reports there are, and how many of them the page would show."""
        _, stored = self._edition(slug)
        numbers, digest = Numbers(wanted_language()), stored.survey.digest
        state = {"is_closed": stored.is_closed, "state": self._cache.state(stored)}
        if pending_release(self._cache, stored):
            return json_response({"is_released": False} | state)
        reports = self._cache.store.count_reports(digest)
        counts = {
            "reports": reports,
            "reports_in_words": numbers.count(reports),
            "shown": self._cache.studies.shown(digest, reports),
        }
        return json_response({"is_released": True} | counts | state)

    def content(self, slug: str) -> Response:
        """All estimates, as charts and tables."""
        editions, stored = self._edition(slug)
        labels = _labels(stored.survey)
        pending = pending_release(self._cache, stored)
        if pending:
            is_reader = present_token().release is not None
            count = self._cache.store.count_reports(stored.survey.digest)
            reports = "" if is_reader else labels.numbers.count(count)
            return make_response(
                _survey_fragment(
                    "not_released", labels, stored=stored, release=pending, reports=reports
                )
            )
        earlier, choices = self._earlier(editions, stored), chosen()
        findings = self._cache.findings(stored, choices, earlier)
        are_apart = has_groups(stored) and self._cache.studies.are_apart(stored, choices.least)
        markup = _survey_fragment(
            "content",
            labels,
            earlier=labels.numbers.count(earlier.edition) if earlier else "",
            figure_formats=list(FIGURES),
            has_groups=are_apart and findings.estimates.reports > 0,
            **page_values(editions, stored, self._cache.state(stored), findings, labels),
        )
        return _kept_if_closed(stored, markup)

    def response(self, slug: str) -> Response:
        """How many people each group has and, once the survey is closed, how many reported."""
        stored = self._shown(slug)
        _require_groups(stored)
        studies, least = self._cache.studies, chosen().least
        responses = studies.responses(stored, least) if has_groups(stored) else ()
        labels = _labels(stored.survey)
        view = response_view(studies.groups(stored), responses, labels, utc_now())
        markup = _survey_fragment(
            "response",
            labels,
            view=view,
            survey=stored.survey,
            edition=stored.edition,
            is_closed=stored.is_closed,
            least=least,
        )
        return _kept_if_closed(stored, markup)

    def groups(self, slug: str) -> Response:
        """The estimates by group of a closed survey."""
        stored = self._shown(slug)
        _require_groups(stored)
        if not has_groups(stored):
            detail = (
                "Results by group are returned only once the survey is closed by its owner; "
                "close it first."
            )
            raise Refused.because("survey-not-closed", detail)
        estimates, labels = self._grouped(stored), _labels(stored.survey)
        view, least = groups_view(estimates, labels), chosen().least
        markup = _survey_fragment("groups", labels, view=view, least=least)
        return _kept_if_closed(stored, markup)

    def collected(self, digest: str) -> Response:
        """A page that asks the issuer of a survey how many people have collected a token.

        It is public, like the survey. Its policy alone allows requests to the issuer.
        """
        stored = require_survey(self._cache.store.find_edition(digest))
        invited = stored.survey.invited
        if invited is None:
            raise Refused(problem_of_status(404))
        page = render_template("results/collected.html", issuer=invited.issuer, digest=digest)
        response = make_response(page)
        policy.protect(response, "'self'", invited.issuer)
        return response

    def plan(self, slug: str) -> str:
        """The respondents for a margin."""
        findings, margin = self._findings(slug), wanted_margin()
        labels = _labels(findings.survey)
        rows = list(wanted(findings, Fraction(repr(margin)) / 100, labels))
        reports = findings.estimates.reports
        return _survey_fragment("plan", labels, margin=margin, reports=reports, rows=rows)

    def estimates(self, slug: str, suffix: str) -> Response:
        """The estimates as a file; by group too if the survey is closed and has groups."""
        findings = self._with_groups(self._shown(slug))
        return _send(data_file(findings, _labels(findings.survey), suffix))

    def report(self, slug: str, suffix: str) -> Response:
        """All results to print or to share, as a file."""
        editions, stored = self._edition(slug)
        if suffix not in REPORTS:
            raise Refused(problem_of_status(404))
        require_results(self._cache, stored)
        earlier = self._earlier(editions, stored)
        findings, before = self._with_groups(stored, earlier), earlier.edition if earlier else 0
        report = ResultsReport(findings, _labels(findings.survey), utc_now(), before)
        try:
            return _send(report_file(report, suffix, self._cache.pdf)[0])
        except PdfUnavailable as error:
            raise Refused.because("pdf-not-made", f"{error}.") from None

    def figure(self, slug: str, name: str, suffix: str) -> Response:
        """A chart as a file."""
        findings = self._findings(slug)
        return _send(figure_file(findings, _labels(findings.survey), name, suffix))

    def _findings(self, slug: str) -> EditionFindings:
        return self._cache.findings(self._shown(slug), chosen())

    def _with_groups(
        self, stored: StoredSurvey, earlier: StoredSurvey | None = None
    ) -> EditionFindings:
        """The findings of an edition, by group too if its groups may be counted."""
        findings = self._cache.findings(stored, chosen(), earlier)
        return (
            replace(findings, estimates=self._grouped(stored)) if has_groups(stored) else findings
        )

    def _grouped(self, stored: StoredSurvey) -> Estimates:
        return self._cache.grouped(stored, chosen(), merged_groups(stored))

    def _shown(self, slug: str) -> StoredSurvey:
        """The edition in the query, if its results are shown to whoever asks."""
        return require_results(self._cache, self._edition(slug)[1])

    def _edition(self, slug: str) -> tuple[list[StoredSurvey], StoredSurvey]:
        """All editions, and the one in the query."""
        editions = self._cache.editions(slug)
        named = edition_named(editions, request.args.get("edition", ""))
        return editions, require_survey(named)

    def _earlier(self, editions: list[StoredSurvey], stored: StoredSurvey) -> StoredSurvey | None:
        """The latest earlier edition that still has its reports, and whose results are shown."""
        before = (
            each
            for each in editions
            if each.edition < stored.edition
            and not each.is_purged
            and pending_release(self._cache, each) is None
        )
        return next(before, None)


def _require_groups(stored: StoredSurvey) -> None:
    """Raise Refused for a survey without groups."""
    if not stored.survey.groups:
        raise Refused(problem_of_status(404))


def _labels(survey: PublishedSurvey) -> Labels:
    return Labels.of(survey, wanted_language())


def _fragment(name: str, root: str, **values: object) -> str:
    """A part of a page with a root, which its script inserts; without its template's blanks."""
    values = {**in_language("results"), "root": root, **values}
    markup = render_template(f"results/{name}_part.html", **values)
    return _BLANKS.sub("\n", markup)


def _survey_fragment(name: str, labels: Labels, **values: object) -> str:
    """A part of a page about a survey, with its texts and the format of numbers."""
    return _fragment(name, "../../", labels=labels, numbers=labels.numbers, **values)


def _kept_if_closed(stored: StoredSurvey, markup: str) -> Response:
    """A part of a page, which the reader's browser may keep once it does not change any more.

    The browser asks each time whether it is still the same, so that the token is checked.
    """
    response = make_response(markup)
    if stored.is_closed:
        response.headers["Cache-Control"] = "private, no-cache"
        response.set_etag(sha256(markup.encode()).hexdigest(), weak=True)
        response.make_conditional(request)
    return response


def _send(file: File | None) -> Response:
    if file is None:
        raise Refused(problem_of_status(404))
    response = Response(file.content, content_type=file.media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response
