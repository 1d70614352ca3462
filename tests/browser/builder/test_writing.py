"""Writing a survey: what it will give is said beside it, and problems where they are."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from deniable_web.definition.file import parse_definition
from deniable_web.pages.languages import CODES, catalog
from live_builder import (
    epsilon_field,
    name_survey,
    open_builder,
    open_example,
    show_more,
    show_tab,
    tab_to,
    take_example,
)
from live_site import LiveSite
from sampled_params import sampled_params
from there import there

MOST_ABOVE_QUESTIONS = 300  # pixels


def test_margins_follow_what_is_written(context: BrowserContext, building_site: LiveSite) -> None:
    """More respondents and a larger epsilon make the margins smaller, and words follow too."""
    page = open_builder(context, building_site)
    first = page.locator("#margins td").first
    expect(first).to_have_text("±17.2 points")
    page.get_by_label("Respondents", exact=True).fill("4000")
    expect(first).to_have_text("±8.59 points")
    expect(page.locator("#margins-for")).to_have_text("Margin with 4,000")
    together = "all 4,000 reports of the closed survey together"
    expect(page.locator("#closed-file")).to_contain_text(together)
    epsilon_field(page).fill("6")
    expect(page.locator("#epsilon-words")).to_contain_text("Hardly any protection (epsilon 6)")
    expect(page.locator("#warnings")).to_contain_text("This protects little")


def test_protection_has_three_stops_and_each_question_a_bar(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """A stop says what it gives, choosing it gives that, and bars say how precise each is."""
    page = open_builder(context, building_site)
    stops, worst = page.locator("#stops input"), page.locator("#worst")
    expect(stops.first).to_be_checked()
    expect(page.locator("#stop-1")).to_have_text("±18 points with 1,000")
    expect(worst).to_have_text("±18 points with 1,000, no end yet")
    expect(page.locator("#margins .unknown")).to_have_count(3)
    promised = page.locator("#stop-4").inner_text()
    stops.nth(2).check()
    expect(worst).to_have_text(f"{promised}, no end yet")
    expect(page.locator("#margins .precise")).to_have_count(2)
    expect(page.locator("#margins .rough .what")).to_have_text(re.compile("^Rough · "))
    lengths = page.locator("#margins tr").evaluate_all(
        "(rows) => rows.map((row) => Number(row.style.getPropertyValue('--part')))"
    )
    assert [length == 1 for length in lengths] == [True, True, False]
    epsilon_field(page).fill("3")
    expect(page.locator("#stops input:checked")).to_have_count(0)
    page.locator("#undo").click()
    expect(stops.nth(2)).to_be_checked()


def test_what_each_respondent_is_asked_is_said_with_the_questions(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Above the questions and before publishing; the words follow the setting."""
    page = open_builder(context, building_site)
    asked = page.locator("#asking-words")
    expect(asked).to_contain_text("only 1 of the 2 parts")
    assert page.locator(".asking:has(#asking-words) ~ #questions").count() == 1
    name_survey(page, "Asked")
    page.get_by_role("button", name="Publish…").click()
    expect(page.locator("#publish-asking")).to_contain_text("only 1 of the 2 parts")
    page.get_by_role("button", name="Cancel").click()
    show_tab(page, "settings")
    page.get_by_label("Each respondent gets").select_option("all")
    expect(asked).to_have_text("Each respondent gets all 3 parts of this survey.")
    show_tab(page, "questions")
    page.locator("#at-questions-0-text").fill("")
    expect(page.locator("#state")).to_have_text("To do before publishing: 1")
    expect(asked).to_have_text("Each respondent gets all 3 parts of this survey.")


def test_the_design_is_said_and_one_click_requires_answers(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """The sentence on empty answers has a button; then it is gone, and undo brings it back."""
    page = open_builder(context, building_site)
    words, button = page.locator("#design-words"), page.locator("#require-answers")
    expect(words).to_contain_text("Each respondent sees at most 2 of your 3 questions")
    expect(words).to_contain_text("enough for ±5 points")
    needed = page.locator("#margins td:last-child").first.text_content()
    expect(words).to_contain_text("Because closed questions may be left empty")
    button.click()
    expect(page.locator("#design-title")).to_be_focused()
    expect(button).to_have_count(0)
    expect(words).not_to_contain_text("may be left empty")
    expect(page.locator("#margins td:last-child").first).not_to_have_text(needed or "")
    page.locator("#undo").click()
    expect(button).to_be_visible()


def test_a_number_that_can_mean_two_is_asked_for_again(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Beside the forecast and among the problems; a decimal comma is read as one."""
    page = open_builder(context, building_site)
    respondents, margin = page.locator("#respondents"), page.locator("#margin")
    for field in (respondents, margin):
        before = field.input_value()
        field.fill("2.000")
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(page.locator(f"#{field.get_attribute('id')}-problem")).to_be_visible()
        field.fill(before)
        expect(field).to_have_attribute("aria-invalid", "false")
    with page.expect_request("**/manage/definitions/check") as asked:
        margin.fill("2,5")
    assert there(asked.value.post_data_json)["margin"] == pytest.approx(0.025)
    epsilon = epsilon_field(page)
    epsilon.fill("1.500")
    epsilon.blur()
    problem = catalog("builder", "en")["script"]["number_unclear"]
    expect(page.locator("#problem-list")).to_contain_text(problem)
    epsilon.fill("1,5")
    expect(page.locator("#problem-list")).not_to_contain_text(problem)


@pytest.mark.sweep
@pytest.mark.parametrize("language", sampled_params(CODES))
@pytest.mark.parametrize(
    ("respondents", "name"), [("1500", "remedy_epsilon"), ("90", "remedy_respondents")]
)
def test_what_ends_a_warning_is_said_in_every_language(
    context: BrowserContext, building_site: LiveSite, language: str, respondents: str, name: str
) -> None:
    """How many respondents, or which epsilon, with numbers as the language writes them."""
    page = open_example(context, building_site, language)
    with page.expect_response("**/manage/definitions/check") as answered:
        page.locator("#respondents").fill(respondents)
    warnings = answered.value.json()["forecast"]["warnings"]
    warning = next(found for found in warnings if found["numbers"].get("respondents"))
    numbers = {
        key: page.evaluate(
            "([language, value]) => new Intl.NumberFormat(language).format(value)",
            [language, value],
        )
        for key, value in warning["numbers"].items()
    }
    said = catalog("builder", language)["script"][name].format(**numbers)
    expect(page.locator("#warnings")).to_contain_text(numbers["respondents"])
    shown = page.locator("#warnings").inner_text()
    assert said in shown.replace("\u2068", "").replace("\u2069", "")
    assert language == "en" or "respondents" not in shown


@pytest.mark.deep
def test_more_than_a_device_gives_away_in_a_year_is_a_problem(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Above 8 the builder says in words what to do, and leads to the field."""
    page = open_builder(context, building_site)
    name_survey(page, "Too much")
    expect(page.locator("#state")).to_have_text("Ready to publish")
    epsilon_field(page).fill("8.5")
    expect(page.locator("#problem-list")).to_contain_text("nobody could answer this one")
    page.get_by_role("button", name="Publish…").click()
    expect(page.locator("#problems-title")).to_be_focused()
    page.locator("#problem-list a").click()
    expect(page.locator("#at-epsilon")).to_be_focused()
    page.locator("#at-epsilon").fill("8")
    expect(page.locator("#state")).to_have_text("Ready to publish")


@pytest.mark.deep
def test_an_answer_that_was_overtaken_is_dropped(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """An answer to an earlier draft that comes late does not take the place of the newer one."""
    page = open_builder(context, building_site)
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/manage/definitions/check", hold_the_first)
    page.get_by_label("Respondents", exact=True).fill("100")
    page.wait_for_timeout(700)
    page.get_by_label("Respondents", exact=True).fill("4000")
    expect(page.locator("#margins td").first).to_have_text("±8.59 points")
    page.wait_for_timeout(300)
    expect(page.locator("#margins td").first).to_have_text("±8.59 points")
    assert len(held) == 1
    held[0].abort()


def test_a_busy_server_is_asked_again(context: BrowserContext, building_site: LiveSite) -> None:
    """The margins come without another change of the draft."""
    page = open_builder(context, building_site)
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route.request.url)
        problem = {"type": "urn:deniable:problem:too-busy", "status": 503, "detail": "Later."}
        route.fulfill(status=503, content_type="application/problem+json", json=problem)

    page.route("**/manage/definitions/check", refuse_once)
    page.get_by_label("Respondents", exact=True).fill("4000")
    expect(page.locator("#margins td").first).to_have_text("±8.59 points")
    assert len(refused) == 1


def test_a_problem_is_named_at_its_field(context: BrowserContext, building_site: LiveSite) -> None:
    """Nobody is told of what they have not written yet; whoever wants to publish is led there."""
    page = open_builder(context, building_site)
    title = page.get_by_label("Title", exact=True)
    expect(title).not_to_have_attribute("aria-invalid", "true")
    page.locator("#at-questions-1").click()
    page.locator("#at-questions-1-options-1").fill("nobody")
    page.locator("#at-questions-0").click()
    page.get_by_role("button", name="Publish…").click()
    expect(page.locator("#problems-title")).to_be_focused()
    expect(title).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#state")).to_have_text("To do before publishing: 3")
    page.locator("#problem-list a", has_text="Question 2").click()
    marked = page.locator(":focus")
    described = marked.get_attribute("aria-describedby") or ""
    assert "nobody" in page.locator(f"#{described.split()[-1]}").inner_text()
    page.locator("#problem-list a", has_text="Title").click()
    expect(title).to_be_focused()
    title.fill("Named")
    expect(title).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.deep
def test_the_name_in_addresses_follows_the_title_until_it_is_written(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """It is suggested, and never overwrites what somebody chose."""
    page = open_builder(context, building_site)
    slug = page.get_by_label("Link name")
    name_survey(page, "Größe & Stress")
    show_tab(page, "settings")
    expect(slug).to_have_value("grosse-stress")
    slug.fill("mine")
    page.get_by_label("Title", exact=True).fill("Another")
    expect(slug).to_have_value("mine")


def test_texts_are_written_in_two_languages(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Each text has a field for each language, side by side, and takes its direction."""
    page = open_builder(context, building_site)
    page.get_by_label("Title", exact=True).fill("Health")
    show_tab(page, "settings")
    page.get_by_label("Another language").select_option("ar")
    page.get_by_role("button", name="Add language").click()
    expect(page.locator("#at-title-en")).to_have_value("Health")
    expect(page.locator("#at-title-ar")).to_have_attribute("dir", "rtl")
    page.locator("#at-title-ar").fill("الصحة")
    stored = json.loads(page.evaluate("sessionStorage['deniable-draft']"))
    assert stored["title"] == {"en": "Health", "ar": "الصحة"}
    assert stored["questions"][1]["options"][0]["text"]["ar"] == ""
    for _ in range(2):
        page.locator("#undo").click()
    expect(page.get_by_label("Title", exact=True)).to_have_value("Health")


def test_a_question_can_depend_on_an_earlier_one(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Its answers are chosen from those of the earlier one, and follow when that is renamed."""
    page = open_builder(context, building_site)
    page.locator("#at-questions-2").click()
    show_more(page)
    page.get_by_label("Show this question").select_option("1")
    page.get_by_label("a colleague").check()
    page.locator("#at-questions-1").click()
    page.locator("#at-questions-1-options-1").fill("a friend")
    stored = json.loads(page.evaluate("sessionStorage['deniable-draft']"))
    assert stored["questions"][2]["show_if"] == {"question": "told", "is": ["nobody", "a friend"]}


def test_nothing_that_the_builder_wrote_is_ready_to_publish(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """The questions of the example and new options are to-dos until somebody has written them."""
    page = open_example(context, building_site)
    page.get_by_label("Title", exact=True).fill("Untouched")
    expect(page.locator("#state")).to_have_text("To do before publishing: 3")
    expect(page.locator("#problem-list li").first).to_contain_text("delete ✎")
    take_example(page)
    expect(page.locator("#state")).to_have_text("Ready to publish")
    page.locator("#add-question [data-type=choice]").click()
    page.locator("#at-questions-3-text").fill("Where?")
    options = page.locator("#at-questions-3-options input")
    expect(options).to_have_count(2)
    for place in range(2):
        expect(options.nth(place)).to_have_value("")
        expect(options.nth(place)).to_have_attribute("placeholder", f"Option {place + 1}")
    expect(page.locator("#problem-list li")).to_have_text(
        [f"Question 4 · Option {place}: is still empty" for place in (1, 2)]
    )
    for place, name in enumerate(("north", "south")):
        options.nth(place).fill(name)
    expect(page.locator("#state")).to_have_text("Ready to publish")


def test_an_incomplete_question_waits_for_its_own_margin_only(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """The other margins, the protection and the warnings stay while somebody writes."""
    page = open_builder(context, building_site)
    page.locator("#add-question [data-type=number]").click()
    page.locator("#at-questions-3-max").fill("")
    rows = page.locator("#margins tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(3)).to_contain_text("once this question is complete")
    expect(rows.nth(3).locator("td")).to_have_text(["–", "–"])
    expect(rows.first.locator("td").first).to_contain_text("±")
    for part in ("#epsilon-words", "#warnings", "#stops"):
        expect(page.locator(part)).to_be_visible()
    page.locator("#at-questions-3-max").fill("20")
    expect(rows.nth(3).locator("td").first).to_contain_text("±")
    for place in range(3, 0, -1):
        page.locator(f"#question-{place}-delete").click()
        expect(rows).to_have_count(place)
    page.locator("#at-questions-0").click()
    show_more(page)
    page.get_by_label("Question type").select_option("number")
    page.locator("#at-questions-0-max").fill("")
    expect(rows).to_contain_text("once this question is complete")
    expect(page.locator("#epsilon-words")).to_be_visible()


def test_questions_with_long_texts_make_a_pair(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """The names that the builder makes from their texts fit the name of the pair."""
    page = open_builder(context, building_site)
    name_survey(page, "Pairs")
    for place, text in (
        (0, "In the past 12 months, have you been bullied by anybody at work?"),
        (1, "In the past 12 months, whom did you tell that you were bullied?"),
    ):
        page.locator(f"#at-questions-{place}").click() if place else None
        page.locator(f"#at-questions-{place}-text").fill(text)
        page.keyboard.press("Tab")
    page.get_by_role("button", name="Add a pair").click()
    expect(page.locator("#margins tr")).to_have_count(2)
    expect(page.locator("#state")).to_have_text("Ready to publish")
    page.get_by_label("In the past 12 months, whom did you tell that you were bullied?").uncheck()
    expect(page.locator("#problem-list a")).to_have_text("Pair 1")


def test_a_draft_is_kept_as_a_file_and_taken_in_again(
    context: BrowserContext, building_site: LiveSite, tmp_path: Path
) -> None:
    """The file holds the definition, and gives the same draft back."""
    page = open_builder(context, building_site)
    name_survey(page, "Kept")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Save as YAML").click()
    assert downloading.value.suggested_filename == "kept.yaml"
    file = tmp_path / "kept.yaml"
    downloading.value.save_as(file)
    before = json.loads(page.evaluate("sessionStorage['deniable-draft']"))
    assert parse_definition(file, file.read_text()).document == before
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_label("Title", exact=True)).to_have_value("")
    page.locator("#import-file").set_input_files(file)
    expect(page.get_by_text("Everything was imported")).to_be_visible()
    expect(page.get_by_label("Title", exact=True)).to_have_value("Kept")


@pytest.mark.deep
def test_what_an_import_leaves_out_is_listed(
    context: BrowserContext, building_site: LiveSite, tmp_path: Path
) -> None:
    """Whoever imports is told what cannot be protected, and why a file cannot be read."""
    page = open_builder(context, building_site)
    file = tmp_path / "survey.json"
    rule = {"enableIf": "{remarks} notempty"}
    elements = [
        {"type": "comment", "name": "remarks"},
        {"type": "boolean", "name": "well", **rule},
    ]
    file.write_text(json.dumps({"title": "Theirs", "elements": elements}))
    page.locator("#import-file").set_input_files(file)
    expect(page.locator("#left-out")).to_have_text("remarks: free text cannot be randomized")
    expect(page.locator("#changed")).to_contain_text("Epsilon was set to 1")
    rules = "well: other rules for its answers were left out – enableIf: {remarks} notempty"
    expect(page.locator("#changed li").filter(has_text="rules")).to_have_text(rules)
    expect(page.locator("#questions .asked")).to_have_text(["well"])
    file.write_text("title: [")
    page.locator("#import-file").set_input_files(file)
    expect(page.locator("#import-failure")).to_contain_text("not YAML")
    expect(page.locator("#import-readable")).to_contain_text("XLSForm")
    expect(page.locator("#questions .asked")).to_have_text(["well"])


@pytest.mark.deep
def test_a_name_that_is_taken_is_said_before_anything_is_lost(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """The draft stays, and another name lets it through."""
    page = open_builder(context, building_site)
    for wording in ("Were you?", "Are you?"):
        page.goto(f"{building_site.url}/build?lang=en")
        take_example(page)
        name_survey(page, "Twice")
        page.locator("#at-questions-0-text").fill(wording)
        page.get_by_role("button", name="Publish…").click()
        page.get_by_role("button", name="Publish now").click()
        if wording == "Were you?":
            page.wait_for_url("**/surveys/twice/share**")
    expect(page.get_by_text("Another survey is open under the name twice.")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    show_tab(page, "settings")
    page.get_by_label("Link name").fill("thrice")
    page.get_by_role("button", name="Publish…").click()
    page.get_by_role("button", name="Publish now").click()
    page.wait_for_url("**/surveys/thrice/share**")


def test_a_server_that_does_not_answer_is_said(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """The draft stays, and what could not be done is said beside the button."""
    page = open_builder(context, building_site)
    name_survey(page, "Alone")
    page.route("**/manage/definitions/preview", lambda route: route.abort())
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#state")).to_contain_text("The server is not responding.")
    expect(page.locator("#preview")).to_be_hidden()


def test_questions_begin_near_the_top(context: BrowserContext, building_site: LiveSite) -> None:
    """On the first screen of a small laptop, below the title; the settings are one tab away."""
    page = open_builder(context, building_site)
    page.set_viewport_size({"width": 1280, "height": 800})
    name_survey(page, "Near")
    first = page.locator("#questions > li").first.bounding_box()
    assert first is not None
    assert first["y"] <= MOST_ABOVE_QUESTIONS
    tab_to(page, "#questions-tab")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#settings-tab")).to_be_focused()
    expect(page.locator("#questions")).to_be_hidden()
    expect(page.get_by_label("Link name")).to_have_value("near")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#questions")).to_be_visible()
