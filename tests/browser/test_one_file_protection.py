"""What protects who answers a form in one file: what is refused, and the page of its code."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from axe_checks import violations
from chromium import ARGUMENTS, find_headless
from deniable_sdk import PublishedSurvey
from deniable_web.pages.form.one_file import OneFileForm
from deniable_web.pages.languages import CODES, catalog
from live_form import record_requests
from live_one_file import TEXTS, opened, placed
from live_site import LiveSite, live_site

# A name that is not secure without TLS, as a machine in a local network has it.
LAN = "lan.test"


def test_a_changed_script_is_refused(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey, tmp_path: Path
) -> None:
    """One byte is enough, even in a comment: nothing runs, and nothing can be filled in."""
    body = OneFileForm.of(survey, site.url).body
    changed = body.replace(b"/** One respondent at", b"/** Two respondent at")
    assert sum(one != other for one, other in zip(body, changed, strict=True)) == 3
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    with placed("a disk", tmp_path / "there", changed) as address:
        page.goto(address)
        expect(page.get_by_text(TEXTS["page"]["not_loaded"])).to_be_visible(timeout=10_000)
    assert page.locator("#start").count() == 0
    assert any("Content Security Policy" in each for each in said)


def test_a_changed_survey_is_refused(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey, tmp_path: Path
) -> None:
    """The device computes the digest of the survey that is inside."""
    body = OneFileForm.of(survey, site.url).body
    changed = body.replace(b"&#34;slug&#34;:&#34;canaries", b"&#34;slug&#34;:&#34;canarieS")
    assert changed != body
    page = context.new_page()
    with placed("a disk", tmp_path / "there", changed) as address:
        opened(page, address)
        expect(page.get_by_role("alert")).to_contain_text("the survey has the digest")
        expect(page.locator("#start")).to_be_disabled()


def test_nothing_in_the_page_reaches_another_server(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey, tmp_path: Path
) -> None:
    """Whatever runs in the page reaches the interface of the collector, and nothing else."""
    page = context.new_page()
    body = OneFileForm.of(survey, site.url).body
    with placed("a host", tmp_path / "there", body) as address:
        opened(page, address)
        requests = record_requests(context)
        reached = page.evaluate(
            """(addresses) => Promise.all(addresses.map((address) =>
              fetch(address).then(() => true, () => false)))""",
            [f"{site.url}/api/surveys/canaries", f"{site.url}/s/canaries", address],
        )
    assert reached == [True, False, False]
    assert [each.url for each in requests] == [f"{site.url}/api/surveys/canaries"]


@pytest.fixture(scope="module")
def browser_of_lan(browser: Browser) -> Iterator[Browser]:
    """A browser for which a name leads to this machine."""
    rule = f"--host-resolver-rules=MAP {LAN} 127.0.0.1"
    launched = browser.browser_type.launch(
        executable_path=find_headless(), args=[*ARGUMENTS, rule]
    )
    yield launched
    launched.close()


@pytest.mark.deep
@pytest.mark.parametrize("language", CODES)
def test_without_tls_the_form_says_what_to_do(
    browser_of_lan: Browser,
    site: LiveSite,
    survey: PublishedSurvey,
    tmp_path: Path,
    language: str,
) -> None:
    """In the reader's language, in the file and in the form that the collector serves."""
    body = OneFileForm.of(survey, site.url).body
    with (
        placed("a host", tmp_path / "there", body) as address,
        browser_of_lan.new_context(locale=language) as context,
    ):
        for each in (address, f"{site.url}/s/canaries"):
            page = context.new_page()
            opened(page, each.replace("127.0.0.1", LAN))
            assert page.evaluate("crypto.subtle === undefined")
            problem = page.get_by_role("alert")
            expect(problem).to_contain_text(catalog("form", language)["script"]["broken"])
            expect(problem).to_contain_text("https")
            assert violations(page) == []


@pytest.mark.sweep
@pytest.mark.parametrize("language", CODES)
def test_the_page_of_the_code(
    browser: Browser, survey: PublishedSurvey, tmp_path: Path, language: str
) -> None:
    """In five languages, on a phone: the file that it offers has the SHA-256 that it says."""
    texts = catalog("form", language)["code"]
    collector = "https://collector.example.org"
    with (
        live_site(
            tmp_path / "site.sqlite", survey, environment={"DENIABLE_ADDRESS": collector}
        ) as site,
        browser.new_context(locale=language, viewport={"width": 390, "height": 844}) as context,
    ):
        page = context.new_page()
        page.goto(f"{site.url}/s/canaries")
        page.locator("main[data-kept]").wait_for()
        page.get_by_role("link", name=texts["title"]).click()
        expect(page.get_by_role("heading", name=texts["title"])).to_be_visible()
        assert violations(page) == []
        with page.expect_download() as download:
            page.get_by_role("link", name=texts["save"]).click()
        assert download.value.suggested_filename == "canaries.html"
        body = download.value.path().read_bytes()
        assert body == OneFileForm.of(survey, collector).body
        sha256 = hashlib.sha256(body).hexdigest()
        expect(page.locator("main").get_by_text(sha256)).to_be_visible()


def test_the_page_of_the_code_needs_no_script(browser: Browser, site: LiveSite) -> None:
    """Without one it is there in one language."""
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site.url}/s/canaries/code")
        expect(page.get_by_role("heading", name=TEXTS["code"]["title"])).to_be_visible()
        expect(page.get_by_text(TEXTS["code"]["unset_text"])).to_be_visible()
