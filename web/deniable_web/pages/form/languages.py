"""The languages of a page; the device chooses one, and no request reveals which.

A survey with texts in several languages is offered in these languages. A survey with single
texts is offered in all languages of the interface: the author's texts are the same in each.
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
_BY_CODE: Final = {language.code: language for language in LANGUAGES}
_SAME: Final = Markup("")
# For a text in an unknown language: its letters determine the direction of writing.
_UNKNOWN: Final = Markup(' lang="" dir="auto"')
_SWAPPED: Final = str.maketrans(",.", ".,")


@dataclass(frozen=True, slots=True)
class Words:
    """A text for people, and the attributes for its language if it is not the page's.

    Args:
        text: the text.
        attributes: for the element around it; empty in the page's language.
    """

    text: str
    attributes: Markup = _SAME


@dataclass(frozen=True, slots=True)
class PageLanguage:
    """One language that a page is rendered in, with its tag."""

    code: str

    @property
    def name(self) -> str:
        """The language's own name; its tag if the interface does not know the name."""
        return _BY_CODE[self.code].name if self.code in _BY_CODE else self.code

    @property
    def direction(self) -> str:
        """The direction of writing."""
        return direction(self.code)

    @property
    def texts(self) -> Catalog:
        """The texts of the interface, in this language or else in the default one."""
        return catalog(SURFACE, self.code)

    @property
    def interface(self) -> Markup:
        """The attributes of an element with texts of the interface."""
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
        """A number as this language writes it, from a text with a decimal point."""
        has_comma = _BY_CODE[spoken(self.code)].has_decimal_comma
        return written.translate(_SWAPPED) if has_comma else written


def offered_languages(survey: PublishedSurvey | None = None) -> tuple[PageLanguage, ...]:
    """The languages of a page about a survey or about none, the default first."""
    codes = (survey and sorted(survey.languages)) or CODES
    first = [code for code in codes if code.partition("-")[0] == DEFAULT]
    return tuple(PageLanguage(code) for code in dict.fromkeys([*first, *codes]))


def _in_language(tag: str) -> Markup:
    return Markup(' lang="{}" dir="{}"').format(tag, direction(tag))
