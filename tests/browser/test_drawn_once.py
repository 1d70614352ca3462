"""A device draws once for a survey: what a reload, another tab and a later day find."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from deniable_collector.store import open_store
from live_form import (
    leave,
    open_page,
    press,
    record_requests,
    records_in_browser,
    start,
    stored_in_browser,
    tab_to,
)
from live_site import LiveSite, live_site
from sample_definitions import choice, survey, yes_no
from served import rows_by_id

CANARY = "zebrafinch"
MANY = survey(*(yes_no(f"q{place}") for place in range(40)), slug="many", ask=1)
ONE = survey(choice("bird") | {"options": [CANARY, "quicksilver"]}, slug="one")
WAITS = "A report is waiting for your decision"
NOT_SENT = "Nothing was sent"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[LiveSite]:
    """A site with a survey of one question, and one that asks one of forty."""
    store = tmp_path / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(MANY)
        opened.publish(ONE)
    with live_site(store) as running:
        yield running


def reload(page: Page) -> None:
    """The page again, once it has made up its mind."""
    page.reload()
    page.locator("main[data-kept]").wait_for()


def asked(page: Page) -> list[str | None]:
    """The questions that are shown, once whoever may start has started."""
    if page.locator("#start").is_visible():
        start(page)
    return [part.get_attribute("id") for part in page.locator(".question:visible").all()]


def protect(page: Page) -> str:
    """Start, answer and randomize; the bytes that the review shows."""
    start(page)
    page.get_by_label(CANARY).check()
    page.get_by_role("button", name="Protect my answers").click()
    expect(page.locator("#review-title")).to_be_focused()
    return shown(page)


def shown(page: Page) -> str:
    """The report on the page, byte by byte."""
    return page.locator("#review-bytes").text_content() or ""


def stored_ids(site: LiveSite) -> list[str]:
    """The ids of the reports to the survey of one question that the collector has."""
    return list(rows_by_id(site.store, ONE).elements())


def test_the_same_is_asked_after_a_reload(context: BrowserContext, site: LiveSite) -> None:
    """Nobody can reload, or open tabs, until the question comes that they would rather answer."""
    page = open_page(context, site, "many")
    first = asked(page)
    assert len(first) == 1
    for _ in range(5):
        reload(page)
        assert asked(page) == first
    assert asked(open_page(context, site, "many")) == first
    page.get_by_role("button", name="Protect my answers").click()
    expect(page.locator("#review-title")).to_be_focused()
    (block,) = json.loads(shown(page))["values"]
    assert first == [f"q-{block}"]


def test_after_a_reload_the_same_report_waits(context: BrowserContext, site: LiveSite) -> None:
    """It is not drawn again, not sent, and shown on request only."""
    page = open_page(context, site, "one")
    requests = record_requests(context)
    drawn = protect(page)
    for _ in range(3):
        reload(page)
        expect(page.get_by_role("heading", name=WAITS)).to_be_focused()
        assert asked(page) == []
        assert shown(page) == ""
        page.get_by_role("button", name="Show the report").click()
        expect(page.locator("#review-title")).to_be_focused()
        assert shown(page) == drawn
    assert {request.method for request in requests} == {"GET"}
    assert stored_ids(site) == []


@pytest.mark.sweep
@pytest.mark.parametrize("is_looked_at", [False, True])
def test_sent_after_a_reload_it_arrives_once(
    context: BrowserContext, site: LiveSite, *, is_looked_at: bool
) -> None:
    """The bytes that were shown before the reload are those that are sent."""
    page = open_page(context, site, "one")
    drawn = protect(page)
    leave(page)
    requests = record_requests(context)
    again = open_page(context, site, "one")
    if is_looked_at:
        again.get_by_role("button", name="Show the report").click()
        expect(again.locator("#review-title")).to_be_focused()
    again.get_by_role("button", name="Send this report").click()
    expect(again.get_by_role("heading", name="Thank you")).to_be_focused()
    assert [request.post_data for request in requests if request.method == "POST"] == [drawn]
    assert stored_ids(site) == [json.loads(drawn)["report"]]
    reload(again)
    expect(again.get_by_role("heading", name="This device has already answered")).to_be_focused()
    assert len(stored_ids(site)) == 1


@pytest.mark.sweep
@pytest.mark.parametrize("is_reloaded", [False, True])
def test_of_a_declined_report_only_the_mark_stays(
    context: BrowserContext, site: LiveSite, *, is_reloaded: bool
) -> None:
    """Neither its bytes nor an answer is on the device, and the survey is not asked again."""
    page = open_page(context, site, "one")
    requests = record_requests(context)
    drawn = protect(page)
    assert json.dumps(drawn)[1:-1] in stored_in_browser(page)
    if is_reloaded:
        reload(page)
    page.get_by_role("button", name="Do not send anything").click()
    expect(page.get_by_role("heading", name=NOT_SENT)).to_be_focused()
    for _ in range(3):
        kept = stored_in_browser(page)
        assert CANARY not in kept
        assert json.dumps(json.loads(drawn)["values"]) not in kept.replace("\\", "")
        (mark,) = [each for each in records_in_browser(page) if each.get("survey") == ONE.digest]
        assert (mark["state"], mark["body"], mark["fixed"]) == ("declined", None, {})
        assert mark["weights"]
        reload(page)
        expect(page.get_by_role("heading", name=NOT_SENT)).to_be_focused()
        expect(page.locator("#declined-text")).to_contain_text("cannot be answered again here")
        assert asked(page) == []
    assert {request.method for request in requests} == {"GET"}
    assert stored_ids(site) == []


def test_a_second_tab_finds_the_report_of_the_first(
    context: BrowserContext, site: LiveSite
) -> None:
    """Whoever answers in both is led to the one report, and one decision holds in both."""
    first, second = open_page(context, site, "one"), open_page(context, site, "one")
    drawn = protect(first)
    start(second)
    second.get_by_label("quicksilver").check()
    second.get_by_role("button", name="Protect my answers").click()
    expect(second.get_by_role("heading", name=WAITS)).to_be_focused()
    assert second.locator("input:checked").count() == 0
    second.get_by_role("button", name="Show the report").click()
    expect(second.locator("#review-title")).to_be_focused()
    assert shown(second) == drawn
    second.get_by_role("button", name="Do not send anything").click()
    expect(second.get_by_role("heading", name=NOT_SENT)).to_be_focused()
    first.get_by_role("button", name="Send this report").click()
    expect(first.get_by_role("heading", name=NOT_SENT)).to_be_focused()
    assert stored_ids(site) == []


def test_two_tabs_at_the_same_moment_draw_one_report(
    context: BrowserContext, site: LiveSite
) -> None:
    """Both are clicked before either has answered; one report is there, in both of them."""
    tabs = [open_page(context, site, "one") for _ in range(2)]
    for tab, bird in zip(tabs, (CANARY, "quicksilver"), strict=True):
        start(tab)
        tab.get_by_label(bird).check()
    for tab in tabs:
        tab.evaluate("document.getElementById('protect').click()")
    drawn = set()
    for tab in tabs:
        expect(tab.locator("#review-title, #held-title").locator("visible=true")).to_be_focused()
        if tab.locator("#look").is_visible():
            tab.get_by_role("button", name="Show the report").click()
        expect(tab.locator("#review-title")).to_be_focused()
        drawn.add(shown(tab))
    assert len(drawn) == 1
    kept = [record for record in records_in_browser(tabs[0]) if "report" in record]
    assert [record["body"] for record in kept] == list(drawn)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("decision", "is_sent"), [("Send this report", True), ("Do not send anything", False)]
)
def test_sending_is_said_only_where_a_report_is_sent(
    context: BrowserContext, site: LiveSite, decision: str, *, is_sent: bool
) -> None:
    """Screen readers hear nothing of it while a report is looked at or declined."""
    page = open_page(context, site, "one")
    protect(page)
    reload(page)
    page.evaluate(
        """() => {
          window.said = [];
          new MutationObserver((changes) => {
            for (const { addedNodes } of changes) {
              said.push(...[...addedNodes].map((node) => node.textContent));
            }
          }).observe(document.getElementById("status"), { childList: true });
        }"""
    )
    page.get_by_role("button", name="Show the report").click()
    expect(page.locator("#review-title")).to_be_focused()
    assert page.evaluate("said") == []
    page.get_by_role("button", name=decision).click()
    expect(page.locator("#sent-title" if is_sent else "#declined-title")).to_be_focused()
    assert page.evaluate("said") == ["Sending…"] * is_sent


def test_the_report_that_waits_is_decided_on_by_keyboard(
    context: BrowserContext, site: LiveSite
) -> None:
    """All three buttons are reached by Tab, and the focus goes where something new is said."""
    page = open_page(context, site, "one")
    protect(page)
    reload(page)
    expect(page.get_by_role("heading", name=WAITS)).to_be_focused()
    for selector in ("#look", "#held [data-action='send']", "#held [data-action='decline']"):
        press(page, "Tab")
        assert page.evaluate("(part) => document.activeElement.matches(part)", selector)
    press(page, "Shift+Tab", "Shift+Tab", "Enter")
    expect(page.locator("#review-title")).to_be_focused()
    tab_to(page, "#decline")
    press(page, "Enter")
    expect(page.locator("#declined-title")).to_be_focused()


@pytest.mark.deep
def test_a_report_of_an_earlier_edition_is_told_from_one_that_arrived(
    context: BrowserContext, site: LiveSite
) -> None:
    """Who declined one edition is not asked the next, and is not told that a report arrived."""
    page = open_page(context, site, "one")
    protect(page)
    page.get_by_role("button", name="Do not send anything").click()
    expect(page.get_by_role("heading", name=NOT_SENT)).to_be_focused()
    leave(page)
    with closing(open_store(site.store)) as opened:
        opened.close_survey("one")
        opened.publish(survey(yes_no("other"), slug="one"))
    again = open_page(context, site, "one")
    expect(again.get_by_role("heading", name="already answered")).to_be_focused()
    expect(again.locator("#answered-text")).to_contain_text("has not arrived")


@pytest.mark.deep
def test_a_report_of_an_earlier_edition_that_waits_can_be_deleted(
    context: BrowserContext, site: LiveSite
) -> None:
    """It can be sent no more, does not stay on the device for ever, and draws no other one."""
    page = open_page(context, site, "one")
    requests = record_requests(context)
    drawn = protect(page)
    leave(page)
    with closing(open_store(site.store)) as opened:
        opened.close_survey("one")
        opened.publish(survey(yes_no("other"), slug="one"))
    again = open_page(context, site, "one")
    expect(again.locator("#answered-title")).to_be_focused()
    expect(again.locator("#answered-text")).to_contain_text("has not arrived")
    assert json.dumps(drawn)[1:-1] in stored_in_browser(again)
    again.get_by_role("button", name="Delete the unsent report").click()
    expect(again.get_by_role("button", name="Delete the unsent report")).to_be_hidden()
    assert json.dumps(drawn)[1:-1] not in stored_in_browser(again)
    reload(again)
    expect(again.locator("#answered-text")).to_contain_text("has not arrived")
    assert asked(again) == []
    assert {request.method for request in requests} == {"GET"}


def test_where_a_browser_keeps_nothing_the_page_says_what_it_forgets(
    context: BrowserContext, site: LiveSite
) -> None:
    """Before the first question, at the report, and after it was declined."""
    said = open_page(context, site, "one").locator("#forgetful")
    expect(said).to_be_hidden()
    context.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    page = open_page(context, site, "one")
    expect(page.locator("#forgetful")).to_contain_text("keeps nothing for this page")
    protect(page)
    expect(page.locator("#review-once")).to_contain_text("Please answer only once.")
    page.locator("#language").select_option("de")
    expect(page.locator("#review-once")).to_contain_text("Bitte antworten Sie nur einmal.")
    page.locator("#decline").click()
    expect(page.locator("#declined-title")).to_be_focused()
    expect(page.locator("#declined-text")).to_contain_text("kann sich also nicht merken")
