"""Answers are looked over before the coin falls, because afterwards nothing can be changed."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from deniable_collector.store import open_store
from live_form import (
    CANARY_NUMBER,
    CANARY_OPTION,
    described_by,
    open_form,
    open_page,
    press,
    protect,
    question,
    record_requests,
    site_of_kinds,
    start,
    stored_in_browser,
    tab_to,
)
from live_site import LiveSite
from sample_definitions import survey, yes_no

FINAL = "can no longer be changed"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with surveys of many questions, one on pages and one of a single question."""
    with site_of_kinds(tmp_path_factory.mktemp("looked-over")) as running:
        with closing(open_store(running.store)) as opened:
            opened.publish(survey(yes_no(), slug="single"))
        yield running


def look_over(page: Page) -> None:
    """Go on to the answers."""
    page.get_by_role("button", name="Look over my answers").click()
    expect(page.locator("#page-title")).to_have_text("Look over your answers")
    expect(page.locator("#page-title")).to_be_focused()


def answers(page: Page) -> dict[str, list[str]]:
    """What stands under each question of the list, without its button."""
    return {
        part.locator("dt").inner_text(): part.locator("dd:not(:has(button))").all_inner_texts()
        for part in page.locator("#own-answers > div").all()
    }


def test_every_answer_is_listed_before_it_is_randomized(
    context: BrowserContext, site: LiveSite
) -> None:
    """In the page's words, with what follows said above, and nothing randomized yet."""
    page = open_form(context, site)
    question(page, "works").get_by_label("Yes").check()
    question(page, "hours").get_by_label("Your answer").fill("7.5")
    question(page, "troubles").get_by_label("noise").check()
    question(page, "troubles").get_by_label(CANARY_OPTION).check()
    question(page, "team").get_by_label("Prefer not to say").check()
    look_over(page)
    listed = answers(page)
    assert listed["Do you work?"] == ["Yes"]
    assert listed["How long?"] == ["7.5 hours"]
    assert listed["What troubles you?"] == ["noise", CANARY_OPTION]
    assert listed["In a team?"] == ["Prefer not to say"]
    assert listed["Where?"] == ["No answer"]
    assert len(listed) == 9
    above = page.locator("#looked-over > p")
    expect(above).to_contain_text(FINAL)
    assert above.evaluate("(said) => said.nextElementSibling.id") == "own-answers"
    assert FINAL in described_by(page, page.locator("#protect"))
    expect(page.locator(".question:visible")).to_have_count(0)
    assert "report" not in stored_in_browser(page)


def test_an_answer_is_changed_from_the_list_by_keyboard(
    context: BrowserContext, site: LiveSite
) -> None:
    """The button names its question and leads to it, and one more leads back to the list."""
    page = open_form(context, site, "paged")
    question(page, "works").get_by_label("No", exact=True).check()
    for _ in range(2):
        page.get_by_role("button", name="Next").click()
    expect(page.locator("#page-title")).to_have_text("Page 3 of 3")
    look_over(page)
    assert next(iter(answers(page))) == "Do you work?"
    tab_to(page, "#q-works-change")
    expect(page.get_by_role("button", name="Change Do you work?")).to_be_focused()
    press(page, "Enter")
    expect(page.locator("#page-title")).to_have_text("Page 1 of 3")
    expect(question(page, "works").get_by_label("No", exact=True)).to_be_focused()
    press(page, "ArrowUp")
    expect(question(page, "works").get_by_label("Yes")).to_be_checked()
    tab_to(page, "#look-over")
    press(page, "Enter")
    expect(page.locator("#page-title")).to_be_focused()
    assert answers(page)["Do you work?"] == ["Yes"]
    assert "How long is your way?" in answers(page)
    tab_to(page, "#back")
    press(page, "Enter")
    expect(page.locator("#page-title")).to_have_text("Page 4 of 4")


def test_back_leads_from_the_list_to_the_questions(
    context: BrowserContext, site: LiveSite
) -> None:
    """The browser's and the page's own; one entry is in the history, and no path."""
    page = open_page(context, site, "kinds")
    title, address, before = page.title(), page.url, page.evaluate("history.length")
    start(page)
    question(page, "team").get_by_label("Yes").check()
    for way in (page.go_back, page.get_by_role("button", name="Back").click):
        look_over(page)
        assert (page.title(), page.url) == (title, address)
        assert page.evaluate("[history.length, history.state]") == [before + 1, None]
        way()
        expect(question(page, "team").get_by_label("Yes")).to_be_checked()
        expect(page.locator("#look-over")).to_be_focused()


def test_no_answer_is_in_words_but_while_it_is_looked_at(
    context: BrowserContext, site: LiveSite
) -> None:
    """Not before, not after, not in storage; and no translator is handed the list."""
    page = open_form(context, site)
    requests = record_requests(context)
    question(page, "level").get_by_label("Your answer").fill(CANARY_NUMBER)
    assert CANARY_NUMBER not in page.content()
    look_over(page)
    assert answers(page)["Level?"] == [CANARY_NUMBER]
    expect(page.locator("#own-answers")).to_have_attribute("translate", "no")
    assert CANARY_NUMBER not in stored_in_browser(page)
    page.get_by_role("button", name="Back").click()
    assert CANARY_NUMBER not in page.content()
    look_over(page)
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert CANARY_NUMBER not in page.content()
    page.get_by_role("button", name="Back").click()
    question(page, "level").get_by_label("Your answer").fill(CANARY_NUMBER)
    protect(page)
    expect(page.locator("#review-title")).to_be_focused()
    assert CANARY_NUMBER not in page.content()
    assert requests == []


def test_an_open_question_comes_before_the_list(context: BrowserContext, site: LiveSite) -> None:
    """Nothing is listed while a required answer is missing; the question gets the focus."""
    page = open_form(context, site)
    question(page, "works").get_by_label("Yes").check()
    page.get_by_role("button", name="Look over my answers").click()
    expect(question(page, "hours").locator("input").first).to_be_focused()
    expect(page.locator("#looked-over")).to_be_hidden()


def test_a_single_answer_is_not_listed(context: BrowserContext, site: LiveSite) -> None:
    """It can be seen beside the button, which says that it is final."""
    page = open_form(context, site, "single")
    expect(page.locator("#look-over")).to_be_hidden()
    expect(page.locator("#protect-hint")).to_be_visible()
    assert FINAL in described_by(page, page.locator("#protect"))
    page.get_by_role("button", name="Protect my answers").click()
    expect(page.locator("#review-title")).to_be_focused()


def test_the_list_follows_the_language(browser: Browser, site: LiveSite) -> None:
    """Chosen while answers are looked at, another language says the same from the right."""
    with browser.new_context(locale="en-GB", viewport={"width": 390, "height": 844}) as context:
        page = open_form(context, site)
        question(page, "team").get_by_label("Yes").check()
        look_over(page)
        page.locator("#language").select_option("ar")
        expect(page.locator("#page-title")).to_have_text("مراجعة إجاباتك")
        assert answers(page)["In a team?"] == ["نعم"]
        assert page.evaluate("document.scrollingElement.scrollWidth") == 390


def test_what_a_report_is_stands_above_its_values(context: BrowserContext, site: LiveSite) -> None:
    """Nobody reads what the coin made of an answer before they read that it was the coin."""
    page = open_form(context, site)
    protect(page)
    expect(page.locator("#review-title")).to_be_focused()
    said = page.get_by_text("The coin may have changed your answers").bounding_box()
    values = page.locator("#review-values").bounding_box()
    assert said is not None
    assert values is not None
    assert said["y"] < values["y"]
