"""What was done to a draft is said where everybody sees it, and can be undone."""

import re

from playwright.sync_api import BrowserContext, Page, expect

from deniable_web.pages.languages import catalog
from live_builder import open_builder, show_tab
from live_site import LiveSite

SCRIPT = catalog("builder", "en")["script"]
# A draft with one of everything that has a button to delete it.
DRAFT = """
title: {en: Stress, de: Stress}
slug: stress
epsilon: 1
logo: {data: "data:image/png;base64,iVBORw0KGgo=", text: {en: A, de: A}}
invited: {issuer: "https://issuer.example", groups: {a: {invited: 50}, b: {invited: 60}}}
questions:
  - {id: one, type: yes_no, text: {en: One, de: Eins}}
  - {id: two, type: yes_no, text: {en: Two, de: Zwei}}
  - id: three
    type: choice
    text: {en: Three, de: Drei}
    options: [a, b, c]
  - id: four
    type: score
    text: {en: Four, de: Vier}
    items: [{text: {en: x, de: x}}, {text: {en: y, de: y}}]
    levels: [{text: {en: never, de: nie}, points: 0}, {text: {en: often, de: oft}, points: 1}]
    cutoffs: [{text: {en: low, de: tief}, from: 0}, {text: {en: high, de: hoch}, from: 1}]
    feedback: {texts: {low: {en: l, de: l}, high: {en: h, de: h}},
      links: [{text: {en: l, de: l}, url: "https://a.example"}]}
crosstabs: [[one, two]]
"""
REMOVES = re.compile(r"^(Delete|Remove) (?!selected)")


def _open(context: BrowserContext, site: LiveSite) -> Page:
    page = open_builder(context, site)
    page.set_viewport_size({"width": 1280, "height": 800})
    return page


def test_every_deletion_is_seen_and_comes_back(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Whatever has a button to delete it: the words are in sight, and Undo restores the draft."""
    page = _open(context, building_site)
    said = page.locator("#announcement")
    name = {"name": "stress.yaml", "mimeType": "text/yaml", "buffer": DRAFT.encode()}
    page.locator("#import-file").set_input_files(name)  # type: ignore[arg-type]
    expect(said).to_have_text(SCRIPT["imported"].format(name="stress.yaml"))
    expect(said).to_be_in_viewport()
    seen = set()
    for question in (2, 3):
        card = page.locator(f"#at-questions-{question}")
        if card.get_attribute("aria-expanded") == "false":
            card.click()
        opened = """
          for (const fold of document.querySelectorAll("#sheet details")) fold.open = true;
          for (const panel of document.querySelectorAll("#sheet > *")) panel.hidden = false;
        """
        page.evaluate(opened)
        buttons = page.locator("#sheet").get_by_role("button", name=REMOVES)
        for place in range(buttons.count()):
            page.evaluate(opened)
            button = buttons.nth(place)
            words = button.get_attribute("aria-label") or button.inner_text()
            before = page.evaluate("sessionStorage['deniable-draft']")
            button.click()
            expect(said).to_contain_text("Undo brings", timeout=5_000)
            expect(said).to_be_in_viewport()
            assert page.evaluate("document.activeElement !== document.body"), words
            page.locator("#undo").click()
            expect(said).to_have_text(SCRIPT["undone"])
            assert page.evaluate("sessionStorage['deniable-draft']") == before, words
            seen.add(re.sub(r"\d+.*", "", words))
            if card.get_attribute("aria-expanded") == "false":
                card.click()
    assert len(seen) >= 7, seen


def test_a_deleted_question_leaves_one_where_it_was(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """The focus is on the question that took its place, in sight; Ctrl+Z brings the other back."""
    page = _open(context, building_site)
    asked = page.locator("#questions .asked")
    for place in range(3, 12):
        page.locator("#add-question [data-type=yes_no]").click()
        page.keyboard.type(f"Question {place + 1}?")
    words = asked.all_inner_texts()
    page.locator("[aria-label='Delete question 8']").click()
    following = page.locator("#at-questions-7")
    expect(following).to_be_focused()
    expect(following).to_be_in_viewport()
    expect(page.locator("#announcement")).to_be_in_viewport()
    assert page.evaluate("scrollY") > 0
    page.keyboard.press("Control+z")
    expect(page.locator("#announcement")).to_have_text(SCRIPT["undone"])
    assert asked.all_inner_texts() == words
    page.locator("[aria-label='Delete question 12']").click()
    expect(page.locator("#at-questions-10")).to_be_focused()
    page.locator("#toast-undo").click()
    expect(page.locator("#undo")).to_be_focused()
    assert asked.all_inner_texts() == words


def test_everything_is_undone_and_redone_in_order(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """What was written, chosen and moved, from inside a field too; a new change ends redoing."""
    page = _open(context, building_site)
    states = [_draft(page)]
    field, title = page.locator("#at-questions-0-text"), page.get_by_label("Title", exact=True)
    title.fill("Stress")
    states.append(_draft(page))
    field.press("End")
    page.keyboard.type(" Really?")
    states.append(_draft(page))
    page.locator("#question-0-down").click()
    states.append(_draft(page))
    show_tab(page, "settings")
    page.get_by_label("Each respondent gets").select_option("all")
    states.append(_draft(page))
    for state in states[-2::-1]:
        page.keyboard.press("Control+z")
        assert _draft(page) == state
    expect(page.locator("#announcement")).to_have_text(SCRIPT["undone"])
    for state in states[1:]:
        page.keyboard.press("Control+Shift+z")
        assert _draft(page) == state
    expect(page.locator("#redo")).to_have_attribute("aria-disabled", "true")
    show_tab(page, "questions")
    page.locator("#undo").click()
    expect(page.get_by_label("Each respondent gets")).to_be_visible()
    title.fill("Other")
    page.keyboard.press("Control+y")
    expect(title).to_have_value("Other")


def _draft(page: Page) -> str:
    return str(page.evaluate("sessionStorage['deniable-draft']"))
