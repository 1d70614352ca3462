"""The picture at the top of README.md: the form on a phone, in front of the results.

`make pictures` writes it to docs/pictures, by the variable DENIABLE_PICTURES; without it, it is
thrown away. The answers are invented.
"""

import os
import random
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from deniable_collector.store import add_reports, open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_sdk import PublishedSurvey, compile_survey, randomize
from deniable_web.builder.survey_templates import template
from live_site import LiveSite, live_site
from png_files import MOST_BYTES, small_png
from signed_in import open_signed_in
from viewports import SCHEMES, Scheme

RESPONDENTS = 5_000
# A device asks one of three questions: all of so many miss the first once in 20 million runs.
MOST_DRAWS = 43
# Of each question, how many in a hundred have which answer.
ANSWERS: dict[str, dict[Any, int]] = {
    "harassed": {"none": 72, "psychological": 14, "sexual": 10, "physical": 4},
    "told": {"nothing_happened": 70, "nobody": 12, "privately": 11, "officially": 7},
    "could_report": {1: 12, 2: 16, 3: 22, 4: 28, 5: 22},
}
PHONE: ViewportSize = {"width": 360, "height": 640}
DESKTOP: ViewportSize = {"width": 1000, "height": 783}
WHOLE: ViewportSize = {"width": 1120, "height": 690}
BESIDE = """<!doctype html>
<style>
  body { margin: 0; background: light-dark(#cfe3e1, #28474a); color-scheme: light dark }
  img { position: absolute; border: 1px solid #8886; box-sizing: border-box }
  #results { left: 16px; top: 16px; width: 840px; border-radius: 12px }
  #form { right: 16px; bottom: 16px; width: 300px; border-radius: 24px }
</style>
<img id="results" alt="" src="data:image/png;base64,RESULTS">
<img id="form" alt="" src="data:image/png;base64,FORM">
"""


def harassment() -> PublishedSurvey:
    """A template, as an organiser has completed it."""
    definition = template("harassment-at-work").definition()
    operator = {**definition["operator"], "name": "Works council"}
    return compile_survey({**definition, "operator": operator})


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[LiveSite, str]]:
    """A site with the survey and its reports, and an owner's token."""
    survey, source, token = harassment(), random.Random("picture"), make_token(Role.OWNER)
    people = [
        {
            question: source.choices([*common], [*common.values()])[0]
            for question, common in ANSWERS.items()
        }
        for _ in range(RESPONDENTS)
    ]
    reports = [randomize(survey, each, read_bytes=source.randbytes) for each in people]
    store = tmp_path / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
        opened.publish(survey)
        add_reports(opened, reports)
    with live_site(store) as running:
        yield running, token


def page_of(browser: Browser, size: ViewportSize, scheme: Scheme) -> Page:
    """An empty page, with three dots for two CSS pixel."""
    return browser.new_page(
        locale="en-GB",
        viewport=size,
        color_scheme=scheme,
        reduced_motion="reduce",
        device_scale_factor=1.5,
    )


def form(browser: Browser, url: str, scheme: Scheme) -> bytes:
    """The first question on the phone of somebody who is asked it."""
    for _ in range(MOST_DRAWS):
        with page_of(browser, PHONE, scheme) as page:
            page.goto(f"{url}/s/{harassment().slug}")
            page.locator("#start:enabled").click()
            expect(page.locator(".question:visible")).to_be_visible()
            if page.locator(".question:visible", has_text="have you been harassed").count():
                page.mouse.click(1, 1)
                return page.screenshot()
    raise AssertionError("no device was asked the first question")


def results(browser: Browser, url: str, token: str, scheme: Scheme) -> bytes:
    """The charts of the questions, from their heading on."""
    with page_of(browser, DESKTOP, scheme) as page:
        open_signed_in(page, f"{url}/surveys/{harassment().slug}/results", token)
        heading = page.get_by_role("heading", name="Answers to each question")
        expect(heading).to_be_visible(timeout=60_000)
        heading.evaluate("(each) => window.scrollTo(0, each.offsetTop - 16)")
        return page.screenshot()


@pytest.mark.deep
def test_form_and_results_are_one_picture(
    browser: Browser, site: tuple[LiveSite, str], tmp_path: Path
) -> None:
    """In light and in dark, as small as a page for readers needs it."""
    running, token = site
    folder = Path(os.environ.get("DENIABLE_PICTURES") or tmp_path)
    forms = {scheme: form(browser, running.url, scheme) for scheme in SCHEMES}
    with closing(open_store(running.store)) as opened:
        opened.close_survey(harassment().slug)
    for scheme in SCHEMES:
        shown = {
            "FORM": forms[scheme],
            "RESULTS": results(browser, running.url, token, scheme),
        }
        html = BESIDE
        for name, content in shown.items():
            html = html.replace(name, b64encode(content).decode())
        with page_of(browser, WHOLE, scheme) as page:
            page.set_content(html)
            taken = page.screenshot()
        file = folder / f"form-and-results-{scheme}.png"
        file.write_bytes(small_png(taken))
        assert file.stat().st_size < MOST_BYTES
