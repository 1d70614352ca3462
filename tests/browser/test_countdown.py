"""Until when a survey is open, as the form says it and counts it down."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from axe_checks import violations
from deniable_sdk import compile_survey
from deniable_web.pages.languages import CODES, catalog
from live_endings import LATER, ending, opened_at, pass_by
from live_form import record_requests
from live_site import LiveSite, live_site
from sample_definitions import definition
from sampled_params import sampled_params

SAYS = catalog("form", "en")["fieldwork"]
PHONE: ViewportSize = {"width": 390, "height": 844}
RULE = {"margin": 0.03}
# What a screen reader says by itself.
LISTEN = """() => {
  window.said = [];
  const live = "[aria-live], [role=status], [role=alert], [role=log], [role=timer], output";
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const part = target instanceof Element ? target : target.parentElement;
      window.changed = true;
      if (part.closest(live)) window.said.push(part.closest(live).outerHTML);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""
IN_3_DAYS = {
    "en": "in 3 days",
    "de": "in 3 Tagen",
    "es": "dentro de 3 días",
    "ar": "خلال 3 أيام",
    "zh": "3天后",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with surveys that end at a moment, early, or both."""
    with live_site(
        tmp_path_factory.mktemp("countdown") / "site.sqlite",
        ending(LATER, "wards"),
        ending(LATER, "both", stop_when=RULE),
        ending(LATER, "opening", opens="2040-01-30T09:00Z"),
        compile_survey(definition(slug="early", stop_when=RULE)),
    ) as running:
        yield running


def test_a_survey_that_is_not_open_says_so_first(browser: Browser, site: LiveSite) -> None:
    """Until when it will be open comes after when it opens."""
    with opened_at(browser, site, LATER - timedelta(days=3, hours=1), "opening") as page:
        expect(page.get_by_role("heading", name=SAYS["early_title"])).to_be_visible()
        expect(page.locator("#ends")).to_be_visible()
        assert page.locator("#early ~ #ends").count() == 1


def test_the_time_that_is_left_is_counted_down(browser: Browser, site: LiveSite) -> None:
    """In days, hours and minutes, never too much; nothing is requested or said aloud."""
    with opened_at(browser, site, LATER - timedelta(days=3, hours=1), "wards") as page:
        expect(page.locator("#until")).to_have_text(
            re.compile(r"This survey is open until Tuesday, January 31, 2040 at 11:30\sPM\.")
        )
        left = page.locator("#left")
        expect(left).to_have_text("It closes in 3 days.")
        requests = record_requests(page.context)
        page.evaluate(LISTEN)
        page.locator("#start").focus()
        # Each after those before it.
        for time, words in (
            ({"minutes": 59}, "3 days"),
            ({"minutes": 2}, "2 days"),
            ({"hours": 23, "minutes": 58}, "2 days"),
            ({"minutes": 2}, "47 hours"),
            ({"hours": 44}, "3 hours"),
            ({"minutes": 58}, "3 hours"),
            ({"minutes": 2}, "2 hours"),
            ({"minutes": 60}, "119 minutes"),
            ({"minutes": 117, "seconds": 30}, "1 minute"),
        ):
            pass_by(page, **time)
            expect(left).to_have_text(f"It closes in {words}.")
        assert page.evaluate("window.changed")
        assert page.evaluate("window.said") == []
        expect(page.locator("#start")).to_be_focused()
        assert requests == []


def test_a_device_that_slept_shows_what_is_left_now(browser: Browser, site: LiveSite) -> None:
    """Its timers stood still meanwhile."""
    with opened_at(browser, site, LATER - timedelta(days=60), "wards") as page:
        expect(page.locator("#left")).to_have_text("It closes in 60 days.")
        page.clock.fast_forward(int(timedelta(days=50, minutes=1).total_seconds() * 1000))
        expect(page.locator("#left")).to_have_text("It closes in 9 days.")


@pytest.mark.sweep
@pytest.mark.parametrize("language", sampled_params(CODES))
def test_the_end_is_said_in_every_language(
    browser: Browser, site: LiveSite, language: str
) -> None:
    """On a phone, with Start on the first screen, and axe finds nothing wrong."""
    says = catalog("form", language)["fieldwork"]
    moment = LATER - timedelta(days=3, hours=1)
    with opened_at(browser, site, moment, "both", locale=language, viewport=PHONE) as page:
        expect(page.locator("#left")).to_have_text(says["left"].format(left=IN_3_DAYS[language]))
        expect(page.get_by_text(says["stop_when"])).to_be_visible()
        before, after = says["until"].split("{closes}")
        until = page.locator("#until").inner_text()
        assert until.startswith(before)
        assert until.endswith(after)
        assert "2040" in until
        assert "31" in until
        bottom = page.locator("#start").evaluate("(part) => part.getBoundingClientRect().bottom")
        assert bottom <= PHONE["height"]
        # The checker waits for timers of its own.
        page.clock.resume()
        assert violations(page) == []


def test_another_language_counts_on(browser: Browser, site: LiveSite) -> None:
    """The line is that of the language that is chosen."""
    with opened_at(browser, site, LATER - timedelta(minutes=30), "wards") as page:
        expect(page.locator("#left")).to_have_text("It closes in 30 minutes.")
        page.locator("#language").select_option("de")
        expect(page.locator("#left")).to_have_text("Sie endet in 30 Minuten.")
        pass_by(page, minutes=1)
        expect(page.locator("#left")).to_have_text("Sie endet in 29 Minuten.")


@pytest.mark.deep
def test_a_survey_without_a_moment_says_only_that_it_may_close_early(
    browser: Browser, site: LiveSite
) -> None:
    """There is nothing to count down; a survey without a rule says nothing of one."""
    with opened_at(browser, site, LATER, "early") as page:
        expect(page.get_by_text(SAYS["stop_when"])).to_be_visible()
        expect(page.locator("#ends")).to_have_count(0)
        expect(page.locator("#start")).to_be_enabled()
    with opened_at(browser, site, LATER - timedelta(days=1), "wards") as page:
        expect(page.locator("#ends")).to_be_visible()
        expect(page.get_by_text(SAYS["stop_when"])).to_have_count(0)
