"""What a shared tablet says, in every language; and which forms cannot be shared."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from axe_checks import violations
from deniable_sdk import compile_survey
from deniable_web.pages.languages import catalog
from live_form import protect, question, start
from live_kiosk import TEXTS, Kiosk, answer, enter, hold, live_kiosk, next_person, send
from live_site import live_site
from sample_definitions import definition
from score_samples import score

LANGUAGES = ("en", "de", "es", "ar", "zh")
KIOSK, FIELDWORK = TEXTS["kiosk"], TEXTS["fieldwork"]


@pytest.mark.deep
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_state_is_accessible_and_fits_a_phone(
    browser: Browser, kiosk: Kiosk, language: str
) -> None:
    """The first screen, the warning, a report that waits, and the thanks."""
    texts = catalog("form", language)
    says = texts["kiosk"]
    viewport = {"width": 390, "height": 844}
    with browser.new_context(locale=language, viewport=viewport) as context:  # type: ignore[arg-type]
        context.clock.install()
        page = kiosk.open(context)
        expect(page.locator("#shared")).to_contain_text(says["text"])
        assert violations(page) == [], "the first screen"
        page.locator("#code").fill(kiosk.unused.pop())
        page.locator("#use-code").click()
        start(page)
        page.clock.run_for(45_000)
        warning = page.get_by_role("alertdialog", name=says["still_title"])
        said = re.escape(says["still_text"]).replace(re.escape("{seconds}"), "{}")
        expect(page.locator("#still-text")).to_have_text(re.compile(said.format(r"\d{1,2}")))
        assert violations(page) == [], "the warning"
        aloud = re.compile(said.format("(15|10|5)"))
        expect(warning.get_by_role("status")).to_have_text(aloud)
        page.keyboard.press("Escape")
        expect(warning).to_be_hidden()
        page.locator(".question:not([hidden]) input").first.check(force=True)
        page.locator("#protect").click()
        expect(page.locator("#review-once")).to_have_text(says["once"])
        page.route("**/api/reports", lambda route: route.abort())
        page.locator("#send").click()
        expect(page.locator("#waiting-text")).to_have_text(says["waiting"])
        expect(page.get_by_role("button", name=says["next"])).to_be_visible()
        assert violations(page) == [], "a report that waits"


@pytest.mark.deep
def test_feedback_is_read_as_long_as_one_likes_and_then_forgotten(
    context: BrowserContext, tmp_path: Path
) -> None:
    """Ten seconds would be too short to read it; the next person does not see it."""
    advice = {
        "texts": {"minimal": "All is well.", "mild": "So-so.", "marked": "Talk to somebody."}
    }
    with live_kiosk(
        tmp_path, edition=3, slug="mood", questions=[score(feedback=advice)], ask="all"
    ) as kiosk:
        context.clock.install()
        page = kiosk.open(context)
        enter(page, kiosk.unused.pop())
        start(page)
        for place in (1, 2, 3):
            question(page, f"mood_{place}").locator("input").nth(3).check(force=True)
        protect(page)
        page.locator("#send").click()
        page.get_by_text(TEXTS["feedback"]["title"]).click()
        expect(page.get_by_text("Talk to somebody.")).to_be_visible()
        page.clock.run_for(50_000)
        expect(page.get_by_text("Talk to somebody.")).to_be_visible()
        expect(page.get_by_role("alertdialog")).to_be_hidden()
        page.clock.run_for(11_000)
        expect(page.get_by_label(FIELDWORK["code"], exact=True)).to_be_visible()
        expect(page.get_by_text("Talk to somebody.")).to_be_hidden()


def test_before_it_opens_no_code_is_taken(context: BrowserContext, tmp_path: Path) -> None:
    """A shared tablet keeps no token until then, so the code would be lost."""
    opens = datetime.now(UTC) + timedelta(days=2)
    with live_kiosk(tmp_path, edition=4, slug="later", opens=f"{opens:%Y-%m-%dT%H:%MZ}") as kiosk:
        page = kiosk.open(context)
        expect(page.get_by_role("heading", name=FIELDWORK["early_title"])).to_be_visible()
        expect(page.get_by_label(FIELDWORK["code"], exact=True)).to_be_hidden()
        expect(page.get_by_text(FIELDWORK["early_kept"])).to_be_hidden()
        expect(page.locator("#calendar")).to_be_hidden()


def test_a_browser_that_keeps_nothing_cannot_be_shared(
    context: BrowserContext, kiosk: Kiosk
) -> None:
    """The page refuses in words before anybody enters a code."""
    context.add_init_script(
        """Object.defineProperty(window, "sessionStorage", {
          get() { throw new DOMException("", "SecurityError"); },
        });"""
    )
    page = kiosk.open(context)
    expect(page.get_by_role("alert").filter(has_text="allow this page to store")).to_be_visible()
    expect(page.get_by_label(FIELDWORK["code"], exact=True)).to_be_hidden()


def test_a_browser_without_locks_can_be_shared(context: BrowserContext, kiosk: Kiosk) -> None:
    """Records stand for locks there, as on a device of one person."""
    context.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined })")
    page = kiosk.open(context)
    before = kiosk.reports()
    enter(page, kiosk.unused.pop())
    answer(page)
    hold(page)
    send(page)
    next_person(page)
    assert kiosk.reports() == before + 1


def test_only_a_survey_by_invitation_is_shared(context: BrowserContext, tmp_path: Path) -> None:
    """For everybody, the device remembers that it has answered, whatever the fragment says."""
    survey = compile_survey(definition(slug="open", closes="2040-01-31T18:00Z"))
    with live_site(tmp_path / "site.sqlite", survey) as site:
        page = context.new_page()
        page.goto(f"{site.url}/s/open#kiosk")
        start(page)
        question(page, "asthma").get_by_label("Yes").check(force=True)
        protect(page)
        page.locator("#send").click()
        expect(page.locator("#sent")).to_be_visible()
        expect(page.get_by_role("button", name=KIOSK["next"])).to_be_hidden()
        page.reload()
        expect(page.locator("#answered")).to_be_visible()


@pytest.mark.deep
def test_a_shared_tablet_and_its_owner_do_not_mix(context: BrowserContext, kiosk: Kiosk) -> None:
    """What the owner has in an ordinary tab stays, and people on the tablet do not find it."""
    own = kiosk.open(context, "")
    enter(own, kiosk.unused.pop())
    answer(own)
    protect(own)
    expect(own.locator("#review-title")).to_be_visible()
    shown = own.locator("#review-bytes").text_content()
    page = kiosk.open(context)
    enter(page, kiosk.unused.pop())
    answer(page)
    hold(page)
    page.locator("#decline").click()
    page.get_by_role("button", name=KIOSK["next"]).click()
    expect(page.get_by_label(FIELDWORK["code"], exact=True)).to_be_visible()
    own.reload()
    own.get_by_role("button", name=TEXTS["kind"]["held_look"]).click()
    expect(own.locator("#review-bytes")).to_have_text(shown or "?")
