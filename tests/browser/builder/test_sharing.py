"""Handing a published survey on, and closing it."""

import struct
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from deniable_collector.store import open_store
from deniable_sdk import compile_survey
from linked import PEOPLE, linked
from live_builder import open_page
from live_site import LiveSite
from sample_definitions import definition


@pytest.fixture
def sharing_site(building_site: LiveSite) -> LiveSite:
    """The site with a survey that is open."""
    with closing(open_store(building_site.store)) as opened:
        opened.publish(compile_survey(definition()))
        opened.publish(linked())
    return building_site


def test_a_code_of_this_machine_alone_is_warned_of(
    context: BrowserContext, sharing_site: LiveSite
) -> None:
    """A poster with the address 127.0.0.1 leads nobody anywhere."""
    page = open_page(context, sharing_site, "/surveys/health/share?lang=en")
    expect(page.locator("#code-local")).to_contain_text("People elsewhere cannot open the link")


def test_the_link_and_the_snippets_are_copied(
    context: BrowserContext, sharing_site: LiveSite
) -> None:
    """What is copied names this server, and what was done is said where it was done."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_page(context, sharing_site, "/surveys/health/share?lang=en")
    for source, expected in (
        ("link", f"{sharing_site.url}/s/health"),
        ("component", f'<deniable-survey src="{sharing_site.url}/s/health"'),
        ("frame", f'<iframe src="{sharing_site.url}/s/health"'),
    ):
        button = page.locator(f"[data-copies={source}]")
        button.click()
        expect(button).to_have_text("Copied.")
        assert expected in page.evaluate("navigator.clipboard.readText()")


def test_the_link_of_each_group_is_copied(context: BrowserContext, sharing_site: LiveSite) -> None:
    """What is copied opens the form with the group."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_page(context, sharing_site, "/surveys/ward/share?lang=en")
    for group in PEOPLE:
        page.get_by_role("button", name=f"Copy: {group}").click()
        expect(page.locator(f"[data-copies=link-{group}]")).to_have_text("Copied.")
        address = page.evaluate("navigator.clipboard.readText()")
        assert address == f"{sharing_site.url}/s/ward#group={group}"
        assert page.locator(f"#link-{group}").get_attribute("href") == address


def test_the_code_is_shown_and_saved(
    context: BrowserContext, sharing_site: LiveSite, tmp_path: Path
) -> None:
    """The drawing has a name for those who cannot see it, and both files are whole."""
    page = open_page(context, sharing_site, "/surveys/health/share?lang=en")
    expect(page.get_by_role("img", name="QR code of the survey's link")).to_be_visible()
    for kind, begin in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with page.expect_download() as downloading:
            page.locator(f"#code-{kind}").click()
        assert downloading.value.suggested_filename == f"health.{kind}"
        file = tmp_path / f"code.{kind}"
        downloading.value.save_as(file)
        assert file.read_bytes().startswith(begin)
    assert struct.unpack(">I", (tmp_path / "code.png").read_bytes()[16:20])[0] > 300


def test_a_survey_is_closed_after_a_question(
    context: BrowserContext, sharing_site: LiveSite
) -> None:
    """Keeping it open is what Enter does; closing says so, and the form is gone."""
    page = open_page(context, sharing_site, "/surveys/health/share?lang=en")
    page.get_by_role("button", name="Close the survey…").click()
    expect(page.get_by_role("button", name="Keep it open")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("open for answers")).to_be_visible()
    page.get_by_role("button", name="Close the survey…").click()
    page.get_by_role("button", name="Close it permanently").click()
    expect(page.get_by_text("This survey is closed.")).to_be_visible()
    with closing(open_store(sharing_site.store)) as opened:
        found = opened.find_survey("health")
        assert found is not None
        assert found.is_closed
