"""Every kind of question in a real browser: what is shown, taken, sent and said."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from deniable_collector.store import open_store
from deniable_sdk import Report, check_report
from deniable_sdk.mechanisms import SquareWave
from deniable_sdk.survey.block import Block
from live_form import (
    CANARY_NUMBER,
    CANARY_OPTION,
    draw_alike,
    every_kind,
    one_of_two,
    open_form,
    question,
    record_requests,
    send,
)
from live_site import LiveSite, live_site

TOO_MANY = "You have chosen more than 2. Please choose at most 2."
UNFIT = "Please write a number from 0 to 80 in steps of 0.5, in digits."


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with a survey of every kind, and one that draws one block of two."""
    store = tmp_path_factory.mktemp("kinds") / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(every_kind())
        opened.publish(one_of_two())
    with live_site(store) as running:
        yield running


def press(page: Page, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        page.keyboard.press(key)


def described_by(page: Page, described: Locator) -> str:
    """What a screen reader adds to a part of the page, joined."""
    ids = (described.get_attribute("aria-describedby") or "").split()
    return " ".join(page.locator(f"#{name}").inner_text() for name in ids)


def checked(page: Page, name: str) -> list[str]:
    """The choices of a question that are checked, as they are called on the page."""
    return question(page, name).locator("label:has(:checked)").all_inner_texts()


def test_every_kind_by_keyboard_alone(context: BrowserContext, site: LiveSite) -> None:
    """Without a mouse every kind is answered, and one legal report leaves."""
    page = open_form(context, site)
    requests = record_requests(context)
    page.locator("body").focus()
    press(page, "Tab", "Tab", "Space", "Tab")
    page.keyboard.type("7.5")
    press(page, "Tab", "Tab", "Space", "Tab", "Tab", "Tab", "Tab")
    assert checked(page, "troubles") == [CANARY_OPTION]
    press(page, "Space", "ArrowDown", "Tab", "Space", "Tab", "ArrowUp", "Tab")
    assert (checked(page, "calls"), checked(page, "region")) == (["2"], ["north"])
    assert checked(page, "team") == ["Prefer not to say"]
    page.keyboard.type(CANARY_NUMBER)
    press(page, "Enter", "Tab", "Space")
    assert question(page, "level").locator(".number input").input_value() == ""
    press(page, "Tab", "Space", *["Tab"] * 13, "Enter")
    expect(page.locator("#review-title")).to_be_focused()
    assert requests == []
    press(page, "Tab", "Tab", "Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    (body,) = [request.post_data_buffer or b"" for request in requests if request.method == "POST"]
    report = Report.from_bytes(body)
    check_report(report, every_kind())
    assert report.to_bytes() == body


def test_at_most_is_held_on_the_device(context: BrowserContext, site: LiveSite) -> None:
    """One choice too many is said at once and beside the question, and nothing is drawn."""
    page = open_form(context, site)
    fields = question(page, "troubles")
    assert described_by(page, fields) == "Choose at most 2."
    for option in ("noise", CANARY_OPTION, "quicksilver"):
        fields.get_by_label(option).check()
    assert described_by(page, fields) == f"Choose at most 2. {TOO_MANY}"
    expect(page.locator("#announcement")).to_have_text("Less is asked below now.")
    page.get_by_role("button", name="Protect my answers").click()
    expect(page.locator("#problem")).to_have_text("Some questions still need an answer.")
    expect(fields.get_by_label("noise")).to_be_focused()
    expect(page.locator("#review")).to_be_hidden()
    fields.get_by_label("noise").uncheck()
    assert described_by(page, fields) == "Choose at most 2."
    page.get_by_role("button", name="Protect my answers").click()
    expect(page.locator("#review-title")).to_be_focused()


def test_none_and_no_answer_stand_alone(context: BrowserContext, site: LiveSite) -> None:
    """“None of these” and “Prefer not to say” take the others away, and these take them."""
    page = open_form(context, site)
    fields = question(page, "troubles")
    for chosen in (["noise", "quicksilver"], ["None of these"], ["Prefer not to say"], ["noise"]):
        for name in chosen:
            fields.get_by_label(name).check()
        assert checked(page, "troubles") == chosen


@pytest.mark.parametrize(
    ("written", "is_taken"),
    [
        ("7.5", True),
        (" 80 ", True),
        ("7,5", True),
        (".5", True),
        ("80.5", False),
        ("-1", False),
        ("7.3", False),
        ("1,000", False),
        ("1e1", False),
        ("seven", False),
    ],
)
def test_numbers_are_checked_on_the_device(
    context: BrowserContext, site: LiveSite, written: str, is_taken: bool
) -> None:
    """A number off the grid is refused in plain words once it is complete."""
    page = open_form(context, site)
    question(page, "works").get_by_label("Yes").check()
    fields = question(page, "hours")
    number = fields.get_by_label("Your answer")
    hint = "A number from 0 to 80, in steps of 0.5."
    assert described_by(page, number) == hint
    number.fill(written)
    assert described_by(page, number) == hint
    number.blur()
    assert described_by(page, number) == (hint if is_taken else f"{hint} {UNFIT}")
    assert number.get_attribute("aria-invalid") == str(not is_taken).lower()
    page.get_by_role("button", name="Protect my answers").click()
    expect(page.locator("#review-title" if is_taken else "#q-hours input")).to_be_focused()


def test_a_required_number_is_asked_for(context: BrowserContext, site: LiveSite) -> None:
    """A required question needs its answer if it is reached, and only then."""
    page = open_form(context, site)
    question(page, "works").get_by_label("Yes").check()
    page.get_by_role("button", name="Protect my answers").click()
    number = question(page, "hours").locator("input")
    expect(number).to_be_focused()
    assert described_by(page, number).endswith("Please give a number.")
    question(page, "works").get_by_label("No", exact=True).check()
    page.get_by_role("button", name="Protect my answers").click()
    expect(page.locator("#review-title")).to_be_focused()


def test_questions_come_and_go(context: BrowserContext, site: LiveSite) -> None:
    """A question that is not reached cannot be seen or focused; the change is announced."""
    page = open_form(context, site)
    news = page.locator("#announcement")
    expect(question(page, "hours")).to_be_hidden()
    expect(question(page, "hours").get_by_label("Your answer")).to_be_disabled()
    expect(news).to_have_text("")
    question(page, "works").get_by_label("Yes").check()
    expect(question(page, "hours")).to_be_visible()
    expect(news).to_have_text("More is asked below now.")
    question(page, "works").get_by_label("No", exact=True).check()
    expect(news).to_have_text("Less is asked below now.")
    press(page, "Tab")
    assert page.evaluate("document.activeElement.name") == "q-troubles"


def test_what_only_routes_is_not_sent(context: BrowserContext, site: LiveSite) -> None:
    """A question of a block that was not drawn is shown, says so, and stays on the device."""
    draw_alike(context)
    page = open_form(context, site, "routed")
    requests = record_requests(context)
    works = question(page, "works")
    expect(works).to_be_visible()
    assert described_by(page, works) == (
        "This answer only decides which questions you see; it is not sent."
    )
    works.get_by_label("Yes").check()
    hours = question(page, "hours").get_by_label("Your answer")
    assert described_by(page, hours) == "A whole number from -5 to 5."
    hours.fill("−3")
    send(page)
    (body,) = [request.post_data or "" for request in requests if request.method == "POST"]
    assert list(json.loads(body)["answers"]) == ["hours"]


def requests_of(browser: Browser, site: LiveSite, works: str, trouble: str) -> list[str]:
    """Every request of one respondent in a new browser, in the order of their addresses.

    A browser fetches the modules of one page in an order of its own, and the
    body's length depends on the values that were drawn.
    """
    with browser.new_context(locale="en-GB") as context:
        requests = record_requests(context)
        page = open_form(context, site)
        question(page, "works").get_by_label(works).check()
        question(page, "troubles").get_by_label(trouble).check()
        if works == "Yes":
            question(page, "hours").get_by_label("Your answer").fill("40")
            question(page, "calls").get_by_label("4").check()
        send(page)
        return sorted(
            repr((made.method, made.url, {**made.all_headers(), "content-length": ""}))
            for made in requests
        )


def test_requests_do_not_depend_on_the_path(browser: Browser, site: LiveSite) -> None:
    """Two respondents led to different questions cause the same requests."""
    all_questions = requests_of(browser, site, "Yes", CANARY_OPTION)
    few_questions = requests_of(browser, site, "Prefer not to say", "None of these")
    assert all_questions == few_questions
    assert sum("'POST'" in made for made in all_questions) == 1


def test_no_answer_in_what_the_page_holds(context: BrowserContext, site: LiveSite) -> None:
    """An answer is in no attribute, storage, request, address, file or log."""
    page = open_form(context, site)
    requests = record_requests(context)
    troubles = question(page, "troubles")
    question(page, "level").get_by_label("Your answer").fill(CANARY_NUMBER)
    troubles.get_by_label("noise").check()
    held = page.content()
    troubles.get_by_label("noise").uncheck()
    troubles.get_by_label("quicksilver").check()
    assert page.content() == held
    assert CANARY_NUMBER not in held
    send(page)
    said = "".join(r.url + str(r.all_headers()) + (r.post_data or "") for r in requests)
    assert CANARY_NUMBER not in said
    assert "quicksilver" not in said
    storage = page.evaluate(
        "async () => JSON.stringify([{...localStorage}, {...sessionStorage}, history.state,"
        " await indexedDB.databases(), await caches.keys()])"
    )
    assert storage == json.dumps([{}, {}, None, [], []], separators=(",", ":"))
    assert CANARY_NUMBER.encode() not in site.bytes_on_disk()
    assert site.bytes_on_disk().count(b"quicksilver") == every_kind().document.count(
        b"quicksilver"
    ), "only the survey itself names it"


def supported(block: Block, value: object) -> list[str]:
    """The answers that make a value likeliest, by the channel, as the page calls them."""
    names = [""]
    for member in block.questions:
        own = ["Prefer not to say" if name == "no_answer" else name for name in member.names]
        own = [{"yes": "Yes", "no": "No"}.get(name, name) for name in own]
        names = [f"{before} · {name}" if before else name for before in names for name in own]
    mechanism = block.mechanism
    if isinstance(mechanism, SquareWave):
        assert isinstance(value, int)
        chances = [mechanism.likelihood(value, place) for place in range(len(names))]
    else:
        chances = list(mechanism.channel()[json.dumps(value, separators=(",", ":"))])
    likeliest = max(chances)
    return [name for name, chance in zip(names, chances, strict=True) if chance == likeliest]


def shown(page: Page, legend: str) -> list[str]:
    """The values that the review gives under a question."""
    values: list[str] = page.evaluate(
        """(legend) => {
          const terms = [...document.querySelectorAll("#review-values dt")];
          let part = terms.find((term) => term.textContent === legend)?.nextElementSibling;
          const values = [];
          for (; part?.tagName === "DD"; part = part.nextElementSibling) {
            if (part.className === "value") values.push(part.textContent);
          }
          return values;
        }""",
        legend,
    )
    return values


@pytest.mark.parametrize("attempt", range(3))
def test_the_review_says_what_the_report_supports(
    context: BrowserContext, site: LiveSite, attempt: int
) -> None:
    """The words of the review name the answers that the channel favours, of every mechanism."""
    survey = every_kind()
    page = open_form(context, site)
    page.get_by_role("button", name="Protect my answers").click()
    answers = json.loads(page.locator("#review-bytes").text_content() or "")["answers"]
    joint = survey.block("region_x_team")
    assert shown(page, "Where? · In a team?") == supported(joint, answers["region_x_team"])
    level = supported(survey.block("level"), answers["level"])
    words = level[0] if len(level) == 1 else f"{level[0]} to {level[-1]}"
    assert shown(page, "Level?") == [words]
    ends = ["the low end, 1", "the high end, 9", "Prefer not to say"]
    assert shown(page, "Mood?") == [ends[answers["mood"]]]
    options = ["noise", CANARY_OPTION, "quicksilver", "Prefer not to say"]
    says = {0: "does not apply", 1: "applies"}
    assert shown(page, "What troubles you?") == [
        f"{options[option]}: {says[bit]}" for option, bit in answers["troubles"]
    ]
    pets = [*"abcdefghij", "Prefer not to say", "blank"]
    assert shown(page, "Which pet?") == [pets[option] for option in answers["pets"]]
    del attempt


@pytest.fixture(scope="module")
def axe() -> str:
    """The accessibility checker's source."""
    return (Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js").read_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible_at_the_width_of_a_phone(
    context: BrowserContext, site: LiveSite, axe: str, scheme: str
) -> None:
    """The form, its messages and the review break no rule of axe and fit in 320 pixels."""
    page = open_form(context, site)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate(axe)

    def check() -> None:
        found = page.evaluate("async () => (await axe.run()).violations")
        assert [(violation["id"], violation["help"]) for violation in found] == []
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 320

    question(page, "works").get_by_label("Yes").check()
    for option in ("noise", CANARY_OPTION):
        question(page, "troubles").get_by_label(option).check()
    check()
    question(page, "troubles").get_by_label("quicksilver").check()
    page.get_by_role("button", name="Protect my answers").click()
    expect(page.locator("#problem")).to_be_visible()
    check()
    question(page, "works").get_by_label("No", exact=True).check()
    question(page, "troubles").get_by_label("None of these").check()
    page.get_by_role("button", name="Protect my answers").click()
    expect(page.locator("#review-title")).to_be_focused()
    page.get_by_text("Show the exact bytes").click()
    check()
