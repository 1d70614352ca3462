"""One of several options: yes_no, choice and scale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from deniable_sdk.mechanisms import OneOf
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.options import (
    NO_ANSWER,
    Option,
    authored_options,
    by_option_name,
    read_options,
)
from deniable_sdk.survey.questions.base import OptionsQuestion, Question
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text, read_text
from deniable_sdk.survey.writing import members

MAX_LEVELS = 101


class ClosedQuestion(OptionsQuestion):
    """A question whose answer is one of its options."""

    keys: ClassVar[tuple[str, ...]] = ("options",)
    is_closed: ClassVar[bool] = True

    def domain_of(self, names: int) -> OneOf:
        return OneOf(len(self.options), names > len(self.options))

    @classmethod
    def read(cls, section: Section, _earlier: Mapping[str, Question], /, **common: Any) -> Self:
        return cls(**common, options=read_options(section))

    def encode(self, answer: object) -> int:
        """The index of the option that an answer names, or of "no answer"."""
        chosen = answer if type(answer) is str else self._option_id(answer)
        index = self._indexes.get(chosen)
        if index is None:
            raise self.refusal(answer)
        return index

    def _option_id(self, answer: object) -> str | None:
        """The option's id for an answer that is not a plain string; None if it names no option."""
        if answer is None:
            return NO_ANSWER
        return answer if isinstance(answer, str) else None

    @property
    def takes(self) -> str:
        return f"one of its options: {', '.join(self.names)}"


class ChoiceQuestion(ClosedQuestion):
    """One of the options that its author lists."""

    type: ClassVar[str] = "choice"
    keys: ClassVar[tuple[str, ...]] = ("options", "random_order")
    authored_keys: ClassVar[tuple[str, ...]] = ("options", "random_order")

    def to_authored(self) -> dict[str, Any]:
        return {"options": authored_options(self.options)}


class LabelledQuestion(ClosedQuestion):
    """Options that its type names; its author may label them."""

    @classmethod
    def read(cls, section: Section, earlier: Mapping[str, Question], /, **common: Any) -> Self:
        if section.is_published:
            return super().read(section, earlier, **common)
        return cls._labelled(section, common, cls._read_ids(section))

    @classmethod
    def _read_ids(cls, section: Section) -> tuple[str, ...]:
        """The ids of the options in a definition."""
        raise NotImplementedError

    @classmethod
    def _labelled(cls, section: Section, common: dict[str, Any], ids: tuple[str, ...]) -> Self:
        labels: dict[str, Text] = {}
        if "labels" in section:
            inner = section.within("labels")
            # YAML reads a bare yes or no as true or false, and a bare 1 as a number.
            inner.values = by_option_name(inner)
            inner.refuse_unknown(ids)
            labels = {each: read_text(inner, each) for each in ids if each in inner}
        return cls(**common, options=tuple(Option(each, labels.get(each)) for each in ids))

    def to_authored(self) -> dict[str, Any]:
        return members(labels=members(**{option.id: option.text for option in self.options}))


class YesNoQuestion(LabelledQuestion):
    """Yes or no, perhaps in other words."""

    type: ClassVar[str] = "yes_no"
    authored_keys: ClassVar[tuple[str, ...]] = ("labels",)
    has_common_options: ClassVar[bool] = True

    @classmethod
    def _read_ids(cls, section: Section) -> tuple[str, ...]:  # noqa: ARG003 - the ids are fixed
        return ("yes", "no")

    def _option_id(self, answer: object) -> str | None:
        if isinstance(answer, bool):
            return "yes" if answer else "no"
        return super()._option_id(answer)


class ScaleQuestion(LabelledQuestion):
    """Levels in order, which are consecutive integers."""

    type: ClassVar[str] = "scale"
    authored_keys: ClassVar[tuple[str, ...]] = ("levels", "lowest", "labels", "target")
    scale: ClassVar[Scale] = Scale.ORDINAL

    @classmethod
    def _read_ids(cls, section: Section) -> tuple[str, ...]:
        lowest = section.integer("lowest", -100, 100, default=1)
        levels = section.integer("levels", 2, MAX_LEVELS)
        return tuple(str(lowest + n) for n in range(levels))

    def to_authored(self) -> dict[str, Any]:
        lowest, levels = int(self.options[0].id), len(self.options)
        return {"lowest": lowest, "levels": levels, **super().to_authored()}

    def _option_id(self, answer: object) -> str | None:
        if isinstance(answer, int) and not isinstance(answer, bool):
            # CPython refuses to write integers of thousands of digits.
            return str(answer) if answer.bit_length() < 64 else None
        return super()._option_id(answer)
