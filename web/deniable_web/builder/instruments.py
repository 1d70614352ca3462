"""Questions with the structure of known instruments, for the builder."""

import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import yaml

from deniable_web.definition.completeness import PLACEHOLDER
from deniable_web.pages.languages import catalog


@dataclass(frozen=True, slots=True)
class Instrument:
    """The structure of an instrument, without its wording, which belongs to its authors.

    Args:
        id: the id of the score in a draft.
        name: the name of the instrument.
        items: how many items it has.
        points: the points of each answer to an item, in order.
        cutoffs: the scores at which bands begin; the first is the smallest score.
        source: its authors, year and journal.
        reversed: the places of the items with reversed points, from 1.
        at_least: how many items must be answered; None for all.
        own_answers: whether each item has different answers.
        notes: the names of texts that explain more.
    """

    id: str
    name: str
    items: int
    points: tuple[int, ...]
    cutoffs: tuple[int, ...]
    source: str
    reversed: tuple[int, ...] = ()
    at_least: int | None = None
    own_answers: bool = False
    notes: tuple[str, ...] = ()

    @property
    def bands(self) -> dict[str, int]:
        """The bands and where they begin; each name is the smallest and the largest score."""
        step = math.gcd(*(later - earlier for earlier, later in pairwise(self.points)))
        ends = [begin - step for begin in self.cutoffs[1:]] + [self.items * max(self.points)]
        return {f"{begin}–{end}": begin for begin, end in zip(self.cutoffs, ends, strict=True)}

    def questions(self, language: str) -> list[dict[str, Any]]:
        """The questions of a draft, with placeholders in the language of the page."""
        score = {
            "id": self.id,
            "type": "score",
            "text": _placeholder(language, "stem", name=self.name),
            **(self._own_items() if self.own_answers else self._items(language)),
            **({"at_least": self.at_least} if self.at_least else {}),
            "cutoffs": self.bands,
        }
        return [*(self._own_questions(language) if self.own_answers else ()), score]

    def _items(self, language: str) -> dict[str, Any]:
        """Items with the same answers."""
        levels = {
            _placeholder(language, "answer", place=place): points
            for place, points in enumerate(self.points, 1)
        }
        texts = [_placeholder(language, "item", place=each + 1) for each in range(self.items)]
        items = [
            {"text": text, "reversed": True} if place in self.reversed else text
            for place, text in enumerate(texts, 1)
        ]
        return {"levels": levels, "items": items}

    def _own_items(self) -> dict[str, Any]:
        """Items as separate questions, with no points for an item that is not asked."""
        points = {str(place): points for place, points in enumerate(self.points)}
        return {
            "skipped": 0,
            "items": [
                {"question": f"{self.id}_{place}", "points": points}
                for place in range(1, self.items + 1)
            ],
        }

    def _own_questions(self, language: str) -> list[dict[str, Any]]:
        """The items; the first answer to the first of them is "never", and skips the others."""
        asked = {
            "question": f"{self.id}_1",
            "is": [str(each + 1) for each in range(len(self.points) - 1)],
        }
        options = [
            {"id": str(place), "text": _placeholder(language, "answer", place=place + 1)}
            for place in range(len(self.points))
        ]
        return [
            {
                "id": f"{self.id}_{place}",
                "type": "choice",
                "text": _placeholder(language, "item", place=place),
                "options": options,
                "reported": False,
                **({"show_if": asked} if place > 1 else {}),
            }
            for place in range(1, self.items + 1)
        ]


def _placeholder(language: str, key: str, **filled: object) -> str:
    """A text that the author replaces with the instrument's wording."""
    text = catalog("builder", language)["instruments"][key]
    return f"{PLACEHOLDER} {text.format(**filled)}"


@cache
def instruments() -> tuple[Instrument, ...]:
    """All instruments whose structure is known."""
    source = files("deniable_web") / "builder" / "instruments.yaml"
    found: list[Instrument] = []
    for values in yaml.safe_load(source.read_bytes()):
        lists = {key: tuple(each) for key, each in values.items() if isinstance(each, list)}
        found.append(Instrument(**{**values, **lists}))
    return tuple(found)
