"""Planning means."""

from dataclasses import dataclass

from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.planning import (
    epsilon_for_mean,
    margin_for_mean,
    plan_mean,
    respondents_for_mean,
    respondents_for_mean_sd,
)
from deniable_sdk.mechanisms import Piecewise
from deniable_sdk.mechanisms.base import Target
from deniable_web.plans.base import Answer


@dataclass(frozen=True, slots=True)
class MeanGoal:
    """The mean of a number to within a margin, or with a standard error.

    `margin` is 0 where it is what is asked for.
    """

    low: float
    high: float
    places: int
    target: Target
    confidence: float
    margin: float
    sd: float | None

    def _mechanism(self, epsilon: str) -> Piecewise:
        return plan_mean(epsilon, self.places, target=self.target)

    def respondents(self, epsilon: str) -> int:
        mechanism = self._mechanism(epsilon)
        if self.sd is not None:
            return respondents_for_mean_sd(mechanism, self.sd, low=self.low, high=self.high)
        return respondents_for_mean(
            mechanism,
            self.margin,
            low=self.low,
            high=self.high,
            confidence=self.confidence,
        )

    def epsilon(self, respondents: int) -> float:
        reach = critical_value(self.confidence)
        return epsilon_for_mean(
            respondents,
            self.margin if self.sd is None else self.sd * reach,
            low=self.low,
            high=self.high,
            places=self.places,
            target=self.target,
            confidence=self.confidence,
        )

    def answer(self, epsilon: str, respondents: int) -> Answer:
        mechanism = self._mechanism(epsilon)
        margin = margin_for_mean(
            mechanism, respondents, low=self.low, high=self.high, confidence=self.confidence
        )
        return {
            "mechanism": mechanism.name,
            "low": self.low,
            "high": self.high,
            "places": self.places,
            "confidence": self.confidence,
            "respondents": respondents,
            "margin": margin,
            "sd": margin / critical_value(self.confidence),
        }
