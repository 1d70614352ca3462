"""Who took part and results by group: a site and an issuer in processes of their own."""

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from axe_checks import violations
from browser.results.test_results_access import tab_to
from deniable_collector.store import add_reports, open_store
from deniable_collector.tokens import AccessToken, Release, Role, digest_of, make_token
from deniable_web.pages.languages import CODES, catalog
from free_ports import free_port
from live_form import record_requests
from live_issuer import LiveIssuer, Prepared, live_issuer, prepare
from live_site import LiveSite, live_site
from signed_in import open_signed_in
from viewports import VIEWPORTS, Viewport
from ward_site import INVITED, QUESTIONS, REPORTED, WARD, answered, fill_ward, ward

COLLECTED = {"nurses": 50, "doctors": 38, "cleaners": 4}
UNTIL = datetime(2026, 1, 31, 18, tzinfo=UTC)
HOUR = timedelta(hours=1)
WARDS = "wards"
TEXTS = catalog("results", "en")


@dataclass(frozen=True)
class Wards:
    """A site with a survey by invitation, its issuer, and the owner's token."""

    site: LiveSite
    issuer: LiveIssuer
    token: str
    digest: str

    def open(self, context: BrowserContext, slug: str = "", language: str = "en") -> Page:
        """The results of a survey, or the list of all, once they are there."""
        page = context.new_page()
        page.set_default_timeout(30_000)
        path = f"/surveys/{slug}/results" if slug else "/surveys"
        open_signed_in(page, f"{self.site.url}{path}?lang={language}", self.token)
        expect(page.locator("#head" if slug else "#surveys article").first).to_be_visible()
        return page

    def close_survey(self) -> None:
        """Close the survey, as its owner does."""
        with closing(open_store(self.site.store)) as store:
            store.close_survey(WARDS)


@contextmanager
def live_wards(folder: Path) -> Iterator[Wards]:
    """Most people collected a token, and most of these reported; the survey is still open."""
    port = free_port()
    issuer_at = f"http://127.0.0.1:{port}"
    prepared = prepare(
        folder / "issuer.sqlite",
        INVITED,
        groups=INVITED,
        issuer=issuer_at,
        until=f"{UNTIL:%Y-%m-%dT%H:%MZ}",
        questions=QUESTIONS,
        title={"en": "Work on our wards", "ar": "العمل في أقسامنا"},
        epsilon=9,
        ask="all",
    )
    with live_issuer(prepared, port=port) as issuer:
        issuer.set_clock(UNTIL - HOUR)
        token = fill(folder / "site.sqlite", issuer, prepared)
        issuer.set_clock(UNTIL + HOUR)
        with live_site(folder / "site.sqlite") as site:
            yield Wards(site, issuer, token, prepared.survey.digest)


def fill(location: Path, issuer: LiveIssuer, prepared: Prepared) -> str:
    """Publish the survey and send the reports of those who collected; an owner's token."""
    source, survey, owner = random.Random("wards"), prepared.survey, make_token(Role.OWNER)
    tokens = {
        group: [issuer.collect(survey, code)[1] for code in prepared.codes(group)[:count]]
        for group, count in COLLECTED.items()
    }
    with closing(open_store(location)) as store:
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(owner))
        store.publish(survey)
        for group, count in REPORTED.items():
            add_reports(store, [answered(survey, each, source) for each in tokens[group][:count]])
    return owner


@pytest.fixture(scope="module")
def wards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wards]:
    """A closed survey."""
    with live_wards(tmp_path_factory.mktemp("wards")) as running:
        running.close_survey()
        yield running


def cells(table: Locator) -> list[list[str]]:
    """The texts of a table, line by line."""
    found: list[list[str]] = table.evaluate(
        "table => [...table.rows].map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    return found


RESPONSE = [
    ["Group", "Response rate", "Reports", "Invited", "Collected"],
    ["nurses", "75.0%", "45", "60", "50 (83.3%)"],
    ["doctors", "90.0%", "36", "40", "38 (95.0%)"],
    ["cleaners", "0.0%", "0", "20", "4 (20.0%)"],
    ["All invited", "67.5%", "81", "120", "92 (76.7%)"],
]


def test_a_reader_sees_groups_with_few_reports_together(
    context: BrowserContext, wards: Wards
) -> None:
    """Each row has enough reports, and all people of its groups who collected a token."""
    token = make_token(Role.READER)
    reader = AccessToken("reader", Role.READER, frozenset({WARDS}), Release(30))
    with closing(open_store(wards.site.store)) as store:
        store.add_token(reader, digest_of(token))
    page = replace(wards, token=token).open(context, WARDS)
    expect(page.locator("#least")).to_have_text(TEXTS["readers"]["parts"].format(count=30))
    table = page.locator("#response table.response")
    expect(table.locator("[data-collected]").last).to_have_text("92 (76.7%)")
    assert cells(table) == [
        RESPONSE[0],
        RESPONSE[1],
        ["doctors + cleaners", "60.0%", "36", "60", "42 (70.0%)"],
        RESPONSE[4],
    ]
    said = page.locator("#by-group .note").filter(has_text="doctors")
    expect(said).to_have_text(
        TEXTS["groups"]["merged"].format(groups="\u2068doctors + cleaners\u2069")
    )
    assert violations(page) == []


def test_the_list_shows_who_took_part(context: BrowserContext, wards: Wards) -> None:
    """By keyboard: the fold opens, the issuer is asked once, and a new look changes nothing."""
    page = wards.open(context)
    requests = record_requests(context)
    fold = page.locator(f"#groups-{WARDS}")
    tab_to(page, fold.locator("summary"))
    page.keyboard.press("Enter")
    expect(fold.locator("table")).to_contain_text("50 (83.3%)")
    assert cells(fold.locator("table")) == RESPONSE
    with page.expect_response("**/manage/surveys?*", timeout=30_000):
        pass
    with page.expect_response("**/results/response?*", timeout=30_000):
        pass
    assert cells(fold.locator("table")) == RESPONSE
    expect(fold.locator("summary")).to_be_focused()
    asked = [each for each in requests if each.url.startswith(wards.issuer.url)]
    assert [each.url for each in asked] == [f"{wards.issuer.url}/api/surveys/{wards.digest}"]
    assert not {"authorization", "cookie", "referer"} & asked[0].all_headers().keys()
    assert asked[0].frame != page.main_frame
    assert len(page.frames) == 1


def test_the_page_shows_results_by_group(context: BrowserContext, wards: Wards) -> None:
    """Response, shares, means and differences of a closed survey; who is missing is named."""
    page = wards.open(context, WARDS)
    response = page.locator("#response")
    expect(response).to_contain_text("50 (83.3%)")
    assert cells(response.locator("table")) == RESPONSE
    nurses = response.locator("tr[data-group=nurses]")
    widths = [
        nurses.locator(bar).get_attribute("width") for bar in (".collected-bar", ".reports-bar")
    ]
    assert [round(float(str(width).rstrip("%")), 1) for width in widths] == [83.3, 75.0]
    question = page.locator("#g-harassed")
    expect(page.locator("#groups-text")).to_contain_text("No number for all invited people")
    expect(question).to_contain_text("Clear differences: 2 of 3.")
    running = "+21.9 to +99.7"
    expect(question).not_to_contain_text(running)
    page.locator("#settings summary").click()
    page.get_by_label("Interval type").select_option("anytime")
    expect(question).to_contain_text(running)
    expect(question).to_contain_text("Clear differences: 2 of 3.")
    expect(question.locator(".chart").first.get_by_role("row")).to_have_count(4)
    question.locator("#gp-harassed summary").click()
    expect(question.locator(".verdict.clear").first).to_have_text("clear difference")
    page.locator("#to-groups").click()
    expect(page.get_by_role("heading", name="Results by group")).to_be_in_viewport()


@pytest.mark.deep
def test_groups_are_merged_by_keyboard(context: BrowserContext, wards: Wards) -> None:
    """Then there is a number for all invited people, in the files too; the focus stays."""
    page = wards.open(context, WARDS)
    fold = page.locator("#merging")
    tab_to(page, fold.locator("summary"))
    page.keyboard.press("Enter")
    for group in ("doctors", "cleaners"):
        tab_to(page, page.locator(f"#merge-{group}"))
        page.keyboard.press("Space")
    tab_to(page, page.locator("#merge-now"))
    page.keyboard.press("Enter")
    expect(page.locator("#groups-text")).to_contain_text("Counted as one group: ")
    expect(page.locator("#by-group")).not_to_contain_text("No number for all invited people")
    expect(page.locator("#merge-now")).to_be_focused()
    expect(page.locator("#merge-cleaners")).to_be_checked()
    with page.expect_download() as download:
        page.locator("#files").get_by_role("button", name="CSV").click()
    assert ",doctors + cleaners," in download.value.path().read_text()


@pytest.mark.sweep
@pytest.mark.parametrize("slug", ["", WARDS])
@pytest.mark.parametrize("look", VIEWPORTS)
def test_no_rule_of_axe_is_broken(
    context: BrowserContext, wards: Wards, look: Viewport, slug: str
) -> None:
    """With all folds open, nothing is wrong, and nothing is wider than the page."""
    page = wards.open(context, slug, look.language)
    page.set_viewport_size({"width": look.width, "height": 800})
    page.emulate_media(color_scheme=look.scheme)
    check(page)


@pytest.mark.deep
@pytest.mark.parametrize("language", CODES)
def test_every_language_can_be_read(context: BrowserContext, wards: Wards, language: str) -> None:
    """Bars and tables are there in each, without a mistake of accessibility."""
    page = wards.open(context, WARDS, language)
    check(page)
    percent = {"de": "83,3\u00a0%", "es": "83,3\u00a0%", "ar": "83.3"}.get(language, "83.3%")
    expect(page.locator("#response tr[data-group=nurses]")).to_contain_text(percent)


def check(page: Page) -> None:
    """Wait until everything is there, open all folds, and run the checker."""
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    expect(page.locator("tr[data-group=nurses]")).to_contain_text("(")
    if page.locator("#by-group").count():
        expect(page.locator("#g-shift")).to_be_visible()
        page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    assert violations(page) == []


@pytest.mark.deep
def test_groups_appear_when_the_survey_is_closed(context: BrowserContext, tmp_path: Path) -> None:
    """Before, only who is invited and who collected; afterwards everything, without a reload."""
    with live_wards(tmp_path) as running:
        page = running.open(context, WARDS)
        table = page.locator("#response table")
        expect(table).to_contain_text("50 (83.3%)")
        assert cells(table) == [[line[0], *line[3:]] for line in RESPONSE]
        expect(page.locator("#response")).to_contain_text(TEXTS["response"]["closing"])
        expect(page.locator("#by-group")).to_have_count(0)
        running.close_survey()
        expect(page.locator("#g-shift")).to_be_visible(timeout=60_000)
        expect(table).to_contain_text("75.0%")
        expect(table).to_contain_text("50 (83.3%)")
        assert cells(table) == RESPONSE


@pytest.mark.deep
def test_another_edition_never_shows_these_numbers(
    context: BrowserContext, tmp_path: Path
) -> None:
    """While its own are on their way, there are none."""
    location = tmp_path / "site.sqlite"
    owner = make_token(Role.OWNER)
    with closing(open_store(location)) as store:
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(owner))
        for edition, reported in enumerate(({"nurses": 7}, {"nurses": 9})):
            fill_ward(store, ward(first_key=10 * edition, until=""), reported)
            store.close_survey(WARD)
    with live_site(location) as site:
        page = context.new_page()
        page.set_default_timeout(30_000)
        open_signed_in(page, f"{site.url}/surveys/{WARD}/results?lang=en", owner)
        reports = page.locator("#response tr[data-group=nurses] td").nth(1)
        expect(reports).to_have_text("9")
        waiting: list[Route] = []
        wanted = "**/results/response?**edition=1**"
        page.route(wanted, lambda route: waiting.append(route))  # noqa: PLW0108 - no built-in ones
        page.get_by_label("Edition", exact=True).select_option("1")
        expect(page.locator("#head")).to_contain_text("Reports: 7")
        expect(reports).to_have_count(0)
        while not waiting:
            page.wait_for_timeout(100)
        # All of them: the page asks again if its regular look comes between.
        page.unroute(wanted)
        expect(reports).to_have_text("7")


@pytest.mark.deep
def test_it_is_said_when_the_issuer_has_no_number(context: BrowserContext, tmp_path: Path) -> None:
    """Its clock says that people still collect; or it does not answer at all."""
    with live_wards(tmp_path) as running:
        running.issuer.set_clock(UNTIL - HOUR)
        page = running.open(context, WARDS)
        response = page.locator("#response")
        expect(response.get_by_text(TEXTS["response"]["unpublished"])).to_be_visible()
        running.issuer.process.terminate()
        running.issuer.process.wait(30)
        page.reload()
        expect(response.get_by_text(TEXTS["response"]["unreachable"])).to_be_visible()
        assert cells(response.locator("table"))[1] == ["nurses", "60", "–"]
