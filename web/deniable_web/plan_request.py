"""What `deniable plan` can be asked, and which plan answers it."""

import math
import re
from dataclasses import dataclass, fields, replace
from fractions import Fraction

from deniable_analysis.designs import Design
from deniable_analysis.errors import Infeasible
from deniable_analysis.planning import Alternative, Share
from deniable_sdk import DeniableError
from deniable_sdk.mechanisms.base import Target
from deniable_web.plans import (
    Answer,
    CompareGoal,
    DetectGoal,
    Goal,
    MeanGoal,
    OrderGoal,
    Randomized,
    ShareGoal,
)

# What others would take is shown for these.
OTHER_EPSILONS = ("0.5", "1", "2", "4")

_PROBABILITY = re.compile(r"[0-9]{0,15}(\.[0-9]{0,15}|/[0-9]{1,15})?", re.ASCII)

_OF_OTHERS = ("epsilon", "respondents", "respondents_per_group", "margin", "sd", "power")

# The options that say what is planned, and what may stand beside each.
_BESIDE = {
    "detect": ("against", "power", "one_sided", "options", "design"),
    "compare": ("power", "one_sided", "options", "design"),
    "order": ("power", "options"),
    "mean": ("margin", "sd", "places", "target"),
    None: (
        *("margin", "sd", "share", "all_options", "options", "design"),
        *("population", "weighting_effect"),
    ),
}
_GOALS = tuple(name for name in _BESIDE if name is not None)
# How good the result must be.
_WANTED = ("margin", "sd", "power")
_EVERYWHERE = ("epsilon", "respondents", "confidence")


class UnclearRequest(DeniableError):
    """The options given do not say what to plan; says which ones would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """The options of the command; None where an option was not given."""

    epsilon: str | None = None
    options: int | None = None
    design: Design | None = None
    sd: float | None = None
    margin: float | None = None
    respondents: int | None = None
    share: Share | float | None = None
    all_options: bool | None = None
    detect: float | None = None
    against: float | None = None
    compare: tuple[float, float] | None = None
    order: tuple[float, float] | None = None
    mean: tuple[float, float] | None = None
    places: int | None = None
    target: Target | None = None
    one_sided: bool | None = None
    power: float | None = None
    population: int | None = None
    weighting_effect: float | None = None
    confidence: float = 0.95

    def answer(self) -> Answer:
        """The plan, as a flat document with stable keys.

        Raises:
            UnclearRequest: the options do not fit together.
            DeniableError: a value is outside what it can mean.
        """
        goal = self._goal()
        epsilon = self._epsilon()
        if epsilon is None:
            found = goal.epsilon(self.respondents or 0)
            epsilon = f"{found:.6f}".rstrip("0").rstrip(".")
        respondents = self.respondents
        if respondents is None:
            respondents = goal.respondents(epsilon)
        infinite = self.design is not None and math.isinf(self.design.epsilon)
        return {"epsilon": None if infinite else epsilon, **goal.answer(epsilon, respondents)}

    def others(self) -> list[Answer]:
        """What the same takes, or gives, at other epsilons; none for a design.

        Where epsilon was asked for, the respondents at others are given. Where
        nobody is enough at one of them, all but epsilon is None.
        """
        if self.design is not None:
            return []
        respondents = None if self._wanted() else self.respondents
        found = [
            _answer_or_nothing(replace(self, epsilon=epsilon, respondents=respondents))
            for epsilon in OTHER_EPSILONS
        ]
        keys = [key for key in _OF_OTHERS if any(key in row for row in found)]
        return [{key: row.get(key) for key in keys} for row in found]

    def _epsilon(self) -> str | None:
        return self.epsilon if self.design is None else f"{self.design.epsilon:.6g}"

    def _goal(self) -> Goal:
        planned = self._planned()
        self._check_beside(planned)
        self._check_two_of_three(planned)
        significance = float(f"{1 - self.confidence:.12g}")
        alternative = Alternative.ONE_SIDED if self.one_sided else Alternative.TWO_SIDED
        randomized = Randomized(self.options or 2, self.design)
        power = self.power or 0
        if self.detect is not None:
            against = self.against or 0
            return DetectGoal(randomized, self.detect, against, significance, alternative, power)
        if self.compare is not None:
            return CompareGoal(randomized, self.compare, significance, alternative, power)
        if self.order is not None:
            return OrderGoal(randomized.options, self.order, power)
        if self.mean is not None:
            return self._mean_goal(*self.mean)
        share = Share.WORST if self.share is None else self.share
        at_once = bool(self.all_options)
        return ShareGoal(
            randomized=randomized,
            share=share,
            confidence=self.confidence,
            all_options=at_once,
            margin=self.margin or 0,
            sd=self.sd,
            population=self.population,
            weighting_effect=1 if self.weighting_effect is None else self.weighting_effect,
        )

    def _mean_goal(self, low: float, high: float) -> MeanGoal:
        places = self.places
        if not low < high:
            raise UnclearRequest(
                f"--mean: got {low:g} and {high:g}; allowed are two numbers, the first below the "
                "second"
            )
        if places is None:
            if not (low.is_integer() and high.is_integer()):
                raise UnclearRequest(
                    "with --mean of other than whole numbers add --places, how many different "
                    f"numbers can be reported; got {low:g} to {high:g}"
                )
            places = int(high - low) + 1
        target = self.target or Target.MEAN
        return MeanGoal(low, high, places, target, self.confidence, self.margin or 0, self.sd)

    def _planned(self) -> str | None:
        given = [name for name in _GOALS if getattr(self, name) is not None]
        if len(given) > 1:
            raise UnclearRequest(
                f"got {_written(given)}; they plan different things: drop all but one"
            )
        return given[0] if given else None

    def _check_beside(self, planned: str | None) -> None:
        given = [one.name for one in fields(self) if getattr(self, one.name) is not None]
        allowed = {*_BESIDE[planned], *_EVERYWHERE, planned}
        wrong = [name for name in given if name not in allowed]
        if wrong:
            homes = [goal for goal in _GOALS if wrong[0] in _BESIDE[goal]]
            add = f", or add {_written(homes, 'or')}" if planned is None else ""
            where = "a share" if planned is None else _option(planned)
            raise UnclearRequest(
                f"{_written(wrong)} does not go with {where}: drop it{add}; beside "
                f"{where} go {_written([*_BESIDE[planned], *_EVERYWHERE])}"
            )
        if self.against is None and planned == "detect":
            raise UnclearRequest(
                "with --detect add --against, the value that the share is told from, like 0"
            )
        both = "epsilon" if self.epsilon is not None else "options"
        if self.design is not None and getattr(self, both) is not None:
            raise UnclearRequest(
                f"--design says how answers are randomized: drop --{both}, or drop --design"
            )

    def _wanted(self) -> list[str]:
        return [name for name in _WANTED if getattr(self, name) is not None]

    def _check_two_of_three(self, planned: str | None) -> None:
        wanted = self._wanted()
        if len(wanted) > 1:
            raise UnclearRequest(f"got {_written(wanted)}; drop one of them")
        source = "--epsilon" if self.design is None else "--design"
        first, *others = (_option(name) for name in _WANTED if name in _BESIDE[planned])
        quality = f"{first} (or {others[0]})" if others else first
        parts = {
            source: self._epsilon() is not None,
            "--respondents": self.respondents is not None,
            quality: bool(wanted),
        }
        missing = [name for name, is_given in parts.items() if not is_given]
        if len(missing) == 1:
            return
        if missing:
            count = len(missing) - 1
            advice = f"add {('one', 'two')[count - 1]} of {_listed(missing)}"
        else:
            advice = "drop the one that is to be found"
        raise UnclearRequest(
            f"give two of {_listed([*parts])}, and the third is found; got "
            f"{3 - len(missing)} of them: {advice}"
        )


def _answer_or_nothing(request: PlanRequest) -> Answer:
    try:
        return request.answer()
    except Infeasible:
        return {"epsilon": request.epsilon}


def read_design(keep: str, flip: str) -> Design:
    """A yes-or-no design by P(yes | true yes) and P(yes | true no), like 5/6 and 1/6.

    Raises:
        UnclearRequest: they are no numbers from 0 to 1, or the same.
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
    # The pattern bounds the length: as a fraction 1e999999999 would fill memory.
    if not _PROBABILITY.fullmatch(text):
        raise ValueError
    return Fraction(text)


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _written(names: list[str], last: str = "and") -> str:
    return _listed([_option(name) for name in names], last)


def _listed(words: list[str], last: str = "and") -> str:
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
