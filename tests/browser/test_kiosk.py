"""One tablet for many people: nothing is left of the one before but an unsent report."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from axe_checks import violations
from live_form import protect, record_requests
from live_kiosk import (
    CANARIES,
    TEXTS,
    TOUCHED,
    Kiosk,
    answer,
    enter,
    hold,
    is_eventually,
    is_marked,
    left,
    let_pass,
    mark_document,
    next_person,
    person,
    send,
    starts_again,
    wait_for_new_document,
    waiting,
)

KIOSK, FIELDWORK = TEXTS["kiosk"], TEXTS["fieldwork"]
MINUTE_MS = 60_000


@pytest.fixture
def tablet(context: BrowserContext, kiosk: Kiosk) -> Page:
    """A tablet on which nobody was before, with a clock that tests can turn."""
    context.clock.install()
    return kiosk.open(context)


def test_five_people_on_one_tablet(context: BrowserContext, kiosk: Kiosk) -> None:
    """Each has a code and is asked; after each report nothing of its person is left."""
    before = kiosk.reports()
    page = kiosk.open(context)
    databases = []
    for number, option in enumerate((*CANARIES, *CANARIES[:2])):
        code = kiosk.unused.pop()
        enter(page, code)
        answer(page, option)
        of = {**hold(page), "code": code, "bare code": code.replace("-", "")}
        assert set(left(page, of)) >= {"nonce", "signature", "report"}, "the search finds it"
        send(page)
        expect(page.locator("#next-person")).to_be_visible()
        assert is_eventually(page, lambda: person(page) == [])
        assert left(page, of) == []
        next_person(page)
        assert left(page, of) == []
        assert page.url == f"{kiosk.address}#kiosk"
        assert page.evaluate("history.state") in (None, "first")
        assert kiosk.reports() == before + number + 1
        databases = page.evaluate("async () => (await indexedDB.databases()).map((d) => d.name)")
    assert databases == ["deniable unsent"]
    assert waiting(page) == []


def test_the_page_says_what_is_wiped_before_a_code_is_entered(tablet: Page) -> None:
    """Words for one's own device are not there, and while nobody is, nothing starts again.

    A browser sends events of a pointer that rests, when the page changes below it.
    """
    expect(tablet.locator("#shared")).to_contain_text(KIOSK["text"])
    expect(tablet.get_by_text(FIELDWORK["lost"])).to_be_hidden()
    tablet.evaluate("dispatchEvent(new PointerEvent('pointermove'))")
    let_pass(tablet, 3 * MINUTE_MS)
    assert is_marked(tablet), "nobody was there, so nothing starts again"


def test_who_leaves_while_answering_is_warned_and_forgotten(
    tablet: Page, kiosk: Kiosk, code: str
) -> None:
    """After 40 seconds the page asks; after 60 it starts again, without a question in between."""
    asked_by_browser: list[str] = []
    tablet.on("dialog", lambda dialog: asked_by_browser.append(dialog.type))
    enter(tablet, code)
    answer(tablet)
    let_pass(tablet, 30_000)
    warning = tablet.get_by_role("alertdialog", name=KIOSK["still_title"])
    expect(warning).to_be_hidden()
    let_pass(tablet, 12_000)
    expect(warning).to_be_visible()
    expect(warning.get_by_role("button", name=KIOSK["still"])).to_be_focused()
    tablet.keyboard.press("Enter")
    expect(warning).to_be_hidden()
    assert tablet.locator(".question:not([hidden])").get_by_label(CANARIES[0]).is_checked()
    let_pass(tablet, 42_000)
    expect(warning).to_be_visible()
    before = kiosk.reports()
    let_pass(tablet, 20_000)
    starts_again(tablet)
    assert asked_by_browser == []
    assert left(tablet, {"code": code}) == []
    assert kiosk.reports() == before
    enter(tablet, code)
    expect(tablet.get_by_role("alert").filter(has_text=FIELDWORK["used"])).to_be_visible()


def test_a_report_that_nobody_decided_on_is_wiped_and_not_sent(
    tablet: Page, kiosk: Kiosk, code: str
) -> None:
    """Nobody agreed to send it. The next person is asked as if nobody had been there."""
    enter(tablet, code)
    answer(tablet)
    of = hold(tablet)
    expect(tablet.locator("#review-once")).to_have_text(KIOSK["once"])
    requests = record_requests(tablet.context)
    before = kiosk.reports()
    let_pass(tablet, MINUTE_MS + 2_000)
    starts_again(tablet)
    assert left(tablet, of) == []
    assert [each.url for each in requests if each.method == "POST"] == []
    enter(tablet, kiosk.unused.pop())
    answer(tablet, CANARIES[1])
    hold(tablet)
    send(tablet)
    assert kiosk.reports() == before + 1


def test_who_declines_is_told_the_truth_and_forgotten(tablet: Page, code: str) -> None:
    """The token is wiped with the report, and the page does not say that the device remembers."""
    enter(tablet, code)
    answer(tablet)
    of = hold(tablet)
    tablet.locator("#decline").click()
    expect(tablet.locator("#declined-text")).to_have_text(KIOSK["declined"])
    assert is_eventually(tablet, lambda: left(tablet, of) == [])


@pytest.mark.deep
def test_after_thanks_it_goes_on_by_itself(tablet: Page, code: str) -> None:
    """Ten seconds without a touch; a touch gives as much again; the language is the tablet's."""
    enter(tablet, code)
    answer(tablet)
    hold(tablet)
    tablet.locator("#language").select_option("ar")
    send(tablet)
    let_pass(tablet, 5_000)
    tablet.mouse.move(5, 5)
    let_pass(tablet, 6_000)
    expect(tablet.locator("#sent")).to_be_visible()
    assert is_marked(tablet)
    let_pass(tablet, 6_000)
    starts_again(tablet)
    assert tablet.evaluate("document.documentElement.lang") == "en"


def test_a_late_touch_does_not_press_a_button_of_the_one_before(
    tablet: Page, kiosk: Kiosk, code: str
) -> None:
    """A tablet that slept wakes up with the report of somebody else, which must not be sent."""
    enter(tablet, code)
    answer(tablet)
    of = hold(tablet)
    before = kiosk.reports()
    mark_document(tablet)
    tablet.evaluate(
        """() => {
          const button = document.getElementById("send");
          button.addEventListener("click", () => sessionStorage.setItem("pressed", "yes"));
          Date.now = () => 4e12;
          button.click();
        }"""
    )
    starts_again(tablet)
    assert left(tablet, of) == []
    assert kiosk.reports() == before


def test_a_page_that_comes_back_too_late_begins_with_nobody(tablet: Page, code: str) -> None:
    """A tablet that was switched off wipes what was left before it shows anything."""
    enter(tablet, code)
    expect(tablet.locator("#start:enabled")).to_be_visible()
    assert person(tablet) != []
    tablet.evaluate("(name) => sessionStorage.setItem(name, '1')", TOUCHED)
    tablet.clock.pause_at(tablet.evaluate("Date.now() + 1000") / 1000)
    tablet.reload()
    starts_again(tablet)
    assert left(tablet, {"code": code}) == []


def test_another_tab_begins_with_nobody(context: BrowserContext, kiosk: Kiosk, code: str) -> None:
    """What a person has entered is in their tab alone, and ends with it."""
    page = kiosk.open(context)
    enter(page, code)
    expect(page.locator("#start:enabled")).to_be_visible()
    page.close()
    page = kiosk.open(context)
    starts_again(page)
    assert person(page) == []


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_a_link_with_a_code_is_the_next_persons(
    context: BrowserContext, kiosk: Kiosk, code: str, *, is_elsewhere: bool
) -> None:
    """A tab that is shared stays so, and forgets who was there before."""
    page = kiosk.open(context)
    enter(page, code)
    expect(page.locator("#start:enabled")).to_be_visible()
    if is_elsewhere:
        page.goto("about:blank")
    mark_document(page)
    page.goto(f"{kiosk.address}#code={kiosk.unused[-1]}")
    wait_for_new_document(page)
    expect(page.locator("#shared")).to_be_visible()
    expect(page.locator("#code")).to_have_value(kiosk.unused[-1])
    assert person(page) == []


def test_a_form_becomes_shared_once_somebody_agrees(context: BrowserContext, kiosk: Kiosk) -> None:
    """The words for one's own device are there before, and those for a shared one after it."""
    page = kiosk.open(context, "")
    expect(page.locator("#shared")).to_be_hidden()
    expect(page.get_by_text(FIELDWORK["lost"])).to_be_visible()
    page.goto(f"{kiosk.address}#kiosk")
    expect(page.get_by_role("dialog", name=KIOSK["share_title"])).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name=KIOSK["share"]).click()
    expect(page.locator("#shared")).to_be_visible()
    expect(page.get_by_text(FIELDWORK["lost"])).to_be_hidden()
    page.reload()
    expect(page.locator("#shared")).to_be_visible()
    expect(page.locator("#share")).to_be_hidden()


@pytest.mark.parametrize("key", ["Enter", "Escape"])
def test_a_link_does_not_empty_the_ledger_of_a_device(
    context: BrowserContext, kiosk: Kiosk, code: str, key: str
) -> None:
    """Whoever does not agree to share the device finds the report that they have made."""
    own = kiosk.open(context, "")
    enter(own, code)
    answer(own)
    protect(own)
    expect(own.locator("#review-title")).to_be_visible()
    page = context.new_page()
    page.goto(f"{kiosk.address}#kiosk")
    expect(page.locator("#share-no")).to_be_focused()
    page.keyboard.press(key)
    expect(page.get_by_role("button", name=TEXTS["kind"]["held_look"])).to_be_visible()
    expect(page.locator("#shared")).to_be_hidden()
    assert page.url == kiosk.address
    assert page.evaluate("JSON.stringify({...sessionStorage})") == "{}"
