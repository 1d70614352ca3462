"""Images and colours of surveys, as their authors may choose them."""

import itertools
from base64 import b64encode

import pytest

from deniable_sdk import InvalidDefinition, compile_survey
from deniable_sdk.survey.appearance import LEAST_CONTRAST, contrast_to_white
from sample_definitions import PIXEL, definition

# The form's own ground, and the colour of its soft words.
GROUND, SOFT = (0xF6, 0xF4, 0xEF), (0x56, 0x60, 0x67)


def _hex(colour: tuple[int, ...]) -> str:
    return "#" + bytes(colour).hex()


@pytest.mark.parametrize(
    ("colour", "contrast"),
    # The ends of the scale, and greys and primary colours as contrast checkers show them.
    [
        ("#ffffff", 1.0),
        ("#000000", 21.0),
        ("#767676", 4.54),
        ("#777777", 4.48),
        ("#ff0000", 4.0),
        ("#0000ff", 8.59),
        ("#008000", 5.14),
    ],
)
def test_contrasts(colour: str, contrast: float) -> None:
    """Those of WCAG 2.2."""
    assert contrast_to_white(colour) == pytest.approx(contrast, abs=0.005)


def test_accepted_colours_can_be_read_on_every_ground() -> None:
    """Of the form: its own, and white with 12 % of the colour, behind links and soft words."""
    steps = [*range(0, 256, 15)]
    accepted = [
        colour
        for colour in itertools.product(steps, repeat=3)
        if contrast_to_white(_hex(colour)) >= LEAST_CONTRAST
    ]
    assert len(accepted) > 500
    for colour in accepted:
        tint = tuple(round(255 - 0.12 * (255 - part)) for part in colour)
        for words, ground in ((colour, GROUND), (colour, tint), (SOFT, tint)):
            contrast = contrast_to_white(_hex(words)) / contrast_to_white(_hex(ground))
            assert contrast >= 4.5, (words, ground)


@pytest.mark.parametrize("colour", ["#5f5f5f", "#0f5f63", "#c00000", "#0000ff"])
def test_dark_colours_are_accepted(colour: str) -> None:
    """Words in them can be read on white, and white words on them."""
    assert compile_survey(definition(accent=colour)).accent == colour


@pytest.mark.parametrize("colour", ["#666666", "#ff0000", "#008000", "#ffcc00", "#ffffff"])
def test_light_colours_are_refused(colour: str) -> None:
    """The message has the contrast, what is allowed, and what to do."""
    with pytest.raises(InvalidDefinition) as caught:
        compile_survey(definition(accent=colour))
    contrast = contrast_to_white(colour)
    assert f"accent: got {colour}, whose contrast to white is {contrast:.2f}" in str(caught.value)
    assert "choose a darker one" in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "beginning"),
    [
        ("png", b"\x89PNG\r\n\x1a\n"),
        ("jpeg", b"\xff\xd8\xff\xe1"),
        ("webp", b"RIFF\x10\x00\n\x00WEBP"),
    ],
)
def test_images_of_three_types_are_accepted(kind: str, beginning: bytes) -> None:
    """Under their own type only."""
    for claimed in ("png", "jpeg", "webp"):
        data = f"data:image/{claimed};base64,{b64encode(beginning + b'rest').decode()}"
        document = definition(logo={"data": data, "text": "Us"})
        if claimed == kind:
            assert compile_survey(document).logo
        else:
            with pytest.raises(InvalidDefinition, match="no image of the type they claim"):
                compile_survey(document)


def test_all_images_together_are_limited() -> None:
    """Six of the largest are accepted, and not one more."""
    encoded = b64encode(b"\xff\xd8\xff" + b"x" * 74_975).decode()
    image = {"data": f"data:image/jpeg;base64,{encoded}", "text": "Much"}
    assert 99_990 < len(str(image["data"])) <= 100_000
    asked = [
        {"id": f"q{number}", "type": "yes_no", "text": "?", "image": image} for number in range(7)
    ]
    assert len(compile_survey(definition(*asked[:6])).questions) == 6
    with pytest.raises(InvalidDefinition, match=r"questions: got images of 699,9\d\d characters"):
        compile_survey(definition(*asked))


def test_texts_of_images_and_links_are_translated() -> None:
    """A text that lacks a language is named like any other."""
    both, one = {"en": "x", "de": "y"}, {"en": "x"}
    image = {"data": PIXEL, "text": one}
    link = {"text": one, "url": "https://a.b"}
    asked = {"id": "a", "type": "yes_no", "text": both, "image": image}
    with pytest.raises(InvalidDefinition) as caught:
        compile_survey(definition(asked, title=both, logo=image, thanks_link=link))
    named = {".".join(map(str, problem.path)) for problem in caught.value.problems}
    assert named == {"logo.text", "thanks_link.text", "questions.0.image.text"}
