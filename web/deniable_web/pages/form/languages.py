"""The languages of a page; the device chooses one without telling anybody.

A survey whose texts are given by language is offered in these. One that was
written in a single string is offered in all languages of the interface: what
its author wrote stays as it is.
"""

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.text import Text, in_language
from deniable_web.pages.languages import (
    CODES,
    DEFAULT,
    LANGUAGES,
    Catalog,
    catalog,
    direction,
    spoken,
)

SURFACE: Final = "form"
_NAMES: Final = {language.code: language.name for language in LANGUAGES}
_SAME: Final = Markup("")
# A text in an unknown language, whose own letters say how it is written.
_UNKNOWN: Final = Markup(' lang="" dir="auto"')
# The others have a point between thousands.
_DECIMAL_COMMAS: Final = frozenset(each.code for each in LANGUAGES if each.has_decimal_comma)
_SWAPPED: Final = str.maketrans(",.", ".,")


@dataclass(frozen=True, slots=True)
class Words:
    """A text for people, and the attributes that say its language where it is another's.

    Args:
        text: what is said.
        attributes: for the element around it; empty in the page's language.
    """

    text: str
    attributes: Markup = _SAME


@dataclass(frozen=True, slots=True)
class PageLanguage:
    """One language that a page is rendered in.

    Args:
        code: its tag.
    """

    code: str

    @property
    def name(self) -> str:
        """What speakers call it; its tag where the interface does not know it."""
        return _NAMES.get(self.code, self.code)

    @property
    def direction(self) -> str:
        """How it is written."""
        return direction(self.code)

    @property
    def texts(self) -> Catalog:
        """The texts of the interface, in this language or else in the default one."""
        return catalog(SURFACE, self.code)

    @property
    def interface(self) -> Markup:
        """The attributes of an element in which the interface speaks."""
        if spoken(self.code) == self.code.partition("-")[0]:
            return _SAME
        return _in_language(DEFAULT)

    def said(self, text: Text) -> Words:
        """A text of the survey in this language."""
        if isinstance(text, str):
            return Words(text, _UNKNOWN)
        if self.code in text:
            return Words(text[self.code])
        return Words(in_language(text, self.code), _in_language(next(iter(text))))

    def spoken(self, text: str) -> Words:
        """A text of the interface."""
        return Words(text, self.interface)

    def number(self, written: str) -> str:
        """A number as it is written here, from one with decimal points."""
        return written.translate(_SWAPPED) if spoken(self.code) in _DECIMAL_COMMAS else written


def offered_languages(survey: PublishedSurvey | None = None) -> tuple[PageLanguage, ...]:
    """The languages of a page about a survey, or about none; the default one first."""
    codes = (survey and sorted(survey.languages)) or CODES
    first = [code for code in codes if code.partition("-")[0] == DEFAULT]
    return tuple(PageLanguage(code) for code in dict.fromkeys([*first, *codes]))


def _in_language(tag: str) -> Markup:
    return Markup(' lang="{}" dir="{}"').format(tag, direction(tag))
