"""Questions are inserted anywhere, and moved by pointer, by keyboard and several at once."""

import json

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from axe_checks import violations
from live_builder import open_builder, show_more, tab_to
from live_site import LiveSite

# Each letter typed into a title or a question may change so many nodes of the page, and no more
# however many questions there are: the card's words, the state of the draft, an announcement.
MOST_CHANGED_NODES = 20
# To open a card renders two: the one that closes, and its own.
MOST_RENDERED_CARDS = 2


def _letters(page: Page) -> str:
    """The questions of `_with_letters` in their order."""
    return "".join(page.locator("#questions .asked").all_text_contents())


def _with_questions(page: Page, texts: list[str]) -> None:
    """Replace the draft with one of yes/no questions."""
    questions = [
        {"id": f"q_{place}", "type": "yes_no", "text": text} for place, text in enumerate(texts)
    ]
    draft = {"title": "Letters", "slug": "letters", "epsilon": 1, "questions": questions}
    page.evaluate("(draft) => { sessionStorage['deniable-draft'] = draft }", json.dumps(draft))
    page.goto(f"{page.url.split('?')[0]}?lang=en")
    expect(page.locator("#margins tr")).to_have_count(len(texts))


def _grip(page: Page, place: int) -> Locator:
    return page.locator(f"#question-{place}-grip")


def _drag(page: Page, place: int, over: int) -> None:
    """Drag a question's grip to just above the middle of another card, and hold it there."""
    card = page.locator("#questions > li").nth(over).bounding_box()
    grip = _grip(page, place).bounding_box()
    assert card is not None
    assert grip is not None
    page.mouse.move(grip["x"] + 5, grip["y"] + 5)
    page.mouse.down()
    page.mouse.move(grip["x"] + 5, card["y"] + 40, steps=4)
    page.mouse.move(grip["x"] + 5, card["y"] + 5, steps=4)


@pytest.fixture
def letters(context: BrowserContext, building_site: LiveSite) -> Page:
    """The builder with the questions A to F, all of them closed."""
    page = open_builder(context, building_site)
    page.set_viewport_size({"width": 1280, "height": 2000})
    _with_questions(page, list("ABCDEF"))
    page.locator("#at-questions-0").click()
    return page


def test_a_question_is_inserted_anywhere(letters: Page) -> None:
    """Before the first, between two, or nowhere after all; the keyboard is enough."""
    page = letters
    page.locator("#question-1-add").press("Enter")
    expect(page.get_by_role("group", name="Insert as question 3")).to_be_visible()
    expect(page.locator("#add-question [data-type=yes_no]")).to_be_focused()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#question-1-add")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.keyboard.type("new")
    assert _letters(page) == "ABnewCDEF"
    expect(page.get_by_role("group", name="Add a question")).to_be_visible()
    page.get_by_role("button", name="Insert before question 1").press("Enter")
    page.locator("#add-question [data-type=number]").press("Enter")
    page.keyboard.type("first")
    assert _letters(page) == "firstABnewCDEF"
    page.locator("#add-question [data-type=choice]").click()
    page.keyboard.type("last")
    assert _letters(page) == "firstABnewCDEFlast"


@pytest.mark.deep
def test_a_question_is_dragged(letters: Page) -> None:
    """It goes where it is dropped and can be brought back; Escape drops it nowhere."""
    page = letters
    _drag(page, 4, 1)
    expect(page.locator(".drop-before")).to_have_count(1)
    page.mouse.up()
    assert _letters(page) == "AEBCDF"
    expect(_grip(page, 1)).to_be_focused()
    expect(page.locator(".drop-before, .dragged, .selected")).to_have_count(0)
    page.locator("#undo").click()
    assert _letters(page) == "ABCDEF"
    _drag(page, 0, 3)
    page.mouse.up()
    assert _letters(page) == "BCADEF"
    _drag(page, 5, 0)
    page.keyboard.press("Escape")
    page.mouse.up()
    assert _letters(page) == "BCADEF"


@pytest.mark.deep
def test_the_arrow_keys_move_a_question(letters: Page) -> None:
    """One place up or down, or to either end; the focus moves with it."""
    page = letters
    tab_to(page, "#question-2-grip")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert _letters(page) == "CABDEF"
    expect(_grip(page, 0)).to_be_focused()
    page.keyboard.press("End")
    assert _letters(page) == "ABDEFC"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert _letters(page) == "ABDECF"
    page.keyboard.press("Home")
    assert _letters(page) == "CABDEF"
    expect(page.locator("#announcement")).to_have_text("Moved to position 1.")


@pytest.mark.deep
def test_selected_questions_move_together(letters: Page) -> None:
    """By keyboard, pointer or to a chosen place; they keep their order and stay selected."""
    page = letters
    for place in (4, 1):
        _grip(page, place).press("Enter")
    expect(page.locator("#selection-count")).to_have_text("Selected: 2")
    expect(_grip(page, 1)).to_have_attribute("aria-pressed", "true")
    assert violations(page) == []
    page.get_by_label("Move to").select_option("after question 6: F")
    page.get_by_role("button", name="Move", exact=True).click()
    assert _letters(page) == "ACDFBE"
    expect(page.locator(".selected .asked")).to_have_text(["B", "E"])
    _grip(page, 5).press("ArrowUp")
    assert _letters(page) == "ACDBEF"
    expect(_grip(page, 4)).to_be_focused()
    _drag(page, 3, 0)
    page.mouse.up()
    assert _letters(page) == "BEACDF"
    page.get_by_role("button", name="Delete", exact=True).click()
    assert _letters(page) == "ACDF"
    expect(page.locator("#selection")).to_be_hidden()
    expect(page.locator("#at-questions-0")).to_be_focused()
    page.keyboard.press("Control+z")
    assert _letters(page) == "BEACDF"
    _grip(page, 2).press("Enter")
    page.get_by_role("button", name="Clear selection").click()
    expect(_grip(page, 2)).to_be_focused()
    expect(page.locator(".selected")).to_have_count(0)


@pytest.mark.deep
def test_a_question_before_the_one_it_depends_on_is_a_problem(letters: Page) -> None:
    """The page says so in its own words, and no longer once the order is right."""
    page = letters
    page.locator("#at-questions-3").click()
    show_more(page)
    page.get_by_label("Show this question").select_option("0")
    _grip(page, 3).press("Home")
    expect(page.locator("#problem-list")).to_have_text(
        "Question 1: must come after the question that it depends on"
    )
    _grip(page, 0).press("ArrowDown")
    expect(page.locator("#state")).to_have_text("Ready to publish")


@pytest.mark.deep
def test_writing_stays_fluent_with_two_hundred_questions(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """What a letter, an opened card and a move change in the page does not grow with it."""
    page = open_builder(context, building_site)
    _with_questions(page, [f"Question {place}" for place in range(200)])
    page.evaluate(
        """() => {
          globalThis.changes = [];
          new MutationObserver((records) => {
            for (const { addedNodes } of records) changes.push(...addedNodes);
          }).observe(document.querySelector("#sheet"), { childList: true, subtree: true });
        }"""
    )

    def count(selector: str = "*") -> int:
        """The nodes that were added to the page since the last count."""
        found: int = page.evaluate(
            """(selector) => changes.splice(0).filter(
              (node) => selector === "*" || (node.matches && node.matches(selector))).length""",
            selector,
        )
        return found

    page.locator("#at-questions-0-text").press("x")
    assert 0 < count() <= MOST_CHANGED_NODES
    page.locator("#at-title").press("x")
    assert count() <= MOST_CHANGED_NODES
    page.locator("#at-questions-100").press("Enter")
    assert 0 < count(".question") <= MOST_RENDERED_CARDS
    _grip(page, 100).press("ArrowUp")
    assert 0 < count(".question") <= MOST_RENDERED_CARDS
    expect(page.locator("#questions .asked").nth(99)).to_have_text("Question 100")
    page.locator("#undo").click()
    assert 0 < count(".question") <= MOST_RENDERED_CARDS
    expect(page.locator("#questions .asked").nth(100)).to_have_text("Question 100")
