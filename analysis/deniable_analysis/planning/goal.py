"""A goal of planning: respondents, epsilon and the accuracy of the result.

Any two of the three determine the third. A goal is one of the functions
`respondents_for_...` with all its arguments except the mechanism.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from deniable_analysis.arguments import kind_of, read_flag, read_positive, read_respondents, shown
from deniable_analysis.designs.known import direct
from deniable_analysis.errors import Infeasible, InvalidArgument
from deniable_analysis.estimators.confidence import comparisons_among
from deniable_analysis.planning.designs import Share, plan_mechanism, read_options
from deniable_analysis.planning.drawing import read_drawing
from deniable_analysis.planning.mean import (
    margin_for_mean,
    plan_mean,
    respondents_for_mean,
    respondents_for_mean_sd,
    sd_for_mean,
)
from deniable_analysis.planning.power import (
    least_whole,
    power_for_detection,
    power_for_respondents,
    respondents_for_detection,
    respondents_for_difference,
)
from deniable_analysis.planning.sample_size import (
    margin_for_respondents,
    read_reach,
    respondents_for_margin,
    respondents_for_sd,
    sd_for_respondents,
)
from deniable_analysis.planning.several_shares import probability_of_order, respondents_for_order
from deniable_analysis.planning.watched import (
    margin_for_watched_respondents,
    respondents_for_watched_margin,
)
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.weights import MAX_EPSILON, MIN_EPSILON
from deniable_sdk.wording import counted

_STEPS = 1_000_000


# For each function: the function for the accuracy of a number of respondents, the argument with
# the wanted accuracy, and the goal in words.
_KINDS: Mapping[Callable[..., int], tuple[Callable[..., float], str, str]] = {
    respondents_for_margin: (margin_for_respondents, "margin", "a margin of {margin}"),
    respondents_for_sd: (sd_for_respondents, "sd", "a standard error of {sd}"),
    respondents_for_detection: (
        power_for_detection,
        "power",
        "distinguishing {share} from {null} with power {power}",
    ),
    respondents_for_difference: (
        power_for_respondents,
        "power",
        "distinguishing groups of {first} and {second} with power {power}",
    ),
    respondents_for_order: (
        probability_of_order,
        "probability",
        "the order of {first} and {second}",
    ),
    respondents_for_watched_margin: (
        margin_for_watched_respondents,
        "margin",
        "a margin of {margin} at every look",
    ),
    respondents_for_mean: (margin_for_mean, "margin", "a margin of {margin}"),
    respondents_for_mean_sd: (sd_for_mean, "sd", "a standard error of {sd}"),
}
_OF_A_MEAN = (respondents_for_mean, respondents_for_mean_sd)
_OF_A_SHARE = (respondents_for_margin, respondents_for_sd)


class Goal:
    """The goal of a plan.

    Args:
        needed: one of the functions `respondents_for_...`.
        arguments, named: arguments of the function after the mechanism.
    Raises:
        InvalidArgument: there is no such function, or it has other arguments.
    """

    def __init__(self, needed: Callable[..., int], *arguments: Any, **named: Any) -> None:
        kind = _KINDS.get(needed) if inspect.isfunction(needed) else None
        if kind is None:
            names = ", ".join(each.__name__ for each in _KINDS)
            raise InvalidArgument(
                f"needed: got {kind_of(needed)}; allowed are the functions {names}"
            )
        self._needed = needed
        self._reached, self._quality, self._words = kind
        try:
            bound = inspect.signature(needed).bind(None, *arguments, **named)
        except TypeError as error:
            raise InvalidArgument(
                f"{needed.__name__}: {error}; allowed are its arguments after the mechanism"
            ) from None
        bound.apply_defaults()
        self._arguments = {
            name: value for name, value in bound.arguments.items() if name != "mechanism"
        }

    def __repr__(self) -> str:
        return f"Goal({self.words})"

    @property
    def words(self) -> str:
        """The goal in words, for messages."""
        return self._words.format(**{name: shown(each) for name, each in self._arguments.items()})

    def respondents(self, mechanism: Any) -> int:
        """The number of respondents that the goal needs; for two groups, of each group.

        Arguments and errors are those of the goal's function.
        """
        return self._needed(mechanism, **self._arguments)

    def reached(self, mechanism: Any, respondents: int) -> float:
        """The accuracy of this number of respondents: a margin, a standard error, or a power.

        Arguments and errors are those of the goal's function.
        """
        rest = {name: each for name, each in self._arguments.items() if name != self._quality}
        return self._reached(mechanism, respondents=respondents, **rest)

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
        if self._needed not in _OF_A_MEAN:
            return plan_mechanism(epsilon, options)
        if places is None:
            raise InvalidArgument(
                "places: got none; allowed is how many different numbers can be reported"
            )
        return plan_mean(epsilon, places, target=target)

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
            InvalidArgument: an argument is out of range; as for the goal's function.
        """

        def needed(step: int) -> float:
            try:
                return self.respondents(self.mechanism(step / _STEPS, **published))
            except Infeasible:
                return math.inf

        without_privacy = 0
        if self._needed in _OF_A_SHARE:
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
        """The respondents that a share needs without randomization."""
        given = self._arguments
        count = read_options(options)
        share = Fraction(1, count) if given["share"] is Share.EQUAL else given["share"]
        drawing = read_drawing(direct(), share, given["population"], given["weighting_effect"])
        drawing.read_respondents(respondents)
        if self._needed is respondents_for_sd:
            return drawing.respondents(read_positive("sd", given["sd"]) ** 2)
        is_for_all = read_flag("simultaneous", given["simultaneous"])
        reach = read_reach(given["confidence"], comparisons_among(count) if is_for_all else 1)
        return drawing.respondents((read_positive("margin", given["margin"]) / reach) ** 2)
