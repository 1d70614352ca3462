"""Drafts that are kept at the server: for later, and for two authors at once."""

import pytest
from playwright.sync_api import expect

from axe_checks import violations
from browser.builder.authors import Open, begin, saved, title_of
from live_builder import show_tab, tab_to
from viewports import VIEWPORTS, Viewport


def test_a_draft_survives_its_tab(open_as: Open) -> None:
    """Its address opens it in another browser, with everything that was written."""
    page, path = begin(open_as)
    page.locator("#add-question [data-type=choice]").click()
    page.wait_for_timeout(500)
    saved(page)
    page.context.close()
    again = open_as("ben", f"/{path}")
    expect(title_of(again)).to_have_value("Stress at work")
    expect(again.locator("#questions > li")).to_have_count(4)


def test_a_change_that_is_taken_back_ends_in_saved(open_as: Open) -> None:
    """The page says that the draft is saved, and not that it is being saved."""
    page, _ = begin(open_as)
    title_of(page).fill("Load at work")
    title_of(page).fill("Stress at work")
    saved(page)


def test_an_example_that_nobody_changed_is_no_draft(open_as: Open) -> None:
    """Whoever only looks leaves nothing behind."""
    page = open_as("anna", "/build?lang=en")
    expect(page.locator("#margins tr")).to_have_count(3)
    page.goto(page.url.replace("/build", "/drafts"))
    expect(page.locator("#status")).to_have_text("There are no drafts yet.")


def test_two_authors_see_each_others_changes(open_as: Open) -> None:
    """At different places both stay; the field in which somebody writes keeps its focus."""
    anna, path = begin(open_as)
    ben = open_as("ben", f"/{path}")
    expect(title_of(ben)).to_have_value("Stress at work")
    expect(ben.locator("#begun")).to_contain_text("anna began this draft.")
    expect(ben.locator("#present")).to_have_text("Also here: anna")
    expect(anna.locator("#present")).to_have_text("Also here: ben")
    ben.locator("#at-questions-0-text").click()
    show_tab(anna, "accuracy")
    anna.locator("#stops input[value='2']").check()
    show_tab(anna, "settings")
    anna.get_by_label("Link name").fill("stress")
    ben.locator("#at-questions-0-text").fill("Are you stressed?")
    expect(ben.get_by_label("Link name")).to_have_value("stress")
    expect(ben.locator("#begun")).to_have_text(
        "anna has changed this survey. You now see these changes."
    )
    expect(ben.locator("#at-questions-0-text")).to_be_focused()
    expect(anna.locator("#at-questions-0-text")).to_have_value("Are you stressed?")
    for page in (anna, ben):
        expect(page.locator("#conflicts")).to_be_hidden()
        expect(page.locator("#stops input[value='2']")).to_be_checked()


@pytest.mark.sweep
@pytest.mark.parametrize("is_mine", [True, False], ids=["mine", "theirs"])
def test_two_authors_who_change_one_text_choose(open_as: Open, *, is_mine: bool) -> None:
    """The page shows both texts, and nothing is lost before somebody has chosen."""
    anna, path = begin(open_as)
    ben = open_as("ben", f"/{path}")
    expect(title_of(ben)).to_have_value("Stress at work")
    ben.context.set_offline(True)
    title_of(ben).fill("Load at work")
    expect(ben.locator("#kept")).to_contain_text("Not saved yet.")
    title_of(anna).fill("Strain at work")
    anna.wait_for_timeout(1_500)
    saved(anna)
    ben.context.set_offline(False)
    conflict = ben.locator("#conflict-list li")
    expect(conflict).to_contain_text("anna changed the same place")
    expect(conflict).to_contain_text("Title")
    expect(conflict.locator("dd")).to_have_text(["Load at work", "Strain at work"])
    assert violations(ben) == []
    name = "Use mine" if is_mine else "Use that of anna"
    ben.get_by_role("button", name=name).click()
    expect(ben.locator("#conflicts")).to_be_hidden()
    chosen = "Load at work" if is_mine else "Strain at work"
    for page in (ben, anna):
        expect(title_of(page)).to_have_value(chosen)


@pytest.mark.deep
def test_an_earlier_version_can_be_restored(open_as: Open) -> None:
    """It becomes the newest; who wrote what is listed."""
    anna, path = begin(open_as)
    ben = open_as("ben", f"/{path}")
    expect(title_of(ben)).to_have_value("Stress at work")
    title_of(ben).fill("Worse")
    expect(title_of(anna)).to_have_value("Worse")
    tab_to(anna, "#history")
    anna.keyboard.press("Enter")
    rows = anna.locator("#history-list li")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("ben")
    assert violations(anna) == []
    rows.nth(1).get_by_role("button").click()
    for page in (anna, ben):
        expect(title_of(page)).to_have_value("Stress at work")


@pytest.mark.deep
def test_a_removed_draft_stays_in_the_tab_that_has_it(open_as: Open) -> None:
    """Its next change is a new draft; the author is told."""
    anna, _ = begin(open_as)
    ben = open_as("ben", "/drafts?lang=en")
    ben.get_by_role("button", name="Remove “Stress at work”").click()
    ben.locator("#remove-confirm").click()
    expect(ben.locator("#status")).to_have_text("There are no drafts yet.")
    expect(anna.locator("#kept")).to_contain_text("Somebody removed this draft.")
    title_of(anna).fill("Stress again")
    saved(anna)
    expect(ben.get_by_role("link", name="Stress again")).to_be_visible()


def test_drafts_are_listed_copied_and_begun(open_as: Open) -> None:
    """A copy has no name in addresses yet, because a name is that of one survey."""
    anna, _ = begin(open_as)
    show_tab(anna, "settings")
    anna.get_by_label("Link name").fill("stress")
    anna.wait_for_timeout(1_500)
    saved(anna)
    ben = open_as("ben", "/drafts?lang=en")
    expect(ben.locator("#draft-rows tr")).to_have_count(1)
    expect(ben.locator("#draft-rows td").nth(1)).to_have_text("anna")
    ben.get_by_role("button", name="Copy “Stress at work”").click()
    expect(title_of(ben)).to_have_value("Stress at work")
    expect(ben.get_by_label("Link name")).to_have_value("")
    ben.get_by_role("link", name="Drafts").click()
    expect(ben.locator("#draft-rows tr")).to_have_count(2)
    ben.get_by_role("link", name="New survey").click()
    ben.get_by_role("link", name="Short example").click()
    expect(title_of(ben)).to_have_value("")
    assert "draft=" not in ben.url


@pytest.mark.deep
@pytest.mark.parametrize("view", VIEWPORTS)
def test_axe_finds_nothing_wrong_with_the_list(open_as: Open, view: Viewport) -> None:
    """In all languages and widths; neither does the question before a draft is removed."""
    begin(open_as)
    page = open_as(
        "ben",
        f"/drafts?lang={view.language}",
        color_scheme=view.scheme,
        viewport={"width": view.width, "height": 900},
    )
    expect(page.locator("#draft-rows tr")).to_have_count(1)
    assert violations(page) == []
    page.locator("#draft-rows button").last.click()
    assert violations(page) == []


@pytest.mark.deep
def test_a_server_without_drafts_leaves_them_in_the_tab(open_as: Open) -> None:
    """The page says so."""
    page = open_as("anna", "/build?lang=en")
    page.route("**/manage/drafts", lambda route: route.fulfill(status=404, json={}))
    title_of(page).fill("Stress")
    expect(page.locator("#kept")).to_contain_text("stays in this tab only")
    page.reload()
    expect(title_of(page)).to_have_value("Stress")
