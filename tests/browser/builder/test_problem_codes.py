"""The builder's words for a problem depend on its code, not on the server's sentence."""

from playwright.sync_api import BrowserContext, Page, Route, expect

from built_fieldwork import group
from deniable_web.pages.languages import catalog
from live_builder import open_builder, show_tab
from live_site import LiveSite

CHECK = "**/manage/definitions/check"


def reworded(route: Route) -> None:
    """The server's answer, with another sentence for every problem."""
    answer = route.fetch()
    document = answer.json()
    document["problems"] = [each | {"message": "Reworded."} for each in document["problems"]]
    route.fulfill(response=answer, json=document)


def listed(page: Page) -> list[str]:
    """The problems in the page's words, once it has asked the server."""
    page.locator("#publish").click()
    expect(page.locator("#problems-title")).to_be_focused()
    return page.locator("#problem-list li").all_text_contents()


def test_a_reworded_sentence_changes_no_words_of_the_page(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """Missing texts, ends in the wrong order, a group of few people."""
    texts = catalog("builder", "de")["script"]
    page = open_builder(context, building_site, "de")
    show_tab(page, "settings")
    page.locator("#at-opens").fill("2037-10-24T06:00")
    page.locator("#at-closes").fill("2037-10-23T06:00")
    page.locator("#at-invited").check()
    group(page, 0, "invited").fill("19")
    before = listed(page)
    assert any(texts["problem_closes_too_early"] in each for each in before)
    assert any(texts["still_empty"] in each for each in before)
    page.route(CHECK, reworded)
    page.locator("#at-closes").fill("2037-10-23T06:01")
    assert listed(page) == before
