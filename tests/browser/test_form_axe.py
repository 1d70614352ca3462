"""Everything the form can show, for everyone: no rule of axe is broken, nothing is cut off."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect

from axe_checks import violations
from live_form import CANARY_OPTION, question, site_of_kinds, start
from live_site import LiveSite
from viewports import VIEWPORTS, Viewport


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with a survey on pages."""
    with site_of_kinds(tmp_path_factory.mktemp("axe")) as running:
        yield running


@pytest.fixture(params=VIEWPORTS)
def context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A browser in a language and a scheme, on a phone or a desk."""
    look: Viewport = request.param
    viewport: ViewportSize = {"width": look.width, "height": 800}
    with browser.new_context(
        locale=look.language, color_scheme=look.scheme, viewport=viewport
    ) as fresh:
        yield fresh


def test_every_state_of_the_form_is_accessible(context: BrowserContext, site: LiveSite) -> None:
    """From the first question over the report to the thanks, and whoever comes again."""
    page = context.new_page()
    page.goto(f"{site.url}/s/paged")
    page.locator("main[data-kept]").wait_for()
    assert violations(page) == [], "opening"
    page.locator("#forgetful").evaluate("(note) => { note.hidden = false; }")
    for summary in page.locator("#opening summary").all():
        summary.click()
    page.locator("#play button[data-flips='100']").click()
    assert violations(page) == [], "everything on request"
    start(page)
    assert violations(page) == [], "started"
    page.locator("#next").click()
    assert violations(page) == [], "missing"
    question(page, "works").locator("input").first.check()
    page.locator("#next").click()
    assert violations(page) == [], "a number"
    page.locator("#next").click()
    question(page, "calm").locator("input").nth(1).check()
    assert violations(page) == [], "a matrix"
    page.locator("#next").click()
    for option in ("noise", CANARY_OPTION, "quicksilver"):
        question(page, "troubles").get_by_label(option).check()
    assert violations(page) == [], "too many"
    question(page, "troubles").locator("[data-alone]").last.check()
    page.locator("#look-over").click()
    expect(page.locator("#page-title")).to_be_focused()
    assert violations(page) == [], "answers looked over"
    page.locator("#protect").click()
    expect(page.locator("#review-title")).to_be_focused()
    for summary in page.locator("#review summary").all():
        summary.click()
    assert violations(page) == [], "review"
    page.reload()
    expect(page.locator("#held-title")).to_be_focused()
    assert violations(page) == [], "held"
    page.locator("#look").click()
    expect(page.locator("#review-title")).to_be_focused()
    assert violations(page) == [], "review after a reload"
    context.set_offline(True)
    page.locator("#send").click()
    expect(page.locator("#waiting-title")).to_be_focused()
    assert violations(page) == [], "waiting"
    context.set_offline(False)
    expect(page.locator("#sent-title")).to_be_focused(timeout=20_000)
    assert violations(page) == [], "sent"
    page.reload()
    expect(page.locator("#answered-title")).to_be_focused()
    assert violations(page) == [], "answered"


@pytest.mark.deep
def test_every_other_panel_and_page_is_accessible(context: BrowserContext, site: LiveSite) -> None:
    """Whatever else the form may have to say, and the pages where there is no form."""
    page = context.new_page()
    page.goto(f"{site.url}/s/paged")
    page.locator("main[data-kept]").wait_for()
    for panel in ("declined", "capped", "closed", "unkept", "unreachable", "refused"):
        page.evaluate(
            """(panel) => {
              for (const part of document.querySelectorAll("main > *")) {
                part.hidden = part.tagName !== "H1" && part.id !== panel;
              }
              const said = document.getElementById(`${panel}-text`);
              said.textContent ||= Object.values(said.dataset)[0];
            }""",
            panel,
        )
        expect(page.locator(f"#{panel}")).to_be_visible()
        assert violations(page) == [], panel
    for slug in ("over", "nothing"):
        page.goto(f"{site.url}/s/{slug}")
        assert violations(page) == [], slug
