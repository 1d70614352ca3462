"""Every kind of question in a real browser: taken by keyboard, and checked."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from deniable_sdk import Report, check_report
from deniable_web.pages.languages import catalog
from live_form import (
    CANARY_NUMBER,
    CANARY_OPTION,
    described_by,
    every_kind,
    open_form,
    press,
    protect,
    question,
    record_requests,
    site_of_kinds,
    tab_to,
)
from live_site import LiveSite

TEXTS = catalog("form", "en")
TOO_MANY = TEXTS["question"]["too_many"].format(most=2)
UNFIT = TEXTS["question"]["unfit_stepped"].format(low=0, high=80, step=0.5)
UNCLEAR = TEXTS["question"]["unclear_stepped"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with a survey of every kind, and one that draws one block of two."""
    with site_of_kinds(tmp_path_factory.mktemp("kinds")) as running:
        yield running


def checked(page: Page, name: str) -> list[str]:
    """The choices of a question that are checked, as they are called on the page."""
    return question(page, name).locator("label:has(:checked)").all_inner_texts()


def test_every_kind_by_keyboard_alone(context: BrowserContext, site: LiveSite) -> None:
    """Without a mouse every kind is answered, and one legal report leaves."""
    page = open_form(context, site)
    requests = record_requests(context)
    page.locator("body").focus()
    tab_to(page, "#q-works input")
    press(page, "Space", "Tab")
    page.keyboard.type("7.5")
    press(page, "Tab", "Tab", "Space")
    tab_to(page, "#q-calls input")
    assert checked(page, "troubles") == [CANARY_OPTION]
    press(page, "Space", "ArrowDown", "Tab", "Space", "Tab", "ArrowUp", "Tab")
    assert (checked(page, "calls"), checked(page, "region")) == (["2"], ["north"])
    assert checked(page, "team") == ["Prefer not to say"]
    page.keyboard.type(CANARY_NUMBER)
    press(page, "Enter", "Tab", "Space")
    assert question(page, "level").locator(".number input").input_value() == ""
    press(page, "Tab", "Space")
    tab_to(page, "#look-over")
    press(page, "Enter")
    tab_to(page, "#protect")
    press(page, "Enter")
    expect(page.locator("#review-title")).to_be_focused()
    assert requests == []
    tab_to(page, "#send")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    (body,) = [request.post_data_buffer or b"" for request in requests if request.method == "POST"]
    report = Report.from_bytes(body)
    check_report(report, every_kind())
    assert report.to_bytes() == body


@pytest.mark.deep
def test_at_most_is_held_on_the_device(context: BrowserContext, site: LiveSite) -> None:
    """One choice too many is said at once and beside the question, and nothing is drawn."""
    page = open_form(context, site)
    fields = question(page, "troubles")
    assert described_by(page, fields) == "Choose at most 2."
    for option in ("noise", CANARY_OPTION, "quicksilver"):
        fields.get_by_label(option).check()
    assert described_by(page, fields) == f"Choose at most 2. {TOO_MANY}"
    expect(page.locator("#announcement")).to_have_text(TEXTS["script"]["gone"])
    page.get_by_role("button", name="Look over my answers").click()
    expect(page.locator("#problem")).to_have_text("Some answers are missing or not valid.")
    expect(fields.get_by_label("noise")).to_be_focused()
    expect(page.locator("#review")).to_be_hidden()
    fields.get_by_label("noise").uncheck()
    assert described_by(page, fields) == "Choose at most 2."
    protect(page)
    expect(page.locator("#review-title")).to_be_focused()


def test_none_and_no_answer_stand_alone(context: BrowserContext, site: LiveSite) -> None:
    """“None of these” and “Prefer not to say” take the others away, and these take them."""
    page = open_form(context, site)
    fields = question(page, "troubles")
    for chosen in (["noise", "quicksilver"], ["None of these"], ["Prefer not to say"], ["noise"]):
        for name in chosen:
            fields.get_by_label(name).check()
        assert checked(page, "troubles") == chosen


def test_numbers_are_checked_on_the_device(context: BrowserContext, site: LiveSite) -> None:
    """A number off the grid is refused in plain words once it is complete."""
    page = open_form(context, site)
    question(page, "works").get_by_label("Yes").check()
    number = question(page, "hours").get_by_label("Your answer")
    hint = "A number from 0 to 80, in steps of 0.5."
    assert described_by(page, number) == hint
    unfit = [(written, UNFIT) for written in ("80.5", "-1", "7.3", "2,000,000", "1e1", "seven")]
    unclear = [(written, UNCLEAR) for written in ("7.000", "2,000", "٢.٠٠٠")]
    for written, problem in unfit + unclear:
        number.fill(written)
        number.blur()
        assert described_by(page, number) == f"{hint} {problem}"
        assert number.get_attribute("aria-invalid") == "true"
        page.get_by_role("button", name="Look over my answers").click()
        expect(page.locator("#q-hours input")).to_be_focused()
    for written in ("7.5", " 80 ", "7,5", ".5", "٧٫٥", "８"):
        number.fill(written)
        number.blur()
        assert described_by(page, number) == hint
        assert number.get_attribute("aria-invalid") == "false"
    protect(page)
    expect(page.locator("#review-title")).to_be_focused()


def test_a_required_number_is_asked_for(context: BrowserContext, site: LiveSite) -> None:
    """A required question needs its answer if it is reached, and only then."""
    page = open_form(context, site)
    question(page, "works").get_by_label("Yes").check()
    page.get_by_role("button", name="Look over my answers").click()
    number = question(page, "hours").locator("input")
    expect(number).to_be_focused()
    assert described_by(page, number).endswith(TEXTS["question"]["missing_number"])
    question(page, "works").get_by_label("No", exact=True).check()
    protect(page)
    expect(page.locator("#review-title")).to_be_focused()
