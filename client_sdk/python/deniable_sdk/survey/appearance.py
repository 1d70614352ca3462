"""What a form shows beside the words of its questions.

Images, a logo, a colour, links and sections; and feedback on scores, which only
the respondent's device shows. Images are inside the survey. So every form shows the same
ones, loads nothing for them, and its requests are the same whatever a respondent is asked
or answers.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Mapping, Sequence

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import Code
from deniable_sdk.survey.reading import Path, Section
from deniable_sdk.survey.text import Text, read_optional_text, read_text, text_document
from deniable_sdk.survey.writing import SurveyPart

MAX_IMAGE_LENGTH = 100_000
MAX_IMAGES_LENGTH = 600_000
# Links have this colour, also on a background with 12 % of it. A contrast of 6 to white leaves
# at least 4.5 there, which WCAG requires of text.
LEAST_CONTRAST = 6
# The first bytes of a file of each type.
_BEGINNINGS = {
    "png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "jpeg": re.compile(rb"\xff\xd8\xff"),
    "webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}
_DATA = re.compile(
    rf"(?!.{{{MAX_IMAGE_LENGTH + 1}}})data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={{0,2}}"
)
_DATA_RULE = (
    "a data: address of a PNG, JPEG or WebP image in base64, of at most "
    f"{MAX_IMAGE_LENGTH:,} characters (75 KB)"
)
_ACCENT = re.compile(r"#[0-9a-f]{6}")
_ACCENT_RULE = "a colour like #0f5f63, six hexadecimal digits in lower case"
_URL = re.compile(r"https://[a-z0-9][a-z0-9.-]{0,200}(:[0-9]{1,5})?(/[!-~]{0,1000})?", re.ASCII)
_URL_RULE = "an address that begins with https://, of at most 1,200 plain characters"
MAX_LINKS = 10


class Image(SurveyPart):
    """An image inside a survey.

    Args:
        data: a data: address with all its bytes.
        text: what it shows, for people who do not see it.
    """

    data: str
    text: Text


class Link(SurveyPart):
    """A link to another website."""

    text: Text
    url: str


def read_image(section: Section) -> Image:
    """Read an image from its section; problems go to the section."""
    section.refuse_unknown(("data", "text"))
    image = Image(section.identifier("data", _DATA, _DATA_RULE), read_text(section, "text"))
    if image.data and not section.is_published and not _is_readable(image.data):
        section.refuse(
            "got bytes that are no image of the type they claim; save it again",
            "data",
            code=Code.IMAGE_DAMAGED,
        )
    return image


def read_link(section: Section) -> Link:
    """Read a link from its section; problems go to the section."""
    section.refuse_unknown(("text", "url"))
    return Link(read_text(section, "text"), section.identifier("url", _URL, _URL_RULE))


def read_accent(section: Section) -> str | None:
    """The colour of buttons and marks, None without one; problems go to the section.

    Its author's colour must be dark enough to be read, and for white words on it.
    """
    if "accent" not in section:
        return None
    accent = section.identifier("accent", _ACCENT, _ACCENT_RULE)
    if accent and not section.is_published:
        contrast = contrast_to_white(accent)
        if contrast < LEAST_CONTRAST:
            section.refuse(
                f"got {accent}, whose contrast to white is {contrast:.2f}; allowed is "
                f"{LEAST_CONTRAST} or more, so that words in it and on it can be read; choose a "
                "darker one",
                "accent",
                code=Code.TOO_LIGHT,
            )
    return accent


def contrast_to_white(colour: str) -> float:
    """The contrast of a colour to white, from 1 to 21.

    Args:
        colour: `#` and six hexadecimal digits.
    Source: WCAG 2.2, "contrast ratio" and "relative luminance".
    """
    red, green, blue = (_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def image_type(data: bytes) -> str | None:
    """The type of an image file, `png`, `jpeg` or `webp`; None for anything else."""
    found = (name for name, beginning in _BEGINNINGS.items() if beginning.match(data))
    return next(found, None)


def _is_readable(data: str) -> bool:
    """Whether the bytes in a data: address begin as files of its type do."""
    kind, _, encoded = data.removeprefix("data:image/").partition(";base64,")
    try:
        return image_type(binascii.a2b_base64(encoded, strict_mode=True)) == kind
    except binascii.Error:
        return False


class QuestionSection(SurveyPart):
    """A section that begins with a question, and ends where the next one begins.

    The note, if there is one, is a text below its heading.
    """

    title: Text
    note: Text | None = None


def read_question_section(section: Section) -> QuestionSection:
    """The section that begins with a question; problems go to it."""
    section.refuse_unknown(("title", "note"))
    return QuestionSection(read_text(section, "title"), read_optional_text(section, "note"))


class Feedback(SurveyPart):
    """A text for each band, and links that are the same for all bands."""

    texts: Mapping[str, Text]
    links: tuple[Link, ...]

    def written(self) -> Iterator[tuple[Path, Text]]:
        """The texts that people read, and where they are in it."""
        for band, text in self.texts.items():
            yield ("texts", band), text
        for index, link in enumerate(self.links):
            yield ("links", index, "text"), link.text

    def to_document(self, keys: Mapping[str, str] | None = None) -> dict[str, JSON]:
        """The feedback as a document contains it.

        Args:
            keys: band to the key of its text, which is the band if left out.
        """
        texts: dict[str, JSON] = {
            keys[band] if keys else band: text_document(text) for band, text in self.texts.items()
        }
        links: list[JSON] = [link.to_document() for link in self.links]
        return {"texts": texts, "links": links}


def keys_of(bands: Sequence[str]) -> dict[str, str]:
    """Band to the key of its text in a published survey: the band's index.

    Keys of published objects are plain ASCII, and bands need not be.
    """
    return {band: str(index) for index, band in enumerate(bands)}


def read_feedback(section: Section, bands: Sequence[str]) -> Feedback | None:
    """The feedback of a score, None where it has none; problems go to the section.

    An author may leave out texts or links.
    """
    if "feedback" not in section:
        return None
    inner = section.within("feedback")
    inner.refuse_unknown(("texts", "links"))
    if not section.is_published and inner.is_object:
        inner.values = {"texts": {}, "links": [], **inner.values}
    keys = keys_of(bands) if section.is_published else {band: band for band in bands}
    texts = inner.inner(inner.require("texts", "an object"), "texts")
    texts.refuse_unknown(tuple(keys.values()))
    return Feedback(
        {band: read_text(texts, key) for band, key in keys.items() if key in texts},
        tuple(map(read_link, inner.sections("links", 0, MAX_LINKS, "links"))),
    )
