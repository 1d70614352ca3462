"""The form at one of two sites: an invitation to the other site is refused in words."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from axe_checks import violations
from deniable_web.pages.languages import catalog
from free_ports import free_port
from live_form import protect, question, record_requests, start
from live_issuer import LiveIssuer, Prepared, live_issuer, prepare
from live_site import live_site
from served import rows_by_id


class South(NamedTuple):
    """The form at the site of the doctors, and codes."""

    address: str
    store: Path
    issuer: LiveIssuer
    prepared: Prepared


@pytest.fixture(scope="module")
def south(tmp_path_factory: pytest.TempPathFactory) -> Iterator[South]:
    """Nurses report in the north; this is the south."""
    folder: Path = tmp_path_factory.mktemp("sites")
    port, store = free_port(), folder / "site.sqlite"
    sites = {"nurses": "north", "doctors": "south"}
    people = {"nurses": 6, "doctors": 1}
    issuer_store = folder / "issuer.sqlite"
    prepared = prepare(issuer_store, people, issuer=f"http://127.0.0.1:{port}", sites=sites)
    with (
        live_issuer(prepared, port=port) as issuer,
        live_site(store, prepared.survey, environment={"DENIABLE_SITE": "south"}) as site,
    ):
        yield South(f"{site.url}/s/{prepared.survey.slug}", store, issuer, prepared)


def enter(page: Page, address: str, code: str, language: str = "en") -> None:
    """Open the form with a code and go on."""
    page.goto(f"{address}#code={code}")
    page.locator("main[data-kept]").wait_for()
    says = catalog("form", language)["fieldwork"]
    page.get_by_role("button", name=says["use"], exact=True).click()


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("number", "language"), [*enumerate(("en", "de", "es", "ar", "zh"))], ids=str
)
def test_a_code_for_another_site_is_not_used_up(
    browser: Browser, south: South, number: int, language: str
) -> None:
    """The page says what to do, asks nothing, and the issuer has signed nothing."""
    code = south.prepared.codes("nurses")[number]
    with browser.new_context(locale=language) as context:
        page = context.new_page()
        enter(page, south.address, code, language)
        said = catalog("form", language)["fieldwork"]["elsewhere"]
        expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()
        expect(page.locator("#start")).to_be_hidden()
        assert violations(page) == []
    south.issuer.collect(south.prepared.survey, code)


def test_a_report_for_another_site_is_refused_in_words(browser: Browser, south: South) -> None:
    """Where the page could not know it before: the reason is there without its HTTP."""
    with browser.new_context() as context:
        page = context.new_page()
        page.route("**/fieldwork", lambda route: route.fulfill(json={"site": None}))
        requests = record_requests(context)
        enter(page, south.address, south.prepared.codes("nurses")[5])
        expect(page.locator("[data-group=nurses]").first).to_be_visible()
        start(page)
        question(page, "asthma").get_by_label("Yes").check(force=True)
        protect(page)
        page.locator("#send").click()
        expect(page.locator("#elsewhere")).to_be_visible()
        expect(page.locator("#refusal")).to_be_hidden()
        expect(page.locator("#used")).to_be_hidden()
        assert violations(page) == []
        (sent,) = [each for each in requests if each.url.endswith("/api/reports")]
        answer = sent.response()
        assert answer is not None
        assert answer.status == 421
    assert rows_by_id(south.store, south.prepared.survey) == {}


@pytest.mark.deep
def test_a_code_for_this_site_goes_through(context: BrowserContext, south: South) -> None:
    """The report of a doctor is stored here."""
    page = context.new_page()
    enter(page, south.address, south.prepared.codes("doctors")[0])
    expect(page.locator("[data-group=doctors]").first).to_be_visible()
    start(page)
    question(page, "asthma").get_by_label("Yes").check(force=True)
    protect(page)
    page.locator("#send").click()
    expect(page.locator("#sent")).to_be_visible()
    assert len(rows_by_id(south.store, south.prepared.survey)) == 1
