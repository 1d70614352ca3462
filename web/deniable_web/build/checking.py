"""A draft looked at: what is wrong, where, and what it would give."""

from typing import Any, Final

from deniable_sdk import DefinitionProblem, InvalidDefinition, compile_survey
from deniable_sdk.errors import format_path
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.questions import NumberQuestion
from deniable_web.build.stand_ins import with_stand_ins
from deniable_web.build.tradeoff import trade_off
from deniable_web.build.wishes import Wishes
from deniable_web.caps import cap_problem
from deniable_web.forecast import forecast
from deniable_web.forecast.blocks import option_count

# Forecasts of so many take about four seconds on one core.
MOST_OPTIONS: Final = 10_000


def check(document: object, wishes: Wishes) -> dict[str, Any]:
    """The problems of a draft and its forecast, as plain JSON values.

    The forecast is there, too, where nothing but texts is missing; it is null
    where more is wrong, and where it would keep the server busy for too long.
    """
    problems = [_told(problem) for problem in _problems(document)]
    try:
        definition = Definition.from_document(with_stand_ins(document))
        beyond = cap_problem(definition)
        if beyond:
            problems.append(_told(beyond, "yearly_cap"))
        return {"problems": problems, **_outlook(definition, wishes)}
    except InvalidDefinition:
        return {"problems": problems, "is_too_large": False, "forecast": None, "trade_off": []}


def _problems(document: object) -> tuple[DefinitionProblem, ...]:
    try:
        compile_survey(document)
    except InvalidDefinition as error:
        return error.problems
    return ()


def _outlook(definition: Definition, wishes: Wishes) -> dict[str, Any]:
    if _options(definition) > MOST_OPTIONS:
        return {"is_too_large": True, "forecast": None, "trade_off": []}
    result = forecast(definition, wishes.respondents, wishes.margin)
    return {
        "is_too_large": False,
        "forecast": result.to_document(),
        "trade_off": trade_off(definition, wishes.respondents),
    }


def _options(definition: Definition) -> int:
    """All options and cells together; those of numbers cost next to nothing."""
    return sum(
        option_count(block.domain)
        for block in definition.blocks
        if not isinstance(block.questions[0], NumberQuestion)
    )


def _told(problem: DefinitionProblem, reason: str = "") -> dict[str, Any]:
    """A problem as plain JSON values.

    Args:
        problem: what is wrong.
        reason: the name of a text in which the page says it; empty if it has
            none.
    """
    return {
        "reason": reason,
        "path": list(problem.path),
        "place": format_path(problem.path),
        "message": problem.message,
    }
