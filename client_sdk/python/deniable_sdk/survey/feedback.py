"""Feedback on a score: texts and links that only the respondent's device shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from deniable_sdk.canonical import JSON
from deniable_sdk.records import Record
from deniable_sdk.survey.reading import Path, Section
from deniable_sdk.survey.text import Text, read_text, text_document

MAX_LINKS = 10
_URL = re.compile(r"https://[a-z0-9][a-z0-9.-]{0,200}(:[0-9]{1,5})?(/[!-~]{0,1000})?", re.ASCII)
_URL_RULE = "an address that begins with https://, of at most 1,200 plain characters"


class Link(Record):
    """Where a respondent finds help."""

    text: Text
    url: str


class Feedback(Record):
    """A text for each band, and links that are the same for all bands."""

    texts: Mapping[str, Text]
    links: tuple[Link, ...]

    def written(self) -> Iterator[tuple[Path, Text]]:
        """The texts that people read, and where they are in it."""
        for band, text in self.texts.items():
            yield ("texts", band), text
        for index, link in enumerate(self.links):
            yield ("links", index, "text"), link.text

    def to_document(self) -> dict[str, JSON]:
        """The feedback as a definition contains it."""
        return self._document({band: band for band in self.texts})

    def to_published(self, bands: Sequence[str]) -> dict[str, JSON]:
        """The feedback as a published survey contains it: texts by the index of their band."""
        return self._document({band: str(index) for index, band in enumerate(bands)})

    def _document(self, keys: Mapping[str, str]) -> dict[str, JSON]:
        texts: dict[str, JSON] = {
            keys[band]: text_document(text) for band, text in self.texts.items()
        }
        links: list[JSON] = [{"text": text_document(e.text), "url": e.url} for e in self.links]
        return {"texts": texts, "links": links}


def read_feedback(section: Section, bands: Sequence[str]) -> Feedback | None:
    """The feedback of a published score, None where it has none; problems go to the section.

    Keys of published objects are plain ASCII, and bands need not be, so texts are
    keyed by the index of their band.

    Args:
        section: the score's.
        bands: their ids.
    """
    return _read(section, {str(index): band for index, band in enumerate(bands)})


def read_authored_feedback(section: Section, bands: Sequence[str]) -> Feedback | None:
    """The same of a definition, whose author may leave out texts or links."""
    names = {band: band for band in bands}
    given = section.values.get("feedback")
    if not isinstance(given, Mapping):
        return _read(section, names)
    whole = {"feedback": {"texts": {}, "links": [], **given}}
    return _read(Section(whole, section.path, section.problems), names)


def _read(section: Section, bands: Mapping[str, str]) -> Feedback | None:
    """The feedback, its texts under the keys of these bands."""
    if "feedback" not in section:
        return None
    inner = Section(section.values["feedback"], section.at("feedback"), section.problems)
    inner.refuse_unknown(("texts", "links"))
    texts = Section(inner.require("texts", "an object"), inner.at("texts"), section.problems)
    texts.refuse_unknown(tuple(bands))
    members = inner.members("links", 0, MAX_LINKS, "links")
    return Feedback(
        {band: read_text(texts, key) for key, band in bands.items() if key in texts},
        tuple(
            _read_link(Section(member, inner.at("links", index), section.problems))
            for index, member in enumerate(members)
        ),
    )


def _read_link(section: Section) -> Link:
    section.refuse_unknown(("text", "url"))
    return Link(read_text(section, "text"), section.identifier("url", _URL, _URL_RULE))
