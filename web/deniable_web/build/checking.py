"""The forecast of a draft, with this epsilon and with others."""

from typing import Any, Final

from deniable_sdk import InvalidDefinition
from deniable_sdk.survey.definition import Definition
from deniable_web.build.stand_ins import with_stand_ins
from deniable_web.build.tradeoff import trade_off
from deniable_web.build.wishes import NO_OUTLOOK, TOO_LARGE, Wishes
from deniable_web.forecast import forecast
from deniable_web.forecast.blocks import option_count

# Forecasts of so many take about four seconds on one core.
MOST_OPTIONS: Final = 10_000


def outlook(document: object, wishes: Wishes) -> dict[str, Any]:
    """The forecast of a draft, as plain JSON values.

    It is there, too, where nothing but texts is missing; it is null where more
    is wrong, and where it would take too long.
    """
    try:
        definition = Definition.from_document(with_stand_ins(document))
        if _options(definition) > MOST_OPTIONS:
            return TOO_LARGE
        result = forecast(definition, wishes.respondents, wishes.margin)
    except InvalidDefinition:
        return NO_OUTLOOK
    return {
        "is_too_large": False,
        "forecast": result.to_document(),
        "trade_off": trade_off(definition, wishes.respondents),
    }


def _options(definition: Definition) -> int:
    """All options and cells together; those of numbers cost next to nothing."""
    return sum(
        option_count(block.domain) for block in definition.blocks if block.questions[0].options
    )
