"""A goal of planning, and how answers are randomized meanwhile."""

from dataclasses import dataclass
from typing import Protocol

from deniable_analysis.designs import Design
from deniable_analysis.planning import plan_mechanism
from deniable_sdk.mechanisms import Subset

Answer = dict[str, object]


@dataclass(frozen=True, slots=True)
class Randomized:
    """How answers are randomized: by an epsilon and a number of options, or a design."""

    options: int
    design: Design | None

    def mechanism(self, epsilon: str) -> Subset | Design:
        """What devices do at this epsilon; the design, whatever it is."""
        return plan_mechanism(epsilon, self.options) if self.design is None else self.design

    def describe(self, mechanism: Subset | Design) -> Answer:
        """The keys that say how answers are randomized."""
        return {
            "options": self.options,
            "size": mechanism.size if isinstance(mechanism, Subset) else None,
            "design": None if self.design is None else self.design.name,
        }


class Goal(Protocol):
    """What is wanted, or asked for."""

    def respondents(self, epsilon: str) -> int:
        """How many it takes."""
        ...

    def epsilon(self, respondents: int) -> float:
        """The least with which so many are enough."""
        ...

    def answer(self, epsilon: str, respondents: int) -> Answer:
        """All but epsilon, with how good the result is."""
        ...
