"""A draft that is kept nowhere else is not lost without a question."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Dialog, Page, expect

from live_builder import name_survey, open_example, take_example
from live_site import LiveSite


@pytest.fixture(autouse=True)
def _unsaved(context: BrowserContext) -> None:
    """No draft reaches the server."""
    context.route("**/manage/drafts**", lambda route: route.abort())


def listen(page: Page) -> list[str]:
    """The questions that the browser asks from now on; each is answered with "leave"."""
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    return asked


def write(page: Page, words: str = "Stress at work") -> None:
    """Change the draft as somebody at the page does: browsers ask nobody who only looked."""
    title = page.get_by_label("Title", exact=True)
    title.click()
    title.press_sequentially(words)


def follow_a_link(page: Page) -> None:
    """To the list of surveys."""
    page.get_by_role("link", name="Surveys").click()
    page.wait_for_url("**/surveys*")


def sign_out(page: Page) -> None:
    """With the button of the frame."""
    page.locator("#sign-out").click()
    expect(page.locator("#token")).to_be_visible()


def close(page: Page) -> None:
    """The tab."""
    with page.expect_event("close"):
        page.close(run_before_unload=True)


@pytest.mark.sweep
@pytest.mark.parametrize("leave", [follow_a_link, sign_out, close])
def test_an_unsaved_draft_is_asked_about(
    context: BrowserContext, building_site: LiveSite, leave: Callable[[Page], None]
) -> None:
    """By whichever way the page is left."""
    page = open_example(context, building_site)
    asked = listen(page)
    write(page)
    leave(page)
    assert asked == ["beforeunload"]


@pytest.mark.deep
def test_whoever_stays_keeps_the_draft(context: BrowserContext, building_site: LiveSite) -> None:
    """The question can be answered with "stay", and nothing has changed then."""
    page = open_example(context, building_site)
    page.on("dialog", lambda dialog: dialog.dismiss())
    write(page)
    with page.expect_event("dialog"):
        page.get_by_role("link", name="Surveys").click(no_wait_after=True)
    expect(page.get_by_label("Title", exact=True)).to_have_value("Stress at work")
    assert page.url.startswith(f"{building_site.url}/build")


@pytest.mark.deep
def test_what_is_kept_elsewhere_is_not_asked_about(
    context: BrowserContext, building_site: LiveSite, tmp_path: Path
) -> None:
    """The example, a file that was saved or taken in, another language, and what was published."""
    page = open_example(context, building_site)
    asked = listen(page)
    page.get_by_label("Title", exact=True).click()
    page.reload()
    take_example(page)
    name_survey(page, "Kept")
    write(page, " twice")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Save as YAML").click()
    file = tmp_path / "kept.yaml"
    downloading.value.save_as(file)
    page.reload()
    expect(page.get_by_label("Title", exact=True)).to_have_value("Kept twice")
    page.locator("#at-title").click()
    page.reload()
    page.locator("#start-over").click()
    page.locator("#import-file").set_input_files(file)
    expect(page.get_by_text("Everything was imported")).to_be_visible()
    page.reload()
    write(page, ", and again")
    page.get_by_role("link", name="Deutsch").click()
    expect(page.get_by_label("Titel", exact=True)).to_have_value("Kept twice, and again")
    assert asked == []
    page.locator("#at-title").click()
    page.reload()
    assert asked == ["beforeunload"], "a draft is still unsaved in another language"
    page.locator("#publish").click()
    page.locator("#publish-confirm").click()
    page.wait_for_url("**/surveys/*/share**")
    assert asked == ["beforeunload"]


@pytest.mark.deep
def test_a_change_that_was_taken_back_is_not_asked_about(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """What counts is the draft, not that there were changes; undo after starting over counts."""
    page = open_example(context, building_site)
    asked = listen(page)
    write(page)
    page.locator("#start-over").click()
    page.reload()
    assert asked == []
    write(page)
    page.locator("#start-over").click()
    page.locator("#undo").click()
    expect(page.get_by_label("Title", exact=True)).to_have_value("Stress at work")
    page.reload()
    assert asked == ["beforeunload"]
    stored = json.loads(page.evaluate("sessionStorage['deniable-draft']"))
    assert stored["title"] == "Stress at work"
