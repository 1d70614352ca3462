"""Coefficients: estimated numbers with their intervals, and how they are written."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators import normal_interval
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.forms import finite_or_none
from deniable_analysis.presentation import Mark
from deniable_analysis.regression.assembly import Assembly
from deniable_analysis.regression.choices import Choices, CoefficientInterval
from deniable_analysis.regression.fit import Fit
from deniable_analysis.regression.maximize import parameter_scale
from deniable_analysis.regression.outcomes import LOG_SPREAD

HEADERS = ("estimate", "se", "low", "high", "z", "p")
# Where no interval is known to cover.
NO_INTERVAL = "none"
NUMBERS = ("estimate", "standard_error", "low", "high", "z", "p_value")


@dataclass(frozen=True, slots=True)
class Coefficient:
    """An estimated coefficient.

    Args:
        name: the term's; of an outcome of several categories led by the
            category.
        estimate: where the data drive it to infinity, the value beyond which
            the likelihood rises no more that could be seen.
        standard_error: infinite where the data do not bound the estimate.
        low: where the interval begins; NaN without one, which is where the
            rows do not stray from what is estimated.
        high: where it ends.
        is_infinite: whether the data drive it to infinity.
        interval: what the interval is: wald or profile; none without one.
        is_normal: whether its standard error is one of a normal estimate.
    """

    name: str
    estimate: float
    standard_error: float
    low: float
    high: float
    is_infinite: bool = False
    interval: str = "wald"
    is_normal: bool = True

    @classmethod
    def normal(
        cls, name: str, estimate: float, variance: float, confidence: float, unit: float = 0.0
    ) -> "Coefficient":
        """With a normal interval; one without ends where the variance is infinite.

        Args:
            name: the term's.
            estimate: of it.
            variance: of the estimate.
            confidence: of the interval.
            unit: how much of the term moves the outcome as far as it moves;
                a variance that is nothing beside its square is rounding.
        """
        if not math.isfinite(variance):
            return cls(name, estimate, math.inf, -math.inf, math.inf)
        low, high = normal_interval(estimate, variance, critical_value(confidence), unit)
        return cls(name, estimate, math.sqrt(max(0.0, variance)), float(low), float(high))

    @classmethod
    def without_error(cls, name: str, estimate: float) -> "Coefficient":
        """With neither a standard error nor an interval."""
        nothing = math.nan
        return cls(name, estimate, math.inf, nothing, nothing, False, NO_INTERVAL, False)

    @property
    def is_held(self) -> bool:
        """Whether the data hold the estimate: it has a finite standard error."""
        return math.isfinite(self.standard_error)

    @property
    def z(self) -> float | None:
        """The estimate in standard errors; None where these say nothing."""
        return self.estimate / self.standard_error if self._has_test else None

    @property
    def p_value(self) -> float | None:
        """How often an estimate this far from 0 came by chance (Wald)."""
        return float(2 * special.ndtr(-abs(self.z))) if self.z is not None else None

    @property
    def _has_test(self) -> bool:
        has_interval = not math.isnan(self.low)
        return self.is_held and self.is_normal and has_interval

    def to_document(self) -> dict[str, Any]:
        """The numbers as plain JSON values; None for those that are not finite."""
        found = {name: getattr(self, name) for name in NUMBERS}
        if self.is_infinite:
            found["estimate"] = None
        plain = {
            name: None if value is None else finite_or_none(value) for name, value in found.items()
        }
        return {
            "name": self.name,
            **plain,
            "is_infinite": self.is_infinite,
            "interval": self.interval,
        }

    def mark(self) -> Mark:
        """The estimate with its interval, to be drawn."""
        return Mark(self.name, self.estimate, finite_or_none(self.low), finite_or_none(self.high))

    def to_row(self) -> dict[str, Any]:
        """The numbers as a data frame has them, infinite ones too."""
        numbers = {name: getattr(self, name) for name in NUMBERS}
        return {"name": self.name, **numbers, "interval": self.interval}

    def cells(self) -> tuple[str, ...]:
        """The numbers of its row in a table."""
        towards = math.copysign(math.inf, self.estimate)
        z, p_value = self.z, self.p_value
        is_open = math.isinf(self.low) and math.isinf(self.high)
        has_end = not math.isnan(self.low) and not (is_open and self.interval != "profile")
        return (
            f"{towards if self.is_infinite else self.estimate:z.4f}",
            f"{self.standard_error:z.4f}" if self.is_held else "",
            *((f"{self.low:z.4f}", f"{self.high:z.4f}") if has_end else ("", "")),
            "" if z is None else f"{z:z.4f}",
            "" if p_value is None else f"{p_value:.3g}",
        )


def linear_coefficients(assembly: Assembly, fit: Fit, choices: Choices) -> list[Coefficient]:
    """Those of the linear predictors, then the logits of a design, by name."""
    found = []
    units = _units(assembly, fit)
    for index, name in enumerate(assembly.model.names):
        value, variance = float(fit.parameters[index]), float(fit.covariance[index, index])
        one = Coefficient.normal(name, value, variance, choices.confidence, float(units[index]))
        limited = _limited(one, fit, index, np.positive)
        found.append(replace(limited, is_infinite=bool(fit.is_infinite[index])))
    return found


def _limited(one: Coefficient, fit: Fit, index: int, turn: np.ufunc) -> Coefficient:
    """The coefficient with its limits by profile likelihood, if it has some.

    Args:
        one: with a normal interval.
        fit: which has the limits.
        index: of its parameter.
        turn: the parameter to it.
    """
    is_normal = bool(fit.sound.is_normal[index])
    if fit.limits is not None and not np.isnan(fit.limits[index]).any():
        low, high = turn(fit.limits[index]).tolist()
        profile = CoefficientInterval.PROFILE.value
        return replace(one, low=low, high=high, interval=profile, is_normal=is_normal)
    if fit.limits is not None and not is_normal:
        return replace(one, low=np.nan, high=np.nan, interval=NO_INTERVAL, is_normal=False)
    interval = NO_INTERVAL if np.isnan(one.low) or not one.is_held else one.interval
    return replace(one, interval=interval, is_normal=is_normal)


def interval_kinds(coefficients: list[Coefficient]) -> str:
    """What their intervals are: one word, or those that occur."""
    kinds = dict.fromkeys(each.interval for each in coefficients if each.interval != NO_INTERVAL)
    return " and ".join(sorted(kinds)) or NO_INTERVAL


def _units(assembly: Assembly, fit: Fit) -> Floats:
    """How much of each term moves a linear predictor as far as any term does."""
    scale = parameter_scale(assembly.model, fit.parameters)
    farthest = np.max(np.abs(fit.parameters) * scale)
    return np.divide(farthest, scale, out=np.zeros_like(scale), where=scale > 0)


def design_coefficients(assembly: Assembly, fit: Fit, choices: Choices) -> tuple[Coefficient, ...]:
    """The unknown design parameters, from their logits by the delta method."""
    model = assembly.model
    first = model.outcome_size + model.spread_size
    found = []
    for index in range(first, model.size):
        value = float(special.expit(fit.parameters[index]))
        slope = value * (1 - value)
        variance = float(fit.covariance[index, index])
        variance = variance * slope**2 if np.isfinite(variance) else np.inf
        estimate = float(round(value)) if fit.is_infinite[index] else value
        name = model.names[index]
        one = Coefficient.normal(name, estimate, variance, choices.confidence)
        found.append(_limited(one, fit, index, special.expit))
    return tuple(found)


def residual_coefficient(assembly: Assembly, fit: Fit, choices: Choices) -> Coefficient | None:
    """The spread of a number around its mean; None of categories, or by moments."""
    names = assembly.model.names[: assembly.model.outcome_size]
    if LOG_SPREAD not in names or fit.log_likelihood is None:
        return None
    index = names.index(LOG_SPREAD)
    value = float(np.exp(fit.parameters[index]))
    variance = float(fit.covariance[index, index]) * value**2
    one = Coefficient.normal("residual sd", value, variance, choices.confidence)
    return _limited(one, fit, index, np.exp)
