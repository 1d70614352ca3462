"""When results appear on a slow phone, and how much they move then: printed, never asserted."""

from collections.abc import Iterator
from contextlib import closing
from statistics import median

import pytest
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from chromium import ARGUMENTS, find_chromium
from council_site import COUNCIL, council, fill_council
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from live_site import LiveSite, live_site
from signed_in import open_signed_in

pytestmark = pytest.mark.bench

REPORTS = 5_000
TURNS = 5
# A slow 3G network, and a processor as slow as a cheap phone's.
SLOW_3G = {
    "offline": False,
    "latency": 400,
    "downloadThroughput": 50_000,
    "uploadThroughput": 50_000,
}
SLOWER = 4
WATCH = """
window.painted = 0;
window.moved = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) painted = Math.max(painted, entry.startTime);
}).observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) moved += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LiveSite, str]]:
    """A site with the results of 15 questions, and the token that opens them."""
    path, token = tmp_path_factory.mktemp("page") / "site.sqlite", make_token(Role.OWNER)
    with closing(open_store(path)) as store:
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
        fill_council(store, council(at_most_reports=REPORTS), REPORTS)
    with live_site(path) as site:
        yield site, token


def look(
    browser: Browser, address: str, token: str, size: ViewportSize
) -> tuple[float, float, int]:
    """Milliseconds to the largest paint, the layout shift, and the height of the page."""
    with browser.new_context(locale="en-GB", viewport=size) as context:
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.add_init_script(script=WATCH)
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW_3G)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        open_signed_in(page, address, token)
        page.locator("#questions").wait_for()
        page.wait_for_timeout(2_000)
        painted, moved, height = page.evaluate(
            "[painted, moved, document.documentElement.scrollHeight]"
        )
        return painted, moved, height


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_a_page_on_a_slow_phone(
    opened: tuple[LiveSite, str], capsys: pytest.CaptureFixture[str], width: int, height: int
) -> None:
    """The largest contentful paint and the layout shift of a first visit."""
    site, token = opened
    address = f"{site.url}/surveys/{COUNCIL}/results?lang=en"
    size = ViewportSize(width=width, height=height)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        found = [look(browser, address, token, size) for _ in range(TURNS)]
        browser.close()
    painted, moved, high = (median(column) for column in zip(*found, strict=True))
    with capsys.disabled():
        print(  # noqa: T201 - the result
            f"\nresults of {REPORTS:,} reports of 15 questions, slow 3G, a processor {SLOWER} "
            f"times slower: largest paint after {painted / 1000:.2f} s, layout shift {moved:.3f}, "
            f"{high:,} pixels high at {width}"
        )
