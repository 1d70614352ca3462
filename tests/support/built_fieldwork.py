"""The builder's fields for fieldwork, and a definition that has all of them."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

# Moments of three time zones, which no clock of the tests has.
DEFINITION = """\
title: Work on our wards
slug: wards
epsilon: 2
opens: 2037-10-24T06:00+05:45
closes: 2037-10-26 18:00Z
at_most_reports: 500
stop_when: {margin: 0.025, questions: [harassed]}
invited:
  issuer: https://council.example.org
  collect_until: 2037-10-23T18:00-03:30
  groups:
    nurses: {invited: 412, text: Nurses, modulus: KEY}
    doctors: {invited: 118}
questions:
  - {id: harassed, type: yes_no, text: Were you harassed?}
"""
# Base64url of an odd number of 2048 bits.
MODULUS = "w" + "A" * 340 + "Q"


def draft_of(page: Page) -> dict[str, Any]:
    """The definition in the tab."""
    found: dict[str, Any] = json.loads(page.evaluate("sessionStorage['deniable-draft']"))
    return found


def saved(page: Page, path: Path) -> Path:
    """The file into which the draft was saved."""
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Save as YAML").click()
    downloading.value.save_as(path)
    return path


def load(page: Page, file: Path) -> None:
    """Import a file, and show its dates and invitations."""
    page.locator("#import-file").set_input_files(file)
    expect(page.get_by_text("Everything was imported")).to_be_visible()
    page.locator("#settings-tab").click()


def group(page: Page, place: int, part: str = "") -> Locator:
    """A field of a group; that of its name in results if no part is named."""
    return page.locator(f"#at-invited-groups-{place}{part and '-'}{part}")
