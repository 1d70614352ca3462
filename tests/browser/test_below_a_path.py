"""Below a path of a proxy, every page works, and no request of a browser leaves that path."""

import random
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from deniable_collector.store import add_reports, open_store
from deniable_collector.tokens import AccessToken, Role, digest_of
from deniable_web.pages.languages import catalog
from live_builder import sign_in, take_example
from live_form import open_page, send, start
from live_server import OWNER_TOKEN
from live_site import LiveSite, live_site
from sample_definitions import survey, yes_no
from store_samples import reports_of
from tampering_proxy import Exchange, TamperingProxy, tampering_proxy

BELOW = "/survey"
FRAME = catalog("manage", "en")["frame"]
ASKED = survey(yes_no(), slug="ward", ask="all", at_most_reports=1_000)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[LiveSite, TamperingProxy]]:
    """A site with reports, as browsers reach it, and the proxy before it."""
    path = tmp_path / "site.sqlite"
    with closing(open_store(path)) as store:
        store.add_token(AccessToken("anna", Role.OWNER), digest_of(OWNER_TOKEN))
        store.publish(ASKED)
        add_reports(store, reports_of(ASKED, 40, random.Random(1)))
    with (
        live_site(path) as running,
        tampering_proxy(running.url, lambda _: None, below=BELOW) as proxy,
    ):
        yield LiveSite(f"{proxy.url()}{BELOW}", running.store, running.log), proxy


def assert_stayed(proxy: TamperingProxy, allowed: tuple[int, ...] = (200, 201, 204, 304)) -> None:
    """Nothing was asked outside of the path, and nothing inside was missing."""
    asked = [(each.path, each.status) for each in proxy.asked if each.path != "/favicon.ico"]
    assert len(asked) > 5
    assert [each for each in asked if each[1] not in allowed] == []


def test_somebody_answers_and_opens_the_form_again_without_a_network(
    context: BrowserContext, site: tuple[LiveSite, TamperingProxy]
) -> None:
    """The report arrives, and what is kept for later is below the path."""
    running, proxy = site
    page = open_page(context, running, "ward")
    page.locator("a[href$='ward/code']").click()
    expect(page).to_have_url(f"{running.url}/s/ward/code")
    page.go_back()
    start(page)
    page.get_by_label("Yes").check()
    send(page)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert ("/api/reports", 201) in [(each.path, each.status) for each in proxy.asked]
    kept = page.evaluate(
        """async () => (await (await caches.open("deniable-form")).keys()).map(({ url }) => url)"""
    )
    assert len(kept) > 3
    assert all(url.startswith(f"{running.url}/") for url in kept)
    assert_stayed(proxy)
    context.set_offline(True)
    page.goto(f"{running.url}/s/ward")
    expect(page.locator("#answered-text")).to_be_visible()


def test_an_owner_gets_from_a_draft_to_results(
    context: BrowserContext, site: tuple[LiveSite, TamperingProxy]
) -> None:
    """Signs in and stays, writes, previews, publishes, shares, reads and adds a colleague."""
    running, proxy = site
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(f"{running.url}/?lang=en")
    page.locator("a.primary").click()
    sign_in(page, OWNER_TOKEN, stays=True)
    page.get_by_role("link", name="Short example").click()
    expect(page.locator("#margins tr")).to_have_count(3)
    take_example(page)
    _publish(page)
    address = f"{running.url}/s/below"
    expect(page).to_have_url(re.compile(rf"{running.url}/surveys/below/share"))
    expect(page.locator("#link")).to_have_text(address)
    expect(page.locator("#code svg")).to_be_visible()
    expect(page.locator("#frame")).to_contain_text(f'src="{address}"')
    expect(page.locator("#component")).to_contain_text(f'src="{running.url}/static/embed.js"')
    page.get_by_role("link", name=FRAME["surveys"], exact=True).click()
    page.locator("#results-ward").click()
    expect(page.locator("#head")).to_be_visible()
    page.locator("#to-share").click()
    expect(page).to_have_url(re.compile(rf"{running.url}/surveys/ward/share"))
    page.get_by_role("link", name="Drafts").click()
    page.get_by_role("link", name="Colleagues").click()
    page.locator("#add").click()
    page.locator("#name").fill("ben")
    page.locator("#rights-confirm").click()
    expect(page.locator("#secret")).to_contain_text("#link=")
    assert page.locator("#secret").inner_text().startswith(f"{running.url}/")
    assert_stayed(proxy)


@pytest.mark.parametrize(("path", "surface"), [("/s/ward", "form"), ("/build", "manage")])
def test_a_page_says_that_its_script_is_not_there(
    context: BrowserContext, site: tuple[LiveSite, TamperingProxy], path: str, surface: str
) -> None:
    """JavaScript is on, so nobody is told to switch it on."""
    running, _ = site

    def lose(exchange: Exchange) -> None:
        if exchange.path.endswith(".js"):
            exchange.status = 404

    texts = catalog(surface, "en")["page" if surface == "form" else "frame"]
    with tampering_proxy(f"http://{urlsplit(running.url).netloc}", lose) as losing:
        page = context.new_page()
        page.goto(f"{losing.url()}{BELOW}{path}")
        expect(page.get_by_text(texts["not_loaded"])).to_be_visible(timeout=20_000)
        expect(page.get_by_text(texts["no_script"])).to_be_hidden()


def _publish(page: Page) -> None:
    """Preview the draft, and publish it as `below`."""
    page.get_by_label("Title", exact=True).fill("Below")
    expect(page.locator("#state")).to_have_text("Ready to publish")
    page.get_by_role("button", name="Preview").click()
    form = page.frame_locator("#preview-frame")
    expect(form.locator("#start")).to_be_enabled()
    page.locator("#preview").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Publish").first.click()
    expect(page.locator("#publish-address")).to_contain_text(f"{BELOW}/s/below")
    page.locator("#publish-confirm").click()
    page.wait_for_url("**/share*")
    assert urlsplit(page.url).path.startswith(f"{BELOW}/surveys/")
