"""Who runs a survey, written in the builder."""

import pytest
from playwright.sync_api import BrowserContext, expect

from axe_checks import violations
from deniable_web.pages.languages import catalog
from live_builder import name_survey, open_builder, show_tab, tab_to
from live_form import start
from live_site import LiveSite

CONTACT = "An e-mail address, a phone number, or a web address that starts with https://."


@pytest.mark.deep
def test_who_runs_the_survey_is_written_and_previewed(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """By keyboard; a contact that cannot be linked is a problem at its field."""
    page = open_builder(context, building_site)
    name_survey(page, "Stress at work")
    page.locator("#settings-tab").focus()
    page.keyboard.press("Enter")
    tab_to(page, "#at-operator-name")
    page.keyboard.type("Works council")
    expect(page.locator("#problem-list")).to_contain_text("Contact: is still empty")
    tab_to(page, "#at-operator-contact")
    page.keyboard.type("javascript:alert(1)")
    page.keyboard.press("Tab")
    expect(page.locator("#problem-list")).to_contain_text(f"Contact: {CONTACT}")
    expect(page.locator("#at-operator-contact")).to_have_attribute("aria-invalid", "true")
    # Margins do not depend on it.
    expect(page.locator("#margins tr")).to_have_count(3)
    assert violations(page) == []
    page.locator("#at-operator-contact").fill("council@example.org")
    page.locator("#at-operator-purpose").fill("Safer work")
    expect(page.locator("#state")).to_have_text("Ready to publish")
    page.get_by_role("button", name="Preview").click()
    frame = page.frame_locator("#preview-frame")
    expect(frame.locator("#opening")).to_contain_text("Asked by Works council")
    expect(frame.locator("#opening")).to_contain_text("Safer work")
    start(frame)
    expect(frame.locator(".question:visible").first).to_be_focused()
    page.get_by_role("button", name="Close", exact=True).click()
    for key in ("name", "contact", "purpose"):
        page.locator(f"#at-operator-{key}").fill("")
    expect(page.locator("#state")).to_have_text("Ready to publish")
    draft = page.evaluate("JSON.parse(sessionStorage.getItem('deniable-draft'))")
    assert "operator" not in draft


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["de", "ar"])
def test_the_contact_is_asked_for_in_the_language_of_the_page(
    context: BrowserContext, building_site: LiveSite, language: str
) -> None:
    """What is allowed is said below the field and in the list of problems."""
    page = open_builder(context, building_site, language)
    texts = catalog("builder", language)
    show_tab(page, "settings")
    page.locator("#at-operator-contact").fill("us")
    rule = texts["script"]["operator_contact_rule"]
    expect(page.locator("#at-operator-contact-hint")).to_have_text(rule)
    expect(page.locator("#problem-list")).to_contain_text(rule)
