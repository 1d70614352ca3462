"""When a survey is open, and what is wrong there, in the builder."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from axe_checks import violations
from built_fieldwork import draft_of, group, load
from deniable_web.definition.file import read_definition
from deniable_web.pages.languages import CODES, catalog
from live_builder import name_survey, open_builder, show_problems, show_tab, tab_to
from live_form import record_requests
from live_site import LiveSite


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("zone", "shown", "closes"),
    [
        (
            "Europe/Berlin",
            ("2037-10-24T02:15", "2037-10-26T19:00", "2037-10-23T23:30"),
            "2037-10-26T20:30+01:00",
        ),
        (
            "America/New_York",
            ("2037-10-23T20:15", "2037-10-26T14:00", "2037-10-23T17:30"),
            "2037-10-26T20:30-04:00",
        ),
        (
            # As Chromium calls Asia/Kolkata.
            "Asia/Calcutta",
            ("2037-10-24T05:45", "2037-10-26T23:30", "2037-10-24T03:00"),
            "2037-10-26T20:30+05:30",
        ),
    ],
    ids=["Berlin", "New York", "Kolkata"],
)
def test_moments_of_other_time_zones_are_shown_on_the_clock_of_the_author(  # noqa: PLR0917 - fixtures
    browser: Browser,
    building_site: LiveSite,
    definition_file: Path,
    zone: str,
    shown: tuple[str, str, str],
    closes: str,
) -> None:
    """Each is the same instant, and stays as it was written until somebody edits it."""
    before = read_definition(definition_file).document
    with browser.new_context(locale="en-GB", timezone_id=zone) as context:
        page = open_builder(context, building_site)
        load(page, definition_file)
        fields = [
            page.locator(f"#at-{key}") for key in ("opens", "closes", "invited-collect_until")
        ]
        for field, clock in zip(fields, shown, strict=True):
            expect(field).to_have_value(clock)
            field.focus()
            field.blur()
        expect(page.locator("#at-opens-hint")).to_contain_text(f"Time zone: {zone}, UTC")
        assert draft_of(page) == before
        page.locator("#at-closes").fill("2037-10-26T20:30")
        expect(page.locator("#at-closes-hint")).to_contain_text(f"UTC{closes[-6:]}.")
        assert draft_of(page) == {**dict(before), "closes": closes}
        page.locator("#at-closes").fill("")
        assert "closes" not in draft_of(page)


@pytest.mark.deep
def test_the_offset_follows_the_change_of_clocks(
    browser: Browser, building_site: LiveSite
) -> None:
    """Each moment has its own; an hour that clocks skip becomes the next one."""
    with browser.new_context(locale="en-GB", timezone_id="Europe/Berlin") as context:
        page = open_builder(context, building_site)
        show_tab(page, "settings")
        opens = page.locator("#at-opens")
        for clock, written in (
            ("2037-03-28T02:30", "2037-03-28T02:30+01:00"),
            ("2037-03-29T03:30", "2037-03-29T03:30+02:00"),
            ("2037-03-29T02:30", "2037-03-29T03:30+02:00"),
        ):
            opens.fill(clock)
            assert draft_of(page)["opens"] == written
        opens.blur()
        expect(opens).to_have_value("2037-03-29T03:30")
        expect(page.locator("#at-opens-hint")).to_contain_text("Europe/Berlin, UTC+02:00.")


def test_mistakes_are_named_at_their_fields_by_keyboard(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Each field says what it allows once somebody left it, and the margins stay."""
    page = open_builder(context, building_site)
    name_survey(page, "Wards")
    page.locator("#settings-tab").focus()
    page.keyboard.press("Enter")
    tab_to(page, "#at-opens")
    page.keyboard.type("24")
    tab_to(page, "#at-at_most_reports")
    page.keyboard.type("none")
    tab_to(page, "#at-invited")
    page.keyboard.press("Space")
    tab_to(page, "#at-invited-issuer")
    page.keyboard.type("https://Council.example.org/")
    tab_to(page, "#at-invited-groups-0-text")
    page.keyboard.type("Nurses")
    tab_to(page, "#at-invited-groups-0-invited")
    page.keyboard.type("some")
    tab_to(page, "#add-group")
    expect(page.locator("#problem-list")).to_contain_text("Group 1 · Number of invited people: A")
    for field, words in {
        "opens": "is still empty",
        "at_most_reports": "A whole number from 1 to 1,000,000,000.",
        "invited-issuer": "It starts with https://",
        "invited-groups-0-invited": "A whole number from 1 to 10,000,000.",
    }.items():
        expect(page.locator(f"#at-{field}")).to_have_attribute("aria-invalid", "true")
        described = page.locator(f"#at-{field}").get_attribute("aria-describedby") or ""
        expect(page.locator(f"#{described.split()[-1]}")).to_contain_text(words)
    expect(page.locator("#margins tr")).to_have_count(3)
    show_problems(page)
    page.locator("#problem-list a", has_text="Group 1").click()
    expect(group(page, 0, "invited")).to_be_focused()
    group(page, 0).fill("Nurses")
    item = page.locator("#problem-list li", has_text="Group 1: A lower-case letter")
    item.get_by_role("link").click()
    expect(group(page, 0)).to_be_focused()
    page.locator("#at-opens").fill("2037-10-24T06:00")
    page.locator("#at-at_most_reports").fill("")
    page.locator("#at-invited-issuer").fill("https://council.example.org")
    group(page, 0, "invited").fill("412")
    group(page, 0).fill("nurses")
    expect(page.locator("#state")).to_have_text("Complete, but some groups have no key yet")


@pytest.mark.deep
def test_a_moment_that_no_clock_can_show_stays_a_text(
    context: BrowserContext, building_site: LiveSite, definition_file: Path
) -> None:
    """What a file has there is shown, is a problem, and can be corrected or removed."""
    text = definition_file.read_text().replace("opens: 2037-10-24T06:00+05:45", "opens: tomorrow")
    definition_file.write_text(text.replace("invited: 118", "text: Doctors"))
    page = open_builder(context, building_site)
    load(page, definition_file)
    opens = page.locator("#at-opens")
    expect(opens).to_have_value("tomorrow")
    problems = page.locator("#problem-list li")
    expect(problems).to_have_text(
        [
            "Opens: A date and a time with its offset from UTC, as in 2026-12-06T18:00+01:00.",
            "Group 2 · Number of invited people: is still empty",
        ]
    )
    show_problems(page)
    problems.nth(1).get_by_role("link").click()
    expect(group(page, 1, "invited")).to_be_focused()
    page.keyboard.type("118")
    opens.fill("2037-10-24T06:00+05:45")
    expect(problems).to_have_count(0)
    opens.fill("")
    assert "opens" not in draft_of(page)


@pytest.mark.deep
@pytest.mark.parametrize("language", CODES)
def test_mistakes_are_said_in_the_language_of_the_page(
    browser: Browser, building_site: LiveSite, language: str
) -> None:
    """All of them, on a phone, and axe finds nothing wrong with the fields or the dialog."""
    texts = catalog("builder", language)["script"]
    with browser.new_context(viewport={"width": 360, "height": 800}) as context:
        page = open_builder(context, building_site, language)
        page.locator("#at-title").fill("Wards")
        show_tab(page, "settings")
        page.locator("#at-slug").fill("wards")
        show_tab(page, "settings")
        page.locator("#at-invited").check()
        group(page, 0, "text").fill("Nurses")
        group(page, 0, "invited").fill("19")
        page.locator("#at-opens").fill("2037-10-24T06:00")
        page.locator("#at-closes").fill("2037-10-23T06:00")
        page.locator("#at-invited-collect_until").fill("2037-10-24T06:00")
        page.locator("#at-invited-issuer").fill("council")
        page.locator("#publish").click()
        expect(page.locator("#problems-title")).to_be_focused()
        list_ = page.locator("#problem-list")
        for key in ("problem_closes_too_early", "issuer_rule"):
            expect(list_).to_contain_text(texts[key])
        page.locator("#at-closes").fill("2037-10-24T06:01")
        page.locator("#at-invited-collect_until").fill("2037-10-24T06:02")
        expect(list_).to_contain_text(texts["problem_collects_too_late"])
        assert violations(page) == []
        page.locator("#at-closes").fill("2037-10-25T06:00")
        page.locator("#at-invited-issuer").fill("https://council.example.org")
        expect(list_.locator("li")).to_have_count(1)
        expect(page.locator("#fieldwork .field-problem")).to_have_text(
            texts["problem_small_groups"]
        )
        page.locator("#add-group").click()
        group(page, 1, "text").fill("nurses.")
        group(page, 1, "invited").fill("20")
        expect(page.locator("#fieldwork")).to_contain_text(texts["problem_groups_look_alike"])
        group(page, 1, "text").fill("Doctors")
        page.locator("#at-invited-small_groups").check()
        expect(page.locator("#state")).to_have_text(texts["ready_but_keys"])
        assert violations(page) == []
        page.locator("#publish").click()
        expect(page.locator("#publish-problem")).to_contain_text("deniable issuer keys wards.yaml")
        assert violations(page) == []


@pytest.mark.deep
def test_a_preview_asks_no_collector_about_the_end(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """A draft with an end in the past can be tried out, and the form says nothing of the end."""
    page = open_builder(context, building_site)
    name_survey(page, "Wards")
    show_tab(page, "settings")
    page.locator("#at-closes").fill("2021-01-31T18:00")
    requests = record_requests(context)
    page.locator("#show-preview").click()
    frame = page.frame_locator("#preview-frame")
    expect(frame.locator("#start")).to_be_enabled()
    expect(frame.locator("#ends")).to_be_hidden()
    assert [each.url for each in requests if each.url.endswith("/fieldwork")] == []
    page.locator("[data-closes=preview]").click()
    page.locator("#at-closes").fill("2040-01-31T18:00")
    page.locator("#show-preview").click()
    expect(frame.locator("#ends")).to_contain_text("This survey is open until Tuesday, January 31")
