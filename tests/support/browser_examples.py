"""What the browser tests of the examples share."""

import os

from playwright.sync_api import BrowserContext, Page

from axe_checks import violations

WIDTHS = (360, 1280)


def visit(context: BrowserContext, address: str) -> Page:
    """The app in a new tab."""
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto(address)
    return page


class Checker:
    """Runs axe over what a page shows, on a phone and on a desktop."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0

    def __call__(self, page: Page) -> None:
        """Fail if axe finds something, or anything is cut off."""
        self._count += 1
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            # For somebody who wants to look.
            if folder := os.environ.get("PICTURES"):
                page.screenshot(path=f"{folder}/{self._name}-{self._count}-{width}.png")
            assert violations(page) == []
