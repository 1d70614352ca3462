"""The web example: bundled, under its own policy, against a real collector."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser_examples import Checker, visit
from deniable_sdk import PublishedSurvey
from example_apps import CANARY, served_app
from live_form import leave, record_requests, stored_in_browser
from live_site import LiveSite
from served import rows_by_id

AGREE = "I agree, show me the questions"
ARRIVED = "Your report has arrived"
KEPT = "goes out as soon as there is a connection"
FORGET = "Forget everything in this browser"


@pytest.fixture
def app(site: LiveSite, tmp_path: Path) -> Iterator[str]:
    """The example, built and served as its README says."""
    with served_app("web", tmp_path, site.url) as address:
        yield address


def fill_in(page: Page, *, is_new: bool = True) -> None:
    """Answer everything, the question that depends on another one too."""
    if is_new:
        expect(page.get_by_role("heading", name="Stress at work")).to_be_focused()
    expect(page.get_by_text("How stressed are you?")).to_be_hidden()
    page.get_by_role("group", name="Were you harassed?").get_by_label("yes").check()
    page.get_by_role("group", name="How stressed are you?").get_by_label("4").check()
    page.get_by_label(CANARY).check()
    page.get_by_label("o0").check()
    page.get_by_label("o2").check()
    page.get_by_label("How many days were you ill?").fill("12")


def test_a_person_answers_and_has_it_forgotten(
    context: BrowserContext, app: str, site: LiveSite, survey: PublishedSurvey, faults: list[str]
) -> None:
    """Agree, answer, read what was sent, come back, forget: one report, no fault on the way."""
    requests = record_requests(context)
    page = visit(context, app)
    # Nothing is asked of the collector before the person agrees.
    expect(page.get_by_role("button", name=AGREE)).to_be_visible()
    assert requests
    assert not [request for request in requests if request.url.startswith(site.url)]
    page.get_by_role("button", name=AGREE).click()
    fill_in(page)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status")).to_contain_text(ARRIVED)
    expect(page.get_by_role("listitem")).to_have_count(len(survey.blocks))
    expect(page.get_by_text("You have answered 1 survey")).to_be_visible()
    assert list(rows_by_id(site.store, survey).values()) == [1]
    page.reload()
    expect(page.get_by_role("status")).to_contain_text(ARRIVED)
    page.get_by_role("button", name=FORGET).click()
    expect(page.get_by_role("heading", name="Forgotten")).to_be_focused()
    assert json.loads(stored_in_browser(page))[0] == {}
    assert page.evaluate("indexedDB.databases()") == []
    sent = [request for request in requests if request.method == "POST"]
    assert [request.url for request in sent] == [f"{site.url}/api/reports"]
    hosts = {request.url.split("/")[2] for request in requests}
    assert hosts == {app.split("/")[2], site.url.split("/")[2]}
    assert faults == []


def test_a_report_waits_for_the_network(
    context: BrowserContext, app: str, site: LiveSite, survey: PublishedSurvey
) -> None:
    """Sent without a network, the page left: it goes out, once, at the next visit."""
    page = visit(context, app)
    page.get_by_role("button", name=AGREE).click()
    fill_in(page)
    context.set_offline(True)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status")).to_contain_text(KEPT)
    kept = stored_in_browser(page)
    assert '"state":"waiting"' in kept
    assert CANARY not in kept
    leave(page)
    assert not rows_by_id(site.store, survey)
    context.set_offline(False)
    page = visit(context, app)
    expect(page.get_by_role("status")).to_contain_text(ARRIVED)
    assert list(rows_by_id(site.store, survey).values()) == [1]


@pytest.mark.deep
def test_what_does_not_fit_is_said(context: BrowserContext, app: str) -> None:
    """What is missing or does not fit is named, and nothing is sent."""
    requests = record_requests(context)
    page = visit(context, app)
    page.get_by_role("button", name=AGREE).click()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_contain_text('question "harassed" is required')
    fill_in(page, is_new=False)
    page.get_by_label("How many days were you ill?").fill("31")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_contain_text('question "days" takes')
    assert {request.method for request in requests} == {"GET"}


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(
    context: BrowserContext, app: str, accessible: Checker, scheme: str
) -> None:
    """No rule of axe is broken on any of its pages, on a phone and on a desktop."""
    page = visit(context, app)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    accessible(page)
    page.get_by_role("button", name=AGREE).click()
    fill_in(page)
    accessible(page)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status")).to_contain_text(ARRIVED)
    accessible(page)
    page.get_by_role("button", name=FORGET).click()
    expect(page.get_by_role("heading", name="Forgotten")).to_be_focused()
    accessible(page)
