"""Closing early when the results are precise enough, in the builder."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from axe_checks import violations
from built_fieldwork import draft_of, load, saved
from deniable_web.definition.file import read_definition
from deniable_web.pages.languages import CODES, catalog
from live_builder import name_survey, open_builder, show_problems, show_tab, tab_to
from live_site import LiveSite

RULE = "#at-stop_when"
MARGIN = f"{RULE}-margin"


def box(page: Page, place: int) -> str:
    """The box of a question."""
    selector = f"{RULE}-questions-{place}"
    expect(page.locator(selector)).to_have_attribute("type", "checkbox")
    return selector


@pytest.mark.deep
def test_a_rule_is_written_by_keyboard(context: BrowserContext, building_site: LiveSite) -> None:
    """It begins with 3 points and all questions; the outlook says what was written."""
    page = open_builder(context, building_site)
    name_survey(page, "Wards")
    expect(page.locator("#stop-words")).to_be_hidden()
    page.locator("#settings-tab").focus()
    page.keyboard.press("Enter")
    tab_to(page, RULE)
    page.keyboard.press("Space")
    expect(page.locator(RULE)).to_be_focused()
    assert draft_of(page)["stop_when"] == {"margin": 0.03}
    expect(page.locator(MARGIN)).to_have_value("3")
    tab_to(page, MARGIN)
    page.keyboard.press("Control+A")
    page.keyboard.type("2.9")
    words = page.locator("#stop-words")
    expect(words).to_contain_text("margin of every share is at most ±2.9 points")
    expect(words).to_contain_text("Question 1, 2, 3:")
    assert draft_of(page)["stop_when"] == {"margin": 0.029}
    tab_to(page, box(page, 1))
    page.keyboard.press("Space")
    expect(words).to_contain_text("Question 1, 3:")
    assert draft_of(page)["stop_when"] == {"margin": 0.029, "questions": ["harassed", "stress"]}
    page.keyboard.press("Space")
    expect(words).to_contain_text("Question 1, 2, 3:")
    assert draft_of(page)["stop_when"] == {"margin": 0.029}
    tab_to(page, RULE, "Shift+Tab")
    page.keyboard.press("Space")
    expect(words).to_be_hidden()
    expect(page.locator(MARGIN)).to_have_count(0)
    assert "stop_when" not in draft_of(page)


def test_a_rule_from_a_file_is_shown_kept_and_saved(
    context: BrowserContext, building_site: LiveSite, definition_file: Path, tmp_path: Path
) -> None:
    """Its margin in points and its questions; the file that is saved has the same rule."""
    page = open_builder(context, building_site)
    load(page, definition_file)
    expect(page.locator(MARGIN)).to_have_value("2.5")
    expect(page.locator(box(page, 0))).to_be_checked()
    file = saved(page, tmp_path / "again.yaml")
    assert read_definition(file).document == read_definition(definition_file).document


@pytest.mark.deep
def test_the_rule_follows_the_questions(context: BrowserContext, building_site: LiveSite) -> None:
    """A question that is added counts if all do, and one that was deleted is forgotten."""
    page = open_builder(context, building_site)
    name_survey(page, "Wards")
    show_tab(page, "settings")
    page.locator(RULE).check()
    show_tab(page, "questions")
    page.locator("[data-type=yes_no]").click()
    expect(page.locator(f"{RULE}-questions input:checked")).to_have_count(4)
    page.locator("[data-type=number]").click()
    expect(page.locator(f"{RULE}-questions input")).to_have_count(4)
    show_tab(page, "settings")
    page.locator(box(page, 3)).uncheck()
    page.locator(box(page, 1)).uncheck()
    assert draft_of(page)["stop_when"]["questions"] == ["harassed", "stress"]
    show_tab(page, "questions")
    page.get_by_role("button", name="Delete question 3").click()
    assert draft_of(page)["stop_when"]["questions"] == ["harassed"]
    expect(page.locator(f"{RULE}-questions input:checked")).to_have_count(1)


@pytest.mark.deep
@pytest.mark.parametrize("language", CODES)
def test_mistakes_of_the_rule_are_said_in_the_language_of_the_page(
    browser: Browser, building_site: LiveSite, language: str
) -> None:
    """Beside its fields, on a phone; the margins stay, and axe finds nothing wrong."""
    texts = catalog("builder", language)["script"]
    with browser.new_context(viewport={"width": 360, "height": 800}) as context:
        page = open_builder(context, building_site, language)
        page.locator("#at-title").fill("Wards")
        show_tab(page, "settings")
        page.locator("#at-slug").fill("wards")
        show_tab(page, "settings")
        page.get_by_label(texts["stop_when"]).check()
        assert violations(page) == []
        margin = page.get_by_label(texts["stop_margin"], exact=True)
        margin.fill("50")
        margin.blur()
        problem = page.locator("#fieldwork .field-problem")
        expect(problem).to_have_text(texts["stop_margin_rule"])
        expect(margin).to_have_attribute("aria-invalid", "true")
        expect(page.locator("#stop-words")).to_be_hidden()
        expect(page.locator("#margins tr")).to_have_count(3)
        assert violations(page) == []
        margin.fill("")
        expect(problem).to_have_text(texts["still_empty"])
        margin.fill("2.5")
        expect(page.locator("#problem-list li")).to_have_count(0)
        expect(page.locator("#stop-words")).to_be_visible()
        questions = page.get_by_role("group", name=texts["stop_questions"])
        for each in questions.get_by_role("checkbox").all():
            each.uncheck()
        list_ = page.locator("#problem-list")
        expect(list_).to_contain_text(texts["stop_questions_rule"])
        show_problems(page)
        list_.get_by_role("link").click()
        expect(questions).to_be_focused()
        assert violations(page) == []
        questions.get_by_role("checkbox").last.check()
        expect(page.locator("#state")).to_have_text(texts["ready"])
        assert violations(page) == []
