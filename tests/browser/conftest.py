"""A real Chromium, and a real site with a survey for it to open."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from chromium import ARGUMENTS, find_chromium, find_headless
from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey, compile_survey
from live_kiosk import Kiosk, live_kiosk
from live_site import LiveSite, live_site

# Options that occur nowhere else, so that a search finds them wherever they are.
CANARIES = ("zebrafinch", "quicksilver", "marmalade")
CLOSED_SLUG = "closed"


# Before the cases of a sweep are chosen, which depends on this.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives a browser."""
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.browser)


def _definition(slug: str) -> dict[str, object]:
    return {
        "title": "A survey for the browser",
        "slug": slug,
        "epsilon": 2,
        "ask": "all",
        "questions": [
            {"id": "canary", "type": "choice", "text": "Which one?", "options": list(CANARIES)},
            {"id": "harassed", "type": "yes_no", "text": "Were you?", "required": True},
            {"id": "stress", "type": "scale", "levels": 7, "text": "How much?"},
        ],
    }


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Debian's Chromium is, for tests that need a profile or its settings."""
    return find_chromium()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, headless."""
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=find_headless(), args=ARGUMENTS)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that has never been anywhere."""
    with browser.new_context(locale="en-GB") as fresh:
        yield fresh


@pytest.fixture
def survey() -> PublishedSurvey:
    """The survey that the site serves."""
    return compile_survey(_definition("canaries"))


@pytest.fixture
def site(tmp_path: Path, survey: PublishedSurvey) -> Iterator[LiveSite]:
    """The site with the survey, and a closed one beside it."""
    store = tmp_path / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(survey)
        opened.publish(compile_survey(_definition(CLOSED_SLUG)))
        opened.close_survey(CLOSED_SLUG)
    with live_site(store) as running:
        yield running


@pytest.fixture(scope="module")
def kiosk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kiosk]:
    """A survey by invitation, its issuer and its site."""
    with live_kiosk(tmp_path_factory.mktemp("kiosk")) as running:
        yield running


@pytest.fixture
def code(kiosk: Kiosk) -> str:
    """A code that nobody has used."""
    return kiosk.unused.pop()
