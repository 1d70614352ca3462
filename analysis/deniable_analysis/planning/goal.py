"""A goal of planning: the accuracy or power that a result should have.

Respondents, epsilon and accuracy: any two of the three determine the third.
"""

import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

from deniable_analysis.arguments import read_respondents, shown
from deniable_analysis.errors import Infeasible
from deniable_analysis.planning.designs import plan_mechanism
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.weights import MAX_EPSILON, MIN_EPSILON
from deniable_sdk.wording import counted

_STEPS = 1_000_000


class Goal(ABC):
    """A goal of a plan; its arguments are read when a number is asked for.

    Only `reached` does without the number that is wanted, which may be None there.
    """

    __slots__: tuple[str, ...] = ()

    # The goal in words, with the names of its arguments in braces.
    WORDS: ClassVar[str]

    @abstractmethod
    def respondents(self, mechanism: Any) -> int:
        """The smallest number of respondents; for two groups, of each group.

        Args:
            mechanism: mechanism of the question, from plan_mechanism or a published block.
        Raises:
            InvalidArgument: an argument is out of range; confidence is not between 0 and 1.
            Infeasible: not even the whole population is enough.
        """

    @abstractmethod
    def reached(self, mechanism: Any, respondents: int) -> float:
        """What this number of respondents reaches: a margin, a standard error, or a power.

        The respondents are asked the question. Arguments and errors are those of respondents.
        """

    @property
    def words(self) -> str:
        """The goal in words, for messages."""
        return self.WORDS.format_map({name: shown(getattr(self, name)) for name in self.__slots__})

    def mechanism(
        self,
        epsilon: float | str,
        *,
        options: int = 2,
        places: int | None = None,
        target: Target = Target.MEAN,
    ) -> Any:
        """The mechanism with which the question would be published.

        Args:
            epsilon: privacy loss of one respondent on the question.
            options: number of possible answers, including "prefer not to say".
            places: for a mean, number of different numbers that can be
                reported.
            target: for a mean, the target with which the number is published.
        Raises:
            InvalidArgument: an argument is out of range.
        """
        del places, target  # of means
        return plan_mechanism(epsilon, options)

    def epsilon(self, respondents: int, **published: Any) -> float:
        """The smallest epsilon with which this number of respondents is enough.

        It has at most six decimals, so that a definition can contain it. It is
        exact to these decimals: a millionth less is not enough.

        Args:
            respondents: number of respondents who are asked the question.
            published: arguments of `mechanism` after epsilon.
        Raises:
            Infeasible: it needs more respondents, even without privacy or at
                the largest epsilon.
            InvalidArgument: an argument is out of range.
        """

        def needed(step: int) -> float:
            try:
                return self.respondents(self.mechanism(step / _STEPS, **published))
            except Infeasible:
                return math.inf

        without_privacy = self._without_privacy(respondents, published.get("options", 2))
        read_respondents("respondents", respondents)
        low, high = int(Fraction(MIN_EPSILON) * _STEPS), int(MAX_EPSILON * _STEPS)
        at_most = needed(high)
        if at_most > respondents:
            why = (
                f"it would take an epsilon above {MAX_EPSILON}, the most a survey may spend, with "
                f"which {'nobody is enough' if at_most == math.inf else f'it takes {at_most}'}"
            )
            if without_privacy > respondents:
                why = f"even without privacy it takes {without_privacy}"
            raise Infeasible(
                f"{self.words} is infeasible with {counted(respondents, 'respondent')}: {why}; "
                "ask more respondents or allow a larger error"
            )
        # If a slightly larger epsilon changes the best set size, it may need a few more
        # respondents. The returned epsilon itself is always enough.
        return least_whole(lambda step: needed(step) <= respondents, high, low) / _STEPS

    def _without_privacy(self, respondents: int, options: int) -> int:
        """The respondents that the goal needs without randomization; 0 if that is not known."""
        del respondents, options
        return 0


def least_whole(is_enough: Callable[[int], bool], enough: int, least: int = 1) -> int:
    """The smallest whole number from `least` that is enough, if all larger ones are enough too."""
    return least + bisect_left(range(least, enough), x=True, key=is_enough)
