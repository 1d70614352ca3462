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
        respondents: the number of respondents of the whole survey.
        margin: the wanted margin; for a mean, a part of its range.
    """

    respondents: int
    margin: float
