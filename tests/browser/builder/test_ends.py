"""How a survey ends, asked before it is published."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from axe_checks import violations
from built_fieldwork import draft_of
from live_builder import name_survey, open_builder, show_tab
from live_site import LiveSite


def published(page: Page, site: LiveSite, slug: str) -> dict[str, Any]:
    """The document of a survey that was published."""
    page.locator("#publish-confirm").click()
    page.wait_for_url(f"**/surveys/{slug}/share**")
    found: dict[str, Any] = page.request.get(f"{site.url}/api/surveys/{slug}").json()
    return found


@pytest.mark.parametrize("end", ["closes", "at_most_reports", "results", "watched"])
def test_an_end_is_asked_for(context: BrowserContext, building_site: LiveSite, end: str) -> None:
    """One in two weeks is chosen; each choice is published as it was made."""
    page = open_builder(context, building_site)
    slug = f"ends-{end.replace('_', '-')}"
    name_survey(page, slug.replace("-", " ").capitalize())
    page.locator("#publish").click()
    asked = page.locator("#publish-end")
    expect(asked.locator("input[value=closes]")).to_be_checked()
    assert violations(page) == []
    if end == "at_most_reports":
        page.locator("#end-reports").fill("250")
        expect(page.locator("#end-number")).to_be_checked()
    else:
        asked.locator(f"input[value={end}]").check()
    window = published(page, building_site, slug).get("window", {})
    if end == "closes":
        closes = datetime.fromisoformat(window.pop("closes"))
        away = closes - datetime.now(UTC)
        assert timedelta(days=14) < away <= timedelta(days=14, hours=1)
        assert window == {}
    else:
        expected = {"at_most_reports": {end: 250}, "results": {end: "at_end"}, "watched": {}}
        assert window == expected[end]


def test_who_has_an_end_is_not_asked(context: BrowserContext, building_site: LiveSite) -> None:
    """The box for sealed results is one; it is written into the draft."""
    page = open_builder(context, building_site)
    name_survey(page, "Sealed already")
    show_tab(page, "settings")
    page.locator("#at-results").check()
    assert draft_of(page)["results"] == "at_end"
    page.locator("#publish").click()
    expect(page.locator("#publish-end")).to_be_hidden()
    assert published(page, building_site, "sealed-already")["window"] == {"results": "at_end"}
