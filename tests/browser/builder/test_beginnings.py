"""The next edition of a survey, and a copy of one, in the builder."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import BrowserContext, expect

from axe_checks import violations
from deniable_collector.clock import utc_now
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of
from deniable_sdk import compile_survey
from deniable_web.builder.pages import example_definition
from deniable_web.pages.form.languages import PageLanguage
from deniable_web.pages.form.privacy import privacy_words
from deniable_web.stores.publication import publish
from live_builder import epsilon_field, name_survey, open_page, show_more
from live_form import start
from live_server import OWNER_TOKEN
from live_site import LiveSite, live_site
from sample_definitions import choice, survey, yes_no

QUESTIONS = (choice("decade", 5, fixed=True, required=True), yes_no("harassed"))
PUBLISHED = survey(*QUESTIONS, slug="jobs", title="Work")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[LiveSite]:
    """A site whose only survey is closed."""
    store = tmp_path / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.add_token(AccessToken("owner", Role.OWNER), digest_of(OWNER_TOKEN))
        publish(opened, PUBLISHED, utc_now())
        opened.close_survey("jobs")
    with live_site(store) as running:
        yield running


@pytest.mark.deep
def test_a_next_edition_begins_with_the_last(context: BrowserContext, site: LiveSite) -> None:
    """Its questions and name are there, facts are marked, and a change of one is warned of."""
    page = open_page(context, site, "/surveys")
    page.get_by_role("link", name="New edition").click()
    expect(page.locator("#begun")).to_contain_text("starts from the published survey jobs")
    expect(page.get_by_label("Title", exact=True)).to_have_value("Work")
    expect(page.locator("#questions > li")).to_have_count(2)
    expect(page.locator("#question-0-fact")).to_contain_text("Devices repeat the value")
    assert "edition" not in page.url
    assert violations(page) == []
    expect(page.locator("#state")).to_have_text("Ready to publish")
    expect(page.locator("#warnings")).not_to_contain_text("Facts are asked again")
    page.locator("#at-questions-0-text").fill("In which decade were you born, roughly?")
    expect(page.locator("#warnings")).to_contain_text("Facts are asked again")
    page.reload()
    expect(page.locator("#at-questions-0-text")).to_have_value(
        "In which decade were you born, roughly?"
    )
    show_more(page)
    expect(page.locator("#question-0-fact")).to_be_visible()
    page.get_by_role("button", name="Publish…").click()
    page.get_by_role("button", name="Publish now").click()
    page.wait_for_url("**/surveys/jobs/share*")
    with closing(open_store(site.store)) as opened:
        assert [each.edition for each in opened.list_surveys()] == [1, 2]


@pytest.mark.deep
def test_a_copy_has_no_name_yet(context: BrowserContext, site: LiveSite) -> None:
    """It takes over everything but the address, and repeats no facts."""
    page = open_page(context, site, "/build?copy=jobs&lang=en")
    expect(page.locator("#begun")).to_contain_text("is a copy of the published survey jobs")
    expect(page.locator("#questions > li")).to_have_count(2)
    expect(page.locator("#question-0-fact")).to_have_count(0)
    name_survey(page, "Work elsewhere")
    page.goto(f"{site.url}/build?edition=nowhere")
    expect(page.locator("#begun")).to_contain_text("No survey is published here under this name")


@pytest.mark.deep
def test_the_builder_and_the_form_say_the_same_bounds(
    context: BrowserContext, site: LiveSite
) -> None:
    """What somebody can believe at most is rounded up, and at least down, on both pages."""
    page = open_page(context, site, "/build?copy=jobs&lang=en")
    expect(page.locator("#begun")).to_be_visible()
    for epsilon in ("0.5", "1", "3.7"):
        epsilon_field(page).fill(epsilon)
        page.locator("#at-epsilon").blur()
        told = privacy_words(survey(*QUESTIONS, epsilon=epsilon), PageLanguage("en")).told
        expect(page.locator("#epsilon-words")).to_contain_text(f"at most {told.high} and")
        expect(page.locator("#epsilon-words")).to_contain_text(f"at least {told.low} sure")


def test_words_of_a_scale_stay_whole(context: BrowserContext, site: LiveSite) -> None:
    """No label of the builder's own example breaks within a word."""
    example = {**example_definition("en"), "title": "Example", "slug": "example", "ask": "all"}
    with closing(open_store(site.store)) as opened:
        publish(opened, compile_survey(example), utc_now())
    page = context.new_page()
    page.goto(f"{site.url}/s/example")
    start(page)
    for width in (360, 700, 1100):
        page.set_viewport_size({"width": width, "height": 800})
        lines = page.locator(".type-scale .choice").filter(has_text="unbearably").evaluate(LINES)
        assert lines == 1, width


# How many lines the word takes.
LINES = """(choice) => {
  const walker = document.createTreeWalker(choice, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const place = node.data.indexOf("unbearably");
    if (place < 0) continue;
    const range = document.createRange();
    range.setStart(node, place);
    range.setEnd(node, place + "unbearably".length);
    return range.getClientRects().length;
  }
  return 0;
}"""


def test_there_is_one_way_to_a_new_survey(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Each page leads to the same beginning, and from there back to the draft of this tab."""
    page = open_page(context, building_site, "/new?lang=en")
    back = page.get_by_role("link", name="Continue the draft in this tab")
    expect(back).to_be_hidden()
    for path in ("/surveys", "/drafts", "/new", "/build?new=yes"):
        page.goto(f"{building_site.url}{path}")
        expect(page.locator("[data-signed-in=yes]").last).to_be_visible()
        for link in page.get_by_role("link", name=re.compile("^(Write|New survey)")).all():
            address = urljoin(page.url, str(link.get_attribute("href")))
            assert urlsplit(address).path == "/new", path
    page.get_by_label("Title", exact=True).fill("Mine")
    page.get_by_role("link", name="Write a survey").click()
    back.click()
    expect(page.get_by_label("Title", exact=True)).to_have_value("Mine")
