"""The requests to `deniable plan`, and the plan for each."""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any

from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.designs import Design
from deniable_analysis.errors import Infeasible
from deniable_analysis.planning import (
    Alternative,
    AnytimeMargin,
    Detection,
    Goal,
    Margin,
    MeanMargin,
    MeanStandardError,
    Order,
    Share,
    StandardError,
    TwoGroups,
)
from deniable_sdk import DeniableError
from deniable_sdk.mechanisms import Piecewise, Subset
from deniable_sdk.mechanisms.base import Target

Document = dict[str, object]

# A plan also shows the respondents at these epsilons.
OTHER_EPSILONS = ("0.5", "1", "2", "4")

_OF_OTHERS = ("epsilon", "respondents", "respondents_per_group", "margin", "sd", "power")

# The options that select the kind of plan, and the options allowed with each.
_BESIDE = {
    "detect": ("against", "power", "one_sided", "options", "design"),
    "compare": ("power", "one_sided", "options", "design"),
    "order": ("power", "options"),
    "mean": ("margin", "sd", "places", "target"),
    "watch": ("margin", "share", "all_options", "options", "design"),
    None: (
        *("margin", "sd", "share", "all_options", "options", "design"),
        *("population", "weighting_effect"),
    ),
}
_GOALS = tuple(name for name in _BESIDE if name is not None)
# The options for the accuracy or power of the result.
_WANTED = ("margin", "sd", "power")
# The options for two shares.
_PAIR = ("first", "second")
_EVERYWHERE = ("epsilon", "respondents", "confidence")


class UnclearRequest(DeniableError):
    """The options do not determine a plan; the message names options that would."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """A goal, and the keys of its document.

    Args:
        goal: the wanted accuracy or power.
        said: keys of the document that only repeat the request.
        reached: for each key that measures the result, a goal of that kind.
        counted: the key for the number of respondents.
        places: for a mean, how many numbers can be reported.
    """

    goal: Goal
    said: Mapping[str, object]
    reached: Mapping[str, Goal]
    counted: str = "respondents"
    places: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """The options of the command; None if an option was not used."""

    epsilon: str | None = None
    options: int | None = None
    design: Design | None = None
    sd: float | None = None
    margin: float | None = None
    watch: bool | None = None
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
    confidence: float = DEFAULT_CONFIDENCE

    def document(self) -> Document:
        """The plan, as a flat document with stable keys.

        Raises:
            UnclearRequest: the options do not fit together.
            DeniableError: a value is not possible.
        """
        plan, epsilon, respondents = self._plan(), self._epsilon(), self.respondents
        options, target = self.options or 2, self.target or Target.MEAN
        published: dict[str, Any] = {"options": options, "places": plan.places, "target": target}
        if epsilon is None:
            found = plan.goal.epsilon(respondents or 0, **published)
            epsilon = f"{found:.6f}".rstrip("0").rstrip(".")
        mechanism = self.design
        if mechanism is None:
            mechanism = plan.goal.mechanism(epsilon, **published)
        later: Document = {}
        if respondents is None:
            respondents = plan.goal.respondents(mechanism)
            if isinstance(plan.goal, AnytimeMargin):
                later["in_9_of_10_surveys"] = plan.goal.respondents_in_nine_of_ten(mechanism)
        randomized: Document = {
            "options": options,
            "size": mechanism.size if isinstance(mechanism, Subset) else None,
            "design": self.design.name if self.design else None,
        }
        return {
            "epsilon": None if self.design and math.isinf(self.design.epsilon) else epsilon,
            **({"mechanism": mechanism.name} if isinstance(mechanism, Piecewise) else randomized),
            **plan.said,
            plan.counted: respondents,
            **later,
            **{key: goal.reached(mechanism, respondents) for key, goal in plan.reached.items()},
        }

    def others(self) -> list[Document]:
        """The same plan at other epsilons; empty for a design.

        If the request asks for epsilon, these plans have the respondents at other epsilons.
        Everything except epsilon is None where no number of respondents is enough.
        """
        if self.design is not None:
            return []
        respondents = None if self._wanted() else self.respondents
        found: list[Document] = []
        for epsilon in OTHER_EPSILONS:
            other: Document = {"epsilon": epsilon}
            with suppress(Infeasible):
                other = replace(self, epsilon=epsilon, respondents=respondents).document()
            found.append(other)
        keys = [key for key in _OF_OTHERS if any(key in row for row in found)]
        return [{key: row.get(key) for key in keys} for row in found]

    def _epsilon(self) -> str | None:
        return self.epsilon if self.design is None else f"{self.design.epsilon:.6g}"

    def _plan(self) -> _Plan:
        said: Document
        planned = self._planned()
        self._check_beside(planned)
        self._check_two_of_three(planned)
        power, test = self.power or 0, self._test()
        if self.detect is not None:
            null = self.against or 0
            detection = Detection(self.detect, null, power=power, **test)
            said = {"share": self.detect, "against": null, **test}
            return _Plan(detection, said, {"power": detection})
        if self.compare is not None:
            groups = TwoGroups(*self.compare, power=power, **test)
            said = {**dict(zip(_PAIR, self.compare, strict=True)), **test}
            return _Plan(groups, said, {"power": groups}, "respondents_per_group")
        if self.order is not None:
            order = Order(*self.order, probability=power)
            return _Plan(order, dict(zip(_PAIR, self.order, strict=True)), {"power": order})
        if self.mean is not None:
            return self._plan_of_mean(*self.mean)
        share = Share.WORST if self.share is None else self.share
        level, at_once = self.confidence, bool(self.all_options)
        every: dict[str, Any] = {"share": share, "confidence": level, "simultaneous": at_once}
        named = share.value if isinstance(share, Share) else share
        said = {"share": named, "confidence": level, "all_options": at_once}
        if self.watch:
            watched = AnytimeMargin(self.margin, **every)
            return _Plan(watched, {"watch": True, **said}, {"margin": watched})
        return self._plan_of_share(every, said)

    def _test(self) -> dict[str, Any]:
        return {
            "significance": float(f"{1 - self.confidence:.12g}"),
            "alternative": Alternative.ONE_SIDED if self.one_sided else Alternative.TWO_SIDED,
        }

    def _plan_of_share(self, every: Mapping[str, Any], said: Mapping[str, object]) -> _Plan:
        drawn: dict[str, Any] = {
            "population": self.population,
            "weighting_effect": 1 if self.weighting_effect is None else self.weighting_effect,
        }
        margin = Margin(self.margin, **every, **drawn)
        sd = StandardError(self.sd, every["share"], **drawn)
        goal = margin if self.sd is None else sd
        return _Plan(goal, {**said, **drawn}, {"margin": margin, "sd": sd})

    def _plan_of_mean(self, low: float, high: float) -> _Plan:
        places = self.places
        if not low < high:
            raise UnclearRequest(
                f"--mean: got {low:g} and {high:g}; allowed are two numbers, the first below the "
                "second"
            )
        if places is None:
            if not (low.is_integer() and high.is_integer()):
                raise UnclearRequest(
                    "if --mean has other than whole numbers, add --places, how many different "
                    f"numbers can be reported; got {low:g} to {high:g}"
                )
            places = int(high - low) + 1
        ends = {"low": low, "high": high}
        margin = MeanMargin(self.margin, **ends, confidence=self.confidence)
        sd = MeanStandardError(self.sd, **ends)
        said = {**ends, "places": places, "confidence": self.confidence}
        goal = margin if self.sd is None else sd
        return _Plan(goal, said, {"margin": margin, "sd": sd}, places=places)

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
                "with --detect add --against, the value to distinguish the share from, like 0"
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
        advice = "drop the one to be computed"
        if missing:
            advice = f"add {'one' if len(missing) == 2 else 'two'} of {_listed(missing)}"
        raise UnclearRequest(
            f"give two of {_listed([*parts])}, and the third is computed; got "
            f"{3 - len(missing)} of them: {advice}"
        )


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _written(names: list[str], last: str = "and") -> str:
    return _listed([_option(name) for name in names], last)


def _listed(words: list[str], last: str = "and") -> str:
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
