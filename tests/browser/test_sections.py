"""Sections and help texts in the form and in the builder."""

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from axe_checks import violations
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of
from deniable_sdk import compile_survey
from live_builder import name_survey, open_builder, show_more
from live_form import described_by, open_form, question
from live_server import OWNER_TOKEN
from live_site import live_site

WORK = {"en": "Work", "de": "Arbeit"}


def _text(text: str) -> dict[str, str]:
    return {"en": text, "de": text}


DEFINITION = {
    "title": _text("Sections"),
    "slug": "sections",
    "epsilon": 4,
    "ask": "all",
    "questions": [
        {
            "id": "works", "type": "yes_no", "text": _text("Do you work?"),
            "help": _text("For pay."),
        },
        {
            "id": "hours", "type": "number", "min": 0, "max": 80, "text": _text("How long?"),
            "help": _text("In a usual week."), "show_if": {"question": "works", "is": "yes"},
            "section": {"title": WORK, "note": _text("Only paid work.")},
        },
        {"id": "calm", "type": "scale", "levels": 4, "text": _text("Calm?"), "new_page": True},
        {"id": "home", "type": "yes_no", "text": _text("At home?"),
         "section": {"title": _text("Home")}},
    ],
}  # fmt: skip


def test_a_section_is_shown_with_its_questions(context: BrowserContext, tmp_path: Path) -> None:
    """Its heading appears with its first question, on each page, in the chosen language."""
    with closing(open_store(tmp_path / "site.sqlite")) as opened:
        opened.publish(compile_survey(DEFINITION))
    with live_site(tmp_path / "site.sqlite") as site:
        page = open_form(context, site, "sections")
        headings = page.locator("#survey h2[id^=section-]:visible")
        expect(headings).to_have_count(0)
        assert described_by(page, question(page, "works")) == "For pay."
        question(page, "works").get_by_label("Yes").check()
        expect(headings).to_have_text(["Work"])
        section = page.get_by_role("group", name="Work", exact=True)
        expect(section).to_contain_text("Only paid work.")
        assert described_by(page, question(page, "hours")).startswith("In a usual week.")
        assert violations(page) == []
        page.locator(".picker select").select_option("de")
        expect(headings).to_have_text(["Arbeit"])
        question(page, "works").get_by_label("Nein").check()
        expect(headings).to_have_count(0)
        page.locator("#next").click()
        expect(headings).to_have_text(["Arbeit", "Home"])
        assert violations(page) == []


@pytest.mark.deep
def test_a_section_is_written_in_the_builder(context: BrowserContext, tmp_path: Path) -> None:
    """It is named above its first question, survives a move of it, and is in the preview."""
    store = tmp_path / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.add_token(AccessToken("owner", Role.OWNER), digest_of(OWNER_TOKEN))
    with live_site(store) as site:
        page = open_builder(context, site)
        show_more(page)
        page.get_by_label("Help text").fill("At any place of work.")
        page.get_by_text("Start a new section here").click()
        page.get_by_label("Note below the heading").fill("Nobody else sees this.")
        expect(page.locator("#problem-list")).to_contain_text("Heading of the section")
        page.get_by_label("Heading of the section").fill("What happened")
        name_survey(page, "With sections")
        page.locator("#question-0-grip").press("ArrowDown")
        names = page.locator("#questions .section-name")
        expect(names.nth(0)).to_have_text("Section: What happened")
        expect(names.nth(1)).to_be_hidden()
        expect(page.locator("#state")).to_have_text("To do before publishing: 1")
        page.locator("#question-1-grip").press("ArrowUp")
        expect(page.locator("#state")).to_have_text("Ready to publish")
        assert violations(page) == []
        page.locator("#show-preview").click()
        frame = page.frame_locator("#preview-frame")
        # Whether it is visible depends on the questions that this preview draws.
        expect(frame.locator("#survey h2[id^=section-]")).to_have_text("What happened")
