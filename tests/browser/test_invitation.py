"""A survey by invitation in the form: code, token, answers, thanks, and what is refused."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from axe_checks import violations
from deniable_sdk import Report, check_report
from deniable_web.pages.languages import catalog
from free_ports import free_port
from live_form import protect, question, record_requests, start, stored_in_browser
from live_issuer import AFTER, BEFORE, LiveIssuer, Prepared, live_issuer, prepare
from live_kiosk import is_eventually, keep_back
from live_site import LiveSite, live_site

LANGUAGES = ("en", "de", "es", "ar", "zh")
TEXTS = catalog("form", "en")["fieldwork"]


class Invitation(NamedTuple):
    """A site, an issuer, and a survey with codes."""

    site: LiveSite
    issuer: LiveIssuer
    prepared: Prepared
    unused: list[str]

    @property
    def address(self) -> str:
        """The address of the form."""
        return f"{self.site.url}/s/{self.prepared.survey.slug}"


@pytest.fixture(scope="module")
def invitation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Invitation]:
    """A site and an issuer, each with a store of its own."""
    folder: Path = tmp_path_factory.mktemp("invitation")
    port = free_port()
    people = {"nurses": 20, "doctors": 5}
    prepared = prepare(folder / "issuer.sqlite", people, issuer=f"http://127.0.0.1:{port}")
    with (
        live_issuer(prepared, port=port) as issuer,
        live_site(folder / "site.sqlite", prepared.survey) as site,
    ):
        yield Invitation(site, issuer, prepared, prepared.codes("nurses"))


@pytest.fixture
def code(invitation: Invitation) -> str:
    """A nurse's code that nobody has used."""
    return invitation.unused.pop()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page of a device that nobody has used."""
    return context.new_page()


def opened(page: Page, address: str) -> None:
    """Open the form and wait until it is there."""
    page.goto(address)
    page.locator("main[data-kept]").wait_for()


def enter(page: Page, code: str) -> None:
    """Type a code and go on."""
    page.get_by_label(TEXTS["code"]).fill(code)
    page.get_by_role("button", name=TEXTS["use"]).click()


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_screen_asks_for_the_code(
    browser: Browser, invitation: Invitation, language: str
) -> None:
    """In five languages, on a phone; who asks and the promise are above it."""
    texts = catalog("form", language)
    with browser.new_context(locale=language, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        opened(page, invitation.address)
        expect(page.get_by_role("heading", name=texts["fieldwork"]["title"])).to_be_in_viewport()
        expect(page.get_by_label(texts["fieldwork"]["code"], exact=True)).to_be_visible()
        expect(page.locator("#promise")).to_be_visible()
        expect(page.locator(".start")).to_be_hidden()
        assert violations(page) == []


def test_from_the_link_to_thanks(page: Page, invitation: Invitation, code: str) -> None:
    """The code leaves the address at once and goes to the issuer alone; the report has a token."""
    requests = record_requests(page.context)
    opened(page, f"{invitation.address}#code={code}")
    assert page.url == invitation.address
    expect(page.get_by_label(TEXTS["code"])).to_have_value(code)
    page.get_by_role("button", name=TEXTS["use"]).click()
    expect(page.locator("[data-group=nurses]").first).to_have_text(
        f"{TEXTS['carries']} nurses ({TEXTS['invited'].format(count=40)})"
    )
    start(page)
    question(page, "asthma").get_by_label("Yes").check(force=True)
    protect(page)
    expect(page.locator("#review [data-group=nurses]")).to_be_visible()
    page.locator("#send").click()
    expect(page.locator("#sent")).to_be_visible()
    assert violations(page) == []
    posts = [each for each in requests if each.method == "POST"]
    assert [each.url.removeprefix(invitation.issuer.url) for each in posts[:2]] == [
        "/api/codes",
        "/api/tokens",
    ]
    report = Report.from_bytes(posts[2].post_data_buffer or b"")
    check_report(report, invitation.prepared.survey)
    assert report.token is not None
    assert report.token.group == "nurses"
    for each in requests:
        assert code not in each.url
        is_issuer = each.url.startswith(invitation.issuer.url)
        assert is_issuer or code.encode() not in (each.post_data_buffer or b"")
    kept = stored_in_browser(page)
    assert code not in kept
    assert "inverse" not in kept


def test_a_code_that_was_used_elsewhere_is_refused_in_words(
    browser: Browser, invitation: Invitation, code: str
) -> None:
    """A second device learns that the code was used, and answers nothing."""
    invitation.issuer.collect(invitation.prepared.survey, code)
    with browser.new_context() as context:
        page = context.new_page()
        opened(page, invitation.address)
        enter(page, code)
        expect(page.get_by_role("alert").filter(has_text=TEXTS["used"])).to_be_visible()
        expect(page.locator("#start")).to_be_hidden()
        assert violations(page) == []


def test_after_a_used_code_another_groups_code_is_taken(
    page: Page, invitation: Invitation, code: str
) -> None:
    """The request of the first code is not sent with the second, whose key is another one."""
    invitation.issuer.collect(invitation.prepared.survey, code)
    opened(page, invitation.address)
    enter(page, code)
    expect(page.get_by_role("alert").filter(has_text=TEXTS["used"])).to_be_visible()
    enter(page, invitation.prepared.codes("doctors")[0])
    expect(page.locator("[data-group=doctors]").first).to_be_visible()


def test_a_signature_that_is_no_text_of_ours_is_refused_in_words(
    page: Page, invitation: Invitation, code: str
) -> None:
    """What an issuer answers may be anything; nothing of it is kept."""
    opened(page, invitation.address)
    page.route("**/api/tokens", lambda route: route.fulfill(json={"signature": "%%%"}))
    enter(page, code)
    expect(page.get_by_role("alert").filter(has_text=TEXTS["broken"])).to_be_visible()
    expect(page.locator("#start")).to_be_hidden()


@pytest.mark.parametrize(
    ("typed", "said"),
    [("", "unfit"), ("ABCD", "unfit"), ("ABCD-EFGH-IJKL-MNOP", "unknown")],
)
def test_a_wrong_code_is_explained_beside_it(
    page: Page, invitation: Invitation, typed: str, said: str
) -> None:
    """The words say what to do; what was typed stays to be corrected."""
    opened(page, invitation.address)
    enter(page, typed)
    expect(page.get_by_role("alert").filter(has_text=TEXTS[said])).to_be_visible()
    expect(page.get_by_label(TEXTS["code"])).to_have_value(typed)


def test_a_broken_link_leaves_the_field_for_the_code(page: Page, invitation: Invitation) -> None:
    """What cannot be decoded is shown to be corrected, and leaves the address bar too."""
    opened(page, f"{invitation.address}#code=ABCD%E0")
    expect(page.get_by_label(TEXTS["code"])).to_have_value("ABCD%E0")
    assert page.url == invitation.address


def test_after_the_end_no_code_is_taken(page: Page, invitation: Invitation, code: str) -> None:
    """The issuer's clock decides, and the page says so."""
    invitation.issuer.set_clock(AFTER)
    try:
        opened(page, invitation.address)
        enter(page, code)
        expect(page.get_by_role("alert").filter(has_text=TEXTS["over"])).to_be_visible()
    finally:
        invitation.issuer.set_clock(BEFORE)


def test_a_lost_answer_is_asked_for_again_with_the_same_message(
    page: Page, invitation: Invitation, code: str
) -> None:
    """The device keeps its request before it asks: a reload repeats it, byte for byte."""
    opened(page, invitation.address)
    page.route("**/api/tokens", lambda route: route.abort())
    requests = record_requests(page.context)
    enter(page, code)
    expect(page.get_by_role("alert").filter(has_text=TEXTS["unreachable"])).to_be_visible()
    page.unroute("**/api/tokens")
    opened(page, invitation.address)
    enter(page, code)
    expect(page.locator("[data-group=nurses]").first).to_be_visible()
    messages = [
        json.loads(each.post_data_buffer or b"{}")["blinded"]
        for each in requests
        if each.url.endswith("/api/tokens")
    ]
    assert len(messages) == 2
    assert messages[0] == messages[1]


def test_nonce_and_blinding_are_kept_before_the_issuer_is_asked(
    page: Page, invitation: Invitation, code: str
) -> None:
    """With the token there, the blinding and the code are gone, from the field too."""
    opened(page, invitation.address)
    asked = keep_back(page, "**/api/tokens")
    enter(page, code)
    assert is_eventually(page, lambda: len(asked) == 1)
    stored = stored_in_browser(page)
    assert all(name in stored for name in ('"nonce"', '"inverse"'))
    assert code not in stored
    asked[0].continue_()
    expect(page.locator("[data-group=nurses]").first).to_be_visible()
    expect(page.locator("#code")).to_have_value("")
    stored = stored_in_browser(page)
    assert '"nonce"' in stored
    assert '"inverse"' not in stored
    assert '"code"' not in stored


def test_where_few_collected_the_page_asks_again(
    page: Page, invitation: Invitation, code: str
) -> None:
    """Once the counts are public, two quick presses warn and send nothing; another sends."""
    opened(page, invitation.address)
    enter(page, code)
    start(page)
    question(page, "asthma").get_by_label("No", exact=True).check(force=True)
    protect(page)
    invitation.issuer.set_clock(AFTER)
    page.clock.set_fixed_time(AFTER)
    try:
        requests = record_requests(page.context)
        page.locator("#send").dblclick()
        warned = page.get_by_role("alert").filter(has_text="so your report is hidden only among")
        expect(warned).to_be_visible()
        assert [each.method for each in requests] == ["GET"]
        assert violations(page) == []
        page.locator("#send").click()
        expect(page.locator("#sent")).to_be_visible()
    finally:
        invitation.issuer.set_clock(BEFORE)


def test_the_policy_names_the_issuer_alone(page: Page, invitation: Invitation) -> None:
    """The page may ask its own site and this issuer's interface, and nobody else."""
    answer = page.goto(invitation.address)
    assert answer
    policy = answer.headers["content-security-policy"]
    assert f"connect-src 'self' {invitation.issuer.url}/api/;" in policy


@pytest.mark.deep
def test_a_survey_that_opens_later_says_when_and_offers_a_reminder(
    browser: Browser, tmp_path: Path
) -> None:
    """The moment is in the respondent's time; the reminder holds no code."""
    opens = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(days=3)
    prepared = prepare(
        tmp_path / "issuer.sqlite", edition=1, slug="later", opens=f"{opens:%Y-%m-%dT%H:%MZ}",
        issuer=f"http://127.0.0.1:{(port := free_port())}",
    )  # fmt: skip
    with (
        live_issuer(prepared, port=port),
        live_site(tmp_path / "site.sqlite", prepared.survey) as site,
        browser.new_context(locale="en", timezone_id="Asia/Kolkata") as context,
    ):
        page = context.new_page()
        opened(page, f"{site.url}/s/later")
        enter(page, prepared.codes("nurses")[0])
        expect(page.get_by_role("heading", name=TEXTS["early_title"])).to_be_visible()
        there = opens + timedelta(hours=5, minutes=30)
        expect(page.locator("#opens")).to_contain_text(f"{there:%B} {there.day}, {there.year}")
        expect(page.locator("#start")).to_be_hidden()
        assert violations(page) == []
        with page.expect_download() as download:
            page.locator("#calendar").click()
        entry = download.value.path().read_text()
        assert download.value.suggested_filename == "reminder.ics"
        assert f"DTSTART:{opens:%Y%m%dT%H%M%SZ}\r\n" in entry.replace("\n", "\r\n")
        assert "code" not in entry
