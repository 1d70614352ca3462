"""The definition of a published survey, from which a new draft can start."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deniable_sdk import InvalidDefinition, PublishedSurvey, compile_survey
from deniable_sdk.canonical import decode
from deniable_sdk.survey.decimals import as_number
from deniable_sdk.survey.questionnaire import SHOWN_KEYS
from deniable_sdk.survey.questions import COMMON_KEYS, QUESTION_TYPES, Question
from deniable_sdk.weights import format_epsilon


def definition_of(survey: PublishedSurvey) -> dict[str, Any]:
    """A definition that compiles to the same survey.

    A published survey contains the mechanism of each block, but not the author's wishes. So
    the definition states a mean as the target, or the mechanism's name, if it would compile
    to a different survey without them.
    """
    published: Any = decode(survey.document)
    kept = {key: published[key] for key in (*SHOWN_KEYS, "operator") if key in published}
    panel = {"waves": survey.waves, "wave": survey.wave} if survey.waves > 1 else {}
    crosstabs = [
        [question.id for question in block.questions]
        for block in survey.blocks
        if block.is_crosstab
    ]
    found = {
        "slug": survey.slug,
        **kept,
        **_fieldwork(published),
        "epsilon": as_number(format_epsilon(survey.epsilon * survey.waves)),
        **panel,
        **({"crosstabs": crosstabs} if crosstabs else {}),
        "questions": [_question(each, each in survey.reported) for each in survey.questions],
    }
    asked = "all" if survey.asked == len(survey.blocks) else survey.asked
    # A wish is written only if the compiler would choose differently without it.
    for attempt in _attempts(found, survey, asked):
        compiled = _compiled(attempt)
        if compiled and compiled.digest == survey.digest:
            return attempt
    return {**found, "ask": asked}


def _fieldwork(published: Mapping[str, Any]) -> dict[str, Any]:
    """The window, the invitation and the groups as an author writes them."""
    found: dict[str, Any] = dict(published.get("window", {}))
    if "stop_when" in found:
        rule = found["stop_when"]
        found["stop_when"] = {**rule, "margin": as_number(rule["margin"])}
    if "groups" in published:
        found["groups"] = _groups(published["groups"])
    if "invited" in published:
        invited = published["invited"]
        found["invited"] = {**invited, "groups": _groups(invited["groups"])}
    return found


def _groups(published: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        group["id"]: {key: value for key, value in group.items() if key != "id"}
        for group in published
    }


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
    compiled = _compiled(found)
    now = {block.id: block.mechanism for block in compiled.blocks} if compiled else {}
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


def _compiled(definition: dict[str, Any]) -> PublishedSurvey | None:
    try:
        return compile_survey(definition)
    except InvalidDefinition:
        return None


def _question(question: Question, is_reported: bool) -> dict[str, Any]:
    """A question as an author writes it."""
    document = question.to_document()
    common = {key: document[key] for key in COMMON_KEYS if key in document}
    reported = {} if is_reported else {"reported": False}
    return {**common, **question.to_authored(), **reported}
