"""The form in one file in a browser: from a disk, from any host, and without a network."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from axe_checks import violations
from deniable_sdk import PublishedSurvey, Report, check_report, compile_survey
from deniable_web.pages.form.one_file import OneFileForm
from free_ports import free_port
from live_endings import EARLIER, LATER, answer_and_send, ending, extend
from live_form import leave, protect, question, record_requests, start, stored_in_browser
from live_issuer import live_issuer, prepare
from live_one_file import TEXTS, opened, placed
from live_site import LiveSite, live_site
from sample_definitions import definition

WAYS = ("a disk", "a host")


def answer(page: Page) -> None:
    """Answer the survey of these tests, as far as the review."""
    start(page)
    question(page, "canary").get_by_label("quicksilver").check()
    question(page, "harassed").get_by_label("No", exact=True).check()
    protect(page)
    expect(page.locator("#review-title")).to_be_focused()


def thanks(page: Page) -> None:
    """Send, and see that it has arrived."""
    page.get_by_role("button", name="Send this report").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()


@pytest.mark.sweep
@pytest.mark.parametrize("way", WAYS)
def test_a_survey_is_answered_from_anywhere(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey, tmp_path: Path, way: str
) -> None:
    """One request beside the file itself: the report, to the collector; every screen is clean."""
    requests = record_requests(context)
    page = context.new_page()
    with placed(way, tmp_path / "there", OneFileForm.of(survey, site.url).body) as address:
        said = opened(page, address)
        assert violations(page) == []
        expect(page.locator("#forgetful")).to_be_hidden()
        answer(page)
        assert violations(page) == []
        thanks(page)
        assert violations(page) == []
        page.reload()
        expect(page.get_by_role("heading", name="already answered")).to_be_visible()
    assert [(each.method, each.url) for each in requests] == [
        ("GET", address),
        ("POST", f"{site.url}/api/reports"),
        ("GET", address),
    ]
    check_report(Report.from_bytes(requests[1].post_data_buffer or b""), survey)
    assert not requests[1].headers.get("referer")
    assert said == []


@pytest.mark.sweep
@pytest.mark.parametrize("way", WAYS)
def test_a_survey_by_invitation_is_answered_from_anywhere(
    context: BrowserContext, tmp_path: Path, way: str
) -> None:
    """Code, token, answer, thanks; the code leaves the address, and goes to the issuer alone."""
    port = free_port()
    prepared = prepare(tmp_path / "issuer.sqlite", issuer=f"http://127.0.0.1:{port}")
    (code, *_) = prepared.codes("nurses")
    requests = record_requests(context)
    page = context.new_page()
    with (
        live_issuer(prepared, port=port) as issuer,
        live_site(tmp_path / "site.sqlite", prepared.survey) as site,
        placed(way, tmp_path / "there", OneFileForm.of(prepared.survey, site.url).body) as address,
    ):
        said = opened(page, f"{address}#code={code}")
        assert page.url == address
        assert violations(page) == []
        page.get_by_role("button", name=TEXTS["fieldwork"]["use"]).click()
        expect(page.locator("[data-group=nurses]").first).to_be_visible()
        start(page)
        question(page, "asthma").get_by_label("Yes").check(force=True)
        protect(page)
        assert violations(page) == []
        thanks(page)
        assert code not in stored_in_browser(page)
        assert requests[0].url == address
        assert [each.url for each in requests[1:] if each.method == "POST"] == [
            f"{issuer.url}/api/codes",
            f"{issuer.url}/api/tokens",
            f"{site.url}/api/reports",
        ]
        for each in requests[1:]:
            assert each.url.startswith((f"{issuer.url}/api/", f"{site.url}/api/"))
    report = Report.from_bytes(requests[-1].post_data_buffer or b"")
    check_report(report, prepared.survey)
    assert code not in (requests[-1].post_data or "")
    assert said == []


def test_a_reminder_from_a_disk_names_no_folder(context: BrowserContext, tmp_path: Path) -> None:
    """It is saved, also where the survey was never loaded, and says nothing of the computer."""
    opens = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(days=3)
    later = compile_survey(definition(slug="later", opens=f"{opens:%Y-%m-%dT%H:%MZ}"))
    page = context.new_page()
    body = OneFileForm.of(later, "https://collector.example.org").body
    with placed("a disk", tmp_path / "annas-folder", body) as address:
        opened(page, address)
        with page.expect_download() as download:
            page.locator("#calendar").click()
        entry = download.value.path().read_text()
    assert f"DTSTART:{opens:%Y%m%dT%H%M%SZ}\n" in entry.replace("\r\n", "\n")
    assert "form.html" in entry
    assert "annas-folder" not in entry


@pytest.mark.sweep
@pytest.mark.parametrize("way", WAYS)
def test_a_file_follows_an_extension(browser: Browser, tmp_path: Path, way: str) -> None:
    """It was made before, and asks the collector whose address is in it, once."""
    made = ending(EARLIER, "extended")
    with (
        browser.new_context(locale="en-GB") as context,
        live_site(tmp_path / "site.sqlite", made) as site,
        placed(way, tmp_path / "there", OneFileForm.of(made, site.url).body) as address,
    ):
        requests = record_requests(context)
        page = context.new_page()
        opened(page, address)
        expect(page.locator("#closed-title")).to_be_focused()
        extend(site.store, "extended", LATER)
        said = opened(page, address)
        before, _ = TEXTS["fieldwork"]["extended"].split("{closes}")
        expect(page.locator("#until")).to_contain_text(before)
        start(page)
        answer_and_send(page)
        asked = f"{site.url}/api/surveys/by-digest/{made.digest}/fieldwork"
        assert [each.url for each in requests] == [
            *(address, asked, address, asked, f"{site.url}/api/reports"),
        ]
    assert said == []


@pytest.mark.sweep
@pytest.mark.parametrize("way", WAYS)
def test_without_a_network_a_report_waits(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey, tmp_path: Path, way: str
) -> None:
    """A report that was sent then arrives later, with the bytes that were shown."""
    requests = record_requests(context)
    page = context.new_page()
    with placed(way, tmp_path / "there", OneFileForm.of(survey, site.url).body) as address:
        opened(page, address)
        context.set_offline(True)
        answer(page)
        shown = page.locator("#review-bytes").text_content()
        page.get_by_role("button", name="Send this report").click()
        expect(page.get_by_role("heading", name="will be sent later")).to_be_visible()
        assert json.dumps(shown)[1:-1] in stored_in_browser(page)
        if way == "a disk":
            leave(page)
            page = context.new_page()
            opened(page, address)
            expect(page.locator("#answered-text")).to_contain_text("It is kept here, randomized")
        context.set_offline(False)
        arrived = page.get_by_text("it has arrived").or_(page.get_by_text("has arrived."))
        expect(arrived.locator("visible=true").first).to_be_visible(timeout=20_000)
    sent = {each.post_data for each in requests if each.method == "POST"}
    assert sent == {shown}


def test_who_answers_twice_is_found_within_an_origin_only(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey, tmp_path: Path
) -> None:
    """All files on a disk are one origin here; a host is another one, and asks again."""
    body = OneFileForm.of(survey, site.url).body
    page = context.new_page()
    with (
        placed("a disk", tmp_path / "one", body) as first,
        placed("a disk", tmp_path / "two", body) as copy,
        placed("a host", tmp_path / "three", body) as elsewhere,
    ):
        opened(page, first)
        answer(page)
        thanks(page)
        opened(page, copy)
        expect(page.get_by_role("heading", name="already answered")).to_be_visible()
        opened(page, elsewhere)
        expect(page.locator("#start")).to_be_enabled()
