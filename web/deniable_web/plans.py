"""The kinds of plans, with the names that the command and its documents use."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable_analysis.designs import Design
from deniable_analysis.planning import Goal
from deniable_sdk import DeniableError
from deniable_sdk.mechanisms import Piecewise, Subset
from deniable_sdk.mechanisms.base import Target

Document = dict[str, object]

_PROBABILITY = re.compile(r"[0-9]{0,15}(\.[0-9]{0,15}|/[0-9]{1,15})?", re.ASCII)


class UnclearRequest(DeniableError):
    """The options do not determine a plan; the message names options that would."""


@dataclass(frozen=True, slots=True)
class Published:
    """How answers are randomized: by an epsilon and a number of options, or a design.

    Args:
        options: the number of possible answers.
        design: a declared design, which does not depend on epsilon.
        places: for a mean, how many numbers can be reported.
        target: for a mean, the estimate that the number is published for.
    """

    options: int = 2
    design: Design | None = None
    places: int | None = None
    target: Target = Target.MEAN

    def arguments(self) -> Mapping[str, Any]:
        """The arguments of `Goal.mechanism` after epsilon."""
        return {"options": self.options, "places": self.places, "target": self.target}

    def describe(self, mechanism: Subset | Design | Piecewise) -> Document:
        """The keys that describe how answers are randomized."""
        if isinstance(mechanism, Piecewise):
            return {"mechanism": mechanism.name}
        return {
            "options": self.options,
            "size": mechanism.size if isinstance(mechanism, Subset) else None,
            "design": None if self.design is None else self.design.name,
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """A goal, how answers are randomized, and the other keys of its document.

    Args:
        goal: the wanted accuracy or power.
        published: how answers are randomized.
        said: keys of the document that only repeat the request.
        reached: for each key that measures the result, a goal of that kind.
        counted: the key for the number of respondents.
    """

    goal: Goal
    published: Published
    said: Mapping[str, object]
    reached: Mapping[str, Goal]
    counted: str = "respondents"

    def respondents(self, epsilon: str) -> int:
        """The respondents that the goal needs."""
        return self.goal.respondents(self._mechanism(epsilon))

    def epsilon(self, respondents: int) -> float:
        """The smallest epsilon with which this number of respondents is enough."""
        return self.goal.epsilon(respondents, **self.published.arguments())

    def document(self, epsilon: str, respondents: int) -> Document:
        """The document without epsilon, including the accuracy or power of the result."""
        mechanism = self._mechanism(epsilon)
        return {
            **self.published.describe(mechanism),
            **self.said,
            self.counted: respondents,
            **{key: goal.reached(mechanism, respondents) for key, goal in self.reached.items()},
        }

    def _mechanism(self, epsilon: str) -> Any:
        design = self.published.design
        if design is not None:
            return design
        return self.goal.mechanism(epsilon, **self.published.arguments())


def read_design(keep: str, flip: str) -> Design:
    """The yes-or-no design with these P(yes | true yes) and P(yes | true no), like 5/6 and 1/6.

    Raises:
        UnclearRequest: they are not numbers from 0 to 1, or they are equal.
    """
    try:
        yes, no = (_read_probability(text) for text in (keep, flip))
    except (ValueError, ZeroDivisionError):
        yes = no = Fraction(0)
    if not (0 <= yes <= 1 and 0 <= no <= 1) or yes == no:
        raise UnclearRequest(
            f"--design: got {keep} and {flip}; allowed are P(yes | true yes) and P(yes | true "
            "no), two different numbers from 0 to 1, like 5/6 1/6 or 0.75 0.25"
        )
    name = f"P(yes | true yes) = {yes}, P(yes | true no) = {no}"
    return Design(name, ("no", "yes"), ("no", "yes"), ((1 - no, 1 - yes), (no, yes)))


def _read_probability(text: str) -> Fraction:
    # The pattern limits the length: 1e999999999 as a fraction would fill memory.
    if not _PROBABILITY.fullmatch(text):
        raise ValueError
    return Fraction(text)
