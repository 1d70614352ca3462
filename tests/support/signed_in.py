"""Opens pages for people who run surveys as somebody who has entered a token in this tab."""

from urllib.parse import urlsplit

from playwright.sync_api import Page


def open_signed_in(page: Page, address: str, token: str) -> None:
    """Open a page in a tab that has a token."""
    parts = urlsplit(address)
    page.goto(f"{parts.scheme}://{parts.netloc}/healthz")
    page.evaluate("token => sessionStorage.setItem('deniable-token', token)", token)
    page.goto(address)
