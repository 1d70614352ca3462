"""Images, the colour and the link of a survey, as the builder lets people choose them."""

from pathlib import Path

from playwright.sync_api import BrowserContext, expect

from axe_checks import violations
from deniable_sdk.survey.appearance import MAX_IMAGE_LENGTH
from live_builder import name_survey, open_builder, show_tab
from live_site import LiveSite
from pictures import png

ACCENT = "#7a1fa2"
ADDRESS = "https://help.example.org"


def test_they_are_chosen_in_the_builder(
    context: BrowserContext, building_site: LiveSite, tmp_path: Path
) -> None:
    """Large images become small, what is none is refused, and the preview shows them all."""
    large, none = tmp_path / "large.png", tmp_path / "none.png"
    large.write_bytes(png(1500, 900, noise=True))
    none.write_bytes(b"no image")
    page = open_builder(context, building_site)
    name_survey(page, "With pictures")
    show_tab(page, "settings")
    logo = page.get_by_role("group", name="Logo", exact=True)
    logo.locator("input[type=file]").set_input_files(none)
    expect(logo.get_by_role("alert")).to_contain_text("none.png is not an image")
    logo.locator("input[type=file]").set_input_files(large)
    expect(page.locator("#problem-list")).to_contain_text("Logo")
    expect(logo.get_by_label("What the image shows")).to_be_focused()
    logo.get_by_label("What the image shows").fill("Our house")
    page.get_by_label("Colour of buttons and links").fill("#ffcc00")
    expect(page.locator("#problem-list")).to_contain_text("too light")
    page.get_by_label("Colour of buttons and links").fill(ACCENT)
    expect(page.locator("#state")).to_have_text("Ready to publish")
    page.get_by_label("Text of the link after sending").fill("Help")
    expect(page.locator("#problem-list")).to_contain_text("Link after sending")
    page.get_by_role("group", name="Link after sending").get_by_label("Address").fill(ADDRESS)
    expect(page.locator("#state")).to_have_text("Ready to publish")
    assert violations(page) == []
    document = page.evaluate("() => JSON.parse(sessionStorage.getItem('deniable-draft'))")
    assert document["thanks_link"] == {"text": "Help", "url": ADDRESS}
    assert document["accent"] == ACCENT
    assert document["logo"]["text"] == "Our house"
    assert 20_000 < len(document["logo"]["data"]) <= MAX_IMAGE_LENGTH
    page.locator("#show-preview").click()
    frame = page.frame_locator("#preview-frame")
    expect(frame.get_by_role("img", name="Our house")).to_be_visible()
