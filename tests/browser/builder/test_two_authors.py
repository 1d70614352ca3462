"""Two authors who change one draft at random: no text is lost, and both end with one draft."""

import random
import re
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Page, expect

from browser.builder.authors import Open, begin, title_of

EDITS = 500
LONGEST_PAUSE_MS = 150
LAST_LOOKS = 120

# The texts that the page shows.
_SHOWN = """const shown = () => [
  document.getElementById("at-title").value,
  ...[...document.querySelectorAll("#questions .asked")].map((each) => each.textContent),
];
"""
# One act of an author, in one turn of the page, so that nothing arrives in the middle of it.
# It returns the texts that the page showed before and after it.
_ACT = """([kind, draw, text]) => {
  SHOWN
  const before = shown();
  const count = before.length - 1;
  const at = Math.floor(draw * count);
  const write = (id) => {
    const written = document.getElementById(id);
    written.value = text;
    written.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const open = (index) => {
    const id = `at-questions-${index}-text`;
    if (!document.getElementById(id)) document.getElementById(`at-questions-${index}`).click();
    return id;
  };
  if (kind === "title") write("at-title");
  if (kind === "write" && count) write(open(at));
  if (kind === "move") document.getElementById(`question-${at}-down`)?.click();
  if (kind === "delete" && count > 4) {
    document.querySelector(`[aria-label="Delete question ${at + 1}"]`).click();
  }
  if (kind === "add") {
    document.querySelector("#add-question [data-type=yes_no]").click();
    write(open(count));
  }
  return [before, shown()];
}""".replace("SHOWN", _SHOWN)
# Decides the oldest conflict; returns the texts before and after it, and the value not chosen.
_SETTLE = """(isMine) => {
  SHOWN
  const conflict = document.querySelector("#conflict-list li");
  if (!conflict) return null;
  const [mine, theirs] = [...conflict.querySelectorAll("dd")].map((each) => each.textContent);
  const before = shown();
  conflict.querySelectorAll("button")[isMine ? 0 : 1].click();
  return [before, shown(), isMine ? theirs : mine];
}""".replace("SHOWN", _SHOWN)


@dataclass
class Texts:
    """The texts that were written, and those that an author took away where they saw them."""

    written: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    conflicts: int = 0

    def act(self, page: Page, kind: str, source: random.Random) -> None:
        """Let an author do something, each time with a text that nobody else writes."""
        text = f"Text {len(self.written)}!"
        before, after = page.evaluate(_ACT, [kind, source.random(), text])
        self.removed |= set(before) - set(after)
        if text in after:
            self.written.add(text)

    def settle(self, page: Page, source: random.Random) -> None:
        """Decide what both had changed."""
        while found := page.evaluate(_SETTLE, source.random() < 0.5):
            before, after, rejected = found
            self.removed |= {*before, *re.findall(r"Text \d+!", rejected)} - set(after)
            self.conflicts += 1


def draft_of(page: Page) -> object:
    """The draft as the tab has it."""
    return page.evaluate("() => JSON.parse(sessionStorage.getItem('deniable-draft'))")


def are_one(*pages: Page) -> bool:
    """Whether all is saved and decided, and the tabs have the same draft."""
    words = [page.locator("#kept").inner_text() for page in pages]
    undecided = [page.locator("#conflict-list li").count() for page in pages]
    first, second = (draft_of(page) for page in pages)
    return all("Saved at" in each for each in words) and not any(undecided) and first == second


@pytest.mark.deep
def test_500_random_edits_of_two_authors_lose_nothing(
    open_as: Open, random_source: random.Random
) -> None:
    """Each text is there at the end, unless an author replaced, deleted or rejected it."""
    anna, path = begin(open_as)
    ben = open_as("ben", f"/{path}")
    expect(title_of(ben)).to_have_value("Stress at work")
    texts = Texts()
    kinds = random_source.choices(
        ["write", "title", "add", "move", "delete"], [50, 10, 20, 12, 8], k=EDITS
    )
    for kind in kinds:
        page = random_source.choice([anna, ben])
        texts.act(page, kind, random_source)
        page.wait_for_timeout(random_source.uniform(0, LONGEST_PAUSE_MS))
        if random_source.random() < 0.1:
            texts.settle(page, random_source)
    for _ in range(LAST_LOOKS):
        for page in (anna, ben):
            texts.settle(page, random_source)
        if are_one(anna, ben):
            break
        anna.wait_for_timeout(500)
    assert are_one(anna, ben)
    anna.reload()
    expect(title_of(anna)).not_to_have_value("")
    assert draft_of(anna) == draft_of(ben)
    kept = set(re.findall(r"Text \d+!", str(draft_of(ben))))
    assert texts.written - texts.removed - kept == set()
    assert texts.conflicts > 0
    assert len(kept) > 5
