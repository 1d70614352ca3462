"""The mobile example in a web view: its store is the phone's, which outlives the web view's."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser_examples import Checker, visit
from deniable_sdk import PublishedSurvey
from example_apps import CANARY, PUBLISHED, served_app
from live_form import leave, record_requests, stored_in_browser
from live_site import LiveSite
from served import rows_by_id

AGREE = "I agree, show me the questions"
ARRIVED = "Your report has arrived"
KEPT = "goes out as soon as there is a connection"
FORGET = "Forget everything on this phone"
# What Capacitor puts into the web view of an app that has the plugin.
CAPACITOR = """window.Capacitor = { Plugins: { Preferences: {
    get: async ({ key }) => ({ value: await phoneGet(key) }),
    set: async ({ key, value }) => phoneSet(key, value),
    remove: async ({ key }) => phoneRemove(key),
    keys: async () => ({ keys: await phoneKeys() }),
} } };"""


@pytest.fixture
def app(site: LiveSite, tmp_path: Path) -> Iterator[str]:
    """The example, built and served as its README says."""
    with served_app("mobile", tmp_path, site.url) as address:
        yield address


@pytest.fixture
def phone(context: BrowserContext) -> dict[str, str]:
    """What the phone keeps of the app, as Capacitor's Preferences give it."""
    kept: dict[str, str] = {}

    def value(key: str) -> str | None:
        return kept.get(key)

    context.expose_function("phoneGet", value)
    context.expose_function("phoneSet", lambda key, text: kept.update({key: text}))
    context.expose_function("phoneRemove", lambda key: kept.pop(key, None))
    context.expose_function("phoneKeys", lambda: list(kept))
    context.add_init_script(CAPACITOR)
    return kept


def tap(page: Page, heading: str, button: str) -> None:
    """Tap a button of a screen."""
    expect(page.get_by_role("heading", name=heading)).to_be_focused()
    page.get_by_role("button", name=button, exact=True).click()


def answer(page: Page, *, is_offline: bool = False) -> None:
    """Agree and answer everything, without a network from the last question on."""
    tap(page, "A survey, if you like", AGREE)
    tap(page, "Were you harassed?", "yes")
    tap(page, "How stressed are you?", "4")
    expect(page.get_by_role("heading", name="Where do you work?")).to_be_focused()
    page.context.set_offline(is_offline)
    tap(page, "Where do you work?", CANARY)
    expect(page.get_by_role("heading", name="This is all that is sent")).to_be_focused()


def test_a_person_answers_and_has_it_forgotten(
    context: BrowserContext, app: str, site: LiveSite, phone: dict[str, str], faults: list[str]
) -> None:
    """Agree, tap answers, read what was sent, come back, forget: nothing is left on the phone."""
    requests = record_requests(context)
    page = visit(context, app)
    expect(page.get_by_role("button", name=AGREE)).to_be_visible()
    assert requests
    assert not [request for request in requests if request.url.startswith(site.url)]
    answer(page)
    expect(page.get_by_role("status")).to_contain_text(ARRIVED)
    expect(page.locator("#lines p")).to_have_count(len(PUBLISHED.blocks))
    assert list(rows_by_id(site.store, PUBLISHED).values()) == [1]
    assert PUBLISHED.digest in "".join(phone.values())
    assert CANARY not in "".join([*phone, *phone.values()])
    page.reload()
    expect(page.get_by_role("status")).to_contain_text(ARRIVED)
    page.get_by_role("button", name=FORGET).click()
    expect(page.get_by_role("heading", name="Forgotten")).to_be_focused()
    assert phone == {}
    # The web view's own storage was never used.
    assert json.loads(stored_in_browser(page))[0] == {}
    assert page.evaluate("indexedDB.databases()") == []
    assert faults == []


@pytest.mark.deep
def test_a_report_outlives_the_web_view(
    context: BrowserContext,
    app: str,
    site: LiveSite,
    survey: PublishedSurvey,
    phone: dict[str, str],
) -> None:
    """Sent without a network, the app ended: the same bytes go out, once, when it is opened."""
    page = visit(context, app)
    answer(page, is_offline=True)
    expect(page.get_by_role("status")).to_contain_text(KEPT)
    leave(page)
    records = [json.loads(text) for text in phone.values() if text.startswith("{")]
    waiting = [record["body"] for record in records if record.get("state") == "waiting"]
    assert len(waiting) == 1
    assert not rows_by_id(site.store, survey)
    context.set_offline(False)
    requests = record_requests(context)
    page = visit(context, app)
    expect(page.get_by_role("status")).to_contain_text(ARRIVED)
    assert [request.post_data for request in requests if request.method == "POST"] == waiting
    assert list(rows_by_id(site.store, survey).values()) == [1]


@pytest.mark.deep
def test_without_a_connection_it_can_be_tried_again(
    context: BrowserContext, app: str, site: LiveSite, survey: PublishedSurvey
) -> None:
    """In a browser, as while developing, where a collector that is away is no end."""
    context.route(f"{site.url}/**", lambda route: route.abort())
    page = visit(context, app)
    tap(page, "A survey, if you like", AGREE)
    expect(page.get_by_role("heading", name="This did not work")).to_be_focused()
    context.unroute(f"{site.url}/**")
    page.get_by_role("button", name="Try again").click()
    tap(page, "Were you harassed?", "no")
    tap(page, "Where do you work?", "Prefer not to say")
    expect(page.get_by_role("status")).to_contain_text(ARRIVED)
    assert list(rows_by_id(site.store, survey).values()) == [1]


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_everybody_can_use_it(
    context: BrowserContext, app: str, accessible: Checker, scheme: str
) -> None:
    """No rule of axe is broken on any of its screens, narrow or wide."""
    page = visit(context, app)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    accessible(page)
    tap(page, "A survey, if you like", AGREE)
    expect(page.get_by_role("heading", name="Were you harassed?")).to_be_focused()
    accessible(page)
    tap(page, "Were you harassed?", "no")
    tap(page, "Where do you work?", "quicksilver")
    expect(page.get_by_role("status")).to_contain_text(ARRIVED)
    accessible(page)
