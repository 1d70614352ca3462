"""The texts of a survey as labels: in one language, on one line, and no longer than allowed."""

import re

from deniable_analysis.arguments import named
from deniable_analysis.errors import LanguageNotFound
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.text import languages
from deniable_sdk.wording import near_names

# What no XML document may contain; files of other formats do without it, too.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CUT = "…"


def language_of(survey: PublishedSurvey, wanted: str | None) -> str:
    """The language of the labels.

    Args:
        survey: the survey.
        wanted: one of its languages; None for that of its title, the first in
            alphabetical order if the title is in several.
    Returns:
        "" if every text is in one language only, which has no name.
    Raises:
        LanguageNotFound: no text of the survey is in the language.
    """
    offered = sorted(survey.languages)
    if wanted is None:
        return next(iter([*sorted(languages(survey.title)), *offered]), "")
    if wanted in offered:
        return wanted
    if not offered:
        raise LanguageNotFound(
            f"got the language {named(wanted)}; the survey's texts are not marked with a "
            "language; leave the language out"
        )
    near = near_names(wanted, offered, "the survey's texts are in")
    raise LanguageNotFound(f"got the language {named(wanted)}; {near}")


def one_line(text: str) -> str:
    """The text without line breaks and what files cannot contain; "?" if nothing is left."""
    return " ".join(_FORBIDDEN.sub(" ", text).split()) or "?"


def shortened(text: str, characters: int, octets: int) -> str:
    """The text, or its beginning and an ellipsis, within two limits.

    Args:
        text: any text.
        characters: how many it may have at most.
        octets: how many bytes these may have in UTF-8.
    """
    if len(text) <= characters and len(text.encode()) <= octets:
        return text
    room = octets - len(_CUT.encode())
    beginning = text[: characters - 1].encode()[:room].decode(errors="ignore")
    return beginning.rstrip() + _CUT
