"""A type of question that is in no package of ours: a month."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from deniable_sdk.mechanisms import OneOf
from deniable_sdk.survey.options import NO_ANSWER, Option, is_no_answer
from deniable_sdk.survey.questions.base import Question
from deniable_sdk.survey.reading import Section

MONTHS = tuple(str(month) for month in range(1, 13))


class MonthQuestion(Question):
    """A question whose answer is a month, 1 to 12."""

    type: ClassVar[str] = "month"
    keys: ClassVar[tuple[str, ...]] = ()
    authored_keys: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        self.derive("domain", OneOf(len(MONTHS), self.offers_no_answer))

    @property
    def options(self) -> tuple[Option, ...]:
        return tuple(map(Option, MONTHS))

    @property
    def names(self) -> tuple[str, ...]:
        return (*MONTHS, *([NO_ANSWER] * self.offers_no_answer))

    @classmethod
    def read(cls, _section: Section, _earlier: Mapping[str, Question], /, **common: Any) -> Self:
        return cls(**common)

    def to_authored(self) -> dict[str, Any]:
        return {}

    def encode(self, answer: object) -> int:
        chosen = NO_ANSWER if is_no_answer(answer) else str(answer)
        if chosen not in self.names:
            raise self.refusal(answer)
        return self.names.index(chosen)

    @property
    def takes(self) -> str:
        return "the months from 1 to 12"
