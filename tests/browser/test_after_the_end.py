"""What the form does after the end of a survey: it asks the collector what applies now."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from axe_checks import violations
from deniable_web.pages.languages import catalog
from live_endings import (
    EARLIER,
    FIELDWORK,
    LATER,
    answer_and_send,
    ending,
    extend,
    opened_at,
    pass_by,
    written,
)
from live_form import (
    open_page,
    protect,
    question,
    record_requests,
    records_in_browser,
    start,
)
from live_issuer import UNTIL
from live_kiosk import answer, enter, hold, live_kiosk, next_person, send
from live_site import LiveSite, live_site

SAYS = catalog("form", "en")["fieldwork"]
MINUTE = timedelta(minutes=1)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with surveys that are open, over, and extended."""
    store = tmp_path_factory.mktemp("ends") / "site.sqlite"
    surveys = (
        ending(LATER, "open"),
        *(ending(EARLIER, slug) for slug in ("over", "extended", "extended-meanwhile")),
    )
    with live_site(store, *surveys) as running:
        extend(store, "extended", LATER)
        yield running


def say_extended(page: Page) -> None:
    """See the words that the survey was extended, and until when."""
    before, _ = SAYS["extended"].split("{closes}")
    expect(page.locator("#until")).to_contain_text(f"{before}Tuesday, January 31, 2040")


def test_an_extended_survey_goes_on(browser: Browser, site: LiveSite) -> None:
    """The page says so in words; the collector is asked once, without a trace."""
    with browser.new_context(locale="en-GB", timezone_id="Asia/Kolkata") as context:
        requests = record_requests(context)
        page = open_page(context, site, "extended")
        say_extended(page)
        expect(page.locator("#left")).to_contain_text("It closes in ")
        assert violations(page) == []
        start(page)
        answer_and_send(page)
        asked = [each for each in requests if each.url.endswith("/fieldwork")]
        headers = asked[0].all_headers()
    assert [(each.method, each.post_data) for each in asked] == [("GET", None)]
    assert headers["accept-language"] == "*"
    assert not headers.keys() & {"cookie", "referer", "authorization"}


def test_a_survey_that_is_extended_meanwhile_goes_on_as_it_was(
    browser: Browser, site: LiveSite
) -> None:
    """Whoever answers when the published end comes keeps their answers, and is not disturbed."""
    with opened_at(browser, site, EARLIER - MINUTE, "extended-meanwhile") as page:
        expect(page.locator("#left")).to_have_text("It closes in 1 minute.")
        start(page)
        question(page, "asthma").get_by_label("Yes").check(force=True)
        question(page, "asthma").get_by_label("Yes").focus()
        extend(site.store, "extended-meanwhile", LATER)
        with page.expect_response(FIELDWORK) as answered:
            pass_by(page, seconds=61)
        assert answered.value.ok
        say_extended(page)
        expect(question(page, "asthma").get_by_label("Yes")).to_be_focused()
        expect(question(page, "asthma").get_by_label("Yes")).to_be_checked()
        page.go_back()
        expect(page.locator("#ends")).to_be_visible()


def test_a_survey_that_is_over_is_closed(browser: Browser, site: LiveSite) -> None:
    """The page says so at once, and nothing is asked."""
    with browser.new_context(locale="en-GB") as context:
        requests = record_requests(context)
        page = open_page(context, site, "over")
        expect(page.locator("#closed-title")).to_be_focused()
        expect(page.locator("#start")).to_be_hidden()
        expect(page.locator("#ends")).to_be_hidden()
        assert records_in_browser(page) == []
    assert len([each for each in requests if each.url.endswith("/fieldwork")]) == 1


def test_a_survey_that_ends_meanwhile_is_closed(browser: Browser, site: LiveSite) -> None:
    """What was filled in is wiped, and neither Back nor another language brings it back."""
    with opened_at(browser, site, EARLIER - MINUTE, "over") as page:
        start(page)
        question(page, "asthma").get_by_label("Yes").check(force=True)
        pass_by(page, seconds=61)
        expect(page.locator("#closed-title")).to_be_focused()
        expect(question(page, "asthma")).to_be_hidden()
        assert page.locator("input:checked").count() == 0
        page.locator("#language").select_option("de")
        expect(page.locator("#closed-title")).to_be_visible()
        expect(page.locator("#start")).to_be_hidden()
        # The browser's Back leaves.
        page.go_back()
        page.wait_for_url("about:blank")


def test_a_report_that_was_made_before_the_end_stays_for_a_decision(
    browser: Browser, site: LiveSite
) -> None:
    """It is not taken away; that the survey is closed is said when it is sent."""
    with opened_at(browser, site, EARLIER - MINUTE, "over") as page:
        start(page)
        question(page, "asthma").get_by_label("Yes").check(force=True)
        question(page, "region").get_by_label("o1").check(force=True)
        protect(page)
        expect(page.locator("#review-title")).to_be_focused()
        with page.expect_response(FIELDWORK):
            pass_by(page, seconds=61)
        expect(page.locator("#review-title")).to_be_visible()
        page.clock.resume()
        page.locator("#send").click()
        expect(page.locator("#closed-title")).to_be_focused()


@pytest.mark.parametrize("answered", [None, 404, 200], ids=["none", "unknown", "no answer"])
def test_without_an_answer_the_published_end_holds(
    browser: Browser, site: LiveSite, answered: int | None
) -> None:
    """The collector cannot be reached, is older, or something between says what is no answer."""
    with browser.new_context(locale="en-GB") as context:
        context.route(
            FIELDWORK,
            lambda route: route.fulfill(status=answered, body="[]") if answered else route.abort(),
        )
        page = open_page(context, site, "extended")
        expect(page.locator("#closed-title")).to_be_focused()


def test_without_an_answer_whoever_answers_goes_on(browser: Browser, site: LiveSite) -> None:
    """Nothing that was filled in is lost, and the collector decides about the report."""
    with opened_at(browser, site, LATER - MINUTE, "open") as page:
        page.route(FIELDWORK, lambda route: route.abort())
        start(page)
        question(page, "asthma").get_by_label("Yes").check(force=True)
        with page.expect_event("requestfailed"):
            pass_by(page, seconds=61)
        expect(question(page, "asthma").get_by_label("Yes")).to_be_checked()
        page.clock.resume()
        answer_and_send(page)


@pytest.mark.deep
def test_a_shared_tablet_follows_an_extension(context: BrowserContext, tmp_path: Path) -> None:
    """From one person to the next; without an answer it is closed, and takes no code."""
    closes = UNTIL + timedelta(hours=1)
    with live_kiosk(tmp_path, edition=5, slug="wards", closes=written(closes)) as kiosk:
        extend(kiosk.site.store, "wards", LATER + timedelta(days=365))
        context.clock.install(time=closes + timedelta(days=9))
        page = kiosk.open(context)
        until = page.locator("#until")
        expect(until).to_contain_text(SAYS["extended"].split("{closes}")[0])
        expect(until).to_contain_text("2041")
        enter(page, kiosk.unused.pop())
        answer(page)
        hold(page)
        send(page)
        next_person(page)
        expect(until).to_contain_text("2041")
        context.route(FIELDWORK, lambda route: route.abort())
        page.reload()
        expect(page.locator("#closed-title")).to_be_visible()
        expect(page.get_by_label(SAYS["code"], exact=True)).to_be_hidden()
