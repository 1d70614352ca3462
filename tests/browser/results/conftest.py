"""A site full of reports, and its pages opened with the owner's token."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from live_site import LiveSite, live_site
from results_site import fill
from signed_in import open_signed_in


@dataclass(frozen=True)
class OpenSite:
    """A running site and the token that opens it."""

    site: LiveSite
    token: str


@pytest.fixture(scope="module")
def full_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenSite]:
    """A site with surveys in every state."""
    store = tmp_path_factory.mktemp("results") / "site.sqlite"
    token = fill(store)
    with live_site(store) as running:
        yield OpenSite(running, token)


Open = Callable[..., Page]


@pytest.fixture(autouse=True)
def patience() -> None:
    """Time enough for a machine that has other things to do."""
    expect.set_options(timeout=30_000)


@pytest.fixture
def open_page(context: BrowserContext, full_site: OpenSite) -> Open:
    """Opens the results of a survey, or the list of all, once they are there."""

    def opened(slug: str = "", language: str = "en") -> Page:
        page = context.new_page()
        page.set_default_timeout(30_000)
        path = f"/surveys/{slug}/results" if slug else "/surveys"
        open_signed_in(page, f"{full_site.site.url}{path}?lang={language}", full_site.token)
        expect(page.locator("#head" if slug else "#surveys article").first).to_be_visible()
        return page

    return opened
