"""Colleagues and the audit trail in a real browser, as owners and others see them."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from axe_checks import violations
from deniable_collector.clock import utc_now
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_web.accounts.trail import Act, Trail
from deniable_web.pages.languages import catalog
from deniable_web.workplace import open_workplace, workplace_beside
from live_builder import sign_in, tab_to
from live_site import LiveSite, live_site
from sample_definitions import survey, yes_no
from there import there
from viewports import VIEWPORTS, Viewport

FRAME, TEXTS = catalog("manage", "en")["frame"], catalog("accounts", "en")
PEOPLE = {
    "anna": AccessToken("anna", Role.OWNER),
    "ida": AccessToken("ida", Role.OWNER, frozenset({"ward"})),
    "olaf": AccessToken("olaf", Role.ANALYST),
}
Open = Callable[..., Page]


def words(key: str, /, **fillings: str) -> str:
    """A text of the pages in English."""
    return TEXTS["script"][key].format(**fillings)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[LiveSite, dict[str, str]]]:
    """A site with a survey, and its people's tokens."""
    path, tokens = tmp_path / "site.sqlite", {}
    with closing(open_store(path)) as store:
        for name, rights in PEOPLE.items():
            tokens[name] = make_token(rights.role)
            store.add_token(rights, digest_of(tokens[name]))
    with live_site(path, survey(yes_no(), slug="ward", at_most_reports=1_000)) as running:
        yield running, tokens


@pytest.fixture
def open_as(browser: Browser, site: tuple[LiveSite, dict[str, str]]) -> Iterator[Open]:
    """Opens a page for somebody or for nobody, each in a browser of its own."""
    running, tokens = site
    contexts: list[BrowserContext] = []

    def open_page(name: str, path: str, *, stays: bool = False, **options: object) -> Page:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.goto(f"{running.url}{path}")
        if name:
            sign_in(page, tokens[name], stays=stays)
        return page

    yield open_page
    for context in contexts:
        context.close()


def opened(open_as: Open, **options: object) -> Page:
    """The list, as the owner of all surveys sees it."""
    page = open_as("anna", "/colleagues?lang=en", **options)
    expect(page.locator("#people > li")).to_have_count(len(PEOPLE))
    return page


def add_ben(page: Page) -> str:
    """Add Ben, who writes drafts of one survey, by keyboard; returns the link that is shown."""
    tab_to(page, "#add")
    page.keyboard.press("Enter")
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.type("ben")
    page.get_by_label("Role", exact=True).select_option("editor")
    page.get_by_label("Surveys", exact=True).select_option("some")
    page.get_by_role("checkbox", name="ward").check()
    tab_to(page, "#rights-confirm")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name=words("shown_title", name="ben"))).to_be_visible()
    return page.locator("#secret").inner_text()


def test_a_colleague_comes_and_goes(open_as: Open, site: tuple[LiveSite, dict[str, str]]) -> None:
    """Signs in with the link that is shown once, gets another role, and is signed out."""
    running, _ = site
    anna = opened(open_as)
    link = add_ben(anna)
    secret = link.partition("#link=")[2]
    anna.get_by_role("button", name=TEXTS["colleagues"]["copy_it"]).click()
    expect(anna.locator("#announcement")).to_have_text(FRAME["copied"])
    assert anna.evaluate("navigator.clipboard.readText()") == link
    anna.get_by_role("button", name=TEXTS["colleagues"]["done"]).click()
    expect(anna.locator("#status")).to_have_text(words("done_add", name="ben"))
    # The browser says a moment later that the dialog is closed.
    expect(anna.locator("#secret")).to_be_empty()
    assert secret not in anna.content() + anna.url
    kept = anna.evaluate("JSON.stringify({...sessionStorage, ...localStorage})")
    assert secret not in kept
    ben = open_as("", link.removeprefix(running.url).replace("#", "?lang=en#"))
    ben.locator("#offer-stays").check()
    ben.locator("#offer-confirm").click()
    expect(ben.locator("#account")).to_have_text("ben")
    expect(ben.get_by_role("link", name=FRAME["trail"])).to_be_hidden()
    row = anna.locator("#people > li", has_text="ben")
    # Once the list is asked again, it says that Ben has signed in.
    expect(row.locator("#person-sign_out-ben")).to_be_visible(timeout=30_000)
    row.get_by_role("button", name=f"{words('change')}: ben").click()
    expect(anna.get_by_role("checkbox", name="ward")).to_be_checked()
    anna.get_by_label("Role", exact=True).select_option("analyst")
    anna.locator("#rights-confirm").click()
    expect(row.locator("dd").first).to_have_text(words("role_analyst"))
    expect(anna.locator("#person-change-ben")).to_be_focused()
    ben.goto(f"{running.url}/surveys?lang=en")
    expect(ben.locator("#survey-ward")).to_be_visible()
    row.get_by_role("button", name=f"{words('sign_out')}: ben").click()
    anna.locator("#ask-confirm").click()
    expect(anna.locator("#status")).to_have_text(words("done_sign_out", name="ben"))
    expect(ben.locator("#status")).to_have_text(FRAME["signed_out"], timeout=30_000)
    ben.reload()
    expect(ben.locator("#token")).to_be_visible()
    anna.get_by_role("link", name=FRAME["trail"]).click()
    expect(anna.locator("#rows tr").nth(2)).to_be_visible()
    found = [each.inner_text().split("\t") for each in anna.locator("#rows tr").all()]
    assert [each[1:] for each in found] == [
        ["anna", words("act_signed_out_everywhere"), "ben"],
        ["anna", words("act_role_changed"), "ben (analyst: ward)"],
        ["anna", words("act_token_made"), "ben (editor: ward)"],
    ]
    workplace = there(workplace_beside(str(running.store)))
    written = running.bytes_on_disk() + b"".join(
        each.read_bytes() for each in workplace.parent.glob(f"{workplace.name}*")
    )
    assert secret.encode() not in written


@pytest.mark.deep
def test_others_read_why_they_do_not_see_it(open_as: Open) -> None:
    """An analyst sees neither page, and no link to them; an owner of some surveys one of both."""
    for name, role, pages in (("olaf", "Analyst", ()), ("ida", "Owner", ("trail",))):
        page = open_as(name, "/colleagues?lang=en")
        said = words("others_colleagues", name=name, role=role)
        expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()
        expect(page.locator("#for-owners")).to_be_hidden()
        assert violations(page) == []
        for place in ("colleagues", "trail"):
            link = page.get_by_role("link", name=FRAME[place])
            expect(link).to_be_visible(visible=place in pages)
        page.goto(page.url.replace("colleagues", "trail"))
        expect(page.locator("#for-owners")).to_be_visible(visible="trail" in pages)
        expect(page.locator("#for-others")).to_be_visible(visible="trail" not in pages)


@pytest.mark.deep
def test_what_cannot_be_is_said_in_the_form(open_as: Open) -> None:
    """With what is allowed; the field gets the focus, and Escape leads back."""
    page = opened(open_as)
    page.locator("#add").click()
    problem = page.locator("#rights-problem")
    for name, surveys, said, focused in (
        ("ben/boss", None, words("name_wrong", name="ben/boss"), "#name"),
        ("olaf", None, words("name_taken"), ""),
        ("ben", "", words("surveys_none"), "#scope"),
        ("ben", "Ward 3", words("survey_rule", slug="Ward"), "#more"),
    ):
        page.locator("#name").fill(name)
        page.locator("#scope").select_option("all" if surveys is None else "some")
        if surveys is not None:
            page.locator("#more").fill(surveys)
        page.locator("#rights-confirm").click()
        expect(problem).to_have_text(said)
        if focused:
            expect(page.locator(focused)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#add")).to_be_focused()
    expect(page.locator("#people > li")).to_have_count(len(PEOPLE))


@pytest.mark.deep
def test_it_asks_before_somebody_loses_access(open_as: Open) -> None:
    """Nothing happens to those who cancel; an owner with a new token goes on working.

    Until they sign themselves out everywhere.
    """
    page = opened(open_as, stays=True)
    remove = page.get_by_role("button", name=f"{words('remove')}: olaf")
    remove.click()
    expect(page.get_by_role("dialog", name=words("remove_title", name="olaf"))).to_be_visible()
    expect(page.locator("#ask-dialog [data-cancels]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(remove).to_be_focused()
    remove.click()
    page.locator("#ask-confirm").click()
    expect(page.locator("#people > li")).to_have_count(len(PEOPLE) - 1)
    expect(page.locator("#add")).to_be_focused()
    own = page.locator("#people > li", has_text="anna")
    expect(own.get_by_role("button")).to_have_text([words("sign_out")])
    assert violations(page) == []
    expect(page.locator("#account")).to_have_text("anna")
    other = open_as("anna", "/trail?lang=en", stays=True)
    expect(other.locator("#for-owners")).to_be_visible()
    page.locator("#person-sign_out-anna").click()
    page.locator("#ask-confirm").click()
    expect(page.locator("#token")).to_be_visible()
    other.reload()
    expect(other.locator("#token")).to_be_visible()


def test_a_long_trail_has_pages(open_as: Open, site: tuple[LiveSite, dict[str, str]]) -> None:
    """The newest first; the buttons keep the focus at both ends."""
    running, _ = site
    with closing(open_workplace(there(workplace_beside(str(running.store))))) as workplace:
        trail = Trail(workplace, utc_now)
        for number in range(120):
            trail.record("anna", Act.CLOSED, f"survey-{number}")
    page = open_as("anna", "/trail?lang=en")
    status, older = page.locator("#status"), page.get_by_role("button", name="Older")
    expect(status).to_have_text("Entries 1 to 50 of 120, the newest first")
    expect(page.locator("#rows tr").first).to_contain_text("survey-119")
    older.click()
    older.click()
    expect(status).to_have_text("Entries 101 to 120 of 120, the newest first")
    expect(page.locator("#rows tr").last).to_contain_text("survey-0")
    expect(older).to_have_attribute("aria-disabled", "true")
    older.press("Enter")
    expect(older).to_be_focused()
    page.get_by_role("button", name="Newer").click()
    expect(status).to_have_text("Entries 51 to 100 of 120, the newest first")


@pytest.mark.deep
@pytest.mark.parametrize("view", VIEWPORTS)
def test_axe_finds_nothing_wrong(open_as: Open, view: Viewport) -> None:
    """In the list, its three dialogs and the trail, in both directions and widths."""
    page = open_as(
        "anna",
        f"/colleagues?lang={view.language}",
        stays=True,
        color_scheme=view.scheme,
        viewport={"width": view.width, "height": 900},
    )
    expect(page.locator("#people > li")).to_have_count(len(PEOPLE))
    assert violations(page) == []
    page.locator("#add").click()
    page.locator("#scope").select_option("some")
    page.locator("#name").fill("ben")
    page.locator("#rights-confirm").click()
    expect(page.locator("#rights-problem")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("checkbox").last.check()
    page.locator("#rights-confirm").click()
    expect(page.locator("#secret-dialog")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.locator("#person-remove-ben").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.locator("[data-for=owner]").click()
    expect(page.locator("#rows tr")).to_have_count(1)
    assert violations(page) == []
