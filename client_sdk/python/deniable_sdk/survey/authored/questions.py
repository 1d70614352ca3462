"""A question as an author writes it, with its preferences, and the items inside a score."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from deniable_sdk.errors import Code, quote
from deniable_sdk.mechanisms import MECHANISMS
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.records import Record
from deniable_sdk.survey.decimals import UNIT
from deniable_sdk.survey.options import Option, ShowIf, check_option_ids, option_name
from deniable_sdk.survey.questions import (
    COMMON_KEYS,
    QUESTION_TYPES,
    ChoiceQuestion,
    Question,
    ScoreQuestion,
    YesNoQuestion,
    read_common,
    read_type,
)
from deniable_sdk.survey.questions.number import NUMBER_RULE, read_above_zero, read_decimal
from deniable_sdk.survey.reading import ID_PATTERN, ID_RULE, MAX_ID_LENGTH, Path, Section
from deniable_sdk.survey.text import (
    SHORT_TEXT_RULE,
    is_short_text,
    read_optional_text,
    read_short_text,
    read_text,
)
from deniable_sdk.weights import EPSILON_RANGE, read_epsilon

_KEYS = (*COMMON_KEYS, "mechanism", "weight", "epsilon", "reported")
_ITEM_KEYS = ("id", "text", "levels", "required", "reversed", "weight")
_LEVELS_RULE = (
    "the answers and their points, like {never: 0, often: 1}, or a list of answers with id, text "
    "and points"
)
# What the builder's lines mean, and a definition does not.
_REVERSED_MARK = "(R)"

# Each answer, and what it is worth as its author wrote it.
Levels = list[tuple[Option, Any]]


class AuthoredQuestion(Record):
    """A question of a definition, and where it is in it.

    `preferences` is None if the question is only an item of scores.
    """

    question: Question
    preferences: BlockPreferences | None
    path: Path


class BlockPreferences(Record):
    """An author's preferences for a block.

    The compiler multiplies the block's margins by `weight`, and uses `mechanism` if it is not
    None. A report through the block spends `epsilon` at most; None for all that the survey
    spends.
    """

    target: Target
    mechanism: str | None
    weight: Fraction
    epsilon: Fraction | None = None


# Nothing but what the compiler would choose by itself.
NO_PREFERENCES = BlockPreferences(Target.SHARES, None, Fraction(1))


def read_authored(section: Section, earlier: Mapping[str, Question]) -> list[AuthoredQuestion]:
    """The question, after those that are written inside it; problems go to the section."""
    known = read_type(section)
    if known:
        _refuse_keys(section, known)
    common = read_common(section, earlier)
    _check_fixed(section, common, earlier)
    preferences = BlockPreferences(
        Target(section.choice("target", [each.value for each in Target], Target.SHARES.value)),
        section.choice("mechanism", MECHANISMS, None),
        read_weight(section),
        read_epsilon_of(section) if "epsilon" in section else None,
    )
    is_reported = section.flag("reported", default=True)
    if not is_reported and preferences != NO_PREFERENCES:
        section.refuse(
            "has no mechanism, weight, epsilon or target, because it is not reported",
            "reported",
            code=Code.NOT_REPORTED,
        )
    rest, items = section, list[Question]()
    if known is ScoreQuestion:
        rest, items = take_out_items(section, common)
    known_before = {**earlier, **{item.id: item for item in items}}
    # What is wrong with a question of unknown type is still looked for.
    question = (
        known.read(rest, known_before, **common) if known else ChoiceQuestion(**common, options=())
    )
    return [
        *(
            AuthoredQuestion(item, None, section.at("items", index))
            for index, item in enumerate(items)
        ),
        AuthoredQuestion(question, preferences if is_reported else None, section.path),
    ]


def _refuse_keys(section: Section, known: type[Question]) -> None:
    """Note the keys that a question of this type does not have.

    Where another type takes one, that is what the author must know.
    """
    elsewhere = {
        key: [name for name, other in QUESTION_TYPES.items() if key in other.authored_keys]
        for other in QUESTION_TYPES.values()
        for key in other.authored_keys
        if key in section and key not in known.authored_keys
    }
    for key, names in elsewhere.items():
        section.refuse(
            f"a question of the type {known.type} takes no {key!r}; types that do: "
            f"{', '.join(names)}",
            key,
            code=Code.OTHER_TYPE,
            type=known.type,
        )
    section.refuse_unknown((*_KEYS, *known.authored_keys), elsewhere)


def _check_fixed(
    section: Section, common: Mapping[str, Any], earlier: Mapping[str, Question]
) -> None:
    """Whether a question is reached must not change either, if its answer does not."""
    rule: ShowIf | None = common["show_if"]
    router = earlier.get(rule.question) if rule else None
    if router and common["fixed"] and not router.fixed:
        section.refuse(
            f"is reached by way of {quote(router.id)}, which is not fixed, so that its answer may "
            "change; make both fixed or neither",
            "fixed",
            code=Code.FIXED_BY_ANSWERS,
            question=router.id,
        )


def read_weight(section: Section) -> Fraction:
    """The weight of a block, 1 by default."""
    return Fraction(read_above_zero(section, "weight", default=1), UNIT)


def read_epsilon_of(section: Section) -> Fraction | None:
    """The epsilon in a section; None where it is none, or missing."""
    value = section.require("epsilon", EPSILON_RANGE)
    try:
        return read_epsilon(value)
    except ValueError as error:
        if "epsilon" in section:
            section.refuse(str(error), "epsilon")
        return None


def take_out_items(section: Section, common: Mapping[str, Any]) -> tuple[Section, list[Question]]:
    """A score whose items only name questions, and the questions written inside it."""
    items = section.values.get("items")
    if not isinstance(items, list):
        return section, []
    shared = _read_levels(section) if "levels" in section else None
    named: list[object] = []
    is_without = False
    questions: list[Question] = []
    for index, member in enumerate(items):
        if isinstance(member, Mapping) and "question" in member:
            named.append(member)
            continue
        inner = section.inner(
            {"text": member} if isinstance(member, str) else member, "items", index
        )
        inner.refuse_unknown(_ITEM_KEYS)
        levels = _read_levels(inner) if "levels" in inner else shared
        if levels is None:
            is_without = True
        if str(inner.values.get("text", "")).endswith(_REVERSED_MARK):
            inner.refuse(f"ends in {_REVERSED_MARK}; write {{text: ..., reversed: true}}")
        ending = f"_{index + 1}"
        made_up = common["id"][: MAX_ID_LENGTH - len(ending)] + ending
        question = _question(inner, made_up, levels or [], common)
        questions.append(question)
        kept = {key: inner.values[key] for key in ("reversed", "weight") if key in inner}
        points = {option.id: points for option, points in levels or []}
        named.append({"question": question.id, "points": points, **kept})
    if is_without:
        section.refuse(
            f"the key 'levels' is missing; it takes {_LEVELS_RULE}",
            "levels",
            code=Code.MISSING,
            key="levels",
        )
    rest = {key: value for key, value in section.values.items() if key != "levels"}
    return section.inner(rest | {"items": named}), questions


def _question(
    section: Section, made_up: str, levels: Levels, common: Mapping[str, Any]
) -> Question:
    options = tuple(option for option, _ in levels)
    question_id = section.identifier("id", ID_PATTERN, ID_RULE) if "id" in section else made_up
    is_yes_no = {option.id for option in options} == {"yes", "no"}
    return (YesNoQuestion if is_yes_no else ChoiceQuestion)(
        id=question_id,
        text=read_text(section, "text"),
        help=None,
        image=None,
        section=None,
        required=section.flag("required", default=common["required"]),
        show_if=common["show_if"],
        new_page=False,
        random_order=False,
        fixed=False,
        options=options,
    )


def _read_levels(section: Section) -> Levels:
    """The answers under "levels"; their points are read with the items."""
    value = section.values["levels"]
    levels: Levels = []
    if isinstance(value, Mapping):
        for key, points in value.items():
            name = option_name(key)
            if not is_short_text(name):
                section.refuse_value(key, SHORT_TEXT_RULE, "levels")
            levels.append((Option(str(name)), points))
    elif isinstance(value, list) and all(isinstance(member, Mapping) for member in value):
        for index, member in enumerate(value):
            inner = section.inner(member, "levels", index)
            inner.refuse_unknown(("id", "text", "points"))
            option = Option(read_short_text(inner, "id"), read_optional_text(inner, "text"))
            levels.append((option, inner.require("points", NUMBER_RULE)))
    if len(levels) < 2:
        section.refuse(f"got {quote(value)}; allowed are {_LEVELS_RULE}", "levels")
        return []
    check_option_ids(section, [option.id for option, _ in levels], "levels")
    # Here, so that a bad number is said once and not for every item.
    inner = section.inner({option.id: points for option, points in levels}, "levels")
    return [
        (option, 0 if read_decimal(inner, option.id) is None else points)
        for option, points in levels
    ]
