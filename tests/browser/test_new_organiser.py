"""Somebody who has read nothing runs a survey: from an empty folder to the first report.

Anna makes a token, writes fifteen questions with a colleague, translates them by following
the list of what is missing, invites people with the commands that the pages name, and looks
at the results.
"""

import csv
import re
import shlex
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from built_fieldwork import group, load, saved
from deniable_collector.clock import utc_now
from deniable_collector.store import open_store
from deniable_web.commands import run
from deniable_web.pages.languages import catalog
from free_ports import free_port
from live_builder import show_problems, show_tab, sign_in
from live_form import start
from live_site import LiveSite, live_site, run_deniable
from started import started

QUESTIONS = 15


@pytest.fixture
def site(tmp_path: Path) -> Iterator[LiveSite]:
    """A site without anything."""
    with live_site(tmp_path / "site.sqlite") as running:
        yield running


@pytest.fixture
def pages(browser: Browser) -> Iterator[dict[str, Page]]:
    """A browser for each of three people."""
    contexts = {
        name: browser.new_context(locale=locale, timezone_id="Europe/Berlin")
        for name, locale in (("anna", "en-GB"), ("ben", "en-GB"), ("carla", "de-DE"))
    }
    found = {name: context.new_page() for name, context in contexts.items()}
    for page in found.values():
        page.set_default_timeout(30_000)
    yield found
    for context in contexts.values():
        context.close()


def begin(page: Page, site: LiveSite, token: str) -> None:
    """From the first page of the site to a draft with a title."""
    page.goto(site.url)
    page.locator("a.primary").click()
    page.wait_for_url("**/new*")
    sign_in(page, token)
    page.get_by_role("link", name="Empty survey").click()
    page.get_by_label("Title", exact=True).fill("Safety at work")
    expect(page.locator("#kept")).to_contain_text("Saved at")
    page.wait_for_url("**draft=*")


def add_colleague(page: Page, name: str) -> str:
    """Add somebody who writes drafts; the link that is shown once."""
    page.get_by_role("link", name="Colleagues").click()
    page.locator("#add").click()
    page.locator("#name").fill(name)
    page.get_by_label("Role", exact=True).select_option("editor")
    page.locator("#rights-confirm").click()
    expect(page.locator("#secret")).to_contain_text("#link=")
    link = page.locator("#secret").inner_text()
    page.get_by_role("button", name="Done").click()
    return link


def add_questions(page: Page, texts: list[str]) -> None:
    """Add questions with yes and no at the end of the draft."""
    for text in texts:
        page.locator("#add-question [data-type=yes_no]").click()
        expect(focused(page)).to_have_value("")
        focused(page).fill(text)


def write_together(anna: Page, ben: Page) -> None:
    """Two people write all questions of one draft, and both see all of them."""
    texts = [f"Has this happened to you in the past year: case {n}?" for n in range(QUESTIONS)]
    add_questions(anna, texts[:8])
    expect(ben.locator("#questions > li")).to_have_count(8)
    add_questions(ben, texts[8:])
    for page in (anna, ben):
        expect(page.locator("#questions > li")).to_have_count(QUESTIONS)


def focused(page: Page) -> Locator:
    """What has the focus."""
    return page.locator(":focus")


def translate(page: Page) -> None:
    """Follow the list of what is missing until nothing is."""
    show_tab(page, "settings")
    page.get_by_label("Another language").select_option("de")
    page.get_by_role("button", name="Add language").click()
    show_problems(page)
    missing = page.locator("#problem-list li").filter(has_text="German")
    expect(missing.first).to_be_visible()
    for before in range(missing.count(), 0, -1):
        missing.first.get_by_role("link").click()
        field = focused(page)
        expect(field).to_have_attribute("lang", "de")
        field.fill(f"Text {before} auf Deutsch")
        expect(missing).to_have_count(before - 1)


def invite(page: Page, issuer: str) -> None:
    """Let only invited people answer, of one group of forty."""
    show_tab(page, "settings")
    page.get_by_label("Only invited people can answer").check()
    page.get_by_label("Address of the issuer").fill(issuer)
    until = utc_now() + timedelta(days=10)
    page.get_by_label("Codes can be exchanged until").fill(f"{until:%Y-%m-%dT18:00}")
    group(page, 0, "text-en").fill("Nurses")
    group(page, 0, "text-de").fill("Pflege")
    group(page, 0, "invited").fill("40")


def command_in(text: str) -> list[str]:
    """The arguments of the command that a page names."""
    found = re.search(r"deniable (issuer keys \S+)", text)
    assert found, text
    return shlex.split(found[1])


@pytest.mark.deep
def test_a_new_organiser_gets_from_nothing_to_results(
    site: LiveSite,
    pages: dict[str, Page],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a colleague in the same draft, in two languages, by invitation."""
    monkeypatch.chdir(tmp_path)
    assert run(["token", "make", "owner", "anna", "--store", str(site.store)]) == 0
    anna, ben, carla = pages.values()
    (token,) = re.findall(r"deniable_owner_\S+", capsys.readouterr().out)
    begin(anna, site, token)
    draft = anna.url
    link = add_colleague(anna, "ben")

    # Both write, Ben the second half.
    anna.goto(draft)
    ben.goto(link)
    ben.locator("#offer-confirm").click()
    ben.get_by_role("link", name="Safety at work").click()
    write_together(anna, ben)
    translate(anna)
    port = free_port()
    invite(anna, f"http://127.0.0.1:{port}")
    expect(anna.locator("#state")).to_have_text("Complete, but some groups have no key yet")
    anna.get_by_role("button", name="Publish…").click()
    problem = anna.locator("#publish-problem")
    expect(problem).to_contain_text("no key: Nurses")
    command = command_in(problem.inner_text())
    anna.get_by_role("button", name="Cancel").click()
    file = saved(anna, tmp_path / command[-1])
    assert run([*command, "--store", "issuer.sqlite"]) == 0
    load(anna, file)
    expect(anna.locator("#state")).to_have_text("Ready to publish")
    anna.get_by_role("button", name="Publish…").click()
    anna.get_by_role("button", name="Publish now").click()
    anna.wait_for_url("**/surveys/safety-at-work/share*")
    check_published(site)

    people = tmp_path / "people.csv"
    people.write_text("group\n" + "nurses\n" * 40)
    arguments = ["invite", "safety-at-work", str(people), "--collector", site.url]
    assert run([*arguments, "--links", "links.csv"]) == 0
    with (tmp_path / "links.csv").open(newline="") as opened:
        link = next(csv.DictReader(opened))["link"]
    log = tmp_path / "issuer.log"
    # In the working folder, where the issuer's store is.
    with started(run_deniable, ["issuer", "serve", "--port", str(port)], log, {}) as (url, _):
        assert url.startswith("http://"), log.read_text()
        answer_in_german(carla, link)

    anna.get_by_role("link", name="Results").first.click()
    expect(anna.get_by_role("heading", name="Safety at work")).to_be_visible()
    expect(anna.locator("main")).to_contain_text("Reports: 1")


def check_published(site: LiveSite) -> None:
    """The survey is there, with all questions and both languages."""
    with closing(open_store(site.store)) as store:
        (stored,) = store.list_surveys()
    assert len(stored.survey.questions) == QUESTIONS
    assert set(stored.survey.languages) == {"en", "de"}


def answer_in_german(page: Page, link: str) -> None:
    """Exchange the code of a link, answer all questions, and send what is shown."""
    texts = catalog("form", "de")
    page.goto(link)
    page.get_by_role("button", name=texts["fieldwork"]["use"]).click()
    start(page)
    for question in page.locator(".question:visible").all():
        question.locator("input").first.check(force=True)
    look_over, protect = (
        page.get_by_role("button", name=texts["page"][name]) for name in ("look_over", "protect")
    )
    expect(look_over.or_(protect).locator("visible=true")).to_be_visible()
    if look_over.is_visible():
        look_over.click()
    protect.click()
    page.locator("#send").click()
    expect(page.locator("#sent")).to_be_visible()
