"""The choices of a regression, each checked before anything is computed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.choice import critical_value

Progress = Callable[[int, int], None]


def no_progress(_done: int, _all: int) -> None:
    """Show nothing."""


class StandardErrors(StrEnum):
    """The kinds of standard errors."""

    OBSERVED = "observed"
    EXPECTED = "expected"
    SANDWICH = "sandwich"
    CLUSTER = "cluster"


class CoefficientInterval(StrEnum):
    """The kinds of intervals of coefficients."""

    WALD = "wald"
    PROFILE = "profile"


class Spread(StrEnum):
    """How the distribution of randomized predictors may depend on the others."""

    SATURATED = "saturated"
    FORMULA = "formula"


class FittingMethod(StrEnum):
    """How coefficients are estimated."""

    LIKELIHOOD = "likelihood"
    MOMENTS = "moments"


LINKS = ("logit", "probit", "cloglog", "ordered", "identity")

_WORDS: Mapping[str, tuple[str, ...]] = {
    "link": LINKS,
    "se": tuple(StandardErrors),
    "predictors": tuple(Spread),
    "method": tuple(FittingMethod),
    "interval": tuple(CoefficientInterval),
}


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of a caller, as in regress; None selects the default for the data.

    Raises:
        InvalidArgument: there is no such choice; confidence is not between 0 and 1.
    """

    link: str | None = None
    reference: str | None = None
    predictors: str | None = None
    method: str | None = None
    se: str | None = None
    confidence: float = DEFAULT_CONFIDENCE
    interval: str | None = None
    on_progress: Progress = no_progress

    def __post_init__(self) -> None:
        critical_value(self.confidence)
        for name, allowed in _WORDS.items():
            given = getattr(self, name)
            if given is not None and given not in allowed:
                raise InvalidArgument(
                    f"{name}: got {given!r}; allowed are {', '.join(allowed)}, or nothing for "
                    "what fits the data"
                )
