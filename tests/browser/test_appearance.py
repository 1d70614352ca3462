"""Images, the logo, the colour and the link of a survey in the form."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from axe_checks import violations
from deniable_sdk import compile_survey
from deniable_web.pages.form.one_file import OneFileForm
from live_form import open_form, question, record_requests, send, start
from live_site import LiveSite, live_site
from pictures import png_address

# The ground of an element, as a canvas draws it: 3 numbers from 0 to 255.
COLOUR_OF_GROUND = """(element) => {
    const drawing = document.createElement("canvas").getContext("2d");
    drawing.fillStyle = getComputedStyle(element).backgroundColor;
    drawing.fillRect(0, 0, 1, 1);
    return [...drawing.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""
# White with 12 % of the accent, and the own colour of the form.
TINT_ON_PAGE, DARK_ON_PAGE = [239, 228, 244], [0x1F, 0x36, 0x37]
ACCENT, ACCENT_ON_PAGE = "#7a1fa2", "rgb(122, 31, 162)"


def _text(text: str, german: str) -> dict[str, str]:
    return {"en": text, "de": german}


def _image(width: int, text: str, german: str) -> dict[str, object]:
    return {"data": png_address(width, 20), "text": _text(text, german)}


POINTS = {"never": 0, "often": 1}
SURVEY = compile_survey(
    {
        "title": _text("Pictures", "Bilder"),
        "slug": "pictures",
        "epsilon": 4,
        "ask": "all",
        "accent": ACCENT,
        "logo": _image(30, "The house", "Das Haus"),
        "thanks": _text("Thank you.", "Danke."),
        "thanks_link": {
            "text": _text("Where to find help", "Wo es Hilfe gibt"),
            "url": "https://help.example.org/a?b=c",
        },
        "questions": [
            {"id": "well", "type": "yes_no", "text": _text("Well?", "Gut?"),
             "image": _image(40, "A bed", "Ein Bett")},
            {"id": "since", "type": "yes_no", "text": _text("Long?", "Lange?"),
             "show_if": {"question": "well", "is": "no"},
             "image": _image(50, "A clock", "Eine Uhr")},
            {"id": "mood", "type": "score", "text": _text("How often?", "Wie oft?"),
             "levels": [{"id": name, "text": _text(name, name), "points": points}
                        for name, points in POINTS.items()],
             "items": [{"text": _text("Sad", "Traurig")}, {"text": _text("Tired", "Müde")}],
             "image": _image(60, "A face", "Ein Gesicht")},
        ],
    }
)  # fmt: skip


def widths(page: Page) -> list[int]:
    """How wide the bytes of each image are; 0 for one that is not loaded."""
    widths: list[int] = page.locator("main img").evaluate_all(
        "(all) => Promise.all(all.map((image) => image.decode().then(() => image.naturalWidth)))"
    )
    return widths


def requested(browser: Browser, site: LiveSite, answer: str) -> list[tuple[str, str]]:
    """The requests of a respondent, who answers the first question so and sends the report."""
    with browser.new_context(locale="en") as context:
        requests = record_requests(context)
        page = open_form(context, site, "pictures")
        question(page, "well").get_by_label(answer, exact=True).check()
        expect(question(page, "since")).to_be_visible(visible=answer == "No")
        send(page)
        link = page.get_by_role("link", name="Where to find help")
        expect(link).to_have_attribute("href", "https://help.example.org/a?b=c")
        expect(link).to_have_attribute("rel", "noopener noreferrer")
        expect(link).to_have_attribute("referrerpolicy", "no-referrer")
        assert violations(page) == []
        return [(each.method, each.url) for each in requests]


def test_the_form_shows_them_in_each_language(context: BrowserContext, tmp_path: Path) -> None:
    """All images are there from the start, with what they show in words, also of a score."""
    with live_site(tmp_path / "site.sqlite", SURVEY) as site:
        page = open_form(context, site, "pictures")
        assert widths(page) == [30, 40, 50, 60]
        names = page.locator("main img")
        expect(page.get_by_role("img", name="The house")).to_be_visible()
        expect(question(page, "well").get_by_role("img", name="A bed")).to_be_visible()
        expect(page.get_by_role("img", name="A clock")).to_be_hidden()
        expect(page.get_by_role("group", name="How often?").get_by_role("img")).to_be_visible()
        assert violations(page) == []
        page.locator(".picker select").select_option("de")
        assert widths(page) == [30, 40, 50, 60]
        alternatives = [each.get_attribute("alt") for each in names.all()]
        assert alternatives == ["Das Haus", "Ein Bett", "Eine Uhr", "Ein Gesicht"]


def test_no_request_depends_on_the_path(browser: Browser, tmp_path: Path) -> None:
    """Nobody sees from requests whether a question with an image was reached."""
    with live_site(tmp_path / "site.sqlite", SURVEY) as site:
        led, passed_over = (requested(browser, site, answer) for answer in ("No", "Yes"))
        assert sorted(led) == sorted(passed_over)
        assert not [url for _, url in led if "help.example" in url or "png" in url]


@pytest.mark.deep
def test_the_colour_is_used_on_light_screens(browser: Browser, tmp_path: Path) -> None:
    """Buttons and the ground of the promise have it, and dark screens have our colours."""
    with live_site(tmp_path / "site.sqlite", SURVEY) as site:
        for scheme in ("light", "dark"):
            with browser.new_context(locale="en", color_scheme=scheme) as context:
                page = context.new_page()
                page.goto(f"{site.url}/s/pictures")
                begin = page.locator("#start")
                expect(begin).to_be_enabled()
                colour = begin.evaluate("(button) => getComputedStyle(button).backgroundColor")
                assert (colour == ACCENT_ON_PAGE) is (scheme == "light")
                tint = page.locator(".privacy").evaluate(COLOUR_OF_GROUND)
                expected = TINT_ON_PAGE if scheme == "light" else DARK_ON_PAGE
                assert tint == pytest.approx(expected, abs=1)
                assert violations(page) == []


def test_the_form_in_one_file_has_them(context: BrowserContext, tmp_path: Path) -> None:
    """Without any request for them."""
    file = tmp_path / "pictures.html"
    file.write_bytes(OneFileForm.of(SURVEY, "https://surveys.example.org").body)
    requests = record_requests(context)
    page = context.new_page()
    page.goto(file.as_uri())
    start(page)
    assert widths(page) == [30, 40, 50, 60]
    assert [each.url for each in requests] == [file.as_uri()]
