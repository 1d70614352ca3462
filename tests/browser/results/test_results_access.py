"""The results break no rule of accessibility, and take nothing but a keyboard."""

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from axe_checks import violations
from browser.results.conftest import Open, OpenSite
from deniable_web.pages.languages import CODES, catalog
from results_site import EMPTY, FEW, HEALTH, STRESS
from sampled_params import sampled_params
from viewports import VIEWPORTS, Viewport


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
    confidence, fold = (
        page.get_by_label("Confidence level"),
        page.locator("#d-health"),
    )
    expect(page.locator("#plan table")).to_be_visible()
    before = page.locator("#q-health .chart").inner_text()
    tab_to(page, confidence)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#q-health .legend")).to_contain_text("99% interval")
    assert page.locator("#q-health .chart").inner_text() != before
    tab_to(page, fold.locator("summary"))
    page.keyboard.press("Enter")
    expect(fold.locator("table")).to_be_visible()
    margin = page.get_by_label("Wanted margin")
    tab_to(page, margin)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#plan")).to_contain_text("For a margin of ±3.5")


def test_charts_say_as_text_what_they_show(open_page: Open) -> None:
    """Drawings are hidden from screen readers; names and numbers beside them are not."""
    page = open_page(HEALTH)
    chart = page.locator("#q-health .chart")
    assert chart.get_by_role("listitem").count() == 5
    for row in chart.get_by_role("listitem").all():
        assert "%" in row.inner_text()
        assert row.locator("svg").get_attribute("aria-hidden") == "true"
    assert page.locator("svg:not([aria-hidden='true'] *):not([aria-hidden='true'])").count() == 0


def test_from_the_right_charts_begin_there(open_page: Open) -> None:
    """In Arabic zero stands to the right of every larger share."""
    page = open_page(STRESS, "ar")
    assert page.evaluate("document.dir") == "rtl"
    zero, point = (
        float((page.locator(f"#q-stress {part}").nth(at).get_attribute(key) or "").rstrip("%"))
        for part, key, at in ((".zero", "x1", 0), (".point", "cx", 1))
    )
    assert point < zero
    expect(page.get_by_role("heading", level=1)).to_have_text("الضغط في العمل")


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
