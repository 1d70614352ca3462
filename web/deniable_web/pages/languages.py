"""The languages of the interface, and its texts in each.

A catalog is a file of texts for one surface in one language, in sections:
languages/CODE/SURFACE.yaml. All languages have the same sections, keys and placeholders. A
survey's own texts come from its definition.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import yaml

DEFAULT: Final = "en"
# The languages of surveys that are written from right to left.
_FROM_THE_RIGHT: Final = frozenset(("ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"))

# The parser in C is as safe and ten times as fast, if it was built.
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# The texts, by section and key.
Catalog = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the interface: its code, and its own name."""

    code: str
    name: str
    has_decimal_comma: bool = False


LANGUAGES: Final = (
    Language("en", "English"),
    Language("de", "Deutsch", has_decimal_comma=True),
    Language("es", "Español", has_decimal_comma=True),
    Language("ar", "العربية"),
    Language("zh", "中文"),
)
CODES: Final = tuple(language.code for language in LANGUAGES)


@cache
def catalog(surface: str, language: str) -> Catalog:
    """The texts of a surface in a language.

    Args:
        surface: the name of a file in languages/CODE.
        language: any language tag; the default's texts are returned if the interface does
            not have it.
    """
    code = spoken(language)
    source = files("deniable_web") / "languages" / code / f"{surface}.yaml"
    loaded: Catalog = yaml.load(source.read_bytes(), _LOADER)  # noqa: S506  a safe one
    return loaded


def spoken(language: str) -> str:
    """The code of the interface's language that is nearest to a tag."""
    primary = language.lower().partition("-")[0]
    return primary if primary in CODES else DEFAULT


def best(wanted: Iterable[str], offered: Iterable[str]) -> str | None:
    """The first wanted language that is offered, exactly or by its main part."""
    by_tag = {tag.lower(): tag for tag in offered}
    by_primary = {tag.partition("-")[0]: by_tag[tag] for tag in reversed(list(by_tag))}
    for tag in (each.lower() for each in wanted):
        found = by_tag.get(tag) or by_primary.get(tag.partition("-")[0])
        if found:
            return found
    return None


def direction(language: str) -> str:
    """The direction of writing of a language: "ltr" or "rtl"."""
    return "rtl" if language.lower().partition("-")[0] in _FROM_THE_RIGHT else "ltr"
