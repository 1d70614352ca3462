"""Without a network: the report is made once, waits on the device, and arrives once."""

import json
import sqlite3
from contextlib import closing

from playwright.sync_api import BrowserContext, Page, expect

from deniable_sdk import PublishedSurvey, Report, check_report
from live_form import (
    leave,
    open_form,
    open_page,
    protect,
    record_requests,
    start,
    stored_in_browser,
)
from live_site import LiveSite

CANARIES = ("zebrafinch", "quicksilver", "marmalade")
KEPT = "It is kept here, randomized"
ARRIVED = "it has arrived"


def fill_in(page: Page) -> str:
    """Answer, randomize, and give the bytes that the review shows."""
    page.get_by_label("quicksilver").check()
    page.locator("#q-harassed").get_by_label("Yes").check()
    protect(page)
    expect(page.locator("#review-title")).to_be_focused()
    return page.locator("#review-bytes").text_content() or ""


def bodies(site: LiveSite, survey: PublishedSurvey) -> list[tuple[str, list[object]]]:
    """The id and the values of every report that the collector has."""
    with closing(sqlite3.connect(site.store)) as database:
        table = database.execute(
            "select reports_table from surveys where digest = ?", [survey.digest]
        ).fetchone()[0]
        rows = database.execute(f'select * from "{table}"').fetchall()  # noqa: S608 - our own name
    return [(str(row), list(row)) for row in rows]


def test_offline_closed_and_reopened_one_report_arrives(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey
) -> None:
    """Sent without a network, the tab closed: it arrives once, with the bytes that were shown."""
    page = open_form(context, site, "canaries")
    shown = fill_in(page)
    context.set_offline(True)
    page.get_by_role("button", name="Send this report").click()
    expect(page.get_by_role("heading", name="Your report will be sent later")).to_be_focused()
    kept = stored_in_browser(page)
    assert json.dumps(shown)[1:-1] in kept
    assert not any(canary in kept for canary in CANARIES)
    leave(page)
    requests = record_requests(context)
    again = context.new_page()
    again.goto(f"{site.url}/s/canaries")
    expect(again.locator("#answered-text")).to_contain_text(KEPT)
    assert bodies(site, survey) == []
    context.set_offline(False)
    expect(again.locator("#answered-text")).to_contain_text(ARRIVED, timeout=20_000)
    sent = [request.post_data for request in requests if request.method == "POST"]
    assert set(sent) == {shown}
    assert len(bodies(site, survey)) == 1
    again.reload()
    expect(again.locator("#answered-text")).to_contain_text(ARRIVED)
    assert len(bodies(site, survey)) == 1
    check_report(Report.from_bytes(shown.encode()), survey)


def test_two_tabs_make_one_report(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey
) -> None:
    """Whoever answers in two tabs is told so in the second, and one report arrives."""
    first, second = open_form(context, site, "canaries"), open_form(context, site, "canaries")
    fill_in(first)
    first.get_by_role("button", name="Send this report").click()
    expect(first.get_by_role("heading", name="Thank you")).to_be_visible()
    second.locator("#q-harassed").get_by_label("No", exact=True).check()
    protect(second)
    expect(second.get_by_role("heading", name="This device has already answered")).to_be_focused()
    assert second.locator("input:checked").count() == 0
    assert len(bodies(site, survey)) == 1


def test_whoever_comes_back_is_not_asked_again(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey
) -> None:
    """One device answers once, and there is no way on to the questions."""
    page = open_form(context, site, "canaries")
    fill_in(page)
    page.get_by_role("button", name="Send this report").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    for _ in range(2):
        page = open_page(context, site, "canaries")
        expect(page.get_by_role("heading", name="already answered")).to_be_focused()
        assert page.locator("#answered button:visible").count() == 0
        expect(page.locator(".question:visible")).to_have_count(0)
    assert len(bodies(site, survey)) == 1


def test_a_retry_sends_the_same_bytes(context: BrowserContext, site: LiveSite) -> None:
    """However often the network fails, it is the very same report that is sent again."""
    page = open_form(context, site, "canaries")
    requests = record_requests(context)
    shown = fill_in(page)
    context.route("**/api/reports", lambda route: route.abort())
    page.get_by_role("button", name="Send this report").click()
    try_now = page.locator("#waiting").get_by_role("button", name="Try again now")
    expect(try_now).to_be_visible()
    try_now.click()
    expect(page.get_by_role("heading", name="Your report will be sent later")).to_be_focused()
    context.unroute("**/api/reports")
    try_now.click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    sent = [request.post_data for request in requests if request.method == "POST"]
    assert len(sent) >= 3
    assert set(sent) == {shown}


def test_a_refusal_is_told_with_its_reason(context: BrowserContext, site: LiveSite) -> None:
    """What a collector says against a report is shown, and nothing is sent again."""
    page = open_form(context, site, "canaries")
    fill_in(page)
    problem = {"type": "about:blank", "title": "no", "status": 422, "detail": "it does not fit"}
    context.route(
        "**/api/reports", lambda route: route.fulfill(status=422, body=json.dumps(problem))
    )
    page.get_by_role("button", name="Send this report").click()
    expect(page.get_by_role("heading", name="The report was not accepted")).to_be_focused()
    expect(page.locator("#refusal")).to_have_text("it does not fit")


def test_a_survey_that_cannot_be_loaded_says_so(context: BrowserContext, site: LiveSite) -> None:
    """Where the collector does not answer, nothing is asked, and one can try again."""
    context.route("**/api/surveys/by-digest/*", lambda route: route.abort())
    page = context.new_page()
    page.goto(f"{site.url}/s/canaries")
    expect(page.get_by_role("heading", name="The survey cannot be loaded")).to_be_focused()
    expect(page.locator("#survey")).to_be_hidden()
    context.unroute("**/api/surveys/by-digest/*")
    page.locator("#unreachable").get_by_role("button", name="Try again now").click()
    start(page)
    expect(page.get_by_label("quicksilver")).to_be_visible()


def test_where_a_browser_keeps_nothing_the_page_says_so(
    context: BrowserContext, site: LiveSite
) -> None:
    """Without storage the report is sent all the same, and waits in the page only."""
    context.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    page = open_form(context, site, "canaries")
    fill_in(page)
    context.set_offline(True)
    page.get_by_role("button", name="Send this report").click()
    expect(page.get_by_role("heading", name="Your report has not been sent yet")).to_be_focused()
    context.set_offline(False)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible(timeout=20_000)
