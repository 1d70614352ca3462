"""Signing in from the form: the link, the provider, the code, the token, the answers, thanks."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from axe_checks import violations
from deniable_collector.store import open_store
from deniable_sdk import Report
from deniable_web.pages.form.one_file import OneFileForm
from deniable_web.pages.languages import catalog
from live_form import protect, question, record_requests, start
from live_provider import ANNA, BEN, DORA
from live_sign_in import LiveSignIn, live_sign_in
from live_site import LiveSite, live_site

TEXTS = catalog("form", "en")["fieldwork"]


class Place(NamedTuple):
    """A site with a form, and an issuer at which people sign in."""

    site: LiveSite
    desk: LiveSignIn

    @property
    def form(self) -> str:
        """The address of the form."""
        return f"{self.site.url}/s/{self.desk.prepared.survey.slug}"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A site, a provider and an issuer."""
    folder: Path = tmp_path_factory.mktemp("sign-in")
    with (
        live_site(folder / "site.sqlite") as site,
        live_sign_in(folder, {"collector": site.url}) as desk,
    ):
        with closing(open_store(site.store)) as opened:
            opened.publish(desk.prepared.survey)
        yield Place(site, desk)


def sign_in(page: Page, place: Place, account: str) -> None:
    """Open the form, press the link, and sign in at the provider."""
    page.goto(place.form)
    page.get_by_role("link", name=TEXTS["sign_in"]).click()
    page.get_by_label("Account").fill(account)
    page.get_by_role("button", name="Sign in").click()


def code_in(page: Page) -> str:
    """The code that the form shows."""
    field = page.get_by_label(TEXTS["code"])
    expect(field).to_have_value(re.compile("^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$"))
    return field.input_value()


def test_from_the_link_to_thanks_and_once_only(browser: Browser, place: Place) -> None:
    """A person signs in and answers; on a second device the same code is refused as used."""
    with browser.new_context() as context:
        page = context.new_page()
        requests = record_requests(context)
        sign_in(page, place, ANNA)
        code = code_in(page)
        assert page.url == place.form
        assert violations(page) == []
        page.get_by_role("button", name=TEXTS["use"]).click()
        start(page)
        question(page, "asthma").get_by_label("Yes").check(force=True)
        protect(page)
        expect(page.locator("#review [data-group=nurses]")).to_be_visible()
        page.locator("#send").click()
        expect(page.locator("#sent")).to_be_visible()
        report = Report.from_bytes(requests[-1].post_data_buffer or b"")
        assert report.token is not None
        assert report.token.group == "nurses"
        to_site = [each for each in requests if each.url.startswith(place.site.url)]
        assert not any("5309" in each.url + (each.post_data or "") for each in to_site)
        assert not any(code in each.url for each in requests if "#" not in each.url)
    with browser.new_context() as context:
        page = context.new_page()
        sign_in(page, place, ANNA)
        assert code_in(page) == code
        page.get_by_role("button", name=TEXTS["use"]).click()
        expect(page.get_by_role("alert").filter(has_text=TEXTS["used"])).to_be_visible()


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", "de", "es", "ar", "zh"])
def test_a_refusal_is_a_page_in_the_readers_language(
    browser: Browser, place: Place, language: str
) -> None:
    """It says why, leads back to the survey, and is accessible."""
    texts = catalog("sign_in", language)
    with browser.new_context(locale=language, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(place.desk.start)
        page.get_by_label("Account").fill(DORA)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name=texts["page"]["title"])).to_be_visible()
        expect(page.get_by_text(texts["problems"]["uninvited"])).to_be_visible()
        assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
        assert violations(page) == []
        page.get_by_role("link", name=texts["page"]["back"]).click()
        expect(page.locator("#invitation")).to_be_visible()
        assert page.url == place.form


def test_cancelling_at_the_provider_leads_back(browser: Browser, place: Place) -> None:
    """A person who changes their mind is told that they are not signed in."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(place.desk.start)
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text(catalog("sign_in", "en")["problems"]["denied"])).to_be_visible()


def test_the_link_survives_another_language(browser: Browser, place: Place) -> None:
    """The form asks once whether people sign in, and shows the link in each language."""
    with browser.new_context() as context:
        page = context.new_page()
        requests = record_requests(context)
        page.goto(place.form)
        link = page.get_by_role("link", name=TEXTS["sign_in"])
        expect(link).to_have_attribute("href", place.desk.start)
        page.get_by_label("Language").select_option("de")
        german = catalog("form", "de")["fieldwork"]["sign_in"]
        expect(page.get_by_role("link", name=german)).to_be_visible()
        asked = [each.url for each in requests if each.url.startswith(place.desk.issuer.url)]
        assert asked == [f"{place.desk.issuer.url}/api/surveys/{place.desk.issuer.digest}"]


def test_whoever_asks_for_the_link_names_no_language(browser: Browser, place: Place) -> None:
    """The issuer does not learn which languages a person reads, as from no other request."""
    with browser.new_context(locale="de-CH") as context:
        page = context.new_page()
        with page.expect_response("**/api/surveys/*") as asked:
            page.goto(place.form)
        headers = asked.value.request.all_headers()
        assert headers["accept-language"] == "*"
        assert "referer" not in headers


@pytest.mark.parametrize("address", ["https://elsewhere.example/", "javascript:alert(1)", ""])
def test_an_issuer_cannot_send_people_elsewhere(
    browser: Browser, place: Place, address: str
) -> None:
    """Whatever the issuer says, the link leads to the issuer or is not shown."""
    with browser.new_context() as context:
        page = context.new_page()
        page.route("**/api/surveys/*", lambda route: route.fulfill(json={"sign_in": address}))
        with page.expect_response("**/api/surveys/*"):
            page.goto(place.form)
        expect(page.locator("#invitation")).to_be_visible()
        expect(page.locator("#sign-in")).to_be_hidden()


def test_a_frame_and_a_shared_device_do_not_offer_it(browser: Browser, place: Place) -> None:
    """A frame may not show the provider, and a shared device would stay signed in."""
    with browser.new_context() as context:
        page = context.new_page()
        requests = record_requests(context)
        page.goto(f"{place.form}#kiosk")
        page.locator("#share-yes").click()
        expect(page.locator("#invitation")).to_be_visible()
        expect(page.locator("#sign-in")).to_be_hidden()
        page.goto(f"{place.site.url}/healthz")
        page.set_content(f'<iframe src="{place.form}" width="600" height="900"></iframe>')
        frame = page.frame_locator("iframe")
        expect(frame.locator("#invitation")).to_be_visible()
        expect(frame.locator("#sign-in")).to_be_hidden()
        assert not [each for each in requests if each.url.startswith(place.desk.issuer.url)]


def test_a_form_in_a_file_gets_its_code_from_the_collectors_form(
    browser: Browser, place: Place, tmp_path: Path
) -> None:
    """The file has no link, and takes the code that the form at the collector shows."""
    file = tmp_path / "wards.html"
    file.write_bytes(OneFileForm.of(place.desk.prepared.survey, place.site.url).body)
    with browser.new_context() as context:
        page = context.new_page()
        sign_in(page, place, BEN)
        code = code_in(page)
        page.goto(file.as_uri())
        expect(page.locator("#invitation")).to_be_visible()
        expect(page.locator("#sign-in")).to_be_hidden()
        page.get_by_label(TEXTS["code"]).fill(code)
        page.get_by_role("button", name=TEXTS["use"]).click()
        expect(page.locator("[data-group=nurses]").first).to_be_visible()
