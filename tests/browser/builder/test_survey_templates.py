"""Starting from a template: chosen on a page, opened in the builder, and published."""

from contextlib import closing

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from axe_checks import violations
from deniable_collector.store import open_store
from deniable_web.builder.survey_templates import SurveyTemplate, template, templates
from deniable_web.pages.languages import catalog
from live_builder import open_page, show_tab, tab_to
from live_site import LiveSite
from viewports import VIEWPORTS, Viewport

NAMED = [pytest.param(each, id=each.name) for each in templates()]


def begin(page: Page, found: SurveyTemplate) -> None:
    """Choose a template on the page, and wait for its questions in the builder."""
    page.locator(f"a[data-template={found.name}]").click()
    expect(page.locator("#questions > li")).to_have_count(len(found.document["questions"]))


@pytest.mark.deep
@pytest.mark.parametrize("found", NAMED)
def test_a_template_opens_in_the_builder_and_is_published(
    context: BrowserContext, building_site: LiveSite, found: SurveyTemplate
) -> None:
    """In two languages; the builder foretells it, and asks for nothing but what only we know."""
    page = open_page(context, building_site, "/new?lang=en")
    page.get_by_label("Deutsch").check()
    begin(page, found)
    assert "template" not in page.url
    for code in ("en", "de"):
        expect(page.locator(f"#at-title-{code}")).to_have_value(found.title(code))
    expect(page.locator("#margins tr").first).to_be_visible(timeout=90_000)
    fill_in(page, found)
    expect(page.locator("#state")).to_have_text("Ready to publish", timeout=90_000)
    page.get_by_role("button", name="Publish…").click()
    page.get_by_role("button", name="Publish now").click()
    page.wait_for_url("**/share*")
    with closing(open_store(building_site.store)) as opened:
        (published,) = opened.list_surveys()
    survey = published.survey
    assert survey.title == {code: found.title(code) for code in ("en", "de")}
    written = {each["id"] for each in found.document["questions"]}
    assert written <= {each.id for each in survey.questions}


def fill_in(page: Page, found: SurveyTemplate) -> None:
    """What the template leaves to its author: who runs it, and who helps."""
    texts = catalog("builder", "en")["script"]
    show_tab(page, "settings")
    page.get_by_label(texts["operator_name"], exact=True).fill("Works council")
    page.locator("#at-slug").fill(found.name)
    if found.name != "intimate-partner-violence":
        return
    page.locator("#at-thanks-en").fill("Thank you. Help: 116 016")
    page.locator("#at-thanks-de").fill("Vielen Dank. Hilfe: 116 016")


@pytest.mark.parametrize("view", VIEWPORTS)
def test_the_page_of_templates_is_accessible(
    browser: Browser, building_site: LiveSite, view: Viewport
) -> None:
    """With its sources open, in each direction, scheme and width."""
    context = browser.new_context(
        color_scheme=view.scheme, viewport={"width": view.width, "height": 800}
    )
    with closing(context):
        page = open_page(context, building_site, f"/new?lang={view.language}")
        for each in page.locator("details").all():
            each.locator("summary").click()
        expect(page.get_by_text("doi.org/10.7717/peerj.562").first).to_be_visible()
        assert violations(page) == []


def test_a_template_is_chosen_by_keyboard(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """From the list of drafts; without a language, its texts are in that of the page."""
    page = open_page(context, building_site, "/drafts?lang=es")
    page.locator("#new-draft").press("Enter")
    expect(page.locator("[data-signed-in=yes]").last).to_be_visible()
    tab_to(page, "#in-es")
    page.keyboard.press("Space")
    tab_to(page, "a[data-template=plagiarism]")
    page.keyboard.press("Enter")
    expect(page.locator("#at-title")).to_have_value(template("plagiarism").title("es"))


@pytest.mark.deep
def test_an_empty_survey_has_no_questions(
    context: BrowserContext, building_site: LiveSite
) -> None:
    """It replaces what was in the tab before, and begins no draft until something is written."""
    page = open_page(context, building_site, "/new?lang=en")
    begin(page, template("plagiarism"))
    page.locator("#templates").click()
    page.get_by_role("link", name="Empty survey").click()
    expect(page.locator("#no-questions")).to_be_visible()
    expect(page.get_by_label("Title", exact=True)).to_have_value("")
