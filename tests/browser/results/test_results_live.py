"""The results stay up to date, gently, and leave with whoever wants them."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from browser.results.conftest import Open, OpenSite
from deniable_collector.store import open_store
from live_form import record_requests
from live_site import live_site
from results_site import HEALTH, STRESS, add_stress, fill, stress
from sampled_params import sampled_params
from signed_in import open_signed_in
from tampering_proxy import Exchange, tampering_proxy

SLOW_NETWORK = {
    "offline": False,
    "latency": 50,
    "downloadThroughput": 20_000,
    "uploadThroughput": 20_000,
}
# How many responses with results have arrived as a whole.
ARRIVED = """performance.getEntriesByType("resource")
  .filter(({ name }) => name.includes("/results/content")).length"""
WATCH_HEAD = f"""
new MutationObserver((_, observer) => {{
  if (!document.getElementById("head")) return;
  window.arrivedBefore = {ARRIVED};
  observer.disconnect();
}}).observe(document, {{ childList: true, subtree: true }});
"""


@pytest.fixture(scope="module")
def growing_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenSite]:
    """A site whose surveys get more reports."""
    store = tmp_path_factory.mktemp("growing") / "site.sqlite"
    token = fill(store)
    with live_site(store) as running:
        yield OpenSite(running, token)


def opened(context: BrowserContext, site: OpenSite, slug: str = STRESS) -> Page:
    """The results of a survey, once they are there."""
    page = context.new_page()
    page.set_default_timeout(30_000)
    open_signed_in(page, f"{site.site.url}/surveys/{slug}/results?lang=en", site.token)
    expect(page.locator("#head")).to_be_visible()
    return page


def send_more(store: Path, count: int, seed: int) -> None:
    """So many more reports of the open edition."""
    with closing(open_store(store)) as opened_store:
        add_stress(opened_store, stress("Second"), count, random.Random(seed))


def test_new_reports_appear_without_disturbing(
    context: BrowserContext, growing_site: OpenSite
) -> None:
    """The numbers change; what is open, focused and in sight stays as it is."""
    page = opened(context, growing_site)
    page.set_viewport_size({"width": 1000, "height": 600})
    fold = page.locator("#d-stress")
    fold.locator("summary").click()
    table = fold.locator("table").first.inner_text()
    button = page.locator("#f-stress-svg")
    button.focus()
    button.evaluate("button => button.scrollIntoView({ block: 'center' })")
    place = button.bounding_box()
    send_more(growing_site.site.store, 300, 1)
    expect(page.locator("#head")).to_contain_text("Reports: 1,500", timeout=60_000)
    expect(page.locator("#status")).to_have_text("Reports so far: 1,500")
    expect(button).to_be_focused()
    assert fold.get_attribute("open") is not None
    assert fold.locator("table").first.inner_text() != table
    moved = button.bounding_box()
    assert place is not None
    assert moved is not None
    assert abs(moved["y"] - place["y"]) < 120
    page.close()


def test_what_was_found_is_shown_before_the_rest_has_arrived(
    context: BrowserContext, growing_site: OpenSite
) -> None:
    """On a slow network the top of the page is there while the response still arrives."""
    page = context.new_page()
    page.add_init_script(script=WATCH_HEAD)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_NETWORK)
    open_signed_in(
        page, f"{growing_site.site.url}/surveys/{STRESS}/results?lang=en", growing_site.token
    )
    expect(page.locator("#questions")).to_be_visible(timeout=60_000)
    assert page.evaluate("arrivedBefore") == 0
    assert page.evaluate(ARRIVED) == 1
    page.close()


def test_results_that_break_off_are_fetched_again(
    context: BrowserContext, growing_site: OpenSite
) -> None:
    """The page does not take a part of them for all of them."""
    asked: list[str] = []

    def cut(exchange: Exchange) -> None:
        if "/results/content" in exchange.path:
            asked.append(exchange.path)
            if len(asked) == 1:
                head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(exchange.body)}\r\n\r\n"
                exchange.raw = [head.encode(), exchange.body[: len(exchange.body) // 2]]

    with tampering_proxy(growing_site.site.url, cut) as proxy:
        page = context.new_page()
        open_signed_in(page, f"{proxy.url()}/surveys/{STRESS}/results?lang=en", growing_site.token)
        expect(page.locator("#questions")).to_be_visible()
        expect(page.locator("#problem")).to_be_hidden()
        page.close()
    assert len(asked) == 2


@pytest.mark.deep
def test_a_page_that_nobody_sees_asks_for_nothing(
    context: BrowserContext, growing_site: OpenSite
) -> None:
    """It looks again as soon as it is in sight."""
    page = opened(context, growing_site)
    page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    requests = record_requests(context)
    page.wait_for_timeout(6_000)
    assert requests == []
    page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', { value: false });"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    with page.expect_request("**/results/state*"):
        pass
    page.close()


def test_a_closed_survey_is_not_asked_for_again(
    context: BrowserContext, growing_site: OpenSite
) -> None:
    """Nothing can change any more."""
    page = opened(context, growing_site)
    page.get_by_label("Edition", exact=True).select_option("1")
    expect(page.locator("#head")).to_contain_text("Reports: 800")
    assert "edition=1" in page.url
    page.reload()
    expect(page.locator("#head")).to_contain_text("Reports: 800")
    expect(page.locator("#status")).to_have_text("Reports so far: 800")
    requests = record_requests(context)
    page.wait_for_timeout(6_000)
    assert requests == []
    page.close()


@pytest.mark.parametrize("name", sampled_params(["CSV", "XLSX", "JSON"], 3))
def test_the_numbers_can_be_taken_along(open_page: Open, name: str) -> None:
    """As a file named after the survey and its edition."""
    page = open_page(HEALTH)
    with page.expect_download() as download:
        page.locator("#files").get_by_role("button", name=name).click()
    assert download.value.suggested_filename == f"health-1.{name.lower()}"
    assert download.value.path().stat().st_size > 500


@pytest.mark.deep
def test_figures_can_be_taken_along(open_page: Open) -> None:
    """Of each question, as a drawing and as a picture."""
    page = open_page(HEALTH)
    page.locator("#d-health summary").click()
    for kind in ("SVG", "PNG"):
        with page.expect_download() as download:
            page.locator("#q-health").get_by_role("button", name=kind).click()
        assert download.value.suggested_filename == f"health-1-health.{kind.lower()}"


def test_nothing_goes_elsewhere_and_no_address_has_the_token(
    context: BrowserContext, open_page: Open, full_site: OpenSite
) -> None:
    """Every request is for this site, without cookies; the fragment is gone at once."""
    requests: list[Request] = record_requests(context)
    page = open_page(HEALTH)
    assert full_site.token not in page.url
    for request in requests[1:]:
        assert request.url.startswith(full_site.site.url)
        assert full_site.token not in request.url
        assert "cookie" not in request.all_headers()
    assert context.cookies() == []


def test_what_cannot_be_shown_is_said(context: BrowserContext, full_site: OpenSite) -> None:
    """An unknown survey, and a site that does not answer any more."""
    page = context.new_page()
    open_signed_in(page, f"{full_site.site.url}/surveys/nothing/results?lang=en", full_site.token)
    expect(page.locator("#problem")).to_contain_text("No survey is published here")
    page = opened(context, full_site, HEALTH)
    context.set_offline(offline=True)
    page.locator("#files").get_by_role("button", name="CSV").click()
    expect(page.locator("#problem")).to_contain_text("The server is not responding")
    context.set_offline(offline=False)
    page.locator("#files").get_by_role("button", name="CSV").click()
    expect(page.locator("#problem")).to_be_hidden()
