"""The forecast of a draft, with its own epsilon and with others."""

from typing import Any, Final

from deniable_sdk import InvalidDefinition
from deniable_sdk.survey.definition import Definition
from deniable_web.build.stand_ins import with_stand_ins
from deniable_web.build.tradeoff import trade_off
from deniable_web.build.wishes import NO_OUTLOOK, TOO_LARGE, Wishes
from deniable_web.forecast import forecast
from deniable_web.forecast.blocks import option_count

# A forecast with so many options takes about four seconds on one core.
MOST_OPTIONS: Final = 10_000


def outlook(document: object, wishes: Wishes) -> dict[str, Any]:
    """The forecast of a draft, as plain JSON values.

    A draft in which only texts are missing has a forecast too. The forecast is null if
    anything else is wrong, or if it would take too long.
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
    """The number of all options and cells, without those of numbers, which cost almost nothing."""
    return sum(
        option_count(block.domain) for block in definition.blocks if block.questions[0].options
    )
