"""Groups by link, written in the builder and published."""

from playwright.sync_api import BrowserContext, expect

from axe_checks import violations
from built_fieldwork import draft_of
from live_builder import name_survey, open_builder, show_tab
from live_site import LiveSite


def test_groups_by_link_are_written_and_published(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """A number that is too small says so; the share page has a link for each group."""
    page = open_builder(context, building_site)
    name_survey(page, "Wards by link")
    show_tab(page, "settings")
    page.locator("#at-link_groups").check()
    first, second = (page.get_by_role("group", name=f"Group {place}") for place in (1, 2))
    first.get_by_label("Name for respondents").fill("Nurses")
    first.get_by_label("Number of people").fill("19")
    first.get_by_label("Number of people").blur()
    problems = page.locator("#problem-list")
    expect(problems).to_contain_text("A whole number from 20 to 10,000,000.")
    first.get_by_label("Number of people").fill("412")
    page.get_by_role("button", name="Add a group").click()
    expect(second.get_by_label("Name for respondents")).to_be_focused()
    page.keyboard.type("Doctors")
    second.get_by_label("Number of people").fill("118")
    page.get_by_role("button", name="Move group 2 up").click()
    expect(page.locator("#state")).to_have_text("Ready to publish")
    assert violations(page) == []
    groups = draft_of(page)["groups"]
    assert list(groups.items()) == [
        ("doctors", {"text": "Doctors", "number": 118}),
        ("nurses", {"text": "Nurses", "number": 412}),
    ]
    page.locator("#at-invited").check()
    assert "groups" not in draft_of(page)
    page.locator("#undo").click()
    assert draft_of(page)["groups"] == groups
    page.locator("#publish").click()
    page.locator("#publish-confirm").click()
    page.wait_for_url("**/surveys/wards-by-link/share**")
    published = page.request.get(f"{building_site.url}/api/surveys/wards-by-link").json()
    assert [each["text"] for each in published["groups"]] == ["Doctors", "Nurses"]
    expect(page.get_by_text("Links for groups")).to_be_visible()
