"""The tags of languages that a file names in its own way: "English", "Deutsch (de)", "pt_BR"."""

import re
from functools import cache
from typing import Final

from babel import Locale

from deniable_web.builder.imports.imported import Account, Changed, UnreadableImport

# The language of texts for which the file names none, before it is known.
UNNAMED: Final = ""
# A limit, because each text is completed in all languages.
_MOST: Final = 100
_WHOLE_SURVEY: Final = ""
# The names of languages are looked up in these, in this order.
_NAMED_IN: Final = "en fr es pt ar sw de zh hi id ru fa bn ur ne sq tr uk it vi so am ha km my th"
_TAG: Final = re.compile(r"([A-Za-z]{2,3})((?:[-_][A-Za-z0-9]{2,8})*)", re.ASCII)
_IN_BRACKETS: Final = re.compile(r"(.*)\(([^()]*)\)\s*")
# ISO 639 reserves these for languages without a code.
_PRIVATE: Final = [f"q{middle}{last}" for middle in "abcdefghijklmnopqrst" for last in "abcdez"]


class Languages:
    """The languages of one file, each with a tag of its own."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._tags: dict[str, str] = {}

    def tag(self, name: str) -> str:
        """The tag of a language, such as pt-BR; for an unknown one a tag for private use.

        Raises:
            UnreadableImport: the file has more languages than a survey may have.
        """
        if name not in self._tags:
            if len(self._tags) == _MOST:
                raise UnreadableImport(
                    f"the file has texts in more than {_MOST} languages; remove some"
                )
            tag = find_tag(name)
            if tag is None:
                tag = next(each for each in _PRIVATE if each not in self._tags.values())
                self._account.change(_WHOLE_SURVEY, Changed.LANGUAGES, f"{name}: {tag}")
            self._tags[name] = tag
        return self._tags[name]

    def find_tag(self, name: str) -> str | None:
        """The tag of a language, if it is known or has texts in the file."""
        return self._tags.get(name) or find_tag(name)


def find_tag(name: str) -> str | None:
    """The tag of a language, from its name in one of many languages or from a tag."""
    bracketed = _IN_BRACKETS.fullmatch(name)
    title, code = bracketed.groups() if bracketed else (name, name)
    tag = _canonical(code.strip())
    # "English (UK)" is no Ukrainian: capitals in brackets may name a country.
    if tag and not (bracketed and code.strip().isupper()):
        return tag
    return _named(title.strip()) or tag


def _named(title: str) -> str | None:
    wanted = title.casefold()
    found = (_names(locale).get(wanted) for locale in _NAMED_IN.split() if wanted)
    return next(filter(None, found), None)


@cache
def _names(locale: str) -> dict[str, str]:
    """The tags of all languages by their names in one of them."""
    names = Locale(locale).languages
    return {title.casefold(): tag.replace("_", "-") for tag, title in names.items()}


def _canonical(tag: str) -> str | None:
    """A tag with the usual capitals; None if no language has it."""
    found = _TAG.fullmatch(tag)
    if not found or found[1].lower() not in Locale("en").languages:
        return None
    parts = [found[1].lower()]
    for part in re.split("[-_]", found[2])[1:]:
        lengths = {2: part.upper(), 4: part.title()}
        parts.append(lengths.get(len(part), part.lower()))
    return "-".join(parts)
