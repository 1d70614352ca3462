"""A report in a real browser: from the button of the page, as a file, and on paper."""

from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import BrowserContext, Route, expect

from axe_checks import violations
from browser.results.conftest import Open, OpenSite
from deniable_web.pages.languages import CODES
from live_form import record_requests
from results_site import HEALTH, STRESS


@pytest.mark.deep
def test_the_button_saves_a_pdf_and_says_that_it_takes_time(open_page: Open) -> None:
    """Meanwhile it cannot be pressed again; afterwards it has its name and the focus again."""
    page = open_page(STRESS)
    button = page.locator('#files [data-file="report.pdf"]')
    expect(button).to_have_text("Report (PDF)")

    def late(route: Route) -> None:
        page.wait_for_timeout(500)
        route.continue_()

    page.route("**/report.pdf*", late)
    with page.expect_download(timeout=60_000) as download:
        button.press("Enter")
        expect(button).to_be_disabled()
        expect(button).to_have_text("Making the report…")
    assert download.value.suggested_filename == "stress-2-report.pdf"
    document = pypdfium2.PdfDocument(download.value.path())
    assert "Stress at work" in document[0].get_textpage().get_text_bounded()
    document.close()
    expect(button).to_be_enabled()
    expect(button).to_have_text("Report (PDF)")
    expect(button).to_be_focused()


@pytest.mark.deep
@pytest.mark.parametrize("language", CODES)
def test_the_html_opens_anywhere_and_is_accessible(
    context: BrowserContext, full_site: OpenSite, tmp_path: Path, language: str
) -> None:
    """From a disk, without a request, at any width; its links lead within it."""
    address = f"{full_site.site.url}/manage/surveys/{HEALTH}/results/report.html?lang={language}"
    answer = context.request.get(
        address, headers={"Authorization": f"Bearer {full_site.token}"}, timeout=60_000
    )
    file = tmp_path / "report.html"
    file.write_bytes(answer.body())
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    requests = record_requests(context)
    page.goto(file.as_uri())
    assert page.locator("html").get_attribute("lang") == language
    for width in (1200, 360):
        page.set_viewport_size({"width": width, "height": 900})
        assert violations(page) == []
    expect(page.locator("#questions .chart").first).to_be_visible()
    page.locator("a.term").first.click()
    assert page.url.startswith(f"{file.as_uri()}#term-")
    assert said == []
    assert len(requests) == 1


def test_printing_the_page_opens_folds_and_leaves_out_what_can_be_pressed(
    open_page: Open,
) -> None:
    """Paper has the raw numbers and all percentages of crosstabs, but no button or form."""
    page = open_page(HEALTH)
    expect(page.locator("#questions")).to_be_visible()
    raw = page.locator("#questions table.raw").first
    expect(raw).to_be_hidden()
    page.emulate_media(media="print")
    for each in page.locator("main :is(button:not(.term), select, input, nav)").all():
        expect(each).to_be_hidden()
    for name in (".bar", "#contents", "#looks", "#wanted", "#files"):
        expect(page.locator(name)).to_be_hidden()
    document = pypdfium2.PdfDocument(page.pdf(format="A4"))
    text = " ".join(
        document[index].get_textpage().get_text_bounded() for index in range(len(document))
    )
    document.close()
    for shown in ("Raw share", "SD from protection", "Percent of each row", "How sure is this?"):
        assert shown in text
    for hidden in ("Download", "Contents", "Display settings", "Why?"):
        assert hidden not in text
