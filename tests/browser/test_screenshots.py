"""The screenshots of the documentation, taken from the pages as they are.

They are written to the folder in DENIABLE_SCREENSHOTS, which `make docs` sets; without it, to one
that is thrown away. They are not kept in the repository: each change of a page would change them.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from deniable_sdk import PublishedSurvey, compile_survey
from deniable_web.builder.survey_templates import template
from live_site import LiveSite, live_site
from results_site import HEALTH, fill
from signed_in import open_signed_in

DESKTOP: ViewportSize = {"width": 1100, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 760}
READERS = Path(__file__).parents[2] / "docs" / "readers"


def published() -> PublishedSurvey:
    """A template, as an organiser has completed it."""
    definition = template("speaking-up").definition()
    operator = {**definition["operator"], "name": "Works council"}
    return compile_survey({**definition, "operator": operator})


# Of each picture: the page, its size, what to press, and what it must show.
SHOTS: dict[str, tuple[str, ViewportSize, str, str]] = {
    "templates": ("/new", DESKTOP, "", "[data-template=plagiarism]"),
    "builder": ("/build?new=yes&template=speaking-up", DESKTOP, "#accuracy-tab", "#margins tr"),
    "opening": ("/s/speaking-up", PHONE, "", "#start:enabled"),
    "form": ("/s/speaking-up", PHONE, "#start:enabled", ".question:visible"),
    "results": (f"/surveys/{HEALTH}/results", DESKTOP, "", "#head"),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LiveSite, str]]:
    """A site with reports and a survey to answer, and an owner's token."""
    store = tmp_path_factory.mktemp("screenshots") / "site.sqlite"
    token = fill(store)
    with live_site(store, published()) as running:
        yield running, token


@pytest.mark.sweep
@pytest.mark.parametrize("name", SHOTS)
def test_a_screenshot_is_taken(
    browser: Browser, site: tuple[LiveSite, str], tmp_path: Path, name: str
) -> None:
    """Once the page shows what the picture is for."""
    address, size, pressed, shown = SHOTS[name]
    running, token = site
    folder = Path(os.environ.get("DENIABLE_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    with browser.new_context(locale="en-GB", viewport=size, reduced_motion="reduce") as context:
        page = context.new_page()
        open_signed_in(page, f"{running.url}{address}", token)
        if pressed:
            page.locator(pressed).click()
        expect(page.locator(shown).first).to_be_visible(timeout=60_000)
        page.screenshot(path=folder / f"{name}.png")
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_the_pages_show_the_screenshots_that_are_taken() -> None:
    """Each picture that a page names is taken, and each that is taken is shown, with a text."""
    named = [
        found
        for page in READERS.glob("*.md")
        for found in re.findall(
            r"^<!-- screenshot: ([a-z-]+): .{20,} -->$", page.read_text(), re.MULTILINE
        )
    ]
    assert sorted(named) == sorted(SHOTS)
