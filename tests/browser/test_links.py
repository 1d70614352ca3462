"""A link that signs somebody in: whoever opens it is asked, and sees whose account it is."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from axe_checks import violations
from deniable_collector.clock import utc_now
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_web.pages.languages import catalog
from deniable_web.pages.sign_in_links import LASTS, make_link
from live_builder import sign_in, tab_to
from live_form import record_requests
from live_site import LiveSite, live_site
from sample_definitions import survey, yes_no
from signed_in import open_signed_in
from viewports import VIEWPORTS, Viewport

FRAME = catalog("manage", "en")["frame"]
PEOPLE = {
    "olga": AccessToken("olga", Role.OWNER),
    "mallory": AccessToken("mallory", Role.EDITOR),
    "rita": AccessToken("rita", Role.READER, frozenset({"ward"})),
}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[LiveSite, dict[str, str]]]:
    """A site with a survey, and its people's tokens."""
    path, tokens = tmp_path / "site.sqlite", {}
    with closing(open_store(path)) as store:
        for name, rights in PEOPLE.items():
            tokens[name] = make_token(rights.role)
            store.add_token(rights, digest_of(tokens[name]))
    with live_site(path, survey(yes_no(), slug="ward", at_most_reports=1_000)) as running:
        yield running, tokens


def new_link(site: LiveSite, name: str, age: timedelta = timedelta(0), lang: str = "en") -> str:
    """A link for somebody, which was made some time ago."""
    link = make_link(PEOPLE[name], utc_now() - age)
    with closing(open_store(site.store)) as store:
        assert store.change_secret(name, link.digest)
    return f"{site.url}{link.path.replace('#', f'?lang={lang}#')}"


def opened(context: BrowserContext, address: str) -> Page:
    """A page that asks about its link."""
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(address)
    expect(page.locator("#offer")).to_be_visible()
    return page


def test_somebody_signs_in_with_a_link_by_keyboard(
    context: BrowserContext, site: tuple[LiveSite, dict[str, str]]
) -> None:
    """After a press of a button; the token that the page shows then signs in later."""
    running, _ = site
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    address = new_link(running, "olga")
    page = opened(context, address)
    secret = address.partition("#link=")[2]
    # Nothing was sent, and nothing else can be pressed meanwhile.
    assert secret not in page.url
    expect(page.locator("#offer-cancel")).to_be_focused()
    expect(page.get_by_role("dialog", name="Sign in as \u2068olga\u2069?")).to_be_visible()
    assert violations(page) == []
    tab_to(page, "#offer-confirm")
    page.keyboard.press("Enter")
    expect(page.locator("#account")).to_have_text("olga")
    expect(page.locator("#survey-ward")).to_be_visible()
    assert violations(page) == []
    token = page.locator("#new-token-text").inner_text()
    page.locator("#new-token-copy").click()
    expect(page.locator("#new-token-said")).to_have_text(FRAME["copied"])
    assert page.evaluate("navigator.clipboard.readText()") == token
    page.locator("#new-token-done").click()
    expect(page.locator("#new-token")).to_be_hidden()
    assert token not in page.content()
    page.reload()
    expect(page.locator("#account")).to_have_text("olga")
    page.locator("#sign-out").click()
    expect(page.locator("#token")).to_be_visible()
    expect(page.locator("#account")).to_be_hidden()
    sign_in(page, token)
    expect(page.locator("#account")).to_have_text("olga")
    written = running.bytes_on_disk()
    assert secret.encode() not in written
    assert token.encode() not in written


def test_no_address_of_a_request_has_the_secret(
    context: BrowserContext, site: tuple[LiveSite, dict[str, str]]
) -> None:
    """It is sent in a header, once the person agrees."""
    running, _ = site
    page = context.new_page()
    page.set_default_timeout(30_000)
    requests = record_requests(context)
    address = new_link(running, "olga")
    page.goto(address)
    expect(page.locator("#offer")).to_be_visible()
    assert "/manage/link" not in " ".join(each.url for each in requests)
    page.locator("#offer-confirm").click()
    expect(page.locator("#account")).to_have_text("olga")
    secret = address.partition("#link=")[2]
    assert not any(secret in each.url for each in requests)


@pytest.mark.parametrize("stays", [False, True])
def test_a_link_never_changes_the_account_of_a_tab_in_silence(
    context: BrowserContext, site: tuple[LiveSite, dict[str, str]], *, stays: bool
) -> None:
    """Whoever works there is asked; if they stay, what they write is theirs."""
    running, tokens = site
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(f"{running.url}/build?lang=en")
    sign_in(page, tokens["olga"], stays=stays)
    expect(page.locator("#account")).to_have_text("olga")
    page.goto("about:blank")
    page.goto(new_link(running, "mallory").replace("/drafts", "/build"))
    expect(page.locator("#offer-text")).to_contain_text("You work here as \u2068olga\u2069.")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#account")).to_have_text("olga")
    page.locator("#at-title").fill("A secret plan")
    expect(page.locator("#kept")).to_contain_text("Saved")
    page.goto(f"{running.url}/drafts?lang=en")
    expect(page.locator("#draft-rows tr")).to_have_count(1)
    expect(page.locator("#draft-rows tr")).to_contain_text("olga")


def test_the_draft_of_a_tab_stays_with_its_author(
    context: BrowserContext, site: tuple[LiveSite, dict[str, str]]
) -> None:
    """Whoever takes the tab over finds none, and the author finds it again."""
    running, tokens = site
    page = context.new_page()
    page.set_default_timeout(30_000)
    open_signed_in(page, f"{running.url}/build?lang=en", tokens["olga"])
    page.locator("#at-title").fill("A secret plan")
    page.goto(new_link(running, "mallory").replace("/drafts", "/build"))
    page.locator("#offer-confirm").click()
    expect(page.locator("#account")).to_have_text("mallory")
    expect(page.locator("#at-title")).to_have_value("")
    token = page.locator("#new-token-text").inner_text()
    page.locator("#at-title").fill("Another")
    expect(page.locator("#kept")).to_contain_text("Saved")
    for name, title in (("olga", "A secret plan"), ("mallory", "Another")):
        page.locator("#sign-out").click()
        # Without the draft in the address.
        page.goto(f"{running.url}/build?lang=en")
        sign_in(page, tokens["olga"] if name == "olga" else token)
        expect(page.locator("#account")).to_have_text(name)
        expect(page.locator("#at-title")).to_have_value(title)


@pytest.mark.parametrize("age", [timedelta(0), LASTS])
def test_a_link_that_is_over_says_what_to_do(
    context: BrowserContext, site: tuple[LiveSite, dict[str, str]], age: timedelta
) -> None:
    """Used by somebody else, or too old; nobody is signed in."""
    running, _ = site
    address = new_link(running, "olga", age)
    if not age:
        page = opened(context, address)
        page.locator("#offer-confirm").click()
        expect(page.locator("#account")).to_have_text("olga")
    page = opened(context, address)
    page.locator("#offer-confirm").click()
    expect(page.get_by_role("alert")).to_have_text(FRAME["link_over"])
    assert violations(page) == []
    page.locator("#offer-cancel").click()
    expect(page.locator("#token")).to_be_visible()


def test_a_link_that_is_pasted_into_an_open_page_is_asked_about(
    context: BrowserContext, site: tuple[LiveSite, dict[str, str]]
) -> None:
    """A browser does not load the page anew for it."""
    running, _ = site
    page = context.new_page()
    page.goto(f"{running.url}/surveys?lang=en")
    expect(page.locator("#token")).to_be_visible()
    page.goto(new_link(running, "olga"))
    expect(page.locator("#offer")).to_be_visible()


def test_a_browser_stays_signed_in_with_a_link(
    browser: Browser, site: tuple[LiveSite, dict[str, str]]
) -> None:
    """The tab then has no token of its own, also if it had one of somebody else before."""
    running, tokens = site
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(30_000)
        open_signed_in(page, f"{running.url}/surveys?lang=en", tokens["mallory"])
        page.goto(new_link(running, "rita"))
        page.locator("#offer-stays").check()
        page.locator("#offer-confirm").click()
        expect(page.locator("#account")).to_have_text("rita")
        expect(page.locator("#sign-out-everywhere")).to_be_visible()
        assert page.evaluate("sessionStorage.getItem('deniable-token')") is None
        other = context.new_page()
        other.goto(f"{running.url}/surveys/ward/results?lang=en")
        expect(other.locator("#account")).to_have_text("rita")


@pytest.mark.deep
@pytest.mark.parametrize("view", VIEWPORTS)
def test_axe_finds_nothing_wrong(
    browser: Browser, site: tuple[LiveSite, dict[str, str]], view: Viewport
) -> None:
    """In the question and beside the new token, in both directions and widths."""
    running, tokens = site
    size = {"width": view.width, "height": 844}
    with browser.new_context(viewport=size, color_scheme=view.scheme) as context:  # type: ignore[arg-type]
        page = context.new_page()
        page.set_default_timeout(30_000)
        open_signed_in(page, f"{running.url}/surveys", tokens["olga"])
        page.goto(new_link(running, "mallory", lang=view.language))
        expect(page.locator("#offer")).to_be_visible()
        assert violations(page) == []
        page.locator("#offer-confirm").click()
        expect(page.locator("#new-token")).to_be_visible()
        expect(page.locator("[data-signed-in=yes]").last).to_be_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= view.width
