"""Scores: the rule by which a device computes one answer from several others.

Everything is an integer. Points are in units of 10^-4, as numbers are, and the
values of items in units of 10^-8, so that a number times a factor stays exact.
The result is a fraction, which is rounded once, half up. A table replaces it
after that; it has one entry for each whole number from 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import Code
from deniable_sdk.mechanisms.parameters import MAX_CELLS
from deniable_sdk.records import Record
from deniable_sdk.survey.decimals import UNIT, format_units
from deniable_sdk.survey.options import is_no_answer
from deniable_sdk.survey.questions.base import Question
from deniable_sdk.survey.questions.number import read_decimal, read_decimals
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.writing import members

MAX_ITEMS = 60
MAX_DIVISORS = 3
OPERATIONS = ("sum", "mean", "largest", "quotient")
RULE_KEYS = ("items", "combine", "at_least", "plus", "table", "step", "skipped")
ITEM_RULE = "the id of an earlier question of the type yes_no, choice, scale or number"


class Item(Record, hidden="question"):
    """A question that a score is computed from.

    Args:
        question: a closed one or a number.
        points: of each of its options, in units of 10^-4; empty for a number.
        factor: what a number is multiplied by, in units of 10^-4.
    """

    question: Question
    points: tuple[int, ...]
    factor: int = UNIT

    def value(self, answer: object) -> int | None:
        """The points of an answer in units of 10^-8, None for no answer.

        Raises:
            InvalidAnswer: it does not fit the question.
        """
        if is_no_answer(answer):
            return None
        index = self.question.encode(answer)
        assert isinstance(index, int)  # noqa: S101 - only such questions are items
        if self.points:
            return self.points[index] * UNIT
        return self.factor * self.question.grid[index]

    @property
    def ends(self) -> tuple[int, int]:
        """The smallest and the largest points of an answer, in units of 10^-8."""
        if self.points:
            return min(self.points) * UNIT, max(self.points) * UNIT
        ends = [self.factor * units for units in (self.question.grid[0], self.question.grid[-1])]
        return min(ends), max(ends)

    def to_document(self) -> dict[str, JSON]:
        """The item as a published survey contains it."""
        if self.points:
            return {"question": self.question.id, "points": [*map(format_units, self.points)]}
        return {"question": self.question.id, "factor": format_units(self.factor)}


class Rule(Record):
    """How a score is computed.

    Args:
        items: its questions, in order; a quotient divides the first by all others.
        combine: one of OPERATIONS.
        at_least: the number of items that must be answered; with fewer there is
            no score.
        plus: added to a sum, in units of 10^-4.
        table: replaces the whole numbers from 0, in units of 10^-4; may be empty.
        step: what the result is rounded to, in units of 10^-4.
        skipped: the points of an item that is not reached, in units of 10^-4;
            None where it is an item without an answer.
    """

    items: tuple[Item, ...]
    combine: str
    at_least: int
    plus: int
    table: tuple[int, ...]
    step: int
    skipped: int | None

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions of its items."""
        return tuple(item.question for item in self.items)

    def steps(self, answers: Mapping[str, object], lowest: int) -> int | None:
        """The result in steps from `lowest`; 0 where it is below.

        Args:
            answers: question id to answer, of the questions that were reached.
            lowest: in units of 10^-4.
        Returns:
            None where fewer than `at_least` items are answered.
        Raises:
            InvalidAnswer: an answer does not fit its question.
        """
        skipped = None if self.skipped is None else self.skipped * UNIT
        values = [
            item.value(answers[item.question.id]) if item.question.id in answers else skipped
            for item in self.items
        ]
        given = [value for value in values if value is not None]
        if len(given) < self.at_least:
            return None
        found, divisor = self._fraction(given)
        if self.table:
            row = _rounded(found, divisor, 0, UNIT)
            found, divisor = self.table[min(row, len(self.table) - 1)] * UNIT, 1
        return _rounded(found, divisor, lowest, self.step)

    def _fraction(self, given: Sequence[int]) -> tuple[int, int]:
        """The result as a fraction, in units of 10^-8."""
        if self.combine == "largest":
            return max(given), 1
        if self.combine == "quotient":
            first, *others = given
            whole: int = UNIT ** (2 * len(others))
            return first * whole, math.prod(others)
        if self.combine == "mean":
            return sum(given), len(given)
        # An item without an answer counts as the mean of the others.
        return sum(given) * len(self.items) + self.plus * UNIT * len(given), len(given)

    def to_document(self) -> dict[str, JSON]:
        """The keys of the rule in a published score."""
        return self.describe(Item.to_document, format_units)

    def describe(
        self, item: Callable[[Item], Any], number: Callable[[int], Any]
    ) -> dict[str, Any]:
        """The keys of the rule, with items and numbers as a document writes them."""
        document: dict[str, Any] = {
            "items": [item(each) for each in self.items],
            "combine": self.combine,
            "at_least": self.at_least,
            "step": number(self.step),
            **members(plus=self.plus and number(self.plus), table=[*map(number, self.table)]),
        }
        # Written even if it is 0, which members() leaves out.
        if self.skipped is not None:
            document["skipped"] = number(self.skipped)
        return document


def _rounded(found: int, divisor: int, lowest: int, step: int) -> int:
    """How many steps a fraction is above `lowest`, rounded half up, at least 0."""
    return max(0, half_up(found - lowest * UNIT * divisor, step * UNIT * divisor))


def half_up(value: int, unit: int) -> int:
    """The number of units in a value, rounded half up."""
    return (2 * value + unit) // (2 * unit)


def read_rule(section: Section, earlier: Mapping[str, Question]) -> Rule:
    """The rule of a published score; problems go to the section."""
    items = [
        _read_item(each, earlier) for each in section.sections("items", 1, MAX_ITEMS, "items")
    ]
    step = read_decimal(section, "step") or 0
    if step <= 0 and "step" in section:
        section.refuse("allowed is a decimal text above 0", "step")
    operations = f"one of {', '.join(OPERATIONS)}"
    rule = Rule(
        items=tuple(item for item in items if item),
        combine=section.read("combine", operations, OPERATIONS.__contains__, OPERATIONS[0]),
        at_least=section.integer("at_least", 1, max(1, len(items))),
        plus=read_decimal(section, "plus", default=0) or 0,
        table=read_decimals(section, "table", 1, MAX_CELLS) if "table" in section else (),
        step=max(step, 1),
        skipped=read_decimal(section, "skipped") if "skipped" in section else None,
    )
    check_rule(rule, section)
    return rule


def check_rule(rule: Rule, section: Section) -> None:
    """Note what its operation does not allow."""
    for key, value in (("plus", rule.plus), ("table", rule.table)):
        if value and rule.combine != "sum":
            section.refuse(f"belongs to a sum, not to a {rule.combine}", key, code=Code.OPERATION)
    if rule.combine != "quotient":
        return
    dividend, *divisors = rule.items or (None,)
    if not dividend or not 1 <= len(divisors) <= MAX_DIVISORS:
        section.refuse(
            f"got {len(rule.items)} items; a quotient has one that is divided, and 1 to "
            f"{MAX_DIVISORS} by which it is divided",
            "items",
            code=Code.OPERATION,
        )
    elif any(item.ends[0] <= 0 for item in divisors):
        section.refuse(
            "a quotient is divided by items that are always above 0", "items", code=Code.OPERATION
        )
    elif rule.at_least < len(rule.items):
        section.refuse("a quotient needs all of its items", "at_least", code=Code.OPERATION)
    elif rule.skipped is not None:
        section.refuse(
            "belongs to a sum, mean or largest, not to a quotient", "skipped", code=Code.OPERATION
        )


def _read_item(section: Section, earlier: Mapping[str, Question]) -> Item | None:
    question = read_source(section, earlier)
    if question is None:
        return None
    if question.is_closed:
        section.refuse_unknown(("question", "points"))
        count = len(question.option_ids)
        points = read_decimals(section, "points", count, count)
        return Item(question, points) if len(points) == count else None
    section.refuse_unknown(("question", "factor"))
    return Item(question, (), read_decimal(section, "factor") or 0)


def read_source(section: Section, earlier: Mapping[str, Question]) -> Question | None:
    """The question that an item names, None where it names none."""
    name = section.require("question", ITEM_RULE)
    question = earlier.get(name) if isinstance(name, str) else None
    if question and not question.items and (question.is_closed or question.grid):
        return question
    if "question" in section:
        section.refuse_value(name, ITEM_RULE, "question")
    return None


def items_of(questions: Iterable[Question]) -> frozenset[str]:
    """The ids of the questions from which scores among these are computed."""
    return frozenset(item.id for question in questions for item in question.items)
