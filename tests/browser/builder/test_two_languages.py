"""A survey in two languages is ready only when every text is there in both."""

import json

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from live_builder import name_survey, open_builder, show_problems, show_tab
from live_site import LiveSite


def in_two_languages(page: Page) -> None:
    """The builder's example, cut down to a question of its own, in English and German."""
    name_survey(page, "Commuting")
    document = json.loads(page.evaluate("sessionStorage['deniable-draft']"))
    document["questions"] = [{"id": "car", "type": "yes_no", "text": "By car?"}]
    for key in ("introduction", "thanks", "crosstabs"):
        document.pop(key, None)
    page.evaluate("text => sessionStorage['deniable-draft'] = text", json.dumps(document))
    page.reload()
    show_tab(page, "settings")
    page.get_by_label("Another language").select_option("de")
    page.get_by_role("button", name="Add language").click()
    page.locator("#at-title-de").fill("Arbeitsweg")
    show_tab(page, "questions")
    page.locator("#at-questions-0-text-de").fill("Mit dem Auto?")
    expect(page.locator("#state")).to_have_text("Ready to publish")


@pytest.mark.deep
def test_new_options_have_a_field_for_each_language(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """The first two options of a new question too; the list names the one that is missing."""
    page = open_builder(context, building_site)
    in_two_languages(page)
    page.locator("button[data-type=choice]").click()
    page.locator("#at-questions-1-text-en").fill("Since when?")
    page.locator("#at-questions-1-text-de").fill("Seit wann?")
    page.locator("#at-questions-1-options-0-text-en").fill("This year")
    page.locator("#at-questions-1-options-0-text-de").fill("Seit diesem Jahr")
    page.locator("#at-questions-1-options-1-text-en").fill("Longer")
    expect(page.locator("#state")).to_have_text("To do before publishing: 1")
    item = page.locator("#problem-list li")
    expect(item).to_have_text("Question 2 · Option 2 · German: is still empty")
    show_problems(page)
    item.get_by_role("link").click()
    german = page.locator("#at-questions-1-options-1-text-de")
    expect(german).to_be_focused()
    german.fill("Länger")
    expect(page.locator("#state")).to_have_text("Ready to publish")
