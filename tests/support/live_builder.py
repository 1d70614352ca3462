"""The builder in a browser: opened with a token, and walked through by keyboard."""

from playwright.sync_api import BrowserContext, Locator, Page, expect

from deniable_web.definition.completeness import PLACEHOLDER
from live_server import OWNER_TOKEN
from live_site import LiveSite
from signed_in import open_signed_in

_MOST_TABS = 150
# A page that is looked at beside other tests may take its time.
expect.set_options(timeout=20_000)


def open_page(context: BrowserContext, site: LiveSite, path: str = "/build") -> Page:
    """A page of whoever runs surveys, signed in."""
    page = context.new_page()
    page.set_default_timeout(20_000)
    open_signed_in(page, f"{site.url}{path}", OWNER_TOKEN)
    expect(page.locator("[data-signed-in=yes]").last).to_be_visible()
    return page


def sign_in(page: Page, token: str, *, stays: bool = False) -> None:
    """Enter a token where the page asks for it."""
    page.locator("#token").fill(token)
    page.locator("#stays").set_checked(stays)
    page.locator("#sign-in button").click()
    expect(page.locator("[data-signed-in=yes]").last).to_be_visible()


def open_example(context: BrowserContext, site: LiveSite, language: str = "en") -> Page:
    """The builder, once it has foretold the example."""
    page = open_page(context, site, f"/build?lang={language}")
    expect(page.locator("#margins tr")).to_have_count(3)
    show_tab(page, "accuracy")
    return page


def open_builder(context: BrowserContext, site: LiveSite, language: str = "en") -> Page:
    """The builder with the questions of the example, which are no placeholders any more."""
    page = open_example(context, site, language)
    take_example(page)
    return page


def tab_to(page: Page, target: str, way: str = "Tab") -> None:
    """Press Tab until what a selector names has the focus."""
    for _ in range(_MOST_TABS):
        page.keyboard.press(way)
        if page.evaluate("(target) => document.activeElement.matches(target)", target):
            return
    raise AssertionError(f"{target} cannot be reached by {way}")


def show_tab(page: Page, name: str) -> None:
    """Show the panel of a tab."""
    page.locator(f"#{name}-tab").click()


def epsilon_field(page: Page) -> Locator:
    """The field for epsilon itself, behind the stops."""
    show_tab(page, "accuracy")
    page.locator("#epsilon-exact").evaluate("(field) => { field.closest('details').open = true; }")
    return page.locator("#at-epsilon")


def show_problems(page: Page) -> None:
    """Open the list of what is to be done before publishing."""
    page.locator("#problems").evaluate("(list) => { list.open = true; }")


def show_more(page: Page) -> None:
    """Show the fields of the open question that are behind "More"."""
    page.locator(".question.open .body > details > summary").last.click()


def name_survey(page: Page, title: str) -> None:
    """Give the draft a title, and wait until it may be published."""
    page.get_by_label("Title", exact=True).fill(title)
    expect(page.locator("#state")).to_have_text("Ready to publish")


def take_example(page: Page) -> None:
    """Delete the mark of each question that is a placeholder; the same card is open afterwards."""
    opened = page.locator("#questions .toggle[aria-expanded=true]")
    before = opened.get_attribute("id") if opened.count() else None
    for place, asked in enumerate(page.locator("#questions .asked").all_text_contents()):
        if asked.startswith(PLACEHOLDER):
            _open_card(page, f"at-questions-{place}")
            page.locator(f"#at-questions-{place}-text").fill(
                asked.removeprefix(PLACEHOLDER).strip()
            )
    if before:
        _open_card(page, before)


def _open_card(page: Page, toggle: str) -> None:
    if page.locator(f"#{toggle}").get_attribute("aria-expanded") == "false":
        page.locator(f"#{toggle}").click()
