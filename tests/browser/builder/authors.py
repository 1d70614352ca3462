"""Authors of one draft, each in a browser of their own."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

AUTHORS = ("anna", "ben")
Open = Callable[..., Page]


def title_of(page: Page) -> Locator:
    """The field with the title of the survey."""
    return page.get_by_label("Title", exact=True)


def begin(open_as: Open, title: str = "Stress at work") -> tuple[Page, str]:
    """A draft of Anna's, once it is saved, and its path."""
    page = open_as("anna", "/build?lang=en")
    title_of(page).fill(title)
    saved(page)
    page.wait_for_url("**draft=*")
    return page, page.url.split("/", 3)[3].partition("#")[0]


def saved(page: Page) -> None:
    """Wait until the page says that the draft is saved."""
    expect(page.locator("#kept")).to_contain_text("Saved at")
