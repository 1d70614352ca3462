"""Texts that people read: one string, or one string for each language."""

import re
import unicodedata
from collections.abc import Mapping

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import quote
from deniable_sdk.survey.reading import Section

Text = str | Mapping[str, str]

MAX_TEXT_LENGTH = 4000
MAX_SHORT_TEXT_LENGTH = 200
SHORT_TEXT_RULE = f"a text of 1 to {MAX_SHORT_TEXT_LENGTH} characters"
_RULE = f"a text of 1 to {MAX_TEXT_LENGTH} characters, or a map from language to such a text"
# What no text may hold, because a page or a terminal would obey it. The marks that only say a
# text's direction, and isolate a part of it, may stand: Arabic and Hebrew need them beside
# Latin names.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", re.ASCII)
# Letters, marks and signs that show nothing, beside all controls, formats and blanks.
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
# Greek and Cyrillic capitals that look like Latin ones.
_LOOKS = str.maketrans(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425",
    "ABEZHIKMNOPTYXABESIJKMHOPCTYX",
)


def read_text(section: Section, key: str) -> Text:
    """The text under a key; a bad or missing one is a problem, and ""."""
    value = section.require(key, _RULE)
    if isinstance(value, Mapping) and value:
        return {
            language: text
            for language, text in value.items()
            if _is_language(language, section, key) and _is_text(text, section, key, language)
        }
    if key in section and _is_text(value, section, key):
        return str(value)
    return ""


def read_optional_text(section: Section, key: str) -> Text | None:
    """The text under a key, or None where the key is missing."""
    return read_text(section, key) if key in section else None


def read_short_text(section: Section, key: str) -> str:
    """The name of something; a bad or missing one is a problem, and ""."""
    problem = control_problem(section.values.get(key))
    if problem:
        section.refuse(problem, key)
        return ""
    return section.read(key, SHORT_TEXT_RULE, is_short_text, "")


def languages(text: Text | None) -> frozenset[str]:
    """The languages a text is given in; none for one string for all."""
    return frozenset(text) if isinstance(text, Mapping) else frozenset()


def in_language(text: Text, language: str) -> str:
    """The text in a language, or in the first one it is given in."""
    if isinstance(text, str):
        return text
    return text.get(language) or next(iter(text.values()))


def skeleton(name: str) -> str:
    """What tells a name from others at a glance; two names with the same one look the same.

    Case, blanks, punctuation and all that shows nothing do not count, nor how a
    character is encoded.

    Source: Unicode Technical Standard 39, section 4, whose tables are much longer.
    """
    shown = INVISIBLE.sub("", unicodedata.normalize("NFKC", name))
    kept = "".join(each for each in shown if unicodedata.category(each)[0] not in "PZC")
    # Lower case before upper case, so that variants of one letter become one.
    return unicodedata.normalize("NFKC", kept.lower().upper()).translate(_LOOKS)


def is_encodable(text: str) -> bool:
    """Whether a text has a UTF-8 form: it contains no half of a surrogate pair."""
    return not _SURROGATE.search(text)


def is_short_text(value: object) -> bool:
    """Whether a value can name an option, or whoever runs a survey."""
    return (
        isinstance(value, str)
        and bool(value.strip())
        and len(value) <= MAX_SHORT_TEXT_LENGTH
        and is_encodable(value)
        and not CONTROLS.search(value)
    )


def control_problem(value: object) -> str:
    """What is wrong with a text that has a control character; empty if it has none."""
    found = CONTROLS.search(value) if isinstance(value, str) else None
    if found is None:
        return ""
    return (
        f"got a text with the control character U+{ord(found[0]):04X}; take it out (only line "
        "breaks and tabs are allowed)"
    )


def text_document(text: Text) -> JSON:
    """A text as a published survey contains it."""
    return text if isinstance(text, str) else dict(text)


def is_blank(value: object) -> bool:
    """Whether a text has characters, and nothing but blanks."""
    return isinstance(value, str) and value.isspace()


def _is_language(language: object, section: Section, key: str) -> bool:
    if isinstance(language, str) and _LANGUAGE.fullmatch(language):
        return True
    section.refuse(f"got the language {quote(language)}; allowed are tags like en or pt-BR", key)
    return False


def _is_text(value: object, section: Section, *steps: str) -> bool:
    if isinstance(value, str) and value.strip() and len(value) <= MAX_TEXT_LENGTH:
        problem = control_problem(value)
        if not is_encodable(value):
            problem = "got a text with half a surrogate pair; write the character whole"
        if problem:
            section.refuse(problem, *steps)
        return not problem
    hint = "; write it in quotes" if isinstance(value, bool | int | float) else ""
    if is_blank(value):
        hint = "; got nothing but blanks"
    section.refuse_value(value, f"{_RULE}{hint}", *steps)
    return False
