"""Facts and panels in the builder: declared there, foretold, and kept in the file."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from deniable_web.definition.file import parse_definition
from live_builder import name_survey, open_builder, show_more, show_tab
from live_site import LiveSite


@pytest.mark.deep
def test_a_wave_with_a_fact(
    context: BrowserContext, building_site: LiveSite, tmp_path: Path
) -> None:
    """What is ticked and written comes out of the file, and back in, as the author meant it."""
    page = open_builder(context, building_site)
    name_survey(page, "Panel")
    first = page.locator("#margins td").first
    before = first.inner_text()
    show_tab(page, "settings")
    page.locator("#at-waves").fill("4")
    page.locator("#at-wave").fill("2")
    expect(first).not_to_have_text(before)
    show_tab(page, "questions")
    show_more(page)
    page.locator("#at-questions-0-fixed").check()
    expect(page.locator("#warnings")).to_contain_text("right in at most 1 of ")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Save as YAML").click()
    file = tmp_path / "panel.yaml"
    downloading.value.save_as(file)
    survey = parse_definition(file, file.read_text()).compile()
    assert (survey.waves, survey.wave, survey.questions[0].fixed) == (4, 2, True)
    page.get_by_role("button", name="Start over").click()
    page.locator("#import-file").set_input_files(file)
    expect(page.locator("#at-waves")).to_have_value("4")
    expect(page.locator("#at-questions-0-fixed")).to_be_checked()
