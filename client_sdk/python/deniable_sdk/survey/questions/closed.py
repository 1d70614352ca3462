"""One of several options: yes_no, choice and scale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import OneOf
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.records import derived
from deniable_sdk.survey.options import NO_ANSWER, Option, read_options
from deniable_sdk.survey.questions.base import Question
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text


class ClosedQuestion(Question):
    """A question whose answer is one of its options."""

    keys: ClassVar[tuple[str, ...]] = ("options",)

    options: tuple[Option, ...]
    _names: tuple[str, ...] = derived()
    _places: Mapping[str | None, int] = derived()

    def __post_init__(self) -> None:
        """Option ids in the order of their places, "no answer" last."""
        names = (*self.option_ids, *([NO_ANSWER] * self.offers_no_answer))
        self.derive("domain", OneOf(len(self.options), self.offers_no_answer))
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

    @property
    def scale(self) -> Scale:
        """The levels of a scale are in order; other options are not."""
        return Scale.ORDINAL if self.type == "scale" else Scale.NOMINAL

    @classmethod
    def read(cls, section: Section, **common: Any) -> Self:
        return cls(**common, options=read_options(section))

    def place(self, answer: object) -> int:
        """The index of an option's id, or of no answer.

        For yes_no also of True or False, for scale also of the level's number.
        """
        chosen = answer if type(answer) is str else _option_id(self.type, answer)
        place = self._places.get(chosen)
        if place is None:
            raise self.refusal(answer)
        return place

    @property
    def takes(self) -> str:
        return f"one of its options: {', '.join(self.names)}"

    def to_document(self) -> dict[str, JSON]:
        options: list[JSON] = [option.to_document() for option in self.options]
        return {**super().to_document(), "options": options}


def _option_id(question_type: str, answer: object) -> str | None:
    if answer is None:
        return NO_ANSWER
    if isinstance(answer, bool):
        return ("no", "yes")[answer] if question_type == "yes_no" else None
    if isinstance(answer, int) and question_type == "scale":
        # CPython refuses to write integers of thousands of digits.
        return str(answer) if answer.bit_length() < 64 else None
    return answer if isinstance(answer, str) else None
