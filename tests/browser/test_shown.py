"""What the page of every kind of question shows, holds and says."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from axe_checks import violations
from deniable_sdk import theory
from deniable_sdk.mechanisms import Piecewise
from deniable_sdk.survey.block import Block
from deniable_sdk.theory.piecewise import likelihood
from live_form import (
    CANARY_NUMBER,
    CANARY_OPTION,
    every_kind,
    open_form,
    protect,
    question,
    record_requests,
    send,
    site_of_kinds,
    stored_in_browser,
)
from live_site import LiveSite
from sampled_params import sampled_params


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with a survey of every kind, and one that draws one block of two."""
    with site_of_kinds(tmp_path_factory.mktemp("kinds")) as running:
        yield running


def test_no_answer_in_what_the_page_holds(context: BrowserContext, site: LiveSite) -> None:
    """An answer is in no attribute, storage, request, address, file or log."""
    named = site.bytes_on_disk().count(b"quicksilver")
    assert named
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
    assert '"values":' in said, "the report is among what was looked through"
    assert CANARY_NUMBER not in said
    assert "quicksilver" not in said
    kept = stored_in_browser(page)
    assert CANARY_NUMBER not in kept
    assert "quicksilver" not in kept
    assert CANARY_NUMBER.encode() not in site.bytes_on_disk()
    assert site.bytes_on_disk().count(b"quicksilver") == named, "only the surveys name it"


def supported(block: Block, value: object) -> list[str]:
    """The answers that make a value likeliest, by the channel, as the page calls them."""
    names = [""]
    for member in block.questions:
        own = ["Prefer not to say" if name == "no_answer" else name for name in member.names]
        own = [{"yes": "Yes", "no": "No"}.get(name, name) for name in own]
        names = [f"{before} · {name}" if before else name for before in names for name in own]
    mechanism = block.mechanism
    if isinstance(mechanism, Piecewise):
        assert isinstance(value, int)
        chances = [likelihood(mechanism, value, index) for index in range(len(names))]
    else:
        chances = list(theory.channel(mechanism)[json.dumps(value, separators=(",", ":"))])
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


@pytest.mark.parametrize("attempt", sampled_params(range(3), 3))
def test_the_review_says_what_the_report_supports(
    context: BrowserContext, site: LiveSite, attempt: int
) -> None:
    """The words of the review name the answers that the channel favours, of every mechanism."""
    survey = every_kind()
    page = open_form(context, site)
    protect(page)
    expect(page.locator("#review-title")).to_be_focused()
    answers = json.loads(page.locator("#review-bytes").text_content() or "")["values"]
    joint = survey.block("region_x_team")
    assert shown(page, "Where? · In a team?") == supported(joint, answers["region_x_team"])
    for asked, legend in (("level", "Level?"), ("mood", "Mood?")):
        near = supported(survey.block(asked), answers[asked])
        assert shown(page, legend) == [near[0] if len(near) == 1 else f"{near[0]} to {near[-1]}"]
    options = ["noise", CANARY_OPTION, "quicksilver", "Prefer not to say"]
    says = {0: "does not apply", 1: "applies"}
    assert shown(page, "What troubles you?") == [
        f"{options[option]}: {says[bit]}" for option, bit in answers["troubles"]
    ]
    pets = [*"abcdefghij", "Prefer not to say", "blank"]
    assert shown(page, "Which pet?") == [pets[option] for option in answers["pets"]]
    del attempt


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_accessible_at_the_width_of_a_phone(
    context: BrowserContext, site: LiveSite, scheme: str
) -> None:
    """The form, its messages and the review break no rule of axe and fit in 320 pixels."""
    page = open_form(context, site)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": 320, "height": 640})
    question(page, "works").get_by_label("Yes").check()
    for option in ("noise", CANARY_OPTION):
        question(page, "troubles").get_by_label(option).check()
    assert violations(page) == []
    question(page, "troubles").get_by_label("quicksilver").check()
    page.get_by_role("button", name="Look over my answers").click()
    expect(page.locator("#problem")).to_be_visible()
    assert violations(page) == []
    question(page, "works").get_by_label("No", exact=True).check()
    question(page, "troubles").get_by_label("None of these").check()
    protect(page)
    expect(page.locator("#review-title")).to_be_focused()
    page.get_by_text("Show the exact bytes").click()
    assert violations(page) == []
