"""The parameters of a forecast in the builder."""

from dataclasses import dataclass
from typing import Any, Final

MOST_RESPONDENTS: Final = 10**12
NO_OUTLOOK: Final[dict[str, Any]] = {"is_too_large": False, "forecast": None, "trade_off": []}
TOO_LARGE: Final = NO_OUTLOOK | {"is_too_large": True}


@dataclass(frozen=True, slots=True)
class Wishes:
    """The parameters of the forecast.

    Args:
        respondents: of the whole survey.
        margin: a wanted one, of a mean as a part of its range.
    """

    respondents: int
    margin: float
