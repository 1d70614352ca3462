"""The built site of the documentation, opened from its folder with the network off.

`make docs` builds it and runs this file with its folder in DENIABLE_BUILT_SITE.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from axe_checks import violations
from viewports import Scheme

SITE = os.environ.get("DENIABLE_BUILT_SITE")
pytestmark = pytest.mark.skipif(not SITE, reason="make docs builds the site")
LOOKS: list[tuple[Scheme, int]] = [("light", 1280), ("dark", 390)]
PAGES = [
    "index.html",
    "readers/ORGANISERS.html",
    "DEFINITION.html",
    "COMMANDS.html",
    "SDK_PYTHON.html",
]


def address(name: str) -> str:
    """A page of the site, as a file."""
    return f"{Path(SITE or '').resolve().as_uri()}/{name}"


@pytest.fixture(params=LOOKS, ids=str)
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that reaches no network, and asks for nothing outside the folder."""
    scheme, width = request.param
    size: ViewportSize = {"width": width, "height": 900}
    asked: list[str] = []
    with browser.new_context(color_scheme=scheme, viewport=size, offline=True) as context:
        opened = context.new_page()
        opened.on("request", lambda each: asked.append(each.url))
        yield opened
    assert asked
    assert [each for each in asked if not each.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_wrong(page: Page, name: str) -> None:
    """And no page is wider than the window."""
    page.goto(address(name))
    expect(page.locator(".md-search[aria-label]")).to_be_attached()
    assert violations(page) == []


def test_the_site_is_searched_by_keyboard(page: Page) -> None:
    """A key of a definition leads to its page, among others."""
    page.goto(address("index.html"))
    page.keyboard.press("/")
    expect(page.locator("input.md-search__input")).to_be_focused()
    page.keyboard.type("stop_when", delay=30)
    found = page.locator(".md-search-result__item a")
    expect(found.first).to_be_visible(timeout=60_000)
    addresses = found.evaluate_all("(links) => links.map((link) => link.href)")
    assert any("/DEFINITION.html" in each for each in addresses)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/*.html?h=*")


def test_pictures_and_their_texts_are_there(page: Page) -> None:
    """On the pages of the readers who see the program."""
    page.goto(address("readers/ORGANISERS.html"))
    for picture in page.locator(".md-content img").all():
        picture.scroll_into_view_if_needed()
        assert picture.get_attribute("alt")
        expect(picture).to_have_js_property("complete", value=True)
        assert picture.evaluate("(image) => image.naturalWidth") > 300
    assert page.locator(".md-content img").count() == 2
