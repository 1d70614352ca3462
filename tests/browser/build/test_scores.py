"""Writing a battery: items pasted as lines, points and bands, tried in the preview."""

import json

from playwright.sync_api import BrowserContext, expect

from axe_checks import violations
from deniable_sdk import compile_survey
from live_builder import name_survey, open_builder
from live_site import LiveSite

ITEMS = [f"Trouble number {place}" for place in range(1, 9)]


def test_a_battery_is_pasted_forecast_and_previewed(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """As one question with one margin; its problems lead to its fields."""
    page = open_builder(context, building_site)
    page.locator("button[data-type=score]").click()
    place = page.locator("#questions > li").count() - 1
    card = f"#at-questions-{place}"
    page.locator(f"{card}-text").fill("How often did these bother you?")
    page.locator(f"{card}-items").fill("\n".join([*ITEMS, "Slept well (R)"]))
    page.locator(f"{card}-levels").fill("never = 0\nsometimes = 1\nalways = 2")
    page.locator(f"{card}-cutoffs").fill("minimal = 0\nmarked = 7,5")
    page.locator(f"{card}-at_least").fill("8")
    name_survey(page, "Battery")
    assert violations(page) == []
    written = json.loads(page.evaluate("sessionStorage['deniable-draft']"))
    score = written["questions"][place]
    assert score["items"] == [*ITEMS, {"text": "Slept well", "reversed": True}]
    assert score["cutoffs"] == {"minimal": 0, "marked": 7.5}
    survey = compile_survey(written)
    assert len(survey.questions) == place + 1 + 9
    assert len(survey.blocks) == place + 1
    expect(page.locator("#margins")).to_contain_text("share above a cut-off")
    page.locator(f"{card}-cutoffs").fill("minimal = 0")
    expect(page.locator("#state")).not_to_have_text("Ready to publish")


def test_what_lines_cannot_say_is_kept(context: BrowserContext, building_site: LiveSite) -> None:
    """A part that was written in a file is named and left alone."""
    page = open_builder(context, building_site)
    page.locator("button[data-type=score]").click()
    place = page.locator("#questions > li").count() - 1
    draft = json.loads(page.evaluate("sessionStorage['deniable-draft']"))
    draft["questions"][place]["items"] = [{"question": "stress", "weight": 2}, "Tired"]
    page.evaluate("(draft) => { sessionStorage['deniable-draft'] = draft; }", json.dumps(draft))
    page.reload()
    page.locator(f"#at-questions-{place}").click()
    expect(page.locator(f"#at-questions-{place}-items")).to_contain_text("kept as it is")
    page.locator(f"#at-questions-{place}-cutoffs").fill("a = 0\nb = 1")
    stored = json.loads(page.evaluate("sessionStorage['deniable-draft']"))
    assert stored["questions"][place]["items"] == draft["questions"][place]["items"]
