"""What the form costs a phone: bytes to load, and frames from an input to its paint; printed."""

import statistics
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from chromium import ARGUMENTS, find_chromium
from deniable_collector.store import open_store
from deniable_web.definition.file import read_definition
from deniable_web.packaged_files import example_folder
from live_form import start
from live_site import LiveSite, live_site
from sample_definitions import Document, choice, multiple, number, scale, survey, yes_no
from wire import first_load

pytestmark = pytest.mark.bench

FRAME_MS = 1000 / 60
_KINDS: tuple[Callable[[str], Document], ...] = (yes_no, choice, scale, multiple, number)
LONG = survey(
    *(kind(f"q{place}_{kind.__name__}") for place in range(10) for kind in _KINDS),
    slug="long",
    ask="all",
    epsilon=8,
)
# What the page does for an input, its layout included, and when it is painted.
WATCH = """
window.seen = [];
new PerformanceObserver((list) => {
  for (const { name, duration } of list.getEntries()) {
    if (name === "click" || name === "input") seen.push(duration);
  }
}).observe({ type: "event", durationThreshold: 16, buffered: true });
window.handled = [];
let began = 0;
addEventListener("input", () => { began = performance.now(); }, true);
addEventListener("input", () => {
  document.body.offsetHeight;
  handled.push(performance.now() - began);
});
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[LiveSite]:
    """A site with the demo's survey, and one of 50 questions on one page."""
    store = tmp_path / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(read_definition(example_folder("health") / "survey.yaml").compile())
        opened.publish(LONG)
    with live_site(store) as running:
        yield running


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A browser of its own."""
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)


@pytest.mark.parametrize("slug", ["health", "long"])
def test_bytes_of_the_first_load(
    browser: Browser, site: LiveSite, slug: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """All answers with their headers, for five questions and for fifty."""
    with browser.new_context(locale="en-GB") as context:
        found = first_load(context, f"{site.url}/s/{slug}")
    with capsys.disabled():
        print(f"\nbytes of the first load of {slug}: {sum(found.values()):,}")  # noqa: T201 - the result
        for path, count in found.items():
            print(f"  {count:7,}  {path[-60:]}")  # noqa: T201 - the result
    assert found


def test_frames_from_an_input_to_its_paint(
    browser: Browser, site: LiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fifty questions on one page, each answered with a click."""
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.add_init_script(script=WATCH)
        page.goto(f"{site.url}/s/long")
        page.locator("main[data-kept]").wait_for()
        start(page)
        for fields in page.locator(".question").all():
            fields.locator(".choice").first.click()
        page.wait_for_timeout(500)
        handled: list[float] = page.evaluate("handled")
        painted: list[float] = page.evaluate("seen")
    middle, most = statistics.median(handled), statistics.quantiles(handled, n=10)[-1]
    within = sum(duration <= FRAME_MS + 8 for duration in painted)
    with capsys.disabled():
        print(  # noqa: T201 - the result
            f"\n{len(handled)} inputs on a page of 50 questions: handlers and layout took "
            f"{middle:.2f} ms in the middle, {middle / FRAME_MS:.2f} of a frame, and "
            f"{most:.2f} ms for 9 of 10, {most / FRAME_MS:.2f} of a frame; {within} of "
            f"{len(painted)} timed events were painted with the next frame, in software, here"
        )
    assert len(handled) == 50
