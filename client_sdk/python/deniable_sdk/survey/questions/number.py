"""A number on an evenly spaced grid."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import Code
from deniable_sdk.mechanisms import OneOf
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.mechanisms.parameters import MAX_CELLS
from deniable_sdk.survey import decimals
from deniable_sdk.survey.options import NO_ANSWER, is_no_answer
from deniable_sdk.survey.questions.base import Question
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text, read_optional_text
from deniable_sdk.survey.writing import members

# Thousands to half of the world, where a point separates groups of digits.
_THOUSANDS = re.compile(r"-?[1-9][0-9]{0,2}\.[0-9]{3}", re.ASCII)
NUMBER_RULE = "a number below a thousand million, with at most 4 decimals"


class NumberQuestion(Question):
    """A question whose answer is one of the numbers min, min + step, ..., max.

    The three are integers in units of 10^-4.
    """

    type: ClassVar[str] = "number"
    keys: ClassVar[tuple[str, ...]] = ("min", "max", "step", "unit")
    authored_keys: ClassVar[tuple[str, ...]] = (*keys, "target")
    scale: ClassVar[Scale] = Scale.NUMERIC

    lowest: int
    highest: int
    step: int
    unit: Text | None  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here

    def __post_init__(self) -> None:
        self.derive("domain", OneOf(self.cells, self.offers_no_answer))

    @property
    def grid(self) -> range:
        return range(self.lowest, self.highest + 1, self.step)

    @property
    def cells(self) -> int:
        """The number of possible answers."""
        return len(self.grid)

    @property
    def names(self) -> tuple[str, ...]:
        return (*map(decimals.format_units, self.grid), *([NO_ANSWER] * self.offers_no_answer))

    @property
    def texts(self) -> tuple[Text | None, ...]:
        return (self.text, self.unit)

    @classmethod
    def read(cls, section: Section, _earlier: Mapping[str, Question], /, **common: Any) -> Self:
        ends = [read_decimal(section, key) for key in ("min", "max")]
        step = read_decimal(section, "step", default=None if section.is_published else 1)
        return cls._on_grid(section, common, *ends, step)

    @classmethod
    def _on_grid(cls, section: Section, common: dict[str, Any], *given: int | None) -> Self:
        lowest, highest, step = _checked_grid(section, *given)
        unit = read_optional_text(section, "unit")
        return cls(**common, lowest=lowest, highest=highest, step=step, unit=unit)

    def to_authored(self) -> dict[str, Any]:
        grid = {"min": self.lowest, "max": self.highest, "step": self.step}
        numbers = {key: decimals.number_of(units) for key, units in grid.items()}
        return {**numbers, **members(unit=self.unit)}

    def encode(self, answer: object) -> int:
        """The index of a number or of its text, which must be on the grid.

        "2.000" is refused where 2000 is on the grid, too: people may have typed it.
        """
        if self.offers_no_answer and is_no_answer(answer):
            return self.cells
        units = decimals.parse_number(answer)
        if units is None or units not in self.grid:
            raise self.refusal(answer)
        if isinstance(answer, str) and _THOUSANDS.fullmatch(answer) and units * 1000 in self.grid:
            raise self.refusal(answer)
        return self.grid.index(units)

    @property
    def takes(self) -> str:
        low, high, step = map(decimals.format_units, (self.lowest, self.highest, self.step))
        return f"the numbers from {low} to {high} in steps of {step}"

    def to_document(self) -> dict[str, JSON]:
        return {
            **super().to_document(),
            "min": decimals.format_units(self.lowest),
            "max": decimals.format_units(self.highest),
            "step": decimals.format_units(self.step),
            **members(unit=self.unit),
        }


def _checked_grid(
    section: Section, lowest: int | None, highest: int | None, step: int | None
) -> tuple[int, int, int]:
    """The grid if it is one, else a small one and the problems noted."""
    fallback = (0, decimals.UNIT, decimals.UNIT)
    if lowest is None or highest is None or step is None:
        return fallback
    if step <= 0:
        section.refuse_value(decimals.format_units(step), "a decimal text above 0", "step")
        return fallback
    if highest <= lowest:
        least = decimals.format_units(lowest)
        section.refuse(
            f"got {decimals.format_units(highest)}; allowed is more than min, {least}",
            "max",
            code=Code.RANGE,
        )
        return fallback
    steps, beside = divmod(highest - lowest, step)
    if beside or steps >= MAX_CELLS:
        found = "no whole number of steps" if beside else f"{steps} steps"
        section.refuse(
            f"from min to max it is {found}; allowed are 1 to {MAX_CELLS - 1} whole ones: take "
            "another step, min or max",
            "step",
            code=Code.RANGE,
        )
        return fallback
    return lowest, highest, step


def read_decimal(section: Section, key: str, default: int | None = None) -> int | None:
    """The number under a key in units of 10^-4; a bad one is a problem, and None."""
    if key not in section and default is not None:
        return default * decimals.UNIT
    value = section.require(key, _rule_of(section))
    units = _units_of(section, value)
    if units is None and key in section:
        section.refuse_value(value, _rule_of(section), key)
    return units


def read_decimals(section: Section, key: str, shortest: int, longest: int) -> tuple[int, ...]:
    """The numbers in a list, in units of 10^-4; a bad one is a problem, and 0."""
    plural = "decimal texts" if section.is_published else "numbers"
    members = list(section.members(key, shortest, longest, plural))
    found = [_units_of(section, member) for member in members]
    for index, units in enumerate(found):
        if units is None:
            section.refuse_value(members[index], _rule_of(section), key, index)
    return tuple(units or 0 for units in found)


def _rule_of(section: Section) -> str:
    """How numbers are written: in a published survey as texts in their one form."""
    return decimals.RULE if section.is_published else NUMBER_RULE


def _units_of(section: Section, value: object) -> int | None:
    if section.is_published:
        return decimals.parse_canonical(value)
    units = decimals.parse_number(value)
    return None if units is None else decimals.parse_canonical(decimals.format_units(units))


def read_above_zero(section: Section, key: str, default: int) -> int:
    """The number above 0 under a key in units of 10^-4; a bad one is a problem, and `default`."""
    units = read_decimal(section, key, default)
    if units is not None and units <= 0:
        section.refuse_value(section.values[key], "a number above 0", key)
    return units if units and units > 0 else default * decimals.UNIT
