"""The respondent's form in a real browser, over a real collector."""

import json
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from deniable_sdk import PublishedSurvey, Report, check_report
from live_form import open_form, press, protect, record_requests, stored_in_browser, tab_to
from live_site import LiveSite

CANARIES = ("zebrafinch", "quicksilver", "marmalade")
CLOSED_SLUG = "closed"


def stored_reports(site: LiveSite, survey: PublishedSurvey) -> list[dict[str, object]]:
    """The answers of every stored report of the survey."""
    with closing(sqlite3.connect(site.store)) as database:
        table = database.execute(
            "select reports_table from surveys where digest = ?", [survey.digest]
        ).fetchone()[0]
        rows = database.execute(f'select canary, harassed, stress from "{table}"').fetchall()  # noqa: S608 - our own name
    return [
        {
            name: json.loads(value) if isinstance(value, str) else value
            for name, value in zip(("canary", "harassed", "stress"), row, strict=True)
        }
        for row in rows
    ]


def fill_by_keyboard(page: Page, canary_steps: int) -> None:
    """Answer all questions and go on to the review, without a mouse."""
    page.locator("body").focus()
    tab_to(page, "#q-canary input")
    press(page, "Space", *["ArrowDown"] * canary_steps)
    press(page, "Tab", "Space", "Tab", "Space", "ArrowDown", "Tab", "Enter")
    expect(page.locator("#page-title")).to_have_text("Look over your answers")
    tab_to(page, "#protect")
    press(page, "Enter")
    expect(page.locator("#review-title")).to_be_focused()


def test_filled_by_keyboard_alone(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey
) -> None:
    """Without a mouse, one legal report leaves, and only it; it is stored."""
    page = open_form(context, site, "canaries")
    requests = record_requests(context)
    fill_by_keyboard(page, canary_steps=1)
    assert requests == []
    tab_to(page, "#send")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    sent = [request for request in requests if request.method != "GET"]
    assert [(request.method, request.url) for request in sent] == [
        ("POST", f"{site.url}/api/reports")
    ]
    body = sent[0].post_data_buffer or b""
    report = Report.from_bytes(body)
    check_report(report, survey)
    assert report.to_bytes() == body
    assert stored_reports(site, survey) == [dict(report.values)]


def test_the_review_shows_the_bytes_that_are_sent(context: BrowserContext, site: LiveSite) -> None:
    """What the page shows on request is, byte for byte, what is sent."""
    page = open_form(context, site, "canaries")
    requests = record_requests(context)
    fill_by_keyboard(page, canary_steps=0)
    page.get_by_text("Show the exact bytes").click()
    shown = page.locator("#review-bytes").inner_text()
    page.get_by_role("button", name="Send this report").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert [request.post_data for request in requests if request.method == "POST"] == [shown]


def canaries_on_disk(site: LiveSite) -> dict[str, int]:
    """How often each canary is on disk; the published survey has them as options."""
    written = site.bytes_on_disk()
    return {canary: written.count(canary.encode()) for canary in CANARIES}


def test_no_true_answer_anywhere(context: BrowserContext, site: LiveSite) -> None:
    """The true answer is in no request, no storage of the page, no file and no log."""
    before = canaries_on_disk(site)
    assert any(before.values())
    page = open_form(context, site, "canaries")
    requests = record_requests(context)
    page.get_by_label("quicksilver").check()
    page.locator("#q-harassed").get_by_label("Yes").check()
    protect(page)
    page.get_by_role("button", name="Send this report").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    for request in requests:
        said = request.url + str(request.headers) + (request.post_data or "")
        assert not any(canary in said for canary in CANARIES)
    assert context.cookies() == []
    kept = stored_in_browser(page)
    assert not any(canary in kept for canary in CANARIES)
    (sent,) = [request.post_data or "" for request in requests if request.method == "POST"]
    assert list(json.loads(sent)["values"])
    assert json.dumps(sent) in kept, "the randomized report is all that it knows of the answers"
    assert canaries_on_disk(site) == before


def requests_of(browser: Browser, site: LiveSite, canary: int) -> list[tuple[str, str]]:
    """All requests of one respondent, in the order of their addresses."""
    with browser.new_context(locale="en-GB") as context:
        requests = record_requests(context)
        page = open_form(context, site, "canaries")
        page.locator("#q-canary input").nth(canary).check()
        page.locator("#q-harassed input").nth(canary // 2).check()
        protect(page)
        page.get_by_role("button", name="Send this report").click()
        expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
        return sorted((request.method, request.url) for request in requests)


def test_requests_do_not_depend_on_answers(browser: Browser, site: LiveSite) -> None:
    """Two respondents who answer differently cause the same requests."""
    first, second = (requests_of(browser, site, canary) for canary in (0, 2))
    assert first == second
    assert ("POST", f"{site.url}/api/reports") in first
    assert all(url.startswith(site.url) for _, url in first)


def test_answers_are_wiped_when_randomized(context: BrowserContext, site: LiveSite) -> None:
    """Once the report is drawn, no answer is left on the page."""
    page = open_form(context, site, "canaries")
    fill_by_keyboard(page, canary_steps=2)
    assert page.locator("input:checked").count() == 0


def test_a_required_question_is_asked_for(context: BrowserContext, site: LiveSite) -> None:
    """A required question without an answer gets the focus and says why."""
    page = open_form(context, site, "canaries")
    page.get_by_role("button", name="Look over my answers").click()
    expect(page.locator("#problem")).to_have_text("Some answers are missing or not valid.")
    expect(page.locator("#q-harassed input").first).to_be_focused()
    expect(page.locator("#q-harassed")).to_have_attribute("aria-describedby", "q-harassed-error")
    expect(page.locator("#review")).to_be_hidden()


def test_not_sending_sends_nothing(context: BrowserContext, site: LiveSite) -> None:
    """A respondent who declines at the last step has caused no request at all."""
    page = open_form(context, site, "canaries")
    requests = record_requests(context)
    fill_by_keyboard(page, canary_steps=0)
    page.get_by_role("button", name="Do not send anything").click()
    expect(page.get_by_role("heading", name="Nothing was sent")).to_be_focused()
    assert requests == []
    assert page.locator("#review-bytes").inner_text() == ""


def test_a_tampered_survey_is_not_asked(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey
) -> None:
    """If the survey's bytes are not the digest's, no question can be filled in."""
    changed = survey.document.replace(b"Which one?", b"Which two?")
    context.route(
        "**/api/surveys/by-digest/*",
        lambda route: route.fulfill(body=changed, content_type="application/json"),
    )
    page = context.new_page()
    page.goto(f"{site.url}/s/canaries")
    expect(page.locator("#problem")).to_contain_text("cannot be answered safely")
    expect(page.locator("#survey")).to_be_hidden()


def test_a_survey_that_closes_meanwhile(context: BrowserContext, site: LiveSite) -> None:
    """A report that comes too late is refused kindly."""
    page = open_form(context, site, "canaries")
    fill_by_keyboard(page, canary_steps=0)
    with closing(sqlite3.connect(site.store)) as database, database:
        database.execute("update surveys set is_closed = 1 where slug = 'canaries'")
    page.get_by_role("button", name="Send this report").click()
    expect(page.get_by_role("heading", name="This survey is closed")).to_be_focused()


@pytest.mark.parametrize(
    ("slug", "status", "heading"),
    [
        (CLOSED_SLUG, 410, "This survey is closed"),
        ("nothing-here", 404, "There is no such survey"),
    ],
)
def test_kind_pages(
    context: BrowserContext, site: LiveSite, slug: str, status: int, heading: str
) -> None:
    """A survey that cannot be answered says so on a page of its own."""
    page = context.new_page()
    response = page.goto(f"{site.url}/s/{slug}")
    assert response is not None
    assert response.status == status
    expect(page.get_by_role("heading", name=heading)).to_be_visible()


def test_without_javascript_nothing_can_be_filled_in(
    context: BrowserContext, site: LiveSite
) -> None:
    """Without scripts the page explains itself and shows no question."""
    browser = context.browser
    assert browser is not None
    with browser.new_context(java_script_enabled=False) as plain:
        page = plain.new_page()
        page.goto(f"{site.url}/s/canaries")
        said = page.locator("noscript p").first
        expect(said).to_be_visible()
        expect(said).to_contain_text("This survey needs JavaScript")
        expect(page.locator("#survey")).to_be_hidden()


def test_the_policy_is_strict(context: BrowserContext, site: LiveSite) -> None:
    """No inline script runs, nothing is framed, no cookie is set, nobody is told where from."""
    page = context.new_page()
    response = page.goto(f"{site.url}/s/canaries")
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "form-action 'none'" in policy
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in response.headers
    assert "etag" not in response.headers
