"""The definition of a published survey, from which a new draft can start."""

from collections.abc import Iterator, Mapping
from typing import Any

from deniable_sdk import InvalidDefinition, PublishedSurvey, compile_survey
from deniable_sdk.canonical import decode
from deniable_sdk.survey.decimals import as_number
from deniable_sdk.survey.questions import COMMON_KEYS, QUESTION_TYPES, Question
from deniable_sdk.weights import format_epsilon


def definition_of(survey: PublishedSurvey) -> dict[str, Any]:
    """A definition that compiles to the same survey.

    A published survey contains the mechanism of each block, but not the author's wishes. So
    the definition states a mean as the target, or the mechanism's name, if it would compile
    to a different survey without them.

    Args:
        survey: the published survey.
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
        **_fieldwork(published),
        "epsilon": as_number(format_epsilon(survey.epsilon * survey.waves)),
        **panel,
        **({"crosstabs": crosstabs} if crosstabs else {}),
        "questions": [
            _question(each) | ({} if each in survey.reported else {"reported": False})
            for each in survey.questions
        ],
    }
    asked = "all" if survey.asked == len(survey.blocks) else survey.asked
    # A wish is written only if the compiler would choose differently without it.
    return next(
        (each for each in _attempts(found, survey, asked) if _is_same(each, survey)),
        {**found, "ask": asked},
    )


def _fieldwork(published: Mapping[str, Any]) -> dict[str, Any]:
    """The window and the invitation as an author writes them."""
    found: dict[str, Any] = dict(published.get("window", {}))
    if "invited" in published:
        invited = published["invited"]
        groups = {
            group["id"]: {key: value for key, value in group.items() if key != "id"}
            for group in invited["groups"]
        }
        found["invited"] = {**invited, "groups": groups}
    return found


def _attempts(
    found: dict[str, Any], survey: PublishedSurvey, asked: int | str
) -> Iterator[dict[str, Any]]:
    for ask in ({}, {"ask": asked}):
        plain = {**found, **ask}
        yield plain
        with_means = _changed(plain, survey, {"target": "mean"})
        yield with_means
        yield _changed(with_means, survey, {}, is_named=True)
        yield _changed(plain, survey, {}, is_named=True)


def _changed(
    found: dict[str, Any],
    survey: PublishedSurvey,
    preferences: dict[str, str],
    *,
    is_named: bool = False,
) -> dict[str, Any]:
    """The same definition, with a wish for each block that would otherwise change."""
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
            **(preferences if each["id"] in names and _accepts(each, preferences) else {}),
            **({"mechanism": names[each["id"]]} if is_named and each["id"] in names else {}),
        }
        for each in found["questions"]
    ]
    return {**found, "questions": questions}


def _accepts(question: Mapping[str, Any], preferences: Mapping[str, str]) -> bool:
    return preferences.keys() <= set(QUESTION_TYPES[question["type"]].authored_keys)


def _is_same(definition: dict[str, Any], survey: PublishedSurvey) -> bool:
    try:
        return compile_survey(definition).digest == survey.digest
    except InvalidDefinition:
        return False


def _question(question: Question) -> dict[str, Any]:
    """A question as an author writes it."""
    document = question.to_document()
    common = {key: document[key] for key in COMMON_KEYS if key in document}
    return {**common, **question.to_authored()}
