"""What a mechanism is given: the possible answers of a block, as indexes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import InvalidAnswer
from deniable_sdk.records import Record, derived

Answer = int | tuple[int, ...]


class OneOf(Record):
    """One of `options` in their order, or no answer where there is one.

    An answer is an index: 0 to options - 1, and `options` for no answer.
    """

    options: int
    offers_no_answer: bool = False
    size: int = derived()

    def __post_init__(self) -> None:
        """How many different answers there are, no answer among them."""
        self.derive("size", self.options + self.offers_no_answer)

    def describe(self) -> str:
        """The answers in words, for an author."""
        return f"one of {self.size} answers"

    def to_document(self) -> dict[str, JSON]:
        """The domain as a published mechanism contains it."""
        return {"cells": self.options, "no_answer": self.offers_no_answer}

    def answers(self) -> Iterator[int]:
        """Every answer."""
        return iter(range(self.size))

    def check(self, answer: object) -> int:
        """The answer, if it is one.

        Raises:
            InvalidAnswer: it is none of them; the message leaves it out.
        """
        if type(answer) is int and 0 <= answer < self.size:
            return answer
        raise InvalidAnswer(
            f"an answer is an index from 0 to {self.size - 1}; the one given is not, and was "
            "not used"
        )


class SomeOf(Record):
    """Any set of at most `at_most` of `options`; the empty set is an answer.

    An answer is an ascending tuple of indexes from 0 to options - 1. Where a
    question has no answer, that is one more option.
    """

    options: int
    at_most: int

    @property
    def size(self) -> int:
        """How many different answers there are."""
        return sum(math.comb(self.options, count) for count in range(self.at_most + 1))

    def describe(self) -> str:
        """The answers in words, for an author."""
        return f"at most {self.at_most} of {self.options} options"

    def to_document(self) -> dict[str, JSON]:
        """The domain as a published mechanism contains it."""
        return {"options": self.options, "at_most": self.at_most}

    def answers(self) -> Iterator[tuple[int, ...]]:
        """Every answer; for small domains only."""
        counts = range(self.at_most + 1)
        return itertools.chain.from_iterable(
            itertools.combinations(range(self.options), count) for count in counts
        )

    def check(self, answer: object) -> tuple[int, ...]:
        """The answer, if it is one.

        Raises:
            InvalidAnswer: it is none of them; the message leaves it out.
        """
        if isinstance(answer, tuple) and len(answer) <= self.at_most:
            before = -1
            for index in answer:
                if type(index) is not int or index <= before:
                    break
                before = index
            else:
                if before < self.options:
                    return answer
        raise InvalidAnswer(
            f"an answer is an ascending tuple of at most {self.at_most} indexes from 0 to "
            f"{self.options - 1}; the one given is not, and was not used"
        )


Domain = OneOf | SomeOf
