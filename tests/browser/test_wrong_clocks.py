"""Devices whose clock is wrong by years: the collector's clock decides, before anybody answers."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from deniable_sdk import compile_survey
from deniable_web.pages.languages import CODES, catalog
from live_endings import FIELDWORK, answer_and_send, ending
from live_form import open_page, question, start
from live_site import LiveSite, live_site
from sample_definitions import choice, definition, yes_no
from sampled_params import sampled_params

BEHIND = datetime(2001, 2, 3, tzinfo=UTC)
AHEAD = datetime(2150, 2, 3, tzinfo=UTC)
OPENS, CLOSED = "2099-01-01T00:00Z", datetime(2021, 1, 31, tzinfo=UTC)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with surveys that are not open yet, open, and over."""
    asked = definition(yes_no(), choice(), ask="all")
    surveys = (
        compile_survey({**asked, "slug": "soon", "opens": OPENS}),
        compile_survey({**asked, "slug": "begun", "opens": "2020-01-01T00:00Z", "closes": OPENS}),
        ending(CLOSED, "over"),
    )
    with live_site(tmp_path_factory.mktemp("clocks") / "site.sqlite", *surveys) as running:
        yield running


@pytest.fixture(params=[BEHIND, AHEAD], ids=["behind", "ahead"])
def device(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A device with a wrong clock."""
    with browser.new_context(locale="en-GB", timezone_id="Asia/Kolkata") as context:
        context.clock.install(time=request.param)
        yield context


def test_a_survey_that_is_not_open_takes_no_answers(
    device: BrowserContext, site: LiveSite
) -> None:
    """The page says when it opens, and offers a reminder."""
    page = open_page(device, site, "soon")
    expect(page.locator("#early-title")).to_be_visible()
    expect(page.locator("#opens")).to_contain_text("1, 2099")
    expect(page.locator("#calendar")).to_be_visible()
    expect(page.locator("#start")).to_be_hidden()


def test_an_open_survey_is_answered(device: BrowserContext, site: LiveSite) -> None:
    """The report arrives, and the time that is left is that of the collector's clock."""
    page = open_page(device, site, "begun")
    days = (datetime.fromisoformat(OPENS) - datetime.now(UTC)).days
    expect(page.locator("#left")).to_contain_text(f"in {days:,} days")
    start(page)
    answer_and_send(page)


def test_a_survey_that_is_over_takes_no_answers(device: BrowserContext, site: LiveSite) -> None:
    """The page says so at once."""
    page = open_page(device, site, "over")
    expect(page.locator("#closed-title")).to_be_focused()
    expect(page.locator("#start")).to_be_hidden()


def hold_without_an_answer(page: Page) -> None:
    """Fill the form in and look at the report."""
    start(page)
    for name, value in (("asthma", "yes"), ("region", "o1")):
        question(page, name).locator(f"input[value={value}]").check(force=True)
    for button in ("#look-over", "#protect"):
        page.locator(button).click()
    expect(page.locator("#review-title")).to_be_focused()


@pytest.mark.sweep
@pytest.mark.parametrize("language", sampled_params(CODES))
def test_a_report_that_is_made_too_early_is_kept_until_the_survey_opens(
    browser: Browser, site: LiveSite, language: str
) -> None:
    """Where the collector could not be asked before: the page says when that is, and why."""
    own = catalog("form", language)["kind"]
    before, after = own["waiting_early"].split("{opens}")
    with browser.new_context(locale=language) as context:
        context.clock.install(time=AHEAD)
        context.route(FIELDWORK, lambda route: route.abort())
        page = open_page(context, site, "soon")
        hold_without_an_answer(page)
        page.locator("#send").click()
        expect(page.locator("#waiting-title")).to_be_focused()
        for _ in range(2):
            said = page.locator("#waiting-text, #answered-text").filter(visible=True)
            expect(said).to_contain_text(before)
            expect(said).to_contain_text(after)
            expect(said).to_contain_text("2099")
            page.reload()
            page.locator("main[data-kept]").wait_for()
