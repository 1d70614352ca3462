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
from deniable_sdk.survey.options import option_name
from deniable_sdk.survey.questions import (
    COMMON_KEYS,
    QUESTION_TYPES,
    ChoiceQuestion,
    Question,
    ScoreQuestion,
)
from deniable_sdk.survey.questions.number import read_above_zero
from deniable_sdk.survey.reading import ID_PATTERN, ID_RULE, Path, Section
from deniable_sdk.survey.show_if import ShowIf, check_options, read_router
from deniable_sdk.survey.text import read_text

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
    allowed = ", ".join(QUESTION_TYPES)
    question_type = section.require("type", f"one of {allowed}")
    known = QUESTION_TYPES.get(question_type) if isinstance(question_type, str) else None
    if known:
        _refuse_keys(section, known.authored_keys, str(question_type))
    elif "type" in section:
        section.refuse(f"got {quote(question_type)}; allowed: {allowed}", "type")
    common = _read_common(section, earlier)
    preferences = BlockPreferences(
        _read_target(section), _read_mechanism(section), read_weight(section)
    )
    is_reported = section.flag("reported") if "reported" in section else True
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
        known.read_authored(rest, known_before, **common)
        if known
        else ChoiceQuestion(**common, options=())
    )
    return [
        *(
            AuthoredQuestion(item, None, section.at("items", index))
            for index, item in enumerate(items)
        ),
        AuthoredQuestion(question, preferences if is_reported else None, section.path),
    ]


def _read_common(section: Section, earlier: Mapping[str, Question]) -> dict[str, Any]:
    """The fields that every question has."""
    common: dict[str, Any] = {
        "id": section.identifier("id", ID_PATTERN, ID_RULE),
        "text": read_text(section, "text"),
        "required": section.flag("required"),
        "show_if": _read_show_if(section, earlier),
        "new_page": section.flag("new_page"),
        "fixed": section.flag("fixed"),
    }
    _check_fixed(section, common, earlier)
    return common


def _refuse_keys(section: Section, own: tuple[str, ...], question_type: str) -> None:
    """Note the keys that a question of this type does not have.

    Where another type takes one, that is what the author must know.
    """
    elsewhere = {
        key: [name for name, other in QUESTION_TYPES.items() if key in other.authored_keys]
        for other in QUESTION_TYPES.values()
        for key in other.authored_keys
        if key in section and key not in own
    }
    for key, names in elsewhere.items():
        section.refuse(
            f"a question of the type {question_type} takes no {key!r}; types that do: "
            f"{', '.join(names)}",
            key,
        )
    section.refuse_unknown((*_KEYS, *own), elsewhere)


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


def _read_target(section: Section) -> Target:
    value = section.values.get("target", Target.SHARES.value)
    for target in Target:
        if value == target.value:
            return target
    allowed = ", ".join(target.value for target in Target)
    section.refuse(f"got {quote(value)}; allowed: {allowed}", "target")
    return Target.SHARES


def _read_mechanism(section: Section) -> str | None:
    value = section.values.get("mechanism")
    if "mechanism" not in section or (isinstance(value, str) and value in MECHANISMS):
        return value  # type: ignore[return-value]  # None or one of the names
    section.refuse(f"got {quote(value)}; allowed: {', '.join(MECHANISMS)}", "mechanism")
    return None


def _read_show_if(section: Section, earlier: Mapping[str, Question]) -> ShowIf | None:
    """The rule, with its options in order; a single option needs no list."""
    if "show_if" not in section:
        return None
    inner = Section(section.values["show_if"], section.at("show_if"), section.problems)
    inner.refuse_unknown(("question", "is"))
    known = read_router(inner, earlier)
    value = inner.require("is", "an option of that question, or a list of some")
    members = value if isinstance(value, list) else [value]
    chosen = [option_name(member) for member in members]
    named = {option for option in chosen if isinstance(option, str)}
    if "is" in inner and known:
        check_options(inner, chosen, known)
    if "is" in inner and not chosen:
        inner.refuse(
            "got no option; allowed is an option of that question, or a list of some", "is"
        )
    return ShowIf(
        str(inner.values.get("question")), tuple(option for option in known if option in named)
    )
