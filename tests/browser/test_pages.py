"""The form on pages, in languages, with a coin to try."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Locator, Page, expect

from live_form import (
    CANARY_OPTION,
    open_form,
    open_page,
    press,
    question,
    record_requests,
    site_of_kinds,
    start,
    tab_to,
)
from live_site import LiveSite


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with a survey on pages."""
    with site_of_kinds(tmp_path_factory.mktemp("pages")) as running:
        yield running


def open_paged(context: BrowserContext, site: LiveSite) -> Page:
    """The first page of the survey on pages."""
    return open_form(context, site, "paged")


def expect_progress(page: Page, words: str) -> None:
    """What the progress says, in words and to screen readers."""
    place, pages = re.findall(r"\d+", words)
    expect(page.locator("#page-title")).to_have_text(words)
    bar = page.get_by_role("progressbar", name=words)
    expect(bar).to_have_attribute("max", pages)
    assert bar.evaluate("(bar) => bar.value") == int(place)


def test_pages_by_keyboard_alone(context: BrowserContext, site: LiveSite) -> None:
    """Without a mouse: pages nobody is led to are passed over, and the focus is on the page."""
    page = open_paged(context, site)
    requests = record_requests(context)
    expect_progress(page, "Page 1 of 3")
    tab_to(page, "#next")
    press(page, "Enter")
    expect(page.locator("#q-works input").first).to_be_focused()
    press(page, "Space")
    expect_progress(page, "Page 1 of 4")
    press(page, "ArrowDown")
    expect_progress(page, "Page 1 of 3")
    tab_to(page, "#next")
    press(page, "Enter")
    expect(page.locator("#page-title")).to_be_focused()
    expect_progress(page, "Page 2 of 3")
    expect(page.locator("#opening")).to_be_hidden()
    tab_to(page, "#q-calm input")
    press(page, "Space", "Tab", "Space", "ArrowDown")
    tab_to(page, "#next")
    press(page, "Enter")
    expect_progress(page, "Page 3 of 3")
    tab_to(page, "#back")
    press(page, "Enter")
    expect_progress(page, "Page 2 of 3")
    expect(question(page, "tired").get_by_label("2", exact=True)).to_be_checked()
    tab_to(page, "#next")
    press(page, "Enter")
    tab_to(page, "#look-over")
    press(page, "Enter")
    expect(page.locator("#page-title")).to_be_focused()
    tab_to(page, "#protect")
    press(page, "Enter")
    expect(page.locator("#review-title")).to_be_focused()
    assert requests == []


def test_the_browsers_back_turns_a_page(context: BrowserContext, site: LiveSite) -> None:
    """It keeps what was filled in, leaves from the opening, and the history shows no path."""
    page = open_page(context, site, "paged")
    before = page.evaluate("history.length")
    start(page)
    question(page, "works").get_by_label("No", exact=True).check()
    for place in (2, 3):
        page.get_by_role("button", name="Next").click()
        expect_progress(page, f"Page {place} of 3")
    assert page.evaluate("[history.length, history.state]") == [before + 1, None]
    for place in (2, 1):
        page.go_back()
        expect_progress(page, f"Page {place} of 3")
    expect(question(page, "works").get_by_label("No", exact=True)).to_be_checked()
    page.go_back()
    expect(page.locator("#start")).to_be_focused()
    page.on("dialog", lambda dialog: dialog.accept())
    page.go_back()
    page.wait_for_url("about:blank")


def corner(part: Locator) -> tuple[int, int]:
    """Where a part of the page stands."""
    box = part.bounding_box()
    assert box is not None
    return round(box["x"]), round(box["y"])


def test_a_matrix_on_a_desk_and_cards_on_a_phone(context: BrowserContext, site: LiveSite) -> None:
    """Rows of one table where there is room, and one card for each question where not."""
    page = open_paged(context, site)
    question(page, "works").get_by_label("No", exact=True).check()
    page.get_by_role("button", name="Next").click()
    rows = [question(page, name) for name in ("calm", "tired", "heard")]
    assert len({corner(row.get_by_label("3", exact=True))[0] for row in rows}) == 1
    levels = rows[0].locator("input").all()
    assert len({corner(level)[1] for level in levels}) == 1
    expect(page.locator(".columns")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 700})
    expect(page.locator(".columns")).to_be_hidden()
    assert len({corner(level)[0] for level in levels}) == 1
    assert page.evaluate("document.scrollingElement.scrollWidth") == 360


def test_the_language_is_the_devices_and_can_be_changed(browser: Browser, site: LiveSite) -> None:
    """It is chosen without a request, what was filled in stays, and nothing of it is kept."""
    with browser.new_context(locale="de-AT") as context:
        page = open_paged(context, site)
        requests = record_requests(context)
        expect(page.locator("html")).to_have_attribute("lang", "de")
        question(page, "works").get_by_label("Ja").check()
        page.get_by_role("button", name="Weiter").click()
        question(page, "commute").locator("input[type=text]").fill("12")
        page.get_by_role("combobox", name="Sprache").select_option("ar")
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        expect(page.locator("#page-title")).to_have_text("صفحة 2 من 4")
        assert question(page, "commute").locator("input[type=text]").input_value() == "12"
        page.get_by_role("button", name="السابق").click()
        expect(question(page, "works").get_by_label("نعم")).to_be_checked()
        assert requests == []
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", "de")


def test_the_coin_can_be_tried_before_anything_is_answered(
    context: BrowserContext, site: LiveSite
) -> None:
    """It flips as often as told, shows how often each answer came, and asks nobody anything."""
    page = open_page(context, site, "paged")
    requests = record_requests(context)
    tab_to(page, "#play summary")
    press(page, "Enter")
    expect(page.locator("#play-question")).to_have_text("Do you work?")
    for name, flips in (("Once", 1), ("100 times", 101), ("1000 times", 1101)):
        page.locator("#play").get_by_role("button", name=name, exact=True).click()
        expect(page.locator("#played")).to_contain_text(f"{flips:,}")
        counts = page.locator("#play-rows td:nth-child(2)").all_inner_texts()
        assert sum(int(count.replace(",", "")) for count in counts) == flips
    likeliest = page.locator("#play-rows tr").first
    expect(likeliest).to_contain_text("Yes")
    page.locator("#pretended").select_option("1")
    expect(page.locator("#play-rows tr")).to_have_count(0)
    assert requests == []
    assert page.locator("#survey input:checked").count() == 0


def test_leaving_is_asked_about_only_while_something_is_filled_in(
    context: BrowserContext, site: LiveSite
) -> None:
    """The page says that answers go when it is closed, and the browser asks before."""
    page = open_paged(context, site)
    expect(page.get_by_text("is gone when you close the page")).to_be_visible()
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    page.reload()
    assert asked == []
    start(page)
    question(page, "works").get_by_label("Yes").check()
    page.reload()
    assert asked == ["beforeunload"]
    assert page.locator("input:checked").count() == 0


def test_what_was_filled_in_is_wiped_when_the_page_is_left(
    context: BrowserContext, site: LiveSite
) -> None:
    """Who goes back in the browser on a shared computer finds an empty form."""
    page = open_paged(context, site)
    page.on("dialog", lambda dialog: dialog.accept())
    question(page, "works").get_by_label("No", exact=True).check()
    for _ in range(2):
        page.get_by_role("button", name="Next").click()
    question(page, "troubles").get_by_label(CANARY_OPTION).check()
    page.goto(f"{site.url}/s/over")
    page.go_back()
    start(page)
    assert page.locator("input:checked").count() == 0


def test_a_message_page_speaks_the_language_of_the_device(
    browser: Browser, site: LiveSite
) -> None:
    """A closed survey says so in each language, and without scripts in one."""
    with browser.new_context(locale="es-MX") as context:
        page = context.new_page()
        page.goto(f"{site.url}/s/over")
        expect(page.get_by_role("heading", name="Esta encuesta está cerrada")).to_be_visible()
    with browser.new_context(locale="es-MX", java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site.url}/s/over")
        expect(page.get_by_role("heading", name="This survey is closed")).to_be_visible()
