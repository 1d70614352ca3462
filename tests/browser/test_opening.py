"""What a respondent sees before the first question, and how they get to it."""

import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, ViewportSize, expect

from deniable_collector.store import open_store
from deniable_sdk import compile_survey
from deniable_web.pages.languages import CODES
from live_form import open_form, open_page, press, question, start
from live_site import LiveSite, live_site
from sample_definitions import definition, number, yes_no

PHONE: ViewportSize = {"width": 390, "height": 844}
LONG_TITLE = (
    "A long title about harassment, stress, sickness and the way to work among the nurses and "
    "the doctors of the hospital"
)
OPERATOR = {
    "name": "Works council of Example Ltd",
    "contact": "council@example.org",
    "purpose": "We want to know where work makes people ill, and change it.",
}
FACTS = [yes_no("a", fixed=True), yes_no("b", fixed=True)]
SURVEYS = [
    definition(yes_no(), number(), slug="short", ask="all"),
    definition(
        *(*FACTS, yes_no("c")), slug="full", title=LONG_TITLE, epsilon=7, waves=2, ask=1,
        introduction="A few short questions about your work.", operator=OPERATOR,
    ),
    definition(yes_no(), slug="wordy", introduction="One more word. " * 40, operator={
        **OPERATOR, "contact": "https://example.org/council", "purpose": "One more aim. " * 40,
    }),
    definition(yes_no(), slug="call", operator={**OPERATOR, "contact": "+49 (30) 12 34-56"}),
]  # fmt: skip
ENDS = re.compile(r"[.!?。！？](?=\s|$|[^\x00-\x7f])")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with a short survey, and with surveys that have much to say."""
    store = tmp_path_factory.mktemp("opening") / "site.sqlite"
    with closing(open_store(store)) as opened:
        for document in SURVEYS:
            opened.publish(compile_survey(document))
    with live_site(store) as running:
        yield running


def lowest(page: Page, part: str) -> float:
    """Where the lower edge of a part of the page is, from the top of the screen."""
    bottom: float = page.locator(part).evaluate("(part) => part.getBoundingClientRect().bottom")
    return bottom


@pytest.mark.sweep
@pytest.mark.parametrize("slug", ["short", "full", "wordy"])
@pytest.mark.parametrize("language", CODES)
def test_start_is_within_the_first_screen(
    browser: Browser, site: LiveSite, language: str, slug: str
) -> None:
    """With at most two sentences on what protects, however much there is to say."""
    with browser.new_context(locale=language, viewport=PHONE) as context:
        page = open_page(context, site, slug)
        expect(page.locator("#start")).to_be_enabled()
        assert lowest(page, "#start") <= 844
        assert lowest(page, "#promise") <= lowest(page, "#start")
        assert len(ENDS.findall(page.locator("#promise").inner_text())) <= 2
        assert page.evaluate("document.scrollingElement.scrollWidth") == 390
        expect(page.locator(".question:visible")).to_have_count(0)
        # Notices are lines, of which the rest is folded away.
        expect(page.locator(".privacy details[open]")).to_have_count(0)
        assert page.locator(".privacy summary:visible").count() == (3 if slug == "full" else 0)


@pytest.mark.sweep
@pytest.mark.parametrize("language", CODES)
def test_start_leads_to_the_first_question(
    browser: Browser, site: LiveSite, language: str
) -> None:
    """By keyboard: the focus is on the question, whose text a screen reader says."""
    with browser.new_context(locale=language, viewport=PHONE) as context:
        page = open_page(context, site, "short")
        page.locator("#start:enabled").focus()
        press(page, "Enter")
        first = question(page, "asthma")
        expect(first).to_be_focused()
        expect(page.locator("#opening")).to_be_hidden()
        assert first.locator("legend").inner_text() == "Do you have asthma?"
        assert page.evaluate("scrollY") == 0
        assert lowest(page, "#q-asthma .choice >> nth=0") <= 844
        press(page, "Tab")
        expect(first.locator("input").first).to_be_focused()


def test_back_leads_to_the_opening_and_keeps_answers(
    context: BrowserContext, site: LiveSite
) -> None:
    """The browser's Back and the page's; from the opening the browser's leaves."""
    page = open_form(context, site, "short")
    question(page, "asthma").get_by_label("Yes").check()
    page.go_back()
    expect(page.locator("#start")).to_be_focused()
    expect(page.locator("#steps")).to_be_hidden()
    start(page)
    expect(question(page, "asthma").get_by_label("Yes")).to_be_checked()
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#start")).to_be_focused()
    page.on("dialog", lambda dialog: dialog.accept())
    page.go_back()
    page.wait_for_url("about:blank")


def test_another_language_stays_where_one_is(context: BrowserContext, site: LiveSite) -> None:
    """Chosen at the opening it is the opening, and among the questions it is these."""
    page = open_page(context, site, "short")
    page.locator("#language").select_option("de")
    expect(page.locator("#start")).to_have_text("Beginnen")
    start(page)
    question(page, "asthma").get_by_label("Ja").check()
    page.locator("#language").select_option("es")
    expect(page.locator("#opening")).to_be_hidden()
    expect(question(page, "asthma").get_by_label("Sí")).to_be_checked()


@pytest.mark.parametrize(
    ("slug", "contact", "address"),
    [
        ("full", "council@example.org", "mailto:council@example.org"),
        ("wordy", "https://example.org/council", "https://example.org/council"),
        ("call", "+49 (30) 12 34-56", "tel:+4930123456"),
    ],
)
def test_who_asks_is_said_with_a_link(
    context: BrowserContext, site: LiveSite, slug: str, contact: str, address: str
) -> None:
    """The name, the contact as it was written, and the purpose."""
    page = open_page(context, site, slug)
    expect(page.get_by_text("Asked by Works council of Example Ltd")).to_be_visible()
    link = page.get_by_role("link", name=contact, exact=True)
    expect(link).to_have_attribute("href", address)
    expect(
        page.get_by_text("One more aim." if slug == "wordy" else "makes people ill")
    ).to_be_visible()


def test_nobody_starts_before_the_survey_is_verified(
    context: BrowserContext, site: LiveSite
) -> None:
    """Start waits for the survey, and is gone where it cannot be asked."""
    held: list[Route] = []
    context.route("**/api/surveys/by-digest/*", lambda route: held.append(route))  # noqa: PLW0108 - Playwright sets attributes on it
    page = context.new_page()
    with page.expect_request("**/api/surveys/by-digest/*"):
        page.goto(f"{site.url}/s/short")
    expect(page.locator("#start")).to_be_disabled()
    for route in held:
        route.fulfill(body="{}", content_type="application/json")
    expect(page.locator("#problem")).to_contain_text("cannot be answered safely")
    expect(page.locator("#start")).to_be_hidden()
    page.locator("#language").select_option("de")
    expect(page.locator("#problem")).to_contain_text("nicht sicher beantworten")
    expect(page.locator("#start")).to_be_hidden()


def test_what_was_said_is_not_said_again(context: BrowserContext, site: LiveSite) -> None:
    """What screen readers were told of a question is gone on the next page."""
    page = open_form(context, site, "short")
    visits = question(page, "visits").locator("input[type=text]")
    visits.fill("many")
    visits.blur()
    expect(page.locator("#announcement")).not_to_be_empty()
    visits.fill("3")
    visits.blur()
    page.locator("#look-over").click()
    expect(page.locator("#page-title")).to_be_focused()
    expect(page.locator("#announcement")).to_be_empty()
