"""A question as an author writes it, with the author's preferences."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from deniable_sdk.errors import quote
from deniable_sdk.mechanisms import MECHANISMS
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.records import Record
from deniable_sdk.survey.authored.items import take_out_items
from deniable_sdk.survey.decimals import UNIT
from deniable_sdk.survey.questions import (
    COMMON_KEYS,
    QUESTION_TYPES,
    ChoiceQuestion,
    Question,
    ScoreQuestion,
    read_common,
    read_type,
)
from deniable_sdk.survey.questions.number import read_above_zero
from deniable_sdk.survey.reading import Path, Section
from deniable_sdk.survey.show_if import ShowIf

_KEYS = (*COMMON_KEYS, "mechanism", "weight", "reported")


class AuthoredQuestion(Record):
    """A question of a definition.

    Args:
        question: as it will be published.
        preferences: of its block; None where it is only an item of scores.
        path: where it is in the definition.
    """

    question: Question
    preferences: BlockPreferences | None
    path: Path


class BlockPreferences(Record):
    """An author's preferences for a block.

    Args:
        target: what is to be estimated.
        mechanism: the name of the one that must be used, or None.
        weight: how much the block's error counts beside that of others.
    """

    target: Target
    mechanism: str | None
    weight: Fraction


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
    )
    is_reported = section.flag("reported", default=True)
    if not is_reported and preferences != NO_PREFERENCES:
        section.refuse(
            "has no mechanism, weight or target, because it is not reported", "reported"
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
        )


def read_weight(section: Section) -> Fraction:
    """The weight of a block, 1 by default."""
    return Fraction(read_above_zero(section, "weight", default=1), UNIT)
