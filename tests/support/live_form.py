"""The form in a browser: surveys of every kind of question, and steps through it."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, FrameLocator, Locator, Page, Request, expect

from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey, compile_survey
from live_site import LiveSite, live_site
from sample_definitions import Document

# Typed or chosen by respondents and found nowhere else.
CANARY_NUMBER = "0.2931"
CANARY_OPTION = "zebrafinch"

_WORKS: Document = {"id": "works", "type": "yes_no", "text": "Do you work?"}
_TROUBLES: Document = {
    "id": "troubles",
    "type": "multiple",
    "text": "What troubles you?",
    "options": ["noise", CANARY_OPTION, "quicksilver"],
    "at_most": 2,
}


def every_kind() -> PublishedSurvey:
    """A survey of all kinds, of which everybody is asked everything."""
    return _compile(
        "kinds",
        _WORKS,
        {
            "id": "hours", "type": "number", "min": 0, "max": 80, "step": 0.5, "unit": "hours",
            "text": "How long?", "show_if": {"question": "works", "is": "yes"}, "required": True,
        },
        _TROUBLES,
        {
            "id": "calls", "type": "scale", "levels": 4, "text": "How loud?",
            "show_if": {"question": "troubles", "is": CANARY_OPTION},
        },
        {"id": "region", "type": "choice", "text": "Where?", "options": ["north", "south"]},
        {"id": "team", "type": "yes_no", "text": "In a team?"},
        {"id": "level", "type": "number", "min": 0, "max": 0.4, "step": 0.0001, "text": "Level?"},
        {"id": "mood", "type": "scale", "levels": 9, "text": "Mood?", "target": "mean"},
        {
            "id": "pets", "type": "multiple", "options": list("abcdefghij"), "at_most": 1,
            "text": "Which pet?",
        },
        ask="all",
        crosstabs=[["region", "team"]],
        epsilon=4,
    )  # fmt: skip


def one_of_two() -> PublishedSurvey:
    """A survey whose second block depends on the first, each asked of half."""
    works: Document = {**_WORKS, "required": True}
    hours: Document = {
        "id": "hours", "type": "number", "min": -5, "max": 5, "text": "How long?",
        "show_if": {"question": "works", "is": "yes"},
    }  # fmt: skip
    return _compile("routed", works, hours, ask=1)


def paged() -> PublishedSurvey:
    """A survey on four pages, one of them only for some, and with a matrix."""
    words = {"labels": {1: "never", 5: "always"}, "levels": 5, "type": "scale"}
    return _compile(
        "paged",
        {**_WORKS, "required": True},
        {
            "id": "commute", "type": "number", "min": 0, "max": 200, "unit": "minutes",
            "text": "How long is your way?", "new_page": True,
            "show_if": {"question": "works", "is": "yes"},
        },
        {**words, "id": "calm", "text": "I feel calm", "new_page": True},
        {**words, "id": "tired", "text": "I come home too tired to meet anybody"},
        {**words, "id": "heard", "text": "Others listen to me"},
        {**_TROUBLES, "new_page": True},
        ask="all",
        epsilon=4,
        introduction="A few questions.",
    )  # fmt: skip


def _compile(slug: str, *questions: Document, **keys: object) -> PublishedSurvey:
    document = {"title": "A survey", "slug": slug, "epsilon": 2, "questions": [*questions]}
    return compile_survey({**document, **keys})


@contextmanager
def site_of_kinds(folder: Path) -> Iterator[LiveSite]:
    """A site with a survey of every kind, and one that draws one block of two."""
    store = folder / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(every_kind())
        opened.publish(one_of_two())
        opened.publish(paged())
        opened.publish(_compile("over", _WORKS))
        opened.close_survey("over")
    with live_site(store) as running:
        yield running


def open_page(context: BrowserContext, site: LiveSite, slug: str) -> Page:
    """The form's page, whatever it has to say."""
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto(f"{site.url}/s/{slug}")
    # What it puts by for times without a network has been asked for.
    page.locator("main[data-kept]").wait_for()
    return page


def open_form(context: BrowserContext, site: LiveSite, slug: str = "kinds") -> Page:
    """The form, ready to be filled in."""
    page = open_page(context, site, slug)
    start(page)
    return page


def start(page: Page | FrameLocator) -> None:
    """From the opening to the first question, in any language."""
    page.locator("#start:enabled").click()
    expect(page.locator("#start")).to_be_hidden()


def record_requests(context: BrowserContext) -> list[Request]:
    """Every request of a page from now on, as it is made.

    The icon is left out: the browser fetches it by itself, when it likes.
    """
    requests: list[Request] = []

    def note(request: Request) -> None:
        if not request.url.endswith("/icon.svg"):
            requests.append(request)

    context.on("request", note)
    return requests


def draw_alike(context: BrowserContext, block: int = 1) -> None:
    """Pages opened from now on draw this block of two, from the same bytes each time."""
    context.add_init_script(
        """crypto.getRandomValues = (bytes) => {
          let state = 1;
          for (const place of bytes.keys()) {
            state = (state ^ (state << 13)) >>> 0;
            state = (state ^ (state >>> 17)) >>> 0;
            state = (state ^ (state << 5)) >>> 0;
            bytes[place] = state >>> 8;
          }
          bytes[5] = BLOCK;
          return bytes;
        }""".replace("BLOCK", str(block))
    )


def leave(page: Page) -> None:
    """Leave a page for good while the network is cut.

    A tab that is closed at once has its network back first, and what is in it
    may still notice.
    """
    page.goto("about:blank")
    page.close()


def question(page: Page, name: str) -> Locator:
    """The fieldset of a question."""
    return page.locator(f"#q-{name}")


def protect(page: Page | FrameLocator) -> None:
    """Start where nobody has, look over the answers where there are several, randomize them."""
    begin = page.locator("#start:enabled")
    look_over = page.get_by_role("button", name="Look over my answers")
    randomize = page.get_by_role("button", name="Protect my answers")
    expect(begin.or_(look_over).or_(randomize).locator("visible=true")).to_be_visible()
    if begin.is_visible():
        start(page)
    if look_over.is_visible():
        look_over.click()
    randomize.click()


def send(page: Page) -> None:
    """Randomize, review, send."""
    protect(page)
    page.get_by_role("button", name="Send this report").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()


def press(page: Page, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until a part of the page has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def stored_in_browser(page: Page) -> str:
    """All that the page's origin keeps in the browser, written out."""
    found: str = page.evaluate(
        """async () => {
          const kept = [{...localStorage}, {...sessionStorage}, history.state, location.href];
          for (const { name } of await indexedDB.databases()) {
            const database = await new Promise((resolve) => {
              const request = indexedDB.open(name);
              request.onsuccess = () => resolve(request.result);
            });
            for (const store of database.objectStoreNames) {
              const records = database.transaction(store).objectStore(store).getAll();
              kept.push(await new Promise((resolve) => {
                records.onsuccess = () => resolve(records.result);
              }));
            }
            database.close();
          }
          for (const name of await caches.keys()) {
            const cache = await caches.open(name);
            for (const request of await cache.keys()) {
              kept.push(request.url, [...request.headers]);
            }
          }
          return JSON.stringify(kept);
        }"""
    )
    return found


def records_in_browser(page: Page) -> list[dict[str, object]]:
    """The records of the page's databases."""
    parts = [part for part in json.loads(stored_in_browser(page)) if isinstance(part, list)]
    return [record for part in parts for record in part if isinstance(record, dict)]


def described_by(page: Page, described: Locator) -> str:
    """What a screen reader adds to a part of the page, joined."""
    ids = (described.get_attribute("aria-describedby") or "").split()
    return " ".join(page.locator(f"#{name}").inner_text() for name in ids)
