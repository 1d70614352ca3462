"""Groups by link in the form: shown, confirmed by the person, and carried by the report."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from axe_checks import violations
from deniable_collector.store import open_store
from deniable_web.pages.languages import catalog
from linked import PEOPLE, linked
from live_form import protect, question, start
from live_site import LiveSite, live_site
from sample_definitions import yes_no

WARD = linked(yes_no(required=True))
TEXTS = catalog("form", "en")["fieldwork"]
SEND = catalog("form", "en")["review"]["send"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with a survey that has groups by link."""
    path: Path = tmp_path_factory.mktemp("links") / "site.sqlite"
    with live_site(path, WARD) as live:
        yield live


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page of a device that nobody has used."""
    return context.new_page()


def opened(page: Page, site: LiveSite, fragment: str) -> None:
    """Open the form by a link with this fragment."""
    page.goto(f"{site.url}/s/ward{fragment}")
    page.locator("main[data-kept]").wait_for()


def sent(page: Page) -> dict[str, object]:
    """Answer, look at the report, and send it: what it was."""
    start(page)
    question(page, "asthma").get_by_label("Yes").check()
    protect(page)
    body = shown_report(page)
    page.get_by_role("button", name=SEND).click()
    expect(page.locator("#sent")).to_be_visible()
    return body


def shown_report(page: Page) -> dict[str, object]:
    """The report that the person looks at."""
    expect(page.locator("#review")).to_be_visible()
    shown: dict[str, object] = json.loads(page.locator("#review-bytes").text_content() or "")
    return shown


def stored_groups(site: LiveSite) -> list[object]:
    """The groups of all stored reports."""
    with closing(open_store(site.store)) as store:
        stored = store.find_edition(WARD.digest)
        assert stored
        return [list(row)[1] for row in store.read_rows(stored, None, 100)]


@pytest.mark.parametrize(
    ("fragment", "button", "group"),
    [
        ("#group=nurses", "link_take", "nurses"),
        ("#group=doctors", "link_leave", None),
        ("", "", None),
    ],
)
def test_the_person_decides_whether_the_report_has_the_group(
    page: Page, site: LiveSite, fragment: str, button: str, group: str | None
) -> None:
    """A group is shown before the first question; the report carries it if the person agrees."""
    before = stored_groups(site)
    opened(page, site, fragment)
    if button:
        named = fragment.removeprefix("#group=")
        expect(page.locator("#group")).to_contain_text(f"{named} ({PEOPLE[named]} people)")
        expect(page.locator("#start")).to_be_hidden()
        assert not violations(page)
        page.get_by_role("button", name=TEXTS[button]).click()
    expect(page.locator("#group")).to_be_hidden()
    carried = page.locator("#opening [data-group]:visible")
    expect(carried).to_have_count(1 if group else 0)
    body = sent(page)
    assert body.get("group") == group
    assert Counter(stored_groups(site)) == Counter([*before, group or ""])


@pytest.mark.parametrize("fragment", ["#group=surgeons", "#group=", "#group=Nurses"])
def test_a_group_that_is_not_declared_is_said_and_not_sent(
    page: Page, site: LiveSite, fragment: str
) -> None:
    """The form opens, says so, and the report has no group."""
    opened(page, site, fragment)
    expect(page.locator("#no-group")).to_have_text(TEXTS["link_unknown"])
    expect(page.locator("#group")).to_be_hidden()
    assert "group" not in sent(page)


@pytest.mark.parametrize("fragment", ["#group=nurses&code=A", "#code=A&group=nurses", "#nurses"])
def test_nothing_else_rides_on_a_link(page: Page, site: LiveSite, fragment: str) -> None:
    """Another fragment gives no group."""
    opened(page, site, fragment)
    expect(page.locator("#group, #no-group").first).to_be_hidden()
    expect(page.locator("#start")).to_be_visible()


def test_a_held_report_says_its_group_again(page: Page, site: LiveSite) -> None:
    """What is shown of a report that was made before is its own group, whatever the link."""
    opened(page, site, "#group=nurses")
    page.get_by_role("button", name=TEXTS["link_take"]).click()
    start(page)
    question(page, "asthma").get_by_label("Yes").check()
    protect(page)
    opened(page, site, "")
    page.reload()
    page.locator("#look").click()
    expect(page.locator("#review [data-group]:visible")).to_contain_text("nurses")
    assert shown_report(page)["group"] == "nurses"
