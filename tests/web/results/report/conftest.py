"""Findings of a survey of 15 questions, and of one by invitation."""

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from council_site import COUNCIL, council, fill_council
from deniable_analysis import open_study
from deniable_collector.store import open_store
from deniable_web.results.findings import EditionFindings, ResultChoices, find
from deniable_web.results.labels import Labels
from deniable_web.results.report.page import ResultsReport
from ward_site import WARD, fill_ward, ward

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
OPERATOR = {
    "name": "Works council {of} St. Mary's",
    "contact": "council@example.org",
    "purpose": "We want to know how people are treated.",
}
CHOICES = ResultChoices(0.95, None)


def report_of(findings: EditionFindings, language: str = "en", earlier: int = 0) -> ResultsReport:
    """The report of findings in a language."""
    return ResultsReport(findings, Labels.of(findings.survey, language), NOW, earlier)


@pytest.fixture(scope="package")
def council_findings(tmp_path_factory: pytest.TempPathFactory) -> EditionFindings:
    """Counted and estimated once."""
    path = Path(tmp_path_factory.mktemp("council")) / "store.sqlite"
    introduction = {"en": "About respect <at> work.", "ar": "استطلاع عن الاحترام في العمل."}
    with closing(open_store(path)) as store:
        published = council(operator=OPERATOR, introduction=introduction)
        fill_council(store, published, 1500)
        store.close_survey(COUNCIL)
    return find(open_study(path, COUNCIL), CHOICES)


@pytest.fixture(scope="package")
def ward_findings(tmp_path_factory: pytest.TempPathFactory) -> EditionFindings:
    """A closed survey by invitation, with its estimates by group."""
    path = Path(tmp_path_factory.mktemp("ward")) / "store.sqlite"
    with closing(open_store(path)) as store:
        fill_ward(store, ward())
        store.close_survey(WARD)
    study = open_study(path, WARD)
    return replace(find(study, CHOICES), estimates=study.estimate(by_group=True))
