"""Who is invited to a survey, written in the builder."""

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from axe_checks import violations
from built_fieldwork import MODULUS, draft_of, group, load, saved
from deniable_collector.store import open_store
from deniable_sdk import compile_survey
from deniable_web.commands import run
from deniable_web.definition.file import parse_definition, read_definition
from live_builder import name_survey, open_builder, show_problems, show_tab
from live_site import LiveSite


@pytest.mark.deep
def test_a_survey_by_invitation_is_written_and_published(
    browser: Browser, building_site: LiveSite, tmp_path: Path
) -> None:
    """From nothing, without keys refused with the next step, with keys published."""
    with browser.new_context(locale="en-GB", timezone_id="Europe/Berlin") as context:
        page = open_builder(context, building_site)
        name_survey(page, "Wards")
        write_invitation(page)
        expect(page.locator("#state")).to_have_text("Complete, but some groups have no key yet")
        file = saved(page, tmp_path / "wards.yaml")
        assert_as_written(file, page)

        page.get_by_role("button", name="Publish…").click()
        problem = page.locator("#publish-problem")
        expect(problem).to_contain_text("no key: Cleaning staff · Nurses and doctors.")
        expect(problem).to_contain_text("run deniable issuer keys wards.yaml where")
        expect(page.locator("#publish-confirm")).to_be_hidden()
        assert violations(page) == []
        page.get_by_role("button", name="Cancel").click()

        assert run(["issuer", "keys", str(file), "--store", str(tmp_path / "issuer.sqlite")]) == 0
        load(page, file)
        expect(page.locator("#state")).to_have_text("Ready to publish")
        expect(page.get_by_text("This group has its key.")).to_have_count(2)
        expect(page.locator("#fieldwork")).not_to_contain_text("deniable issuer keys")
        page.get_by_role("button", name="Publish…").click()
        page.get_by_role("button", name="Publish now").click()
        page.wait_for_url("**/surveys/wards/share*")
    with closing(open_store(building_site.store)) as opened:
        (stored,) = opened.list_surveys()
    assert stored.survey.document == read_definition(file).compile().document


def write_invitation(page: Page) -> None:
    """Dates around a change of clocks, and two groups, the second moved before the first."""
    show_tab(page, "settings")
    page.get_by_label("Opens").fill("2037-10-24T06:00")
    page.get_by_label("Closes", exact=True).fill("2037-10-26T18:00")
    page.get_by_label("Close after this many reports").fill("500")
    page.get_by_label("Only invited people can answer").check()
    page.get_by_label("Address of the issuer").fill("https://council.example.org")
    page.get_by_label("Codes can be exchanged until").fill("2037-10-23T18:00")
    first, second = (page.get_by_role("group", name=f"Group {place}") for place in (1, 2))
    first.get_by_label("Name for respondents").fill("Nurses and doctors")
    first.get_by_label("Number of invited people").fill("530")
    expect(first.get_by_label("Name in lists and results")).to_have_value("nurses_and_doctors")
    expect(page.get_by_label("Allow groups of fewer than 20 people")).to_be_hidden()
    page.get_by_role("button", name="Add a group").click()
    expect(second.get_by_label("Name for respondents")).to_be_focused()
    page.keyboard.type("Cleaning staff")
    second.get_by_label("Number of invited people").fill("12")
    second.get_by_label("Name in lists and results").fill("cleaners")
    page.get_by_label("Allow groups of fewer than 20 people").check()
    page.get_by_role("button", name="Move group 2 up").click()
    expect(page.get_by_role("button", name="Move group 1 down")).to_be_focused()


def assert_as_written(file: Path, page: Page) -> None:
    """The file compiles to the survey that the same author would write by hand."""
    fieldwork = {
        "opens": "2037-10-24T06:00+02:00",
        "closes": "2037-10-26T18:00+01:00",
        "at_most_reports": 500,
        "invited": {
            "issuer": "https://council.example.org",
            "collect_until": "2037-10-23T18:00+02:00",
            "small_groups": True,
            "groups": {
                "cleaners": {"invited": 12, "text": "Cleaning staff"},
                "nurses_and_doctors": {"invited": 530, "text": "Nurses and doctors"},
            },
        },
    }
    written = parse_definition(file, file.read_text()).document
    assert written == draft_of(page)
    assert isinstance(written, dict)
    others = {key: value for key, value in written.items() if key not in fieldwork}
    expected = compile_survey(others | fieldwork)
    assert compile_survey(written).document == expected.document
    assert written | fieldwork == written


@pytest.mark.deep
def test_a_field_of_a_loaded_group_changes_nothing_else(
    context: BrowserContext, building_site: LiveSite, definition_file: Path
) -> None:
    """A renamed group keeps its key, a removed one takes it along, and undo returns both."""
    page = open_builder(context, building_site)
    load(page, definition_file)
    before = draft_of(page)
    assert before == read_definition(definition_file).document
    expect(group(page, 0, "modulus")).to_have_text("This group has its key.")
    expect(group(page, 1, "modulus")).to_have_text("This group has no key yet.")
    group(page, 0).fill("doctors")
    group(page, 0).blur()
    expect(group(page, 0)).to_have_value("doctors_2")
    group(page, 0).fill("carers")
    group(page, 0, "text").fill("Care")
    groups = draft_of(page)["invited"]["groups"]
    carers = {"invited": 412, "text": "Care", "modulus": MODULUS}
    assert list(groups.items()) == [("carers", carers), ("doctors", {"invited": 118})]
    page.get_by_role("button", name="Remove group 1").click()
    expect(group(page, 0, "text")).to_be_focused()
    assert draft_of(page)["invited"] == {
        **before["invited"], "groups": {"doctors": {"invited": 118}},
    }  # fmt: skip
    page.locator("#undo").click()
    assert draft_of(page)["invited"]["groups"] == groups
    page.get_by_label("Only invited people can answer").uncheck()
    expect(page.get_by_label("Only invited people can answer")).to_be_focused()
    assert "invited" not in draft_of(page)
    page.locator("#undo").click()
    assert draft_of(page)["invited"]["groups"] == groups
    expect(page.locator("#at-opens")).to_be_visible()


def test_a_key_that_serves_already_is_said_in_words(
    context: BrowserContext, building_site: LiveSite, definition_file: Path
) -> None:
    """A second survey with the key of a first one is refused with what to do."""
    definition_file.write_text(
        definition_file.read_text().replace("    doctors: {invited: 118}\n", "")
    )
    with closing(open_store(building_site.store)) as opened:
        opened.publish(read_definition(definition_file).compile())
    page = open_builder(context, building_site)
    load(page, definition_file)
    show_tab(page, "settings")
    page.get_by_label("Link name").fill("others")
    page.get_by_role("button", name="Publish…").click()
    page.get_by_role("button", name="Publish now").click()
    problem = page.locator("#publish-problem")
    expect(problem).to_contain_text("A published survey already has one of these keys.")
    expect(problem).to_contain_text("run deniable issuer keys others.yaml where")


@pytest.mark.deep
def test_names_of_groups_are_in_the_languages_of_the_survey(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """A group has a name for each, and the one that is missing is named."""
    page = open_builder(context, building_site)
    name_survey(page, "Wards")
    show_tab(page, "settings")
    page.get_by_label("Only invited people can answer").check()
    group(page, 0, "text").fill("Nurses")
    show_tab(page, "settings")
    page.get_by_label("Another language").select_option("ar")
    page.get_by_role("button", name="Add language").click()
    expect(group(page, 0, "text-en")).to_have_value("Nurses")
    expect(group(page, 0, "text-ar")).to_have_attribute("dir", "rtl")
    item = page.locator("#problem-list li", has_text="Group 1 · Name for respondents · Arabic")
    show_problems(page)
    item.get_by_role("link").click()
    expect(group(page, 0, "text-ar")).to_be_focused()
    page.keyboard.type("التمريض")
    page.get_by_role("button", name="Add a group").click()
    expect(group(page, 1, "text-en")).to_be_focused()
    groups = draft_of(page)["invited"]["groups"]
    assert groups["nurses"]["text"] == {"en": "Nurses", "ar": "التمريض"}
    assert groups["group_2"]["text"] == {"en": "", "ar": ""}
