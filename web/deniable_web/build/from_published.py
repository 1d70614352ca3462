"""The definition of a published survey, so that another one can begin with it."""

from collections.abc import Iterator
from typing import Any, Final

from deniable_sdk import InvalidDefinition, PublishedSurvey, compile_survey
from deniable_sdk.canonical import decode
from deniable_sdk.weights import format_epsilon

_LEVEL_TYPES: Final = ("yes_no", "scale")
_TARGET_TYPES: Final = ("scale", "number")


def definition_of(survey: PublishedSurvey) -> dict[str, Any]:
    """A definition that compiles to the same survey.

    A published survey does not contain what its author wished of a block, only
    the mechanism that was chosen. A mean as the target, and then the
    mechanism's name, are written where the survey would be another without.

    Args:
        survey: what was published.
    """
    published: Any = decode(survey.document)
    kept = {
        key: published[key] for key in ("introduction", "thanks", "operator") if key in published
    }
    panel = {"waves": survey.waves, "wave": survey.wave} if survey.waves > 1 else {}
    crosstabs = [
        [question.id for question in block.questions]
        for block in survey.blocks
        if len(block.questions) > 1
    ]
    found = {
        "title": published["title"],
        "slug": survey.slug,
        **kept,
        "epsilon": _number(format_epsilon(survey.epsilon * survey.waves)),
        **panel,
        **({"crosstabs": crosstabs} if crosstabs else {}),
        "questions": [_question(each) for each in published["questions"]],
    }
    asked = "all" if survey.asked == len(survey.blocks) else survey.asked
    # The compiler's own choice stays its own; what it chose otherwise is written.
    return next(
        (each for each in _attempts(found, survey, asked) if _is_same(each, survey)),
        {**found, "ask": asked},
    )


def _attempts(
    found: dict[str, Any], survey: PublishedSurvey, asked: int | str
) -> Iterator[dict[str, Any]]:
    for ask in ({}, {"ask": asked}):
        plain = {**found, **ask}
        yield plain
        with_means = _changed(plain, survey, {"target": "mean"}, _TARGET_TYPES)
        yield with_means
        yield _changed(with_means, survey, {}, (), is_named=True)
        yield _changed(plain, survey, {}, (), is_named=True)


def _changed(
    found: dict[str, Any],
    survey: PublishedSurvey,
    preferences: dict[str, str],
    types: tuple[str, ...],
    *,
    is_named: bool = False,
) -> dict[str, Any]:
    """The same with a wish for each block that would otherwise be another."""
    try:
        now = {block.id: block.mechanism for block in compile_survey(found).blocks}
    except InvalidDefinition:
        now = {}
    names = {
        block.id: block.mechanism.name
        for block in survey.blocks
        if len(block.questions) == 1 and now.get(block.id) != block.mechanism
    }
    questions = [
        {
            **each,
            **(preferences if each["id"] in names and each["type"] in types else {}),
            **({"mechanism": names[each["id"]]} if is_named and each["id"] in names else {}),
        }
        for each in found["questions"]
    ]
    return {**found, "questions": questions}


def _is_same(definition: dict[str, Any], survey: PublishedSurvey) -> bool:
    try:
        return compile_survey(definition).digest == survey.digest
    except InvalidDefinition:
        return False


def _question(published: dict[str, Any]) -> dict[str, Any]:
    """A question as an author writes it."""
    found = {key: value for key, value in published.items() if key != "options"}
    options = published.get("options", [])
    if published["type"] in _LEVEL_TYPES:
        labels = {each["id"]: each["text"] for each in options if "text" in each}
        if published["type"] == "scale":
            found |= {"lowest": int(options[0]["id"]), "levels": len(options)}
        return {**found, **({"labels": labels} if labels else {})}
    if options:
        found["options"] = [each if "text" in each else each["id"] for each in options]
    return {
        key: _number(value) if key in ("min", "max", "step") else value
        for key, value in found.items()
    }


def _number(text: str) -> int | float | str:
    """A decimal text as the number that is written alike; the text where there is none."""
    if text.lstrip("-").isdigit():
        return int(text)
    return float(text) if repr(float(text)) == text else text
