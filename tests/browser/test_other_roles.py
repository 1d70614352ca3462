"""Whoever may not do something reads who may, and stays signed in."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Release, Role, digest_of, make_token
from deniable_web.pages.languages import catalog
from live_builder import name_survey, take_example
from live_site import live_site
from sample_definitions import survey, yes_no
from signed_in import open_signed_in

FRAME, SCRIPT = catalog("manage", "en")["frame"], catalog("builder", "en")["script"]
PEOPLE = {
    "eva": AccessToken("eva", Role.EDITOR),
    "olaf": AccessToken("olaf", Role.ANALYST),
    "rita": AccessToken("rita", Role.READER, frozenset({"ward"}), Release(50)),
    "ida": AccessToken("ida", Role.OWNER, frozenset({"ward"})),
}
Open = Callable[[str, str], Page]


@pytest.fixture
def open_as(context: BrowserContext, tmp_path: Path) -> Iterator[Open]:
    """Opens a page of a site as one of its people."""
    tokens = {name: make_token(rights.role) for name, rights in PEOPLE.items()}
    path = tmp_path / "site.sqlite"
    with closing(open_store(path)) as store:
        for name, rights in PEOPLE.items():
            store.add_token(rights, digest_of(tokens[name]))
    with live_site(path, survey(yes_no(), slug="ward", at_most_reports=1_000)) as site:

        def open_page(name: str, path: str) -> Page:
            page = context.new_page()
            page.set_default_timeout(30_000)
            open_signed_in(page, f"{site.url}{path}?lang=en", tokens[name])
            return page

        yield open_page


@pytest.mark.parametrize(
    ("name", "path", "place"),
    [
        ("eva", "/surveys/ward/results", "#token-problem"),
        ("olaf", "/drafts", "#status"),
        ("olaf", "/build", "#state"),
        ("rita", "/surveys/ward/share", ""),
        ("rita", "/drafts", "#status"),
    ],
)
def test_a_page_for_others_says_whom_it_is_for(
    open_as: Open, name: str, path: str, place: str
) -> None:
    """The token is right, so no page calls it invalid, and the next page still knows it."""
    page = open_as(name, path)
    if place:
        expect(page.locator(place)).to_have_text(FRAME["other_role"].format(name=name))
    expect(page.get_by_text(FRAME["refused"])).to_have_count(0)
    assert page.evaluate("sessionStorage.getItem('deniable-token')")


@pytest.mark.parametrize("name", ["eva", "ida"])
def test_who_cannot_publish_is_told_before_the_last_button(open_as: Open, name: str) -> None:
    """An editor reads who can, and an owner of other surveys why the name is not allowed."""
    page = open_as(name, "/build")
    expect(page.locator("#margins tr")).to_have_count(3)
    take_example(page)
    name_survey(page, "Stress")
    page.locator("#publish").click()
    said = (
        SCRIPT["publish_others"].format(name=name)
        if name == "eva"
        else SCRIPT["slug_not_allowed"].format(slug="stress")
    )
    expect(page.locator("#publish-problem")).to_have_text(said)
    expect(page.locator("#publish-confirm")).to_be_hidden()
