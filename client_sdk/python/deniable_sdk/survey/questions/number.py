"""A number on an evenly spaced grid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import quote
from deniable_sdk.mechanisms import OneOf
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.mechanisms.parameters import MAX_CELLS
from deniable_sdk.survey import decimals
from deniable_sdk.survey.options import NO_ANSWER, is_no_answer
from deniable_sdk.survey.questions.base import Question
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text, read_optional_text, text_document

NUMBER_RULE = "a number below a thousand million, with at most 4 decimals"


class NumberQuestion(Question):
    """A question whose answer is one of the numbers min, min + step, ..., max.

    The three are integers in units of 10^-4.
    """

    type: ClassVar[str] = "number"
    keys: ClassVar[tuple[str, ...]] = ("min", "max", "step", "unit")
    authored_keys: ClassVar[tuple[str, ...]] = (*keys, "target")

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

    @property
    def scale(self) -> Scale:
        return Scale.NUMERIC

    @classmethod
    def read(cls, section: Section, _earlier: Mapping[str, Question], /, **common: Any) -> Self:
        given = [read_decimal_text(section, key) for key in ("min", "max", "step")]
        return cls._on_grid(section, common, *given)

    @classmethod
    def read_authored(
        cls, section: Section, _earlier: Mapping[str, Question], /, **common: Any
    ) -> Self:
        given = (read_decimal(section, "min"), read_decimal(section, "max"))
        return cls._on_grid(section, common, *given, read_decimal(section, "step", default=1))

    @classmethod
    def _on_grid(cls, section: Section, common: dict[str, Any], *given: int | None) -> Self:
        lowest, highest, step = _checked_grid(section, *given)
        unit = read_optional_text(section, "unit")
        return cls(**common, lowest=lowest, highest=highest, step=step, unit=unit)

    def to_authored(self) -> dict[str, Any]:
        grid = {"min": self.lowest, "max": self.highest, "step": self.step}
        found: dict[str, Any] = {
            key: decimals.as_number(decimals.format_units(units)) for key, units in grid.items()
        }
        return found if self.unit is None else {**found, "unit": text_document(self.unit)}

    def encode(self, answer: object) -> int:
        """The index of a number or of its text, which must be on the grid."""
        if self.offers_no_answer and is_no_answer(answer):
            return self.cells
        units = decimals.parse_number(answer)
        if units is not None and self.lowest <= units <= self.highest:
            index, beside = divmod(units - self.lowest, self.step)
            if not beside:
                return index
        raise self.refusal(answer)

    @property
    def takes(self) -> str:
        low, high, step = map(decimals.format_units, (self.lowest, self.highest, self.step))
        return f"the numbers from {low} to {high} in steps of {step}"

    def to_document(self) -> dict[str, JSON]:
        document = {
            **super().to_document(),
            "min": decimals.format_units(self.lowest),
            "max": decimals.format_units(self.highest),
            "step": decimals.format_units(self.step),
        }
        if self.unit is not None:
            document["unit"] = text_document(self.unit)
        return document


def _checked_grid(
    section: Section, lowest: int | None, highest: int | None, step: int | None
) -> tuple[int, int, int]:
    """The grid if it is one, else a small one and the problems noted."""
    fallback = (0, decimals.UNIT, decimals.UNIT)
    if lowest is None or highest is None or step is None:
        return fallback
    if step <= 0:
        section.refuse(
            f"got {quote(decimals.format_units(step))}; allowed is a decimal text above 0", "step"
        )
        return fallback
    if highest <= lowest:
        least = decimals.format_units(lowest)
        section.refuse(
            f"got {decimals.format_units(highest)}; allowed is more than min, {least}", "max"
        )
        return fallback
    steps, beside = divmod(highest - lowest, step)
    if beside or steps >= MAX_CELLS:
        found = "no whole number of steps" if beside else f"{steps} steps"
        section.refuse(
            f"from min to max it is {found}; allowed are 1 to {MAX_CELLS - 1} whole ones: take "
            "another step, min or max",
            "step",
        )
        return fallback
    return lowest, highest, step


def read_decimal(section: Section, key: str, default: int | None = None) -> int | None:
    """The number under a key in units of 10^-4; a bad one is a problem, and None."""
    if key not in section and default is not None:
        return decimals.parse_number(default)
    value = section.require(key, NUMBER_RULE)
    units = decimals.parse_number(value)
    if units is not None and decimals.parse_canonical(decimals.format_units(units)) is not None:
        return units
    if key in section:
        section.refuse(f"got {quote(value)}; allowed is {NUMBER_RULE}", key)
    return None


def read_above_zero(section: Section, key: str, default: int) -> int:
    """The number above 0 under a key in units of 10^-4; a bad one is a problem, and `default`."""
    units = read_decimal(section, key, default)
    if units is not None and units <= 0:
        section.refuse(f"got {quote(section.values[key])}; allowed is a number above 0", key)
    return units if units and units > 0 else default * decimals.UNIT


def read_decimal_text(section: Section, key: str) -> int | None:
    """The canonical decimal text under a key in units of 10^-4, None and a problem if bad."""
    value = section.require(key, decimals.RULE)
    units = decimals.parse_canonical(value)
    if units is None and key in section:
        section.refuse(f"got {quote(value)}; allowed is {decimals.RULE}", key)
    return units
