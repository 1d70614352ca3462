"""A site with an owner's token, and one with two authors whose pages are opened."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.builder.authors import AUTHORS, Open
from built_fieldwork import DEFINITION, MODULUS
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from live_server import OWNER_TOKEN
from live_site import LiveSite, live_site
from signed_in import open_signed_in


@pytest.fixture
def building_site(tmp_path: Path) -> Iterator[LiveSite]:
    """A site without any survey, whose owner has a token."""
    store = tmp_path / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.add_token(AccessToken("owner", Role.OWNER), digest_of(OWNER_TOKEN))
    with live_site(store) as running:
        yield running


@pytest.fixture
def definition_file(tmp_path: Path) -> Path:
    """A definition with a window and an invitation, one of whose groups has a key."""
    file = tmp_path / "wards.yaml"
    file.write_text(DEFINITION.replace("KEY", MODULUS))
    return file


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[tuple[LiveSite, dict[str, str]]]:
    """A site with two owners."""
    path, tokens = tmp_path / "site.sqlite", {name: make_token(Role.OWNER) for name in AUTHORS}
    with closing(open_store(path)) as store:
        for name, token in tokens.items():
            store.add_token(AccessToken(name, Role.OWNER), digest_of(token))
    with live_site(path) as site:
        yield site, tokens


@pytest.fixture
def open_as(browser: Browser, shared: tuple[LiveSite, dict[str, str]]) -> Iterator[Open]:
    """Opens a page as an author, each in a browser of their own."""
    site, tokens = shared
    contexts: list[BrowserContext] = []

    def open_page(author: str, path: str, **options: object) -> Page:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        open_signed_in(page, f"{site.url}{path}", tokens[author])
        expect(page.locator("[data-signed-in=yes]").last).to_be_visible()
        return page

    yield open_page
    for context in contexts:
        context.close()
