"""Surveys with an end, and devices whose clock shows a moment before or after it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey, compile_survey
from live_form import open_page, question, send
from live_site import LiveSite
from sample_definitions import choice, definition, yes_no

# Some years after the time of any collector here, and some years before it.
LATER = datetime(2040, 1, 31, 18, tzinfo=UTC)
EARLIER = datetime(2021, 1, 31, 18, tzinfo=UTC)
FIELDWORK = "**/api/surveys/by-digest/*/fieldwork"


def written(moment: datetime) -> str:
    """A moment as authors and documents have it."""
    return f"{moment:%Y-%m-%dT%H:%MZ}"


def ending(moment: datetime, slug: str, **keys: Any) -> PublishedSurvey:
    """A survey of two questions that closes at a moment."""
    asked = definition(yes_no(), choice(), slug=slug, ask="all")
    return compile_survey({**asked, "closes": written(moment), **keys})


def extend(store: Path, slug: str, closes: datetime) -> None:
    """Extend a survey in the store of a running site."""
    with closing(open_store(store)) as opened:
        assert opened.extend(slug, datetime.now(UTC), closes=closes)


@contextmanager
def opened_at(
    browser: Browser, site: LiveSite, moment: datetime, slug: str, **options: Any
) -> Iterator[Page]:
    """The form at a moment, on a device and a collector whose clocks go on together.

    Time passes only if a test says so.
    """
    options = {"locale": "en-GB", "timezone_id": "Asia/Kolkata", **options}
    with browser.new_context(**options) as context:
        context.clock.install(time=moment - timedelta(milliseconds=1))
        context.clock.pause_at(moment)
        context.route(FIELDWORK, _at_the_same_time)
        yield open_page(context, site, slug)


def _at_the_same_time(route: Route) -> None:
    """What the collector would say if its clock showed the time of the device."""
    response = route.fetch()
    said = response.json()
    now = datetime.fromtimestamp(route.request.frame.evaluate("Date.now()") / 1000, UTC)
    if said["state"] == "over" and datetime.fromisoformat(said["closes"]) > now:
        said["state"] = "open"
    route.fulfill(response=response, json={**said, "now": now.isoformat()})


def pass_by(page: Page, **time: float) -> None:
    """Let the clock of the device go on."""
    page.clock.run_for(int(timedelta(**time).total_seconds() * 1000))


def answer_and_send(page: Page) -> None:
    """From the first question to the thanks."""
    question(page, "asthma").get_by_label("Yes").check(force=True)
    question(page, "region").get_by_label("o1").check(force=True)
    send(page)
