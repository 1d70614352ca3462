"""Templates of surveys: definitions to start from, with the sources of their wording."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from deniable_sdk import DeniableError
from deniable_web.definition.yaml_text import DefinitionLoader, to_yaml
from deniable_web.pages.languages import CODES, DEFAULT

_WIDTH: Final = 98


class UnknownTemplate(DeniableError, KeyError):
    """There is no template of this name."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class WordingSource:
    """A published instrument, text or law that the wording of a template follows.

    Args:
        cited: its authors, year and title.
        address: where it can be read; empty if it has no lasting address.
        licence: what may be done with it.
        used: what the template has from it, and what was changed.
    """

    cited: str
    address: str
    licence: str
    used: str


@dataclass(frozen=True, slots=True)
class SurveyTemplate:
    """A definition to start from.

    Args:
        name: its name in addresses and commands.
        sources: what its wording follows.
        respondents: how many respondents estimate each of its shares, also in its crosstabs,
            with a margin of at most 5 percentage points.
        document: the definition; each text is a map with all languages of the pages.
    """

    name: str
    sources: tuple[WordingSource, ...]
    respondents: int
    document: Mapping[str, Any]

    @property
    def respondents_for_ten(self) -> int:
        """The respondents for a margin of 10 points: a quarter, as it falls with their root."""
        return math.ceil(self.respondents / 4)

    def title(self, language: str) -> str:
        """The title of the survey in a language of the pages."""
        texts: Mapping[str, str] = self.document["title"]
        return texts[language]

    def definition(self, languages: Sequence[str] = (DEFAULT,)) -> dict[str, Any]:
        """The definition with the texts of one or more languages, the first one first.

        Raises:
            ValueError: a language that the pages do not have, or none.
        """
        if not languages or not set(languages) <= set(CODES):
            raise ValueError(
                f"got the languages {', '.join(languages) or 'none'}; allowed are one or more "
                f"of {', '.join(CODES)}"
            )
        chosen: dict[str, Any] = _in_languages(self.document, languages)
        return chosen

    def text(self, languages: Sequence[str] = (DEFAULT,)) -> str:
        """The definition as YAML, below comments with the sources of its wording."""
        needed = (
            f"Survey template {self.name}. With {self.respondents:,} respondents, the margin of "
            "each share is at most 5 percentage points; "
            f"with {self.respondents_for_ten:,}, at most 10."
        )
        lines = [needed, "", "Sources of the wording:"]
        for each in self.sources:
            cited = " ".join(filter(None, (each.cited, each.address)))
            lines.append(f"- {cited} Licence: {each.licence} Used: {each.used}")
        comments = [
            f"# {row}".rstrip()
            for line in lines
            for row in textwrap.wrap(line, _WIDTH, subsequent_indent="  ") or [""]
        ]
        return "\n".join((*comments, "", to_yaml(self.definition(languages))))


def _in_languages(value: Any, languages: Sequence[str]) -> Any:
    if isinstance(value, Mapping):
        if value.keys() == set(CODES):
            chosen = {code: value[code] for code in languages}
            return chosen if len(chosen) > 1 else chosen[languages[0]]
        return {key: _in_languages(each, languages) for key, each in value.items()}
    if isinstance(value, list):
        return [_in_languages(each, languages) for each in value]
    return value


@cache
def templates() -> tuple[SurveyTemplate, ...]:
    """All templates, in the order in which pages and commands list them."""
    folder = files("deniable_web") / "builder" / "survey_templates"
    about = yaml.load((folder / "about.yaml").read_bytes(), DefinitionLoader)  # noqa: S506  a safe one
    return tuple(
        SurveyTemplate(
            name=name,
            sources=tuple(WordingSource(**source) for source in values["sources"]),
            respondents=values["respondents"],
            document=yaml.load(
                (folder / f"{name}.yaml").read_bytes(),
                DefinitionLoader,  # noqa: S506  a safe one
            ),
        )
        for name, values in about.items()
    )


def template(name: str) -> SurveyTemplate:
    """The template of this name.

    Raises:
        UnknownTemplate: the message lists the names that there are.
    """
    found = {each.name: each for each in templates()}
    if name not in found:
        raise UnknownTemplate(f"there is no template {name!r}; choose one of {', '.join(found)}")
    return found[name]
