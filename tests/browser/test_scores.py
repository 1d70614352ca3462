"""A battery in the form: the device computes one band, reports it, and explains it on request."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from axe_checks import violations
from deniable_sdk import Report, check_report, compile_survey
from deniable_web.pages.languages import catalog
from live_form import open_form, protect, question, record_requests, start, stored_in_browser
from live_site import LiveSite, live_site
from sample_definitions import definition, yes_no
from score_samples import score

LANGUAGES = ("en", "de", "es", "ar", "zh")
LEVELS = ("zebrafinch", "quicksilver", "marmalade", "tangerine")
ITEMS = [f"Trouble number {place}" for place in range(1, 10)]
SURVEY = compile_survey(
    definition(
        score(
            items=ITEMS,
            levels={level: points for points, level in enumerate(LEVELS)},
            cutoffs={"minimal": 0, "mild": 5, "marked": 20},
            feedback={
                "texts": {"marked": "Talk to somebody.", "minimal": "All is well."},
                "links": [{"text": "Find help", "url": "https://help.example/now"}],
            },
            at_least=7,
        ),
        yes_no("alone", show_if={"question": "mood", "is": ["marked"]}),
        slug="battery",
        ask="all",
    )
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with a battery of nine items."""
    with live_site(tmp_path_factory.mktemp("scores") / "site.sqlite", SURVEY) as running:
        yield running


def answer(page: Page, *points: int) -> None:
    """Choose the level of each item."""
    for place, index in enumerate(points, 1):
        question(page, f"mood_{place}").locator("input").nth(index).check(force=True)


def sent_body(requests: list[object]) -> bytes:
    """The one body that left the page."""
    (body,) = [each.post_data_buffer for each in requests if each.method == "POST"]  # type: ignore[attr-defined]
    return body or b""


@pytest.mark.sweep
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_battery_is_cards_on_a_phone_and_a_matrix_on_a_desk(
    browser: Browser, site: LiveSite, language: str, width: int
) -> None:
    """In five languages, from both sides; the score itself is never shown as a question."""
    with browser.new_context(locale=language, viewport={"width": width, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{site.url}/s/battery")
        page.locator("main[data-kept]").wait_for()
        start(page)
        stem = page.get_by_role("group", name="How often, in the past two weeks").first
        expect(stem).to_be_visible()
        texts = catalog("form", language)
        assert texts["question"]["kept_items"] in stem.inner_text()
        boxes = [question(page, f"mood_{place}").bounding_box() for place in (1, 2)]
        first, second = (box or {"height": 0.0} for box in boxes)
        assert (first["height"] < 100) is (width == 1280), (first, second)
        expect(question(page, "mood")).to_be_hidden()
        assert violations(page) == []


def test_the_band_alone_leaves_and_no_item_is_found_anywhere(
    context: BrowserContext, site: LiveSite
) -> None:
    """Not in a request, the browser's storage, the page, or the collector's store."""
    page = open_form(context, site, "battery")
    requests = record_requests(context)
    answer(page, 3, 3, 3, 2, 2, 2, 3, 3)
    expect(question(page, "alone")).to_be_visible()
    question(page, "alone").get_by_label("Yes").check()
    protect(page)
    expect(page.locator("#review-title")).to_be_visible()
    assert requests == []
    assert not any(level in page.locator("#review").inner_text() for level in LEVELS)
    page.get_by_role("button", name="Send this report").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    body = sent_body([*requests])
    report = Report.from_bytes(body)
    check_report(report, SURVEY)
    assert report.values.keys() == {"mood", "alone"}
    published = SURVEY.document.decode()
    for place in (body.decode(), stored_in_browser(page).replace(json.dumps(published), "")):
        assert "mood_" not in place
        assert not any(level in place for level in LEVELS)
    assert page.locator("#survey :checked").count() == 0


def test_too_few_items_are_no_answer(context: BrowserContext, site: LiveSite) -> None:
    """What depends on the score is not asked, and a report is made all the same."""
    page = open_form(context, site, "battery")
    answer(page, 3, 3, 3, 3, 3, 3)
    expect(question(page, "alone")).to_be_hidden()
    answer(page, 3, 3, 3, 3, 3, 3, 3)
    expect(question(page, "alone")).to_be_visible()
    answer(page, 0, 0, 0)
    expect(question(page, "alone")).to_be_hidden()
    protect(page)
    expect(page.locator("#review-title")).to_be_visible()


def test_links_are_there_without_a_band(context: BrowserContext, site: LiveSite) -> None:
    """Otherwise a visit to a link would say that enough items were answered."""
    page = open_form(context, site, "battery")
    protect(page)
    page.get_by_role("button", name="Send this report").click()
    page.locator("[data-score=mood] summary").click()
    expect(page.get_by_role("link", name="Find help")).to_be_visible()
    expect(page.get_by_text("All is well.")).to_be_hidden()


@pytest.mark.sweep
@pytest.mark.parametrize("button", ["send", "decline"])
def test_feedback_is_shown_on_request_from_the_page_alone(
    context: BrowserContext, site: LiveSite, button: str
) -> None:
    """After either decision: the band, its text, and links that are the same for all."""
    page = open_form(context, site, "battery")
    answer(page, *([3] * 9))
    question(page, "alone").get_by_label("No", exact=True).check()
    protect(page)
    feedback = page.locator("[data-score=mood]")
    expect(page.locator("#review-title")).to_be_visible()
    expect(feedback).to_be_hidden()
    page.locator(f"#{button}").click()
    expect(feedback).to_be_visible()
    expect(page.get_by_text("Talk to somebody.")).to_be_hidden()
    requests = record_requests(context)
    kept = stored_in_browser(page)
    feedback.locator("summary").click()
    expect(page.get_by_text("Talk to somebody.")).to_be_visible()
    expect(page.get_by_text("All is well.")).to_be_hidden()
    link = page.get_by_role("link", name="Find help")
    assert link.get_attribute("rel") == "noopener noreferrer"
    assert link.get_attribute("referrerpolicy") == "no-referrer"
    assert requests == []
    assert stored_in_browser(page) == kept
    page.reload()
    page.locator("main[data-kept]").wait_for()
    expect(page.locator("[data-score=mood]")).to_be_hidden()


def test_requests_are_the_same_for_every_band(browser: Browser, site: LiveSite) -> None:
    """Their number, addresses, headers and lengths."""

    def requests_of(points: int) -> list[object]:
        with browser.new_context(locale="en-GB") as context:
            page = open_form(context, site, "battery")
            requests = record_requests(context)
            answer(page, *([points] * 9))
            protect(page)
            page.get_by_role("button", name="Send this report").click()
            expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
            page.locator("[data-score=mood] summary").click()
            page.wait_for_load_state("networkidle")
            return [
                (each.method, each.url, sorted(each.headers), len(each.post_data or ""))
                for each in requests
            ]

    assert requests_of(0) == requests_of(3)
