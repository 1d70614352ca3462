"""Planning tests: a share against a fixed value, and two groups."""

from dataclasses import dataclass

from deniable_analysis.planning import (
    Alternative,
    epsilon_for_detection,
    epsilon_for_difference,
    power_for_detection,
    power_for_respondents,
    respondents_for_detection,
    respondents_for_difference,
)
from deniable_web.plans.base import Answer, Randomized


@dataclass(frozen=True, slots=True)
class DetectGoal:
    """A share that is told from a fixed value.

    `power` is 0 where it is what is asked for.
    """

    randomized: Randomized
    share: float
    against: float
    significance: float
    alternative: Alternative
    power: float

    def respondents(self, epsilon: str) -> int:
        return respondents_for_detection(
            self.randomized.mechanism(epsilon),
            self.share,
            self.against,
            power=self.power,
            significance=self.significance,
            alternative=self.alternative,
        )

    def epsilon(self, respondents: int) -> float:
        return epsilon_for_detection(
            respondents,
            self.share,
            self.against,
            options=self.randomized.options,
            power=self.power,
            significance=self.significance,
            alternative=self.alternative,
        )

    def answer(self, epsilon: str, respondents: int) -> Answer:
        mechanism = self.randomized.mechanism(epsilon)
        return {
            **self.randomized.describe(mechanism),
            "share": self.share,
            "against": self.against,
            "significance": self.significance,
            "alternative": self.alternative.value,
            "respondents": respondents,
            "power": power_for_detection(
                mechanism,
                self.share,
                self.against,
                respondents,
                significance=self.significance,
                alternative=self.alternative,
            ),
        }


@dataclass(frozen=True, slots=True)
class CompareGoal:
    """Two groups that are told apart.

    `power` is 0 where it is what is asked for.
    """

    randomized: Randomized
    shares: tuple[float, float]
    significance: float
    alternative: Alternative
    power: float

    def respondents(self, epsilon: str) -> int:
        first, second = self.shares
        return respondents_for_difference(
            self.randomized.mechanism(epsilon),
            first,
            second,
            power=self.power,
            significance=self.significance,
            alternative=self.alternative,
        )

    def epsilon(self, respondents: int) -> float:
        return epsilon_for_difference(
            respondents,
            *self.shares,
            options=self.randomized.options,
            power=self.power,
            significance=self.significance,
            alternative=self.alternative,
        )

    def answer(self, epsilon: str, respondents: int) -> Answer:
        mechanism, (first, second) = self.randomized.mechanism(epsilon), self.shares
        return {
            **self.randomized.describe(mechanism),
            "first": first,
            "second": second,
            "significance": self.significance,
            "alternative": self.alternative.value,
            "respondents_per_group": respondents,
            "power": power_for_respondents(
                mechanism,
                first,
                second,
                respondents,
                significance=self.significance,
                alternative=self.alternative,
            ),
        }
