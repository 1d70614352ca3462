"""Planning shares: how near they come, and which option leads."""

from dataclasses import dataclass

from deniable_analysis.planning import (
    Share,
    epsilon_for_margin,
    epsilon_for_order,
    epsilon_for_sd,
    margin_for_respondents,
    plan_mechanism,
    probability_of_order,
    respondents_for_margin,
    respondents_for_order,
    respondents_for_sd,
    sd_for_respondents,
)
from deniable_web.plans.base import Answer, Randomized


@dataclass(frozen=True, slots=True)
class ShareGoal:
    """A share to within a margin, or with a standard error.

    `margin` is 0 where it is what is asked for.
    """

    randomized: Randomized
    share: Share | float
    confidence: float
    all_options: bool
    margin: float
    sd: float | None
    population: int | None
    weighting_effect: float

    def respondents(self, epsilon: str) -> int:
        mechanism = self.randomized.mechanism(epsilon)
        if self.sd is not None:
            return respondents_for_sd(
                mechanism,
                self.sd,
                self.share,
                population=self.population,
                weighting_effect=self.weighting_effect,
            )
        return respondents_for_margin(
            mechanism,
            self.margin,
            confidence=self.confidence,
            share=self.share,
            simultaneous=self.all_options,
            population=self.population,
            weighting_effect=self.weighting_effect,
        )

    def epsilon(self, respondents: int) -> float:
        options = self.randomized.options
        if self.sd is not None:
            return epsilon_for_sd(
                respondents,
                self.sd,
                options=options,
                share=self.share,
                population=self.population,
                weighting_effect=self.weighting_effect,
            )
        return epsilon_for_margin(
            respondents,
            self.margin,
            options=options,
            confidence=self.confidence,
            share=self.share,
            simultaneous=self.all_options,
            population=self.population,
            weighting_effect=self.weighting_effect,
        )

    def answer(self, epsilon: str, respondents: int) -> Answer:
        mechanism = self.randomized.mechanism(epsilon)
        margin = margin_for_respondents(
            mechanism,
            respondents,
            confidence=self.confidence,
            share=self.share,
            simultaneous=self.all_options,
            population=self.population,
            weighting_effect=self.weighting_effect,
        )
        sd = sd_for_respondents(
            mechanism,
            respondents,
            self.share,
            population=self.population,
            weighting_effect=self.weighting_effect,
        )
        return {
            **self.randomized.describe(mechanism),
            "share": self.share.value if isinstance(self.share, Share) else self.share,
            "confidence": self.confidence,
            "all_options": self.all_options,
            "population": self.population,
            "weighting_effect": self.weighting_effect,
            "respondents": respondents,
            "margin": margin,
            "sd": sd,
        }


@dataclass(frozen=True, slots=True)
class OrderGoal:
    """Two options of one question in the right order.

    `power` is 0 where it is what is asked for.
    """

    options: int
    shares: tuple[float, float]
    power: float

    def respondents(self, epsilon: str) -> int:
        mechanism = plan_mechanism(epsilon, self.options)
        return respondents_for_order(mechanism, *self.shares, probability=self.power)

    def epsilon(self, respondents: int) -> float:
        return epsilon_for_order(
            respondents, *self.shares, options=self.options, probability=self.power
        )

    def answer(self, epsilon: str, respondents: int) -> Answer:
        mechanism = plan_mechanism(epsilon, self.options)
        return {
            **Randomized(self.options, None).describe(mechanism),
            "first": self.shares[0],
            "second": self.shares[1],
            "respondents": respondents,
            "power": probability_of_order(mechanism, *self.shares, respondents),
        }
