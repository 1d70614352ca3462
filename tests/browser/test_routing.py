"""Questions that come and go on the device, without a trace."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from deniable_web.pages.languages import catalog
from live_form import (
    CANARY_OPTION,
    described_by,
    draw_alike,
    open_form,
    press,
    protect,
    question,
    record_requests,
    send,
    site_of_kinds,
)
from live_site import LiveSite

SCRIPT = catalog("form", "en")["script"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with a survey of every kind, and one that draws one block of two."""
    with site_of_kinds(tmp_path_factory.mktemp("kinds")) as running:
        yield running


def test_questions_come_and_go(context: BrowserContext, site: LiveSite) -> None:
    """A question that is not reached cannot be seen or focused; the change is announced."""
    page = open_form(context, site)
    news = page.locator("#announcement")
    expect(question(page, "hours")).to_be_hidden()
    expect(question(page, "hours").get_by_label("Your answer")).to_be_disabled()
    expect(news).to_have_text("")
    question(page, "works").get_by_label("Yes").check()
    expect(question(page, "hours")).to_be_visible()
    expect(news).to_have_text(SCRIPT["appeared"])
    question(page, "works").get_by_label("No", exact=True).check()
    expect(news).to_have_text(SCRIPT["gone"])
    press(page, "Tab")
    assert page.evaluate("document.activeElement.name") == "q-troubles"


def test_what_only_routes_is_not_sent(context: BrowserContext, site: LiveSite) -> None:
    """A question of a block that was not drawn is shown, says so, and stays on the device."""
    draw_alike(context)
    page = open_form(context, site, "routed")
    requests = record_requests(context)
    works = question(page, "works")
    expect(works).to_be_visible()
    assert described_by(page, works) == (
        "This answer only decides which questions you see; it is not sent."
    )
    works.get_by_label("Yes").check()
    hours = question(page, "hours").get_by_label("Your answer")
    assert described_by(page, hours) == "A whole number from -5 to 5."
    hours.fill("−3")
    send(page)
    (body,) = [request.post_data or "" for request in requests if request.method == "POST"]
    assert list(json.loads(body)["values"]) == ["hours"]


@pytest.mark.parametrize(("block", "works"), [(0, "Yes"), (1, "Yes"), (1, "No")])
def test_the_review_explains_questions_that_were_not_shown(
    context: BrowserContext, site: LiveSite, block: int, works: str
) -> None:
    """If the report is about such a question, whatever was answered: it shows no answer."""
    draw_alike(context, block)
    page = open_form(context, site, "routed")
    question(page, "works").get_by_label(works, exact=True).check()
    protect(page)
    expect(page.locator("#review-values dt")).to_have_text(["Do you work?", "How long?"][block])
    expect(page.locator("#review-path")).to_be_visible(visible=block == 1)


def requests_of(browser: Browser, site: LiveSite, works: str, trouble: str) -> list[str]:
    """Every request of one respondent in a new browser, in the order of their addresses.

    A browser fetches the modules of one page in an order of its own, and the
    body's length depends on the values that were drawn.
    """
    with browser.new_context(locale="en-GB") as context:
        requests = record_requests(context)
        page = open_form(context, site)
        question(page, "works").get_by_label(works).check()
        question(page, "troubles").get_by_label(trouble).check()
        if works == "Yes":
            question(page, "hours").get_by_label("Your answer").fill("40")
            question(page, "calls").get_by_label("4").check()
        send(page)
        return sorted(
            repr((made.method, made.url, {**made.all_headers(), "content-length": ""}))
            for made in requests
        )


def test_requests_do_not_depend_on_the_path(browser: Browser, site: LiveSite) -> None:
    """Two respondents led to different questions cause the same requests."""
    all_questions = requests_of(browser, site, "Yes", CANARY_OPTION)
    few_questions = requests_of(browser, site, "Prefer not to say", "None of these")
    assert all_questions == few_questions
    assert sum("'POST'" in made for made in all_questions) == 1
