"""What a person may give away in a year: the form holds it over all surveys of its address."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey
from live_form import (
    open_page,
    protect,
    record_requests,
    records_in_browser,
    send,
    start,
)
from live_site import LiveSite, live_site
from sample_definitions import survey, yes_no

ENOUGH = "This device has revealed enough for now"


def of_four(slug: str, **keys: object) -> PublishedSurvey:
    """A survey of two questions, of which one is asked; two of them fill the cap."""
    return survey(yes_no("a"), yes_no("b"), slug=slug, epsilon=4, ask=1, **keys)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[LiveSite]:
    """A site with surveys of epsilon 4, a panel of 6 and a single one of 6."""
    store = tmp_path / "site.sqlite"
    with closing(open_store(store)) as opened:
        for slug in ("first", "second", "third"):
            opened.publish(of_four(slug))
        opened.publish(survey(yes_no(), slug="panel", epsilon=6, waves=3))
        opened.publish(survey(yes_no(), slug="large", epsilon=6))
        opened.publish(survey(yes_no(), slug="beyond", epsilon="8.01"))
    with live_site(store) as running:
        yield running


def records_of(page: Page, slug: str) -> list[dict[str, object]]:
    """What the device keeps of a survey of 4."""
    digest = of_four(slug).digest
    return [record for record in records_in_browser(page) if record.get("survey") == digest]


@pytest.mark.sweep
@pytest.mark.parametrize("is_sent", [True, False])
def test_the_page_explains_when_the_cap_is_reached(
    context: BrowserContext, site: LiveSite, *, is_sent: bool
) -> None:
    """Two surveys of 4 fill it, declined ones too; the third asks nothing and leaves no mark."""
    for slug in ("first", "second"):
        page = open_page(context, site, slug)
        if is_sent:
            send(page)
        else:
            protect(page)
            page.get_by_role("button", name="Do not send anything").click()
            expect(page.get_by_role("heading", name="Nothing was sent")).to_be_focused()
    requests = record_requests(context)
    page = open_page(context, site, "third")
    for _ in range(2):
        expect(page.get_by_role("heading", name=ENOUGH)).to_be_focused()
        expect(page.locator("#capped-text")).to_contain_text("together: an epsilon of 8.")
        expect(page.locator("#survey")).to_be_hidden()
        assert records_of(page, "third") == []
        page.reload()
        page.locator("main[data-kept]").wait_for()
    assert {request.method for request in requests} == {"GET"}
    page.locator("#language").select_option("ar")
    expect(page.locator("#capped-title")).to_have_text("كشف هذا الجهاز ما يكفي في الوقت الحالي")


@pytest.mark.deep
def test_a_cap_reached_in_another_tab_meanwhile_is_explained(
    context: BrowserContext, site: LiveSite
) -> None:
    """Nothing is randomized, and no answer is left on the page."""
    pages = [open_page(context, site, slug) for slug in ("first", "second", "third")]
    for page in pages[:2]:
        send(page)
    last = pages[2]
    start(last)
    last.locator(".question:visible input").first.check()
    last.get_by_role("button", name="Protect my answers").click()
    expect(last.get_by_role("heading", name=ENOUGH)).to_be_focused()
    assert last.locator("input:checked").count() == 0
    assert ["report" in record for record in records_of(last, "third")] == [False]


def test_a_panel_takes_all_of_it_at_once(context: BrowserContext, site: LiveSite) -> None:
    """After one wave of three with 6 in all, a survey of 4 is beyond what is left."""
    page = open_page(context, site, "panel")
    expect(page.locator(".privacy")).to_contain_text("Together the waves use an epsilon of 6")
    send(page)
    expect(open_page(context, site, "first").get_by_role("heading", name=ENOUGH)).to_be_focused()


def test_a_survey_above_what_apps_allow_is_asked_with_a_warning(
    context: BrowserContext, site: LiveSite
) -> None:
    """From 4 to 8 the form says in words what it takes; one above 8 is never asked."""
    ordinary = open_page(context, site, "first")
    expect(ordinary.locator(".privacy details:visible")).to_have_count(0)
    page = open_page(context, site, "large")
    expect(page.locator(".privacy summary:visible")).to_have_text(
        "This survey can reveal more about you than most."
    )
    expect(page.locator(".privacy")).to_contain_text("The survey uses an epsilon of 6")
    send(page)
    beyond = open_page(context, site, "beyond")
    expect(beyond.get_by_role("heading", name=ENOUGH)).to_be_focused()
