"""Any of several options, or at most some of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import SomeOf
from deniable_sdk.records import derived
from deniable_sdk.survey.options import NO_ANSWER, Option, is_no_answer, read_options
from deniable_sdk.survey.questions.base import Question
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text


class MultipleQuestion(Question):
    """A question whose answer is at most `at_most` of its options.

    "No answer" is one option more that stands alone; choosing none of the
    options is another answer than giving none.
    """

    keys: ClassVar[tuple[str, ...]] = ("options", "at_most")

    options: tuple[Option, ...]
    at_most: int
    _names: tuple[str, ...] = derived()
    _places: Mapping[str, int] = derived()

    def __post_init__(self) -> None:
        """Option ids in the order of their places, "no answer" last."""
        names = (*self.option_ids, *([NO_ANSWER] * self.offers_no_answer))
        self.derive("domain", SomeOf(len(names), self.at_most))
        self.derive("_names", names)
        self.derive("_places", {name: place for place, name in enumerate(names)})

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    @property
    def option_ids(self) -> tuple[str, ...]:
        return tuple(option.id for option in self.options)

    @property
    def texts(self) -> tuple[Text | None, ...]:
        return (self.text, *(option.text for option in self.options))

    @classmethod
    def read(cls, section: Section, **common: Any) -> Self:
        options = read_options(section)
        at_most = section.integer("at_most", 1, max(1, len(options)))
        return cls(**common, options=options, at_most=at_most)

    def place(self, answer: object) -> tuple[int, ...]:
        """The ascending indexes of a list, tuple or set of options' ids."""
        members: list[object] = [None]
        if is_no_answer(answer):
            members = [NO_ANSWER]
        elif isinstance(answer, list | tuple | set | frozenset):
            members = list(answer)
        places = [self._places.get(member, -1) for member in members if isinstance(member, str)]
        different = sorted(set(places))
        stands_alone = len(members) == 1 or NO_ANSWER not in members
        if len(different) == len(members) <= self.at_most and -1 not in places and stands_alone:
            return tuple(different)
        raise self.refusal(answer)

    @property
    def takes(self) -> str:
        ids = ", ".join(self.option_ids)
        return f"lists of at most {self.at_most} of its options, each once: {ids}"

    def to_document(self) -> dict[str, JSON]:
        options: list[JSON] = [option.to_document() for option in self.options]
        return {**super().to_document(), "options": options, "at_most": self.at_most}
