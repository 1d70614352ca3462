"""The results break no rule of accessibility, and take nothing but a keyboard."""

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from axe_checks import violations
from browser.results.conftest import Open, OpenSite
from deniable_web.pages.languages import CODES, catalog
from results_site import EMPTY, FEW, HEALTH, STRESS
from sampled_params import sampled_params
from viewports import VIEWPORTS, Viewport


@pytest.mark.sweep
@pytest.mark.parametrize("slug", sampled_params([HEALTH, STRESS, "", EMPTY, FEW]))
@pytest.mark.parametrize("look", VIEWPORTS)
def test_no_rule_of_axe_is_broken(open_page: Open, look: Viewport, slug: str) -> None:
    """With all folds open, nothing is wrong, and nothing is wider than the page."""
    page = open_page(slug, look.language)
    page.set_viewport_size({"width": look.width, "height": 800})
    page.emulate_media(color_scheme=look.scheme)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    assert violations(page) == []


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until something has the focus."""
    for _ in range(150):
        if wanted.evaluate("wanted => wanted === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(page.evaluate("document.activeElement.outerHTML"))


def test_from_the_token_to_a_number_by_keyboard(
    context: BrowserContext, full_site: OpenSite
) -> None:
    """Sign in, open a survey's results, widen its intervals, open a table, ask for a margin."""
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(f"{full_site.site.url}/surveys?lang=en")
    expect(page.get_by_label("Token", exact=True)).to_be_focused()
    page.keyboard.insert_text(full_site.token)
    page.keyboard.press("Enter")
    link = page.locator("#results-health")
    expect(link).to_be_visible()
    tab_to(page, link)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Health and care in the past year")
    before = page.locator("#q-health .chart").inner_text()
    tab_to(page, page.locator("#settings summary"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_label("Confidence level"))
    page.keyboard.press("ArrowDown")
    expect(page.locator("#reason")).to_contain_text("99% of such surveys")
    assert page.locator("#q-health .chart").inner_text() != before
    fold = page.locator("#d-health")
    tab_to(page, fold.locator("summary"))
    page.keyboard.press("Enter")
    expect(fold.locator("table")).to_be_visible()
    tab_to(page, page.locator("#planning summary"))
    page.keyboard.press("Enter")
    expect(page.locator("#plan table")).to_be_visible()
    margin = page.get_by_label("Wanted margin")
    tab_to(page, margin)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#plan")).to_contain_text("For a margin of ±3.5")


def test_charts_say_as_text_what_they_show(open_page: Open) -> None:
    """Drawings are hidden from screen readers; names and numbers beside them are not."""
    page = open_page(HEALTH)
    chart = page.locator("#q-health").get_by_role("table")
    assert chart.get_by_role("columnheader").all_inner_texts() == ["Answer", "Result", "Interval"]
    rows = chart.get_by_role("row").all()[1:]
    assert len(rows) == 5
    for row in rows:
        assert [text.count("%") for text in row.get_by_role("cell").all_inner_texts()] == [1, 2]
    assert page.locator("svg:not([aria-hidden='true'] *):not([aria-hidden='true'])").count() == 0


def test_from_the_right_charts_begin_there(open_page: Open) -> None:
    """In Arabic zero stands to the right of every larger share."""
    page = open_page(STRESS, "ar")
    assert page.evaluate("document.dir") == "rtl"
    bars = page.locator("#q-stress .valid").all()
    assert bars
    for bar in bars:
        start, width = (
            float((bar.get_attribute(key) or "").rstrip("%")) for key in ("x", "width")
        )
        assert start + width == pytest.approx(100)
    expect(page.get_by_role("heading", level=1)).to_have_text("الضغط في العمل")


@pytest.mark.sweep
@pytest.mark.parametrize("place", ["surveys", "surveys/health/results", "build"])
@pytest.mark.parametrize("language", sampled_params(list(CODES)))
def test_a_wrong_token_is_refused_in_the_readers_language(
    context: BrowserContext, full_site: OpenSite, place: str, language: str
) -> None:
    """A sentence of the page's language, never one for programs."""
    page = context.new_page()
    page.goto(f"{full_site.site.url}/{place}?lang={language}")
    field = page.locator("#token")
    for wrong in ("not-a-token", full_site.token[:-1]):
        field.fill(wrong)
        field.press("Enter")
        expect(page.get_by_role("alert")).to_have_text(
            catalog("manage", language)["frame"]["refused"]
        )
        expect(field).to_be_focused()
