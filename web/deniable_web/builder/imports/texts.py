"""The texts of a file: their languages, their line breaks, and the references in them."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html.parser import HTMLParser
from typing import Final

from deniable_sdk.survey.text import CONTROLS
from deniable_web.builder.imports.imported import Account, Changed
from deniable_web.builder.imports.languages import UNNAMED, Languages

# What both programs call it if a text has no language.
_UNNAMED_THERE: Final = "default"
# The HTML that ODK and SurveyJS show in texts, and signs around bold words.
_FORMATTING: Final = re.compile(
    r"</?(?:a|b|big|br|center|div|em|font|h[1-6]|hr|i|img|li|ol|p|small|span|strong|sub|sup|u|ul)"
    r"(?:\s[^<>]*)?/?>"
)
# In workbooks, Windows' carriage return is written out.
_LINE_BREAK: Final = re.compile("(?:\r|_x000D_)\n?|[\n\x0b\x0c]")
_BOLD: Final = re.compile(r"\*\*(\S(?:[^*\n]*\S)?)\*\*")

# A plain text is in the language of all texts for which the file names none.
Text = str | dict[str, str]


class Texts:
    """Reads the texts of one file.

    Args:
        account: lists references, and texts that have no language of their own.
        reference: a part of a text in whose place the other program shows an answer.
        language: the tag of the texts without a language, as far as it is known.
    """

    def __init__(self, account: Account, reference: str, language: str = "en") -> None:
        self._account = account
        self.language = language
        self._reference = re.compile(reference)
        self._languages = Languages(account)

    def find_tag(self, name: str) -> str | None:
        """The tag of a language of the file."""
        return self._languages.find_tag(name)

    def read(self, value: object, name: str) -> Text:
        """A text of the question `name`; "" if there is none."""
        if not isinstance(value, Mapping):
            return self._plain(value, name)
        texts: dict[str, str] = {}
        for language, inner in value.items():
            text = self._plain(inner, name)
            if not text:
                continue
            tag = UNNAMED if language == _UNNAMED_THERE else self._languages.tag(str(language))
            if texts.setdefault(tag, text) != text:
                self._account.change(name, Changed.LANGUAGES, f"{language}: {text}")
        return texts[UNNAMED] if texts.keys() == {UNNAMED} else texts or ""

    def read_html(self, value: object, name: str) -> Text:
        """The words of a text with HTML."""
        if isinstance(value, Mapping):
            return self.read({key: _without_tags(text) for key, text in value.items()}, name)
        return self.read(_without_tags(value), name)

    def _plain(self, value: object, name: str) -> str:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return ""
        text = _cleaned(str(value))
        for reference in self._reference.findall(text):
            self._account.change(name, Changed.REFERENCE, reference)
        return text


@cache
def _cleaned(text: str) -> str:
    """A text without formatting, and with visible signs only; lists repeat their texts."""
    text = _BOLD.sub(r"\1", text)
    if _FORMATTING.search(text):
        text = _without_tags(_LINE_BREAK.sub("<br>", text))
    return visible(text)


def visible(text: str) -> str:
    """A text without signs that nobody sees, and with the line breaks of Unix."""
    return CONTROLS.sub("", _LINE_BREAK.sub("\n", text)).strip()


def join(first: Text, second: Text, between: str = " \N{EN DASH} ") -> Text:
    """Two texts as one, in the languages of either."""
    if not first or not second:
        return first or second
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}{between}{second}"
    codes = dict.fromkeys(code for text in (first, second) for code in by_language(text))
    return {code: f"{_in(first, code)}{between}{_in(second, code)}" for code in codes}


def words(text: Text) -> Iterator[str]:
    """A text in each of its languages."""
    yield from by_language(text).values()


def by_language(text: Text) -> Mapping[str, str]:
    """A text by the tags of its languages; a plain text is under UNNAMED."""
    return text if isinstance(text, Mapping) else {UNNAMED: text}


def _in(text: Text, code: str) -> str:
    """A text in a language, or in its first one."""
    found = by_language(text)
    return found.get(code) or next(iter(found.values()))


_BLOCKS: Final = "address br div dd dt h1 h2 h3 h4 h5 h6 hr li ol p table td th tr ul"


class _Words(HTMLParser):
    """Collects what people read of a text with HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("script", "style")
        if tag in _BLOCKS.split():
            self.parts.append("\n")
        # An address and the text of a picture are words, too.
        for key, value in attrs:
            if value and (tag, key) in (("a", "href"), ("img", "alt")):
                self.parts.append(f" {value} ")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in ("script", "style")))
        if tag in _BLOCKS.split():
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(re.sub(r"\s+", " ", data))


def _without_tags(value: object) -> str:
    if not isinstance(value, str):
        return ""
    parser = _Words()
    parser.feed(value)
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.parts).splitlines())
    return "\n".join(filter(None, lines))
