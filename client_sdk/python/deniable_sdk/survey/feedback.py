"""Feedback on a score: texts and links that only the respondent's device shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from deniable_sdk.canonical import JSON
from deniable_sdk.survey.appearance import Link, read_link
from deniable_sdk.survey.reading import Path, Section
from deniable_sdk.survey.text import Text, read_text, text_document
from deniable_sdk.survey.writing import SurveyPart

MAX_LINKS = 10


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
