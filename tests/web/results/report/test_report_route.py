"""The route of reports: a file for everybody who may have the results."""

import pytest

from deniable_web.pages.languages import catalog
from deniable_web.results import views
from deniable_web.results.report import pdf
from problem_checks import assert_members
from results_site import EMPTY, HEALTH, STRESS, Tables
from ward_site import WARD
from web.results.conftest import Site
from web.results.report.test_pdf import texts_of
from web.results.report.test_report_page import body, problems

TEXTS = catalog("results", "en")


def base(slug: str) -> str:
    """The address of a survey's reports."""
    return f"/manage/surveys/{slug}/results/report"


def test_the_html_is_a_file_with_the_numbers_of_the_page(sqlite_site: Site) -> None:
    """Its name has slug and edition; the shares are those of the page, and so are the changes."""
    answer = sqlite_site.get(f"{base(STRESS)}.html", lang="en", confidence="0.9")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == 'attachment; filename="stress-2-report.html"'
    assert answer.content_type == "text/html; charset=utf-8"
    assert problems(answer.text) == []
    on_page = Tables(sqlite_site.content(STRESS, confidence="0.9")).found
    on_paper = Tables(answer.text).found
    for place in ("q-harassed", "d-harassed", "c-told", "cd-told"):
        assert on_page[place]
        assert on_paper[place] == on_page[place]
    assert "Compared with edition 1" in body(answer.text)


@pytest.mark.deep
def test_the_pdf_is_made_once(sqlite_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first edition, in German; whoever asks again gets the same bytes without work."""
    answer = sqlite_site.get(f"{base(STRESS)}.pdf", lang="de", edition="1")
    assert answer.status_code == 200, answer.text
    assert answer.content_type == "application/pdf"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="stress-1-report.pdf"'
    first = texts_of(answer.data)[0]
    assert "Stress at work" in first
    assert catalog("report", "de")["cover"]["kind"] in first
    monkeypatch.setattr(pdf, "_by_weasyprint", None)
    again = sqlite_site.get(f"{base(STRESS)}.pdf", lang="de", edition="1")
    assert again.data == answer.data


def test_what_is_not_there_is_refused(sqlite_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another format, survey or edition; and a PDF where no program makes one."""
    for path in (f"{base(HEALTH)}.docx", f"{base('none')}.html"):
        assert sqlite_site.get(path).status_code == 404, path
    assert sqlite_site.get(f"{base(HEALTH)}.html", edition="9").status_code == 404
    monkeypatch.setattr(pdf, "find_spec", lambda _: None)
    refused = sqlite_site.get(f"{base(EMPTY)}.pdf", lang="en")
    assert refused.status_code == 501
    assert_members(refused.get_json(), "pdf-not-made")
    assert "pip install 'deniable[report]'" in refused.get_json()["detail"]


def test_a_survey_without_reports_has_a_report(sqlite_site: Site) -> None:
    """It says that there are no results."""
    answer = sqlite_site.get(f"{base(EMPTY)}.html", lang="en")
    assert problems(answer.text) == []
    assert "No report has arrived, so there are no results." in body(answer.text)


@pytest.mark.parametrize("can_make", [True, False])
def test_the_page_offers_what_the_server_can_make(
    sqlite_site: Site, monkeypatch: pytest.MonkeyPatch, *, can_make: bool
) -> None:
    """A PDF if it can make one by itself, otherwise HTML; the button has a text for meanwhile."""
    monkeypatch.setattr(views, "can_make_pdf", lambda: can_make)
    page = sqlite_site.get(f"/surveys/{HEALTH}/results", lang="en").text
    suffix = "pdf" if can_make else "html"
    assert f'data-file="report.{suffix}" data-busy="{TEXTS["files"]["making"]}"' in page
    assert f"Report ({suffix.upper()})" in page


def test_this_machine_can_make_a_pdf() -> None:
    """`make test` installs what that needs."""
    assert pdf.can_make_pdf()


def test_groups_are_in_the_report_once_the_survey_is_closed(ward_site: Site) -> None:
    """A closed survey by invitation has its groups, also merged ones; an open one has none."""
    closed = ward_site.get(f"{base(WARD)}.html", lang="en").text
    assert problems(closed) == []
    assert 'id="by-group"' in closed
    merged = ward_site.get(f"{base(WARD)}.html", lang="en", merge="nurses,cleaners").text
    assert "Nursing staff + cleaners" in body(merged)
    still_open = ward_site.get(f"{base('open-ward')}.html", lang="en").text
    assert problems(still_open) == []
    assert 'id="by-group"' not in still_open
    assert 'id="response"' not in still_open
