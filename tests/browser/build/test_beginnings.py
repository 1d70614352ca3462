"""The next edition of a survey, and a copy of one, in the builder."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from deniable_collector.store import open_store
from deniable_collector.tokens import Role, Token, digest_of
from deniable_web.publication import publish
from live_builder import name_survey, open_page, violations
from live_server import OWNER_TOKEN
from live_site import LiveSite, live_site
from sample_definitions import choice, survey, yes_no

PUBLISHED = survey(
    choice("decade", 5, fixed=True, required=True), yes_no("harassed"), slug="work", title="Work"
)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[LiveSite]:
    """A site whose only survey is closed."""
    store = tmp_path / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.add_token(Token("owner", Role.OWNER), digest_of(OWNER_TOKEN))
        publish(opened, PUBLISHED)
        opened.close_survey("work")
    with live_site(store) as running:
        yield running


def test_a_next_edition_begins_with_the_last(context: BrowserContext, site: LiveSite) -> None:
    """Its questions and name are there, facts are marked, and a change of one is warned of."""
    page = open_page(context, site, "/surveys")
    page.get_by_role("link", name="New edition").click()
    expect(page.locator("#begun")).to_contain_text("begins with the published survey work")
    expect(page.get_by_label("Title", exact=True)).to_have_value("Work")
    expect(page.locator("#questions > li")).to_have_count(2)
    expect(page.locator("#question-0-fact")).to_contain_text("Devices repeat what was reported")
    assert "edition" not in page.url
    assert not violations(page)
    expect(page.locator("#state")).to_have_text("Ready to publish")
    expect(page.locator("#warnings")).not_to_contain_text("Facts are asked again")
    page.locator("#at-questions-0-text").fill("In which decade were you born, roughly?")
    expect(page.locator("#warnings")).to_contain_text("Facts are asked again")
    page.reload()
    expect(page.locator("#at-questions-0-text")).to_have_value(
        "In which decade were you born, roughly?"
    )
    expect(page.locator("#question-0-fact")).to_be_visible()
    page.get_by_role("button", name="Publish…").click()
    page.get_by_role("button", name="Publish now").click()
    page.wait_for_url("**/surveys/work/share*")
    with closing(open_store(site.store)) as opened:
        assert [each.edition for each in opened.list_surveys()] == [1, 2]


def test_a_copy_has_no_name_yet(context: BrowserContext, site: LiveSite) -> None:
    """It takes over everything but the address, and repeats no facts."""
    page = open_page(context, site, "/build?copy=work&lang=en")
    expect(page.locator("#begun")).to_contain_text("is a copy of the published survey work")
    expect(page.locator("#questions > li")).to_have_count(2)
    expect(page.locator("#question-0-fact")).to_have_count(0)
    name_survey(page, "Work elsewhere")
    page.goto(f"{site.url}/build?edition=nowhere")
    expect(page.locator("#begun")).to_contain_text("No survey is published here by this name")
