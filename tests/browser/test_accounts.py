"""Staying signed in, and signing in at a provider, in a real browser at a real provider."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from axe_checks import violations
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of
from deniable_web.pages.languages import catalog
from free_ports import free_port
from live_provider import ANNA, DORA, SECRET, LiveProvider, live_provider
from live_server import OWNER_TOKEN
from live_site import run_deniable
from started import started

FRAME = catalog("manage", "en")["frame"]
NAME = "anna@clinic5309.example"
VARIABLE = "DENIABLE_TEST_ACCOUNTS_SECRET"


class Place(NamedTuple):
    """A site, and the provider of its accounts."""

    url: str
    provider: LiveProvider


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Anna may write drafts; whoever has the token owns everything."""
    folder: Path = tmp_path_factory.mktemp("accounts")
    address = f"http://127.0.0.1:{free_port()}"
    with closing(open_store(folder / "store.sqlite")) as opened:
        opened.add_token(AccessToken("owner", Role.OWNER), digest_of(OWNER_TOKEN))
    with live_provider(folder, [f"{address}/manage/sign-in/callback"]) as provider:
        settings = {
            "provider": provider.url,
            "client_id": "survey",
            "client_secret_variable": VARIABLE,
            "title": "Clinic",
            "scopes": ["profile", "email"],
            "name": "email",
            "claim": "department",
            "rights": [{"value": "nursing", "role": "editor"}],
        }
        (folder / "accounts.yaml").write_text(json.dumps(settings))
        environment = {
            VARIABLE: SECRET,
            "DENIABLE_ADDRESS": address,
            "DENIABLE_ACCOUNTS": str(folder / "accounts.yaml"),
        }
        port = address.rpartition(":")[2]
        arguments = ["serve", "--store", str(folder / "store.sqlite"), "--port", port]
        with started(run_deniable, arguments, folder / "site.log", environment) as (url, _):
            assert url == address, (folder / "site.log").read_text()
            yield Place(url, provider)


def stay(page: Page, place: Place) -> None:
    """Sign in with the owner's token, for twelve hours."""
    page.goto(f"{place.url}/drafts?lang=en")
    page.get_by_label(FRAME["token"], exact=True).fill(OWNER_TOKEN)
    page.locator("#stays").check()
    page.get_by_role("button", name=FRAME["sign_in"]).click()
    expect(page.locator("#account")).to_have_text("owner")


def at_provider(page: Page, place: Place, account: str) -> None:
    """Sign in at the provider."""
    page.goto(f"{place.url}/drafts?lang=en")
    page.get_by_role("button", name="Sign in with Clinic").click()
    page.get_by_label("Account").fill(account)
    page.get_by_role("button", name="Sign in", exact=True).click()


def test_an_account_of_a_provider_comes_back_to_its_page(browser: Browser, place: Place) -> None:
    """With a cookie that no script reads, and nothing kept in the tab."""
    with browser.new_context() as context:
        page = context.new_page()
        at_provider(page, place, ANNA)
        expect(page.locator("#account")).to_have_text(NAME)
        assert page.url == f"{place.url}/drafts?lang=en"
        assert violations(page) == []
        (cookie,) = [each for each in context.cookies() if each["name"] == "deniable_session"]
        assert (cookie["path"], cookie["httpOnly"], cookie["sameSite"]) == ("/", True, "Strict")
        kept = page.evaluate(
            "[document.cookie, JSON.stringify({...sessionStorage, ...localStorage})]"
        )
        assert kept == ["", "{}"]


@pytest.mark.deep
def test_rights_that_a_provider_says_are_in_the_trail(browser: Browser, place: Place) -> None:
    """Once, although the person signs in twice."""
    for _ in range(2):
        with browser.new_context() as context:
            page = context.new_page()
            at_provider(page, place, ANNA)
            expect(page.locator("#account")).to_have_text(NAME)
    with browser.new_context() as context:
        page = context.new_page()
        stay(page, place)
        page.get_by_role("link", name=FRAME["trail"]).click()
        rows = page.locator("#rows tr").filter(has_text=NAME)
        expect(rows).to_have_count(1)
        changed = catalog("accounts", "en")["script"]["act_role_changed"]
        assert rows.inner_text().split("\t")[1:] == [NAME, changed, f"{NAME} (editor)"]


@pytest.mark.parametrize("account", [DORA, ""])
def test_whoever_is_not_signed_in_reads_why(browser: Browser, place: Place, account: str) -> None:
    """An account without rights, and one who cancels."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{place.url}/drafts?lang=en")
        page.get_by_role("button", name="Sign in with Clinic").click()
        if account:
            page.get_by_label("Account").fill(account)
        page.get_by_role("button", name="Sign in" if account else "Cancel", exact=True).click()
        text = FRAME["provider_uninvited" if account else "provider_denied"]
        expect(page.get_by_role("alert")).to_have_text(text)
        assert violations(page) == []
        assert page.url == f"{place.url}/drafts?lang=en"


@pytest.mark.parametrize("lies", [{"has_strange_key": True}, {"claims": {"exp": 1}}])
def test_a_provider_that_cannot_be_trusted(
    browser: Browser, place: Place, lies: dict[str, object]
) -> None:
    """With other keys, or with a token that is over, nobody is signed in."""
    place.provider.lie(**lies)
    try:
        with browser.new_context() as context:
            page = context.new_page()
            at_provider(page, place, ANNA)
            expect(page.get_by_role("alert")).to_have_text(FRAME["provider_untrusted"])
            assert "deniable_session" not in {each["name"] for each in context.cookies()}
    finally:
        place.provider.lie()


@pytest.mark.deep
def test_signing_out_everywhere_ends_other_tabs(browser: Browser, place: Place) -> None:
    """A tab that was open before says so at its next request."""
    with browser.new_context() as here, browser.new_context() as there:
        page, other = here.new_page(), there.new_page()
        stay(page, place)
        stay(other, place)
        second = there.new_page()
        second.goto(f"{place.url}/surveys?lang=en")
        expect(second.locator("#account")).to_have_text("owner")
        page.get_by_role("button", name=FRAME["sign_out_everywhere"]).click()
        expect(page.locator("#token")).to_be_visible()
        expect(other.get_by_role("status").first).to_have_text(FRAME["signed_out"], timeout=30_000)
        second.reload()
        expect(second.locator("#token")).to_be_visible()


def test_a_page_of_another_origin_gets_no_token(browser: Browser, place: Place) -> None:
    """Whatever it sends from the browser of somebody who is signed in."""
    with browser.new_context() as context:
        page = context.new_page()
        stay(page, place)
        page.goto(place.provider.url)
        asked = """async ([url, headers]) => {
            const request = {method: "POST", credentials: "include", headers};
            return fetch(url, request).then((found) => found.text(), () => "refused");
        }"""
        for headers in ({}, {"Deniable-Page": "1"}):
            found = page.evaluate(asked, [f"{place.url}/manage/session/token", headers])
            assert found == "refused"
        page.goto(f"{place.url}/drafts?lang=en")
        expect(page.locator("#account")).to_have_text("owner")


@pytest.mark.parametrize("language", ["de", "ar"])
def test_the_page_fits_a_phone(browser: Browser, place: Place, language: str) -> None:
    """With both ways to sign in, accessible and without a scroll bar, also in the dark."""
    with browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme="dark"
    ) as context:
        page = context.new_page()
        page.goto(f"{place.url}/drafts?lang={language}")
        expect(page.locator("#provider")).to_be_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
