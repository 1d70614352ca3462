"""A draft looked at: what is wrong, where, and what it would give."""

from dataclasses import dataclass
from typing import Any

from deniable_sdk import DefinitionProblem, InvalidDefinition, compile_survey
from deniable_sdk.errors import format_path
from deniable_sdk.survey.definition import Definition
from deniable_web.build.stand_ins import with_stand_ins
from deniable_web.build.tradeoff import trade_off
from deniable_web.forecast import forecast

MOST_RESPONDENTS = 10**12


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the forecast is for.

    Args:
        respondents: of the whole survey.
        margin: a wanted one, of a mean as a part of its range.
    """

    respondents: int
    margin: float


def check(document: object, wishes: Wishes) -> dict[str, Any]:
    """The problems of a draft and its forecast, as plain JSON values.

    The forecast is there, too, where nothing but texts is missing; it is null
    where more is wrong.
    """
    return {
        "problems": [_told(problem) for problem in _problems(document)],
        **_outlook(document, wishes),
    }


def _problems(document: object) -> tuple[DefinitionProblem, ...]:
    try:
        compile_survey(document)
    except InvalidDefinition as error:
        return error.problems
    return ()


def _outlook(document: object, wishes: Wishes) -> dict[str, Any]:
    try:
        definition = Definition.from_document(with_stand_ins(document))
        result = forecast(definition, wishes.respondents, wishes.margin)
    except InvalidDefinition:
        return {"forecast": None, "trade_off": []}
    return {
        "forecast": result.to_document(),
        "trade_off": trade_off(definition, wishes.respondents),
    }


def _told(problem: DefinitionProblem) -> dict[str, Any]:
    return {
        "path": list(problem.path),
        "place": format_path(problem.path),
        "message": problem.message,
    }
