"""Starting from a known instrument: its structure is there, and the author pastes its wording."""

import json

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from axe_checks import violations
from deniable_sdk import compile_survey, compute_scores
from deniable_web.pages.languages import CODES, catalog
from live_builder import open_builder
from live_site import LiveSite

WORDS = [f"Feeling number {place}" for place in range(1, 11)]


def add(page: Page, language: str, name: str) -> str:
    """Add an instrument; the id of its first field."""
    texts = catalog("builder", language)["instruments"]
    page.locator("#instruments summary").click()
    place = page.locator("#questions > li").count()
    page.get_by_role("button", name=texts["add"].format(name=name), exact=True).click()
    expect(page.locator(f"#at-questions-{place}-text")).to_be_focused()
    return f"#at-questions-{place}"


@pytest.mark.deep
@pytest.mark.parametrize("language", CODES)
def test_placeholders_are_replaced_before_a_survey_is_ready(
    context: BrowserContext, building_site: LiveSite, language: str
) -> None:
    """A pasted list keeps the reversed places; what is still open is named at its field."""
    page = open_builder(context, building_site, language)
    card = add(page, language, "PSS-10")
    script = catalog("builder", language)["script"]
    page.locator("#at-title").fill("Stress")
    expect(page.locator("#problem-list li")).to_have_count(3)
    expect(page.locator("#problem-list")).to_contain_text(script["problem_placeholder"])
    assert violations(page) == []
    page.locator(f"{card}-text").fill("How often?")
    page.locator(f"{card}-levels").fill("a = 0\nb = 1\nc = 2\nd = 3\ne = 4")
    paste(page, f"{card}-items", "\n".join(WORDS))
    expect(page.locator("#announcement")).to_have_text(script["reversals_kept"])
    expect(page.locator("#state")).to_have_text(script["ready"])
    draft = json.loads(page.evaluate("sessionStorage['deniable-draft']"))
    survey = compile_survey(draft)
    answers = {f"pss_10_{place}": "e" for place in range(1, 11)}
    assert compute_scores(survey, answers) == {"pss_10": "14–26"}
    answers |= {f"pss_10_{place}": "a" for place in (4, 5, 7, 8)}
    assert compute_scores(survey, answers) == {"pss_10": "27–40"}


def test_an_instrument_with_answers_of_its_own_is_added_twice(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Each time with its own questions, and undone at once."""
    page = open_builder(context, building_site)
    add(page, "en", "AUDIT-C")
    page.locator("#instruments summary").click()
    add(page, "en", "AUDIT-C")
    questions = json.loads(page.evaluate("sessionStorage['deniable-draft']"))["questions"]
    scores = [each for each in questions if each["type"] == "score"]
    named = {item["question"] for score in scores for item in score["items"]}
    assert len(named) == 6
    assert named <= {each["id"] for each in questions if each.get("reported") is False}
    assert len({each["id"] for each in questions}) == len(questions)
    page.locator("#undo").click()
    expect(page.locator("#questions > li")).to_have_count(len(questions) - 4)


def paste(page: Page, field: str, words: str) -> None:
    """Replace all of a field's text, as the clipboard does."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("(words) => navigator.clipboard.writeText(words)", words)
    page.locator(field).focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("ControlOrMeta+v")
    expect(page.locator(field)).not_to_have_value("")
