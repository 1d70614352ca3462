"""The rule of a score as an author writes it, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from deniable_sdk.errors import Code
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.mechanisms.parameters import MAX_CELLS
from deniable_sdk.survey.decimals import UNIT, format_units, number_of, parse_canonical
from deniable_sdk.survey.options import by_option_name
from deniable_sdk.survey.questions.base import Question
from deniable_sdk.survey.questions.number import (
    NUMBER_RULE,
    read_above_zero,
    read_decimal,
    read_decimals,
)
from deniable_sdk.survey.questions.rules import (
    MAX_ITEMS,
    Item,
    Rule,
    check_rule,
    half_up,
    read_source,
)
from deniable_sdk.survey.reading import Section

# What an author may call an operation, and the one that is published.
COMBINATIONS = {
    "sum": "sum",
    "mean": "mean",
    "largest": "largest",
    "quotient": "quotient",
    "count": "sum",
    "any": "largest",
    "all": "sum",
}
# Their result is 1 or 0.
CONDITIONS = ("any", "all")
_COUNTS = ("count", *CONDITIONS)
_KEYS_OF_CONDITIONS = ("question", "points", "reversed")
_ITEM_KEYS = (*_KEYS_OF_CONDITIONS, "weight")
# What means and quotients are rounded to.
_FINE_STEP = UNIT // 100


def read_authored_rule(section: Section, earlier: Mapping[str, Question]) -> Rule:
    """The rule of a score in a definition; problems go to the section."""
    name = section.choice("combine", COMBINATIONS, "sum")
    counted = read_decimal(section, "reached", default=1) if name in _COUNTS else None
    if "reached" in section and name not in _COUNTS:
        section.refuse(
            f"belongs to {', '.join(_COUNTS)}, not to {name}", "reached", code=Code.OPERATION
        )
    read = []
    for inner in section.sections("items", 1, MAX_ITEMS, "items"):
        inner.refuse_unknown(_KEYS_OF_CONDITIONS if name in CONDITIONS else _ITEM_KEYS)
        read.append(_read_item(inner, earlier, counted))
    items = tuple(item for item in read if item)
    combine, count = COMBINATIONS[name], len(read)
    plus = read_decimal(section, "plus", default=0) or 0
    table = _read_table(section, name, count)
    skipped = _read_skipped(section, counted)
    rule = Rule(
        items=items,
        combine=combine,
        at_least=section.integer("at_least", 1, max(1, count), default=count or 1),
        plus=plus,
        table=table,
        step=_read_step(section, combine, items, (plus, skipped or 0), table),
        skipped=skipped,
    )
    check_rule(rule, section)
    if "table" in section and rule.combine == "sum":
        _check_table(rule, section)
    return rule


def _read_skipped(section: Section, counted: int | None) -> int | None:
    """The points of an item that is not reached: 1 or 0 where items are counted."""
    units = read_decimal(section, "skipped") if "skipped" in section else None
    return units if units is None or counted is None else UNIT * (units >= counted)


def _read_table(section: Section, name: str, count: int) -> tuple[int, ...]:
    """What replaces each sum; where all items must reach something, 1 for so many alone."""
    if name == "all":
        if "table" in section:
            section.refuse("belongs to sum and count, not to all", "table", code=Code.OPERATION)
        return (0,) * count + (UNIT,)
    return read_decimals(section, "table", 1, MAX_CELLS) if "table" in section else ()


def _check_table(rule: Rule, section: Section) -> None:
    """Note a table without an entry for each sum, rounded to a whole number."""
    low, high = (half_up(units, UNIT * UNIT) for units in _bounds_of_sum(rule))
    if low < 0 or high >= len(rule.table):
        section.refuse(
            f"got {len(rule.table)} entries, and sums from {low} to {high}; write one entry for "
            "each whole number from 0 to the largest sum, and add 'plus' if sums are below 0",
            "table",
            code=Code.TABLE,
            lowest=str(low),
            highest=str(high),
        )


def _bounds_of_sum(rule: Rule) -> tuple[int, int]:
    """The lowest and the highest sum before its table, in units of 10^-8.

    They are those of the fewest items that must be answered, at worst those with
    the fewest or the most points: an item without an answer counts as their mean.
    """
    lows, highs = zip(*(_ends(item, rule.skipped) for item in rule.items), strict=True)
    low, high = sum(sorted(lows)[: rule.at_least]), sum(sorted(highs)[-rule.at_least :])
    count, plus = len(rule.items), rule.plus * UNIT
    return low * count // rule.at_least + plus, -(-high * count // rule.at_least) + plus


def _ends(item: Item, skipped: int | None) -> tuple[int, int]:
    """The smallest and the largest points of an item, in units of 10^-8."""
    low, high = item.ends
    if skipped is None or item.question.show_if is None:
        return low, high
    return min(low, skipped * UNIT), max(high, skipped * UNIT)


def bounds(rule: Rule) -> tuple[int, int]:
    """The lowest and the highest result, in units of 10^-4, as multiples of its step."""
    ends = [_ends(item, rule.skipped) for item in rule.items]
    if rule.table:
        low, high = min(rule.table) * UNIT, max(rule.table) * UNIT
    elif rule.combine == "sum":
        low, high = _bounds_of_sum(rule)
    elif rule.combine == "quotient":
        (low, high), *divisors = ends
        whole: int = UNIT ** (2 * len(divisors))
        corners = [
            top * whole // (math.prod(end[side] for end in divisors))
            for top in (low, high)
            for side in (0, 1)
        ]
        low, high = min(corners), max(corners)
    elif rule.combine == "largest":
        # So many items are answered, at worst those with the lowest points.
        low = sorted(low for low, _ in ends)[rule.at_least - 1]
        high = max(high for _, high in ends)
    else:
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
    wide = rule.step * UNIT
    return low // wide * rule.step, -(-high // wide) * rule.step


def to_authored_rule(rule: Rule) -> dict[str, Any]:
    """The keys of a rule in a definition: read_authored_rule turned round."""
    return rule.describe(_to_authored_item, number_of)


def _to_authored_item(item: Item) -> dict[str, Any]:
    if not item.points:
        return {"question": item.question.id, "weight": number_of(item.factor)}
    points = dict(zip(item.question.option_ids, map(number_of, item.points), strict=True))
    return {"question": item.question.id, "points": points}


def _read_item(
    section: Section, earlier: Mapping[str, Question], counted: int | None
) -> Item | None:
    question = read_source(section, earlier)
    weight = read_decimal(section, "weight", default=1)
    if question is None or weight is None:
        return None
    if question.grid:
        _refuse_points(section, is_counted=counted is not None)
        return Item(question, (), weight)
    points = _read_points(section, question)
    if section.flag("reversed") and points:
        points = [max(points) + min(points) - each for each in points]
    if counted is not None:
        points = [UNIT * (each >= counted) for each in points]
    weighted = [each * weight for each in points]
    if any(each % UNIT for each in weighted):
        section.refuse("points times weight have more than 4 decimals", "weight", code=Code.POINTS)
    if any(parse_canonical(format_units(each // UNIT)) is None for each in weighted):
        section.refuse(
            f"points times weight: allowed is {NUMBER_RULE}", "weight", code=Code.POINTS
        )
    return Item(question, tuple(each // UNIT for each in weighted)) if points else None


def _refuse_points(section: Section, *, is_counted: bool) -> None:
    for key in ("points", "reversed"):
        if key in section:
            section.refuse(
                "a number has no points of its own; give it a weight", key, code=Code.POINTS
            )
    if is_counted:
        section.refuse(
            "a number cannot be counted; a choice with points can", "question", code=Code.POINTS
        )


def _read_points(section: Section, question: Question) -> list[int]:
    """The points of each option; the levels of a scale, and 1 for yes, where none are written."""
    if "points" not in section:
        if question.scale is Scale.ORDINAL:
            return [int(level) * UNIT for level in question.option_ids]
        if question.option_ids == ("yes", "no"):
            return [UNIT, 0]
        section.refuse(
            f"the key 'points' is missing; write some for each option of {question.id}",
            code=Code.MISSING,
            key="points",
        )
        return []
    inner = section.within("points")
    inner.values = by_option_name(inner)
    inner.refuse_unknown(question.option_ids)
    read = [read_decimal(inner, option) for option in question.option_ids]
    return [units or 0 for units in read]


def _read_step(
    section: Section,
    combine: str,
    items: Sequence[Item],
    others: Sequence[int],
    table: Sequence[int],
) -> int:
    """What the result is rounded to: by default what all sums of points are multiples of."""
    if "step" in section:
        return read_above_zero(section, "step", default=1)
    if combine in ("mean", "quotient"):
        return _FINE_STEP if combine == "mean" else UNIT // 10
    if table:
        return math.gcd(*table) or UNIT
    points = [
        value
        for item in items
        for value in (item.points or (item.factor * u // UNIT for u in item.question.grid[:2]))
    ]
    return math.gcd(*others, *points) or UNIT
