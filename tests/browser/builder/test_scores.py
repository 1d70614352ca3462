"""Writing a battery: items pasted as lines, points and bands, tried in the preview."""

import json

import pytest
from playwright.sync_api import BrowserContext, expect

from axe_checks import violations
from deniable_sdk import compile_survey
from deniable_web.pages.languages import catalog
from live_builder import name_survey, open_builder, open_page, show_problems, show_tab
from live_form import protect, start
from live_site import LiveSite
from sample_definitions import definition
from score_samples import score

ITEMS = [f"Trouble number {place}" for place in range(1, 9)]


@pytest.mark.deep
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
    # A follow-up of the example is in one block with its router.
    assert len(survey.blocks) == place
    expect(page.locator("#margins")).to_contain_text("share at or above a cut-off")
    page.locator(f"{card}-cutoffs").fill("minimal = 0")
    expect(page.locator("#state")).not_to_have_text("Ready to publish")


def test_a_new_score_shows_an_example_in_the_language_of_the_page(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """The empty fields for answers and bands have words and points as placeholders."""
    page = open_builder(context, building_site, "de")
    page.locator("button[data-type=score]").click()
    levels, bands = (page.locator(f"#at-questions-3-{key}") for key in ("levels", "cutoffs"))
    texts = catalog("builder", "de")["script"]
    expected = [f"{texts[f'score_level_{points}']} = {points}" for points in range(4)]
    assert (levels.get_attribute("placeholder") or "").splitlines() == expected
    expect(bands).to_have_attribute(
        "placeholder", f"{texts['score_low']} = 0\n{texts['score_high']} = 3"
    )


def test_a_score_is_translated_line_by_line(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Items, answers and bands have lines in each language; what is missing is said once."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_page(context, building_site, "/build?new=yes&template=empty&lang=en")
    page.locator("button[data-type=score]").click()
    card = "#at-questions-0"
    page.locator(f"{card}-text").fill("How often?")
    page.locator(f"{card}-items").fill("Tired\nSlept well (R)\nSad")
    page.locator(f"{card}-levels").fill("never = 0\nalways = 2")
    page.locator(f"{card}-cutoffs").fill("low = 0\nhigh = 3")
    name_survey(page, "Mood")
    show_tab(page, "settings")
    page.get_by_label("Another language").select_option("de")
    page.get_by_role("button", name="Add language").click()
    problems = page.locator("#problem-list a")
    expect(problems).to_have_text(
        [
            "Question 1 · Question · German",
            "Question 1 · Answers and their points · German",
            "Question 1 · Items, one on each line · German",
            "Question 1 · Bands and where they begin · German",
            "Title · German",
        ]
    )
    assert violations(page) == []
    show_problems(page)
    for key, name, lines in (
        ("items", "Items", "Müde\n\nGut geschlafen (R)\n\nTraurig"),
        ("levels", "Answers", "nie\nimmer"),
        ("cutoffs", "Bands", "gering\nhoch"),
    ):
        problems.filter(has_text=name).click()
        expect(page.locator(f"{card}-{key}-de")).to_be_focused()
        page.evaluate("(text) => navigator.clipboard.writeText(text)", lines)
        page.keyboard.press("Control+v")
    page.locator(f"{card}-text-de").fill("Wie oft?")
    page.locator("#at-title-de").fill("Stimmung")
    expect(page.locator("#state")).to_have_text("Ready to publish")
    expect(page.locator("#margins")).to_contain_text("±")
    page.locator(f"{card}-items-en").fill("Tired\nNervous\nSlept well (R)\nSad")
    expect(page.locator(f"{card}-items-de")).to_have_value("Müde\n\nGut geschlafen (R)\nTraurig")
    expect(problems).to_have_text(["Question 1 · Items, one on each line · German"])
    page.locator(f"{card}-items-en").fill("Tired\nSlept well (R)\nSad")
    expect(page.locator("#state")).to_have_text("Ready to publish")
    (score,) = json.loads(page.evaluate("sessionStorage['deniable-draft']"))["questions"]
    assert score["items"] == [
        {"text": {"en": "Tired", "de": "Müde"}},
        {"text": {"en": "Slept well", "de": "Gut geschlafen"}, "reversed": True},
        {"text": {"en": "Sad", "de": "Traurig"}},
    ]
    assert score["levels"][1] == {
        "id": "always",
        "points": 2,
        "text": {"en": "always", "de": "immer"},
    }
    assert score["cutoffs"] == {"low": 0, "high": 3}
    assert score["labels"]["high"] == {"en": "high", "de": "hoch"}
    show_tab(page, "settings")
    page.get_by_role("button", name="Remove German").click()
    expect(page.locator(f"{card}-levels")).to_have_value("never = 0\nalways = 2")
    expect(page.locator("#state")).to_have_text("Ready to publish")


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


@pytest.mark.deep
def test_feedback_is_written_in_the_card(context: BrowserContext, building_site: LiveSite) -> None:
    """A text for each band, which follows the band's name, and links whose problems are there."""
    page = open_builder(context, building_site)
    page.locator("button[data-type=score]").click()
    place = page.locator("#questions > li").count() - 1
    card = f"#at-questions-{place}"
    page.locator(f"{card}-text").fill("How often did these bother you?")
    page.locator(f"{card}-items").fill("Tired\nSad")
    page.locator(f"{card}-levels").fill("never = 0\nalways = 2")
    page.locator(f"{card}-cutoffs").fill("低 = 0\n高 = 3")
    page.locator("summary", has_text="Feedback for respondents").click()
    page.get_by_label("Text for “低”").fill("All is well.")
    page.get_by_label("Text for “高”").fill("Talk to somebody.")
    page.locator(f"{card}-cutoffs").fill("低 = 0\nmarked = 3")
    expect(page.get_by_label("Text for “marked”")).to_have_value("Talk to somebody.")
    page.get_by_role("button", name="Add a link").click()
    page.get_by_role("group", name="Link 1").get_by_label("Text of the link").fill("Find help")
    address = page.get_by_role("group", name="Link 1").get_by_label("Address")
    address.fill("http://help.example")
    address.blur()
    expect(address).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#problem-list")).to_contain_text("Link 1: A web address that starts with")
    expect(page.locator("#margins")).to_contain_text("share at or above a cut-off")
    assert violations(page) == []
    address.fill("https://help.example/now")
    name_survey(page, "Battery")
    written = json.loads(page.evaluate("sessionStorage['deniable-draft']"))
    assert written["questions"][place]["feedback"] == {
        "texts": {"低": "All is well.", "marked": "Talk to somebody."},
        "links": [{"text": "Find help", "url": "https://help.example/now"}],
    }
    compile_survey(written)


@pytest.mark.deep
@pytest.mark.parametrize("button", ["send", "decline"])
def test_a_preview_ends_with_the_feedback(
    context: BrowserContext, building_site: LiveSite, button: str
) -> None:
    """After either decision in the preview, as for respondents."""
    page = open_builder(context, building_site)
    draft = definition(
        score(
            items=["Tired", "Sad"],
            cutoffs={"low": 0, "high": 5},
            feedback={
                "texts": {"high": "Talk to somebody.", "low": "All is well."},
                "links": [{"text": "Find help", "url": "https://help.example/now"}],
            },
        )
    )
    page.evaluate("(draft) => { sessionStorage['deniable-draft'] = draft; }", json.dumps(draft))
    page.reload()
    expect(page.locator("#state")).to_have_text("Ready to publish")
    page.get_by_role("button", name="Preview").click()
    frame = page.frame_locator("#preview-frame")
    start(frame)
    for item in ("mood_1", "mood_2"):
        frame.locator(f"#q-{item} input").nth(3).check(force=True)
    protect(frame)
    frame.locator(f"#{button}").click()
    feedback = frame.locator("[data-score=mood]")
    feedback.locator("summary").click()
    expect(feedback.get_by_text("Talk to somebody.")).to_be_visible()
    expect(feedback.get_by_text("All is well.")).to_be_hidden()
    expect(feedback.get_by_role("link", name="Find help")).to_be_visible()
