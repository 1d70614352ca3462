"""axe-core finds nothing wrong with the builder's pages, however they are looked at."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from axe_checks import violations
from live_builder import open_builder, show_tab
from live_site import LiveSite
from viewports import VIEWPORTS, Viewport

SURVEYJS = {
    "title": {"default": "Imported", "ar": "مستورد"},
    "elements": [
        {"type": "comment", "name": "why"},
        {"type": "radiogroup", "name": "where", "choices": ["north", "south"]},
        {"type": "checkbox", "name": "what", "choices": ["a", "b"], "showOtherItem": True},
        {"type": "rating", "name": "mood"},
        {"type": "text", "inputType": "number", "name": "days"},
    ],
}


@pytest.fixture(params=VIEWPORTS)
def look(
    request: pytest.FixtureRequest, browser: Browser, building_site: LiveSite
) -> Iterator[tuple[Page, LiveSite, str]]:
    """The builder in one language, colour scheme and width."""
    wanted: Viewport = request.param
    viewport: ViewportSize = {"width": wanted.width, "height": 900}
    with browser.new_context(color_scheme=wanted.scheme, viewport=viewport) as context:
        yield open_builder(context, building_site, wanted.language), building_site, wanted.language


def open_everything(page: Page) -> None:
    """Unfold all details of the page."""
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    page.locator("#problems").evaluate("(list) => { list.open = false; }")


def test_writing_a_survey(look: tuple[Page, LiveSite, str], tmp_path: Path) -> None:
    """Every kind of question, in several languages, with problems and an import's account."""
    page, _, _ = look
    page.locator("#question-1-grip").click()
    page.locator("#question-0-add").click()
    assert violations(page) == []
    page.locator("#publish").click()
    expect(page.locator("#problems-title")).to_be_focused()
    assert violations(page) == []
    file = tmp_path / "survey.json"
    file.write_text(json.dumps(SURVEYJS))
    page.locator("#import-file").set_input_files(file)
    expect(page.locator("#import-title")).to_be_focused()
    page.locator("#add-crosstab").click()
    expect(page.locator("#margins tr")).to_have_count(3)
    for index in range(4):
        toggle = page.locator(f"#at-questions-{index}")
        if toggle.get_attribute("aria-expanded") == "false":
            toggle.click()
        open_everything(page)
        assert violations(page) == []


@pytest.mark.deep
def test_previewing_publishing_and_sharing(look: tuple[Page, LiveSite, str]) -> None:
    """Both dialogs, the share page while the survey is open, while closing it, and after."""
    page, site, language = look
    page.locator("#at-title").fill("Published")
    page.locator("#show-preview").click()
    expect(page.frame_locator("#preview-frame").locator("h1")).to_be_visible()
    assert violations(page) == []
    page.locator("[data-closes=preview]").click()
    show_tab(page, "settings")
    page.locator("#at-slug").fill("published")
    page.locator("#publish").click()
    expect(page.locator("#publish-confirm")).to_be_visible()
    assert violations(page) == []
    page.locator("#publish-confirm").click()
    expect(page.locator("#code svg")).to_be_visible()
    assert violations(page) == []
    page.locator("#close").click()
    assert violations(page) == []
    page.locator("#close-confirm").click()
    expect(page.locator(".state.over")).to_be_visible()
    assert violations(page) == []
    for path in ("/", "/surveys/nobody/share"):
        page.goto(f"{site.url}{path}?lang={language}")
        expect(page.locator("h1").last).to_be_visible()
        assert violations(page) == []


def test_who_has_no_token_is_asked_for_one(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Nothing of the builder is shown to whoever shows no token."""
    page = context.new_page()
    page.goto(f"{building_site.url}/build?lang=en")
    expect(page.get_by_role("textbox", name="Token")).to_be_focused()
    expect(page.locator("#sheet")).to_be_hidden()
    assert violations(page) == []
