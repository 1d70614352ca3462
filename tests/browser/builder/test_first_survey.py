"""Somebody who has never seen it publishes a survey of three questions, by keyboard alone."""

import pytest
from playwright.sync_api import BrowserContext, expect

from deniable_sdk import Report
from live_builder import open_builder, open_example, open_page, show_more, tab_to
from live_form import protect, record_requests
from live_server import OWNER_TOKEN
from live_site import LiveSite


def test_a_first_survey_by_keyboard_alone(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """From the home page over an edited question to the published survey and its results."""
    page = open_page(context, building_site, "/surveys?lang=en")
    page.goto(f"{building_site.url}/?lang=en")
    tab_to(page, "a.primary")
    page.keyboard.press("Enter")
    page.wait_for_url("**/new**")
    tab_to(page, "a[href='./build?new=yes&lang=en']")
    page.keyboard.press("Enter")
    expect(page.locator("#margins tr")).to_have_count(3)
    tab_to(page, "#at-title")
    page.keyboard.type("Stress at work")
    tab_to(page, "#at-questions-0-text")
    page.keyboard.press("Control+A")
    page.keyboard.type("Were you bullied at work in the past year?")
    tab_to(page, "#at-questions-1")
    page.keyboard.press("Enter")
    tab_to(page, "#at-questions-1-options-2")
    page.keyboard.press("Control+A")
    page.keyboard.type("a manager")
    page.keyboard.press("Enter")
    page.keyboard.type("my family")
    for place in (1, 2):
        tab_to(page, f"#at-questions-{place}-text", "Tab" if place == 2 else "Shift+Tab")
        page.keyboard.press("Home")
        page.keyboard.press("Delete")
        page.keyboard.press("Delete")
        if place == 1:
            tab_to(page, "#at-questions-2")
            page.keyboard.press("Enter")
    tab_to(page, "#publish")
    expect(page.locator("#state")).to_have_text("Ready to publish")
    page.keyboard.press("Enter")
    # It has no end yet; one in two weeks is chosen already.
    expect(page.locator("#publish-end input[value=closes]")).to_be_focused()
    tab_to(page, "#publish-confirm")
    page.keyboard.press("Enter")
    page.wait_for_url("**/surveys/stress-at-work/share**")
    expect(page.get_by_text("Your survey is published")).to_be_visible()
    tab_to(page, "a[href*='/surveys/stress-at-work/results']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/surveys/stress-at-work/results**")
    expect(page.get_by_role("heading", name="Stress at work")).to_be_visible()


def test_a_question_is_moved_copied_and_deleted_by_keyboard(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """The focus stays with what was moved, and a deleted question can be brought back."""
    page = open_builder(context, building_site)
    asked = page.locator("#questions .asked")
    tab_to(page, "#question-0-down")
    page.keyboard.press("Enter")
    expect(page.locator("#question-1-down")).to_be_focused()
    page.keyboard.press("Enter")
    # There it can only go up again.
    expect(page.locator("#question-2-up")).to_be_focused()
    expect(asked.last).to_contain_text("Were you harassed at work in the past year?")
    tab_to(page, "[aria-label='Copy question 3']")
    page.keyboard.press("Enter")
    expect(asked).to_have_count(4)
    tab_to(page, "[aria-label='Delete question 4']")
    page.keyboard.press("Enter")
    expect(asked).to_have_count(3)
    expect(page.locator("#at-questions-2")).to_be_focused()
    tab_to(page, "#undo")
    page.keyboard.press("Enter")
    expect(asked).to_have_count(4)


def test_the_focus_stays_with_an_option_that_is_moved_to_the_end(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """There it can only go up again."""
    page = open_builder(context, building_site)
    page.locator("#add-question [data-type=choice]").click()
    page.locator("#at-questions-3-options-0-down").press("Enter")
    expect(page.locator("#at-questions-3-options-1-up")).to_be_focused()


def test_the_token_is_in_no_address_and_the_draft_in_this_tab_only(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """It travels in a header; nothing is kept beyond the tab, and nothing comes from elsewhere."""
    requests = record_requests(context)
    page = open_example(context, building_site)
    assert page.url == f"{building_site.url}/build?lang=en"
    assert any("/api/" in request.url or "/build" in request.url for request in requests)
    assert all(request.url.startswith(building_site.url) for request in requests)
    assert not any(OWNER_TOKEN in request.url for request in requests)
    assert context.cookies() == []
    assert page.evaluate("Object.keys(localStorage)") == []
    page.get_by_label("Title", exact=True).fill("Kept")
    page.reload()
    expect(page.get_by_label("Title", exact=True)).to_have_value("Kept")
    assert OWNER_TOKEN.encode() not in building_site.bytes_on_disk()


@pytest.mark.deep
def test_the_preview_asks_all_parts_and_is_as_wide_as_a_desktop(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Every question is in it, on the path that the answers lead to; the draft stays as it is."""
    page = open_builder(context, building_site)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_label("Title", exact=True).fill("Wide")
    page.get_by_role("button", name="Preview").click()
    frame = page.frame_locator("#preview-frame")
    expect(frame.get_by_role("heading", name="Wide")).to_be_visible()
    assert frame.locator("html").evaluate("() => innerWidth") < 400
    page.get_by_label("Width").select_option("Desktop")
    assert frame.locator("html").evaluate("() => innerWidth") > 1000
    # Start of the earlier preview can still be clicked until the frame has the new one.
    frame.locator("html").evaluate("(root) => root.setAttribute('data-earlier', '')")
    page.locator("#preview-parts").select_option("all parts of the survey")
    frame.locator("html:not([data-earlier]) #start:enabled").click()
    shown = frame.locator(".question:not([hidden])")
    expect(shown).to_have_count(2)
    frame.locator(".question").first.get_by_label("Yes").check()
    expect(shown).to_have_count(3)
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator("#asking-words")).to_contain_text("only 1 of the 2 parts")


def test_the_preview_is_the_real_form_and_sends_nothing(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """A report is drawn and shown, and neither it nor anything of the survey is sent or kept."""
    page = open_builder(context, building_site)
    page.get_by_label("Title", exact=True).fill("Tried")
    page.get_by_role("button", name="Preview").click()
    frame = page.frame_locator("#preview-frame")
    expect(frame.get_by_role("heading", name="Tried")).to_be_visible()
    requests = record_requests(context)
    protect(frame)
    shown = frame.locator("#review-bytes").text_content() or ""
    assert Report.from_bytes(shown.encode()).values
    frame.get_by_role("button", name="Send this report").click()
    expect(frame.get_by_text("In this preview nothing was sent")).to_be_visible()
    sent = [request for request in requests if "/static/" not in request.url]
    # The author's own draft is saved, and looked for at times; the answer is not in it.
    assert [request.url for request in sent if "/manage/drafts" not in request.url] == []
    assert not any('"answers"' in (request.post_data or "") for request in sent)
    assert page.evaluate("indexedDB.databases()") == []
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Preview").click()
    # Another preview is another respondent: nothing of the first was kept.
    protect(frame)
    expect(frame.locator("#review-title")).to_be_visible()
    expect(frame.locator("#forgetful")).to_be_hidden()
    frame.get_by_role("button", name="Do not send anything").click()
    expect(frame.get_by_role("heading", name="Nothing was sent")).to_be_visible()
    assert page.evaluate("indexedDB.databases()") == []
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator("#preview")).to_be_hidden()


def test_the_open_question_is_shown_beside_as_respondents_see_it(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """It follows the card that is open and what is written there, and takes no focus."""
    page = open_builder(context, building_site)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator("#sight-tab").click()
    seen = page.frame_locator("#sight").locator(".question:visible")
    expect(seen).to_contain_text("Were you harassed")
    page.locator("#at-questions-1").click()
    expect(seen).to_contain_text("somebody in charge")
    option = page.locator("#at-questions-1-options-0")
    option.fill("my boss")
    expect(seen).to_contain_text("my boss")
    expect(option).to_be_focused()
    # Nobody has to write every option before something is shown.
    option.fill("")
    expect(seen).to_contain_text("Option 1")
    page.locator("#add-question [data-type=number]").click()
    page.locator("#at-questions-3-max").fill("")
    expect(page.locator("#sight-waits")).to_have_text(
        "Question 4 is shown here once it is complete."
    )
    expect(page.locator("#sight")).to_be_hidden()
    page.locator("#at-questions-3-max").fill("30")
    expect(seen.locator("input").first).to_be_visible()
    expect(page.locator("#at-questions-3-max")).to_be_focused()


def test_tiles_are_opened_with_a_slash(context: BrowserContext, building_site: LiveSite) -> None:
    """After the open question, by keyboard; in a field it is a letter."""
    page = open_builder(context, building_site)
    text = page.locator("#at-questions-0-text")
    text.fill("and")
    text.press("End")
    page.keyboard.type("/or")
    expect(text).to_have_value("and/or")
    page.locator("#at-questions-0").focus()
    page.keyboard.press("/")
    expect(page.get_by_role("group", name="Insert as question 2")).to_be_visible()
    tile = page.locator("#add-question [data-type=yes_no]")
    expect(tile).to_be_focused()
    expect(tile).to_have_accessible_name("Yes or no Were you insulted?")
    page.keyboard.press("Enter")
    expect(page.locator("#at-questions-1-text")).to_be_focused()
    expect(page.locator("#questions > li")).to_have_count(4)


def test_options_are_moved_by_their_grips(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Dragged, or with the arrow keys; a field of a card shows its hint while it has the focus."""
    page = open_builder(context, building_site)
    page.locator("#at-questions-1").click()
    options = page.locator("#at-questions-1-options input")
    page.locator("#at-questions-1-options-0-grip").press("End")
    expect(page.locator("#at-questions-1-options-2-grip")).to_be_focused()
    expect(options.last).to_have_value("nobody")
    grip = page.locator("#at-questions-1-options-2-grip").bounding_box()
    first = options.first.bounding_box()
    assert grip is not None
    assert first is not None
    page.mouse.move(grip["x"] + 5, grip["y"] + 5)
    page.mouse.down()
    page.mouse.move(grip["x"] + 5, first["y"] + 5, steps=4)
    page.mouse.up()
    expect(options.first).to_have_value("nobody")
    show_more(page)
    hint = page.locator("#at-questions-1-help-hint")
    expect(hint).to_be_hidden()
    page.locator("#at-questions-1-help").focus()
    expect(hint).to_be_visible()
