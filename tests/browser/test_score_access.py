"""A battery by keyboard and screen reader: in a matrix and as cards."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from axe_checks import violations
from deniable_sdk import compile_survey
from live_form import question, record_requests, start, tab_to
from live_site import LiveSite, live_site
from sample_definitions import definition, number, yes_no
from score_samples import score

STEM = "How often, in the past two weeks, did these bother you?"
ITEMS = [f"Trouble number {place}" for place in range(1, 10)]
LEVELS = ("never", "some days", "most days", "every day")
KEPT = "stays? on your device. Only the result computed from"
SURVEY = compile_survey(
    definition(
        score(
            items=ITEMS,
            levels=[
                {"id": str(points), "text": level, "points": points}
                for points, level in enumerate(LEVELS)
            ],
            cutoffs={"minimal": 0, "marked": 20},
            feedback={"texts": {"marked": "Talk to somebody.", "minimal": "All is well."}},
        ),
        slug="battery",
    )
)
MIXED = compile_survey(
    definition(
        number("weight", min=30, max=250, reported=False),
        number("height", min=100, max=220, reported=False),
        yes_no("alone"),
        {
            "id": "bmi",
            "type": "score",
            "text": "Body mass index",
            "combine": "quotient",
            "items": [{"question": "weight", "weight": 10000}, *[{"question": "height"}] * 2],
            "cutoffs": {"under 25": 0, "25 and over": 25},
        },
        slug="mixed",
        ask="all",
    )
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with a battery whose answers are numbered, and a score of two numbers."""
    with live_site(tmp_path_factory.mktemp("access") / "site.sqlite", SURVEY, MIXED) as running:
        yield running


@pytest.fixture(params=[390, 1280])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A window of a phone, with cards, and of a desk, with a matrix."""
    size = ViewportSize(width=request.param, height=844)
    with browser.new_context(locale="en-GB", viewport=size) as context:
        yield context.new_page()


def opened(page: Page, site: LiveSite, slug: str) -> Page:
    """The form, not begun yet."""
    page.goto(f"{site.url}/s/{slug}")
    page.locator("main[data-kept]").wait_for()
    expect(page.locator("#start:enabled")).to_be_visible()
    return page


@pytest.mark.deep
def test_a_battery_is_filled_in_by_keyboard_alone(page: Page, site: LiveSite) -> None:
    """From Start to the feedback, without a pointer; the focus is always visible."""
    opened(page, site, "battery")
    requests = record_requests(page.context)
    tab_to(page, "#start")
    page.keyboard.press("Enter")
    for place in range(1, 10):
        tab_to(page, f"#q-mood_{place} input")
        page.keyboard.press("Space")
        for _ in range(3):
            page.keyboard.press("ArrowDown")
        chosen = question(page, f"mood_{place}").locator("input:checked")
        expect(chosen).to_be_focused()
        expect(chosen).to_have_value("3")
        assert page.evaluate(FOCUS_IS_VISIBLE)
    for button in ("Look over my answers", "Protect my answers", "Send this report"):
        name = page.get_by_role("button", name=button)
        expect(name).to_be_visible()
        tab_to(page, f"#{name.get_attribute('id')}")
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert [each.method for each in requests].count("POST") == 1
    tab_to(page, "[data-score=mood] summary")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Talk to somebody.")).to_be_visible()


@pytest.mark.deep
def test_a_screen_reader_names_the_stem_the_item_and_every_answer(
    page: Page, site: LiveSite
) -> None:
    """An answer is called by its words in the matrix too, where only its column shows them."""
    start(opened(page, site, "battery"))
    box = question(page, "mood_1").bounding_box() or {"height": 0.0}
    is_wide = page.evaluate("innerWidth") == 1280
    assert (box["height"] < 100) is is_wide
    battery = page.get_by_role("group", name=STEM, exact=True)
    expect(battery).to_have_accessible_description(re.compile(KEPT))
    for item in ITEMS:
        row = battery.get_by_role("group", name=item, exact=True)
        assert radio_names(row) == [*LEVELS, "Prefer not to say"]
        assert len({each.get_attribute("name") for each in row.get_by_role("radio").all()}) == 1
    assert battery.get_by_role("radio").count() == 5 * len(ITEMS)
    assert violations(page) == []


def test_each_answer_that_stays_on_the_device_says_so(page: Page, site: LiveSite) -> None:
    """Also of an item that is not beside the others; a reported question does not say it."""
    start(opened(page, site, "mixed"))
    for place in ("weight", "height"):
        above = question(page, place).locator("xpath=..")
        expect(above).to_have_class("battery")
        expect(above.locator("> .hint")).to_have_text(re.compile(KEPT))
    assert page.locator("#survey").get_by_text(re.compile(KEPT)).count() == 2
    assert "on your device" not in question(page, "alone").inner_text()
    assert violations(page) == []


def radio_names(row: Locator) -> list[str]:
    """What a screen reader calls the answers of a row."""
    found = re.findall(r'- radio "([^"]*)"', row.aria_snapshot())
    assert len(found) == row.get_by_role("radio").count()
    return found


# An outline or a shadow marks the answer that has the focus, or the label around it.
FOCUS_IS_VISIBLE = """() => {
  const marks = (part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(part);
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  };
  return marks(document.activeElement) || marks(document.activeElement.closest("label"));
}"""
