"""Any of several options, or at most some of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import SomeOf
from deniable_sdk.survey.options import NO_ANSWER, authored_options, is_no_answer, read_options
from deniable_sdk.survey.questions.base import OptionsQuestion, Question
from deniable_sdk.survey.reading import Section

# Nine options have 512 sets; ten have too many for subset selection.
_MOST_LISTED = 9


class MultipleQuestion(OptionsQuestion):
    """A question whose answer is at most `at_most` of its options.

    "No answer" is one option more that stands alone; choosing none of the
    options is another answer than giving none.
    """

    type: ClassVar[str] = "multiple"
    keys: ClassVar[tuple[str, ...]] = ("options", "random_order", "at_most")
    authored_keys: ClassVar[tuple[str, ...]] = ("options", "random_order", "at_most")
    accepts_several: ClassVar[bool] = True

    at_most: int

    def domain_of(self, names: int) -> SomeOf:
        return SomeOf(names, self.at_most)

    @property
    def answers(self) -> Iterator[tuple[int, ...]]:
        """Every set of its options by its binary number, then "no answer" alone.

        None of them with more than nine options.
        """
        count = len(self.options)
        if count > _MOST_LISTED:
            return
        for number in range(1 << count):
            found = tuple(option for option in range(count) if number >> option & 1)
            if len(found) <= self.at_most:
                yield found
        if self.offers_no_answer:
            yield (count,)

    @classmethod
    def read(cls, section: Section, _earlier: Mapping[str, Question], /, **common: Any) -> Self:
        options = read_options(section)
        most = max(1, len(options))
        default = None if section.is_published else most
        at_most = section.integer("at_most", 1, most, default)
        return cls(**common, options=options, at_most=at_most)

    def to_authored(self) -> dict[str, Any]:
        return {"options": authored_options(self.options), "at_most": self.at_most}

    def encode(self, answer: object) -> tuple[int, ...]:
        """The ascending indexes of a list, tuple or set of options' ids."""
        members: list[object] = [None]
        if is_no_answer(answer):
            members = [NO_ANSWER]
        elif isinstance(answer, list | tuple | set | frozenset):
            members = list(answer)
        indexes = [self._indexes.get(member, -1) for member in members if isinstance(member, str)]
        different = sorted(set(indexes))
        stands_alone = len(members) == 1 or NO_ANSWER not in members
        if len(different) == len(members) <= self.at_most and -1 not in indexes and stands_alone:
            return tuple(different)
        raise self.refusal(answer)

    @property
    def takes(self) -> str:
        ids = ", ".join(self.option_ids)
        return f"lists of at most {self.at_most} of its options, each once: {ids}"

    def to_document(self) -> dict[str, JSON]:
        return {**super().to_document(), "at_most": self.at_most}
