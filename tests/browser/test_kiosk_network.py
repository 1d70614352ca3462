"""A shared tablet whose network fails: no token and no report is lost, and nobody is disturbed."""

import json

import pytest
from playwright.sync_api import BrowserContext, Request, expect

from live_form import protect, record_requests, start, stored_in_browser
from live_kiosk import (
    CANARIES,
    TEXTS,
    Kiosk,
    answer,
    asked,
    enter,
    hold,
    is_eventually,
    keep_back,
    left,
    next_person,
    person,
    press_next,
    send,
    waiting,
)

KIOSK = TEXTS["kiosk"]


def blinded(request: Request) -> str:
    """The message that the issuer is asked to sign."""
    message: str = json.loads(request.post_data or "")["blinded"]
    return message


def test_a_report_waits_for_the_network_while_others_answer(
    context: BrowserContext, kiosk: Kiosk, code: str
) -> None:
    """Offline the page starts again; the next person cannot see the report; both arrive."""
    before = kiosk.reports()
    page = kiosk.open(context)
    enter(page, code)
    answer(page)
    of = hold(page)
    context.set_offline(offline=True)
    page.locator("#send").click()
    expect(page.locator("#waiting-text")).to_have_text(KIOSK["waiting"])
    expect(page.get_by_role("button", name=TEXTS["kind"]["try_now"])).to_be_hidden()
    press_next(page)
    expect(page.locator("#unsent")).to_have_text(KIOSK["unsent"].format(count=1))
    (entry,) = waiting(page)
    assert entry["report"] == of["report"]
    assert person(page) == []
    content = page.content()
    assert [secret for secret in of.values() if secret in content] == []
    assert kiosk.reports() == before
    context.set_offline(offline=False)
    enter(page, kiosk.unused.pop())
    answer(page, CANARIES[2])
    assert is_eventually(page, lambda: waiting(page) == [])
    assert kiosk.reports() == before + 1
    hold(page)
    send(page)
    assert kiosk.reports() == before + 2
    next_person(page)
    assert left(page, of) == []


@pytest.mark.deep
def test_reports_of_several_people_wait_and_all_arrive(
    context: BrowserContext, kiosk: Kiosk
) -> None:
    """The issuer can be reached and the collector cannot; another tab sends them later."""
    before = kiosk.reports()
    page = kiosk.open(context)
    context.route("**/api/reports", lambda route: route.abort())
    for count, option in enumerate(CANARIES, 1):
        enter(page, kiosk.unused.pop())
        answer(page, option)
        hold(page)
        page.locator("#send").click()
        expect(page.locator("#waiting")).to_be_visible()
        page.get_by_role("button", name=KIOSK["next"]).click()
        expect(page.locator("#unsent")).to_have_text(KIOSK["unsent"].format(count=count))
        expect(page.locator("#shared")).to_be_visible()
    page.close()
    context.unroute("**/api/reports")
    page = kiosk.open(context)
    page.evaluate("dispatchEvent(new Event('online'))")
    assert is_eventually(page, lambda: waiting(page) == [])
    expect(page.locator("#unsent")).to_be_hidden()
    assert kiosk.reports() == before + len(CANARIES)


@pytest.mark.deep
def test_what_is_said_of_an_old_report_does_not_disturb_the_next_person(
    context: BrowserContext, kiosk: Kiosk, code: str
) -> None:
    """The survey may have closed for it: it is removed, and the next report is sent as ever."""
    page = kiosk.open(context)
    page.route("**/api/reports", lambda route: route.abort())
    enter(page, code)
    answer(page)
    hold(page)
    page.locator("#send").click()
    expect(page.locator("#waiting")).to_be_visible()
    # No moment without either: a try in between would reach the collector.
    held = keep_back(page, "**/api/reports")
    press_next(page)
    enter(page, kiosk.unused.pop())
    answer(page, CANARIES[1])
    page.evaluate("dispatchEvent(new Event('online'))")
    assert is_eventually(page, lambda: len(held) > 0)
    held[-1].fulfill(status=410, content_type="application/problem+json", body="{}")
    page.unroute("**/api/reports")
    assert is_eventually(page, lambda: waiting(page) == [])
    assert page.locator(".question:not([hidden])").get_by_label(CANARIES[1]).is_checked()
    hold(page)
    send(page)


@pytest.mark.deep
def test_a_reload_loses_no_token(context: BrowserContext, kiosk: Kiosk, code: str) -> None:
    """The request is kept before it is sent, and the token with the question that was drawn."""
    tablet = kiosk.open(context)
    kept = keep_back(tablet, "**/api/tokens")
    enter(tablet, code)
    assert is_eventually(tablet, lambda: len(kept) == 1)
    (record,) = person(tablet)
    assert record["invitation"].keys() >= {"nonce", "inverse", "message"}
    assert code not in json.dumps(record)
    messages = [blinded(kept[0].request)]
    kept[0].abort()
    tablet.unroute("**/api/tokens")
    tablet.reload()
    requests = record_requests(tablet.context)
    enter(tablet, code)
    start(tablet)
    messages += [blinded(each) for each in requests if each.url.endswith("/api/tokens")]
    assert len(messages) == 2
    assert messages[0] == messages[1]
    stored = stored_in_browser(tablet)
    assert "inverse" not in stored
    assert "document" in stored
    first = asked(tablet)
    for _ in range(3):
        tablet.reload()
        start(tablet)
        assert asked(tablet) == first
    tablet.locator(".question:not([hidden])").get_by_label(CANARIES[0]).check(force=True)
    protect(tablet)
    expect(tablet.locator("#review-title")).to_be_visible()
    before = kiosk.reports()
    tablet.reload()
    tablet.get_by_role("button", name=TEXTS["kind"]["held_look"]).click()
    send(tablet)
    assert kiosk.reports() == before + 1
