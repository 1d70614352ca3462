"""A tablet for many people: its survey, issuer and site, and what is left on it of a person."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, Route, expect

from deniable_web.pages.languages import catalog
from free_ports import free_port
from live_form import protect, start, stored_in_browser
from live_issuer import LiveIssuer, Prepared, live_issuer, prepare
from live_site import LiveSite, live_site
from sample_definitions import choice

TEXTS = catalog("form", "en")
CANARIES = ("zebrafinch", "quicksilver", "marmalade")
DATABASE = "deniable unsent"
PERSON = "deniable person"
TOUCHED = "deniable touched"
_WAITING = """async (name) => {
  if (!(await indexedDB.databases()).some((found) => found.name === name)) return [];
  const opening = indexedDB.open(name);
  await new Promise((resolve) => { opening.onsuccess = resolve; });
  const all = opening.result.transaction(name).objectStore(name).getAll();
  await new Promise((resolve) => { all.onsuccess = resolve; });
  opening.result.close();
  return all.result;
}"""


@dataclass(frozen=True)
class Kiosk:
    """A site, an issuer, and a survey with codes."""

    site: LiveSite
    issuer: LiveIssuer
    prepared: Prepared
    unused: list[str]

    @property
    def address(self) -> str:
        """The address of the form."""
        return f"{self.site.url}/s/{self.prepared.survey.slug}"

    def reports(self) -> int:
        """How many reports the collector has."""
        digest = self.prepared.survey.digest
        with closing(sqlite3.connect(self.site.store)) as database:
            query = "select reports_table from surveys where digest = ?"
            (table,) = database.execute(query, [digest]).fetchone()
            count: int = database.execute(f'select count(*) from "{table}"').fetchone()[0]  # noqa: S608 - our own name
        return count

    def open(self, context: BrowserContext, fragment: str = "#kiosk") -> Page:
        """The form in a new tab."""
        page = context.new_page()
        page.goto(f"{self.address}{fragment}")
        if fragment == "#kiosk":
            page.locator("#share-yes").click()
        page.locator("main[data-kept]").wait_for()
        return page


@contextmanager
def live_kiosk(folder: Path, *, edition: int = 0, **others: Any) -> Iterator[Kiosk]:
    """A survey by invitation that asks one of two questions; other keys replace its own."""
    port = free_port()
    asked = [
        {**choice(name), "options": [*CANARIES], "required": True} for name in ("first", "second")
    ]
    prepared = prepare(
        folder / "issuer.sqlite", {"nurses": 30, "doctors": 5}, edition=edition,
        issuer=f"http://127.0.0.1:{port}",
        **{"questions": asked, "ask": 1, **others},
    )  # fmt: skip
    with (
        live_issuer(prepared, port=port) as issuer,
        live_site(folder / "site.sqlite", prepared.survey) as site,
    ):
        yield Kiosk(site, issuer, prepared, prepared.codes("nurses"))


def enter(page: Page, code: str) -> None:
    """Type a code and go on."""
    page.get_by_label(TEXTS["fieldwork"]["code"], exact=True).fill(code)
    page.get_by_role("button", name=TEXTS["fieldwork"]["use"]).click()


def asked(page: Page) -> str:
    """The question that this person is asked."""
    return page.locator(".question:not([hidden])").get_attribute("id") or ""


def answer(page: Page, option: str = CANARIES[0]) -> None:
    """From the code to the first answer."""
    start(page)
    page.locator(".question:not([hidden])").get_by_label(option).check(force=True)


def hold(page: Page) -> dict[str, str]:
    """Randomize, and give what the device has now of this person."""
    protect(page)
    expect(page.locator("#review-title")).to_be_visible()
    return secrets(page)


def person(page: Page) -> list[dict[str, Any]]:
    """The records of the person at the tablet."""
    found: list[dict[str, Any]] = json.loads(
        page.evaluate("(name) => sessionStorage.getItem(name) ?? '[]'", PERSON)
    )
    return found


def waiting(page: Page) -> list[dict[str, Any]]:
    """The reports that wait for the network."""
    found: list[dict[str, Any]] = page.evaluate(_WAITING, DATABASE)
    return found


def secrets(page: Page) -> dict[str, str]:
    """Whatever tells this person from the others: of the token, and of the report."""
    (kept,) = [record["invitation"] for record in person(page) if "invitation" in record]
    (entry,) = [record for record in person(page) if "report" in record]
    document = kept["document"]
    return {
        "nonce": document["nonce"],
        "signature": document["signature"],
        "report": entry["report"],
    }


def left(page: Page, of: Mapping[str, str]) -> list[str]:
    """What is found of a person: in any storage, the caches, the address and the page."""
    cached: str = page.evaluate(
        """async () => {
          const bodies = [];
          for (const name of await caches.keys()) {
            const cache = await caches.open(name);
            for (const { body } of await cache.matchAll()) {
              bodies.push(await new Response(body).text());
            }
          }
          return bodies.join("");
        }"""
    )
    typed: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("input, textarea, select")]
          .filter((input) => input.checked || (input.type === "text" && input.value !== ""))
          .map((input) => input.id + input.value)"""
    )
    stored = stored_in_browser(page)
    everywhere = stored + cached + page.content()
    found = [name for name, secret in of.items() if secret in everywhere]
    kept = json.loads(stored)
    found += [f"stored: {name}" for name in (*CANARIES, "nurses") if name in stored]
    found += [f"local storage: {name}" for name in kept[0]]
    found += [
        f"session storage: {name}"
        for name, value in kept[1].items()
        if (name, value) != (TOUCHED, "0")
    ]
    return [*found, *(f"filled in: {each}" for each in typed)]


def send(page: Page) -> None:
    """Send the report that is shown."""
    page.locator("#send").click()
    expect(page.locator("#sent")).to_be_visible()


def mark_document(page: Page) -> None:
    """Mark the document on the page, so that another one can be recognised."""
    page.evaluate("document.documentElement.dataset.marked = ''")


def is_marked(page: Page) -> bool:
    """Whether the page still shows the document that was marked."""
    return page.locator("html[data-marked]").count() == 1


def wait_for_new_document(page: Page) -> None:
    """Wait until the page shows another document than the marked one."""
    # Not wait_for_function: it evaluates strings, which our pages forbid.
    page.locator("html:not([data-marked])").wait_for(state="attached")


def press_next(page: Page) -> None:
    """Press the button for the next person, and wait for a new document."""
    mark_document(page)
    page.get_by_role("button", name=TEXTS["kiosk"]["next"]).click()
    wait_for_new_document(page)


def next_person(page: Page) -> None:
    """Let the next person begin, where no report waits."""
    press_next(page)
    starts_again(page)


def starts_again(page: Page) -> None:
    """Wait for the first screen of a page that was loaded anew."""
    wait_for_new_document(page)
    page.locator("main[data-kept]").wait_for()
    expect(page.locator("#shared")).to_be_visible()
    expect(page.get_by_label(TEXTS["fieldwork"]["code"], exact=True)).to_be_visible()
    expect(page.get_by_label(TEXTS["fieldwork"]["code"], exact=True)).to_have_value("")
    expect(page.locator("#unsent")).to_be_hidden()


def let_pass(page: Page, milliseconds: int) -> None:
    """Let the time pass in which nobody touches the tablet."""
    mark_document(page)
    page.clock.run_for(milliseconds)


def is_eventually(page: Page, condition: Callable[[], bool]) -> bool:
    """Whether something becomes true soon."""
    for _ in range(100):
        if condition():
            return True
        page.wait_for_timeout(100)
    return False


def keep_back(page: Page, addresses: str) -> list[Route]:
    """The requests to these addresses from now on, none of which gets an answer by itself."""
    routes: list[Route] = []

    def keep(route: Route) -> None:
        routes.append(route)

    page.route(addresses, keep)
    return routes
