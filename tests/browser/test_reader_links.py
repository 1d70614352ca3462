"""An owner gives somebody the results from the page, and that person reads them."""

from playwright.sync_api import expect

from axe_checks import violations
from browser.test_colleagues import Open, open_as, site
from deniable_web.pages.languages import catalog

SHARE, SCRIPT = catalog("builder", "en")["share"], catalog("builder", "en")["script"]
__all__ = ["open_as", "site"]


def test_a_link_to_the_results_is_made_on_the_page(open_as: Open) -> None:
    """From the results to the form, by an owner of this survey; an analyst has no such button."""
    ida = open_as("ida", "/surveys/ward/results?lang=en")
    ida.locator("#to-readers").click()
    expect(ida.locator("#reader-name")).to_be_focused()
    ida.locator("#reader-name").fill("Rita Núñez")
    ida.get_by_label(SHARE["reader_count"]).fill("20")
    ida.locator("#reader-make").click()
    expect(ida.locator("#reader-text")).to_be_focused()
    expect(ida.locator("#reader-text")).to_have_text(
        SCRIPT["reader_made"].format(name="Rita Núñez")
    )
    link = ida.locator("#reader-link").inner_text()
    ida.locator("[data-copies=reader-link]").click()
    assert ida.evaluate("navigator.clipboard.readText()") == link
    assert violations(ida) == []
    ida.locator("#reader-name").fill("Rita Núñez")
    ida.locator("#reader-make").click()
    expect(ida.locator("#reader-problem")).to_have_text(SCRIPT["reader_taken"])
    rita = open_as(
        "", link.replace(ida.url.partition("/surveys")[0], "").replace("#", "?lang=en#")
    )
    rita.locator("#offer-confirm").click()
    expect(rita.locator("#account")).to_have_text("Rita Núñez")
    expect(rita.locator("#not-released")).to_be_visible()
    expect(rita.locator("#to-readers")).to_be_hidden()
    olaf = open_as("olaf", "/surveys/ward/share?lang=en")
    expect(olaf.locator("#facts-title")).to_be_visible()
    expect(olaf.locator("#readers")).to_be_hidden()
