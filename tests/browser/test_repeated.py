"""A panel at the form: its waves are answered one after the other, its facts asked once."""

from contextlib import closing
from pathlib import Path

from playwright.sync_api import BrowserContext, expect

from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey
from live_form import open_form, question, send
from live_site import live_site
from sample_definitions import choice, survey, yes_no


def wave(number: int) -> PublishedSurvey:
    """A wave of a panel of two, with a fact and a question that is asked anew."""
    asked = (yes_no("born_here", fixed=True, required=True), choice("feels"))
    return survey(*asked, slug="panel", ask="all", waves=2, wave=number)


def test_the_waves_of_a_panel(tmp_path: Path, context: BrowserContext) -> None:
    """The second wave is no repetition, leaves out what is known, and is answered once too."""
    store = tmp_path / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(wave(1))
        with live_site(store) as site:
            page = open_form(context, site, "panel")
            question(page, "born_here").get_by_label("yes").check()
            send(page)
            page.close()
            opened.close_survey("panel")
            opened.publish(wave(2))
            page = open_form(context, site, "panel")
            expect(page.locator(".privacy")).to_contain_text("Wave 2 of 2 of a repeated survey")
            expect(question(page, "feels")).to_be_visible()
            expect(question(page, "born_here")).to_be_hidden()
            send(page)
            assert [opened.count_reports(wave(number).digest) for number in (1, 2)] == [1, 1]
            page.reload()
            expect(page.get_by_role("heading", name="already")).to_be_visible()
            expect(page.locator(".question:visible")).to_have_count(0)
