"""Coefficients: estimates with their intervals, and their output formats."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from deniable_analysis.charts import Mark
from deniable_analysis.estimate.choice import critical_value
from deniable_analysis.estimate.intervals import normal_interval, two_sided
from deniable_analysis.estimate.ratio import quotients
from deniable_analysis.forms import decimals, finite_or_none
from deniable_analysis.parts import Column, Table, text_column
from deniable_analysis.regression.assembly import Assembly
from deniable_analysis.regression.choices import Choices, CoefficientInterval
from deniable_analysis.regression.fit import Fit
from deniable_analysis.regression.maximize import parameter_scale
from deniable_analysis.regression.outcomes import LOG_SPREAD

_HEADS = ("estimate", "se", "low", "high", "z", "p")
# The kind of interval if there is none with a known coverage.
NO_INTERVAL = "none"
_NUMBERS = ("estimate", "standard_error", "low", "high", "z", "p_value")


@dataclass(frozen=True, slots=True)
class Coefficient:
    """An estimated coefficient.

    Args:
        name: name of the term; after the category's name if the outcome has several.
        estimate: if it is infinite, a value beyond which the likelihood hardly increases.
        standard_error: standard error; infinite if the data do not determine the estimate.
        low: lower end of the interval; NaN without one, as if rows fit the estimates exactly.
        high: upper end of the interval.
        is_infinite: whether the likelihood increases as the estimate goes to infinity.
        interval: kind of the interval: "wald", "profile" or "none".
        is_normal: whether a normal interval has its nominal coverage.
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
        """A coefficient with a normal interval, unbounded if the variance is infinite.

        `unit` is the change of the coefficient that explains the whole range of the
        outcome; a variance that is tiny compared to its square is only rounding error.
        """
        if not math.isfinite(variance):
            return cls(name, estimate, math.inf, -math.inf, math.inf)
        low, high = normal_interval(estimate, variance, critical_value(confidence), unit)
        return cls(name, estimate, math.sqrt(max(0.0, variance)), float(low), float(high))

    @classmethod
    def without_error(cls, name: str, estimate: float) -> "Coefficient":
        """A coefficient without a standard error and without an interval."""
        return cls(name, estimate, math.inf, math.nan, math.nan, False, NO_INTERVAL, False)

    @property
    def is_held(self) -> bool:
        """Whether the data determine the estimate: its standard error is finite."""
        return math.isfinite(self.standard_error)

    @property
    def z(self) -> float | None:
        """The estimate divided by its standard error; None if that error is not reliable."""
        has_test = self.is_held and self.is_normal and not math.isnan(self.low)
        return self.estimate / self.standard_error if has_test else None

    @property
    def p_value(self) -> float | None:
        """The two-sided Wald p-value of the hypothesis that the coefficient is 0."""
        return two_sided(self.z)

    def to_document(self) -> dict[str, Any]:
        """The numbers as plain JSON values; None for those that are not finite."""
        found = {name: getattr(self, name) for name in _NUMBERS}
        if self.is_infinite:
            found["estimate"] = None
        plain = {
            name: None if value is None else finite_or_none(value) for name, value in found.items()
        }
        kind = {"is_infinite": self.is_infinite, "interval": self.interval}
        return {"name": self.name, **plain, **kind}

    def mark(self) -> Mark:
        """The estimate with its interval, for a chart."""
        return Mark(self.name, self.estimate, finite_or_none(self.low), finite_or_none(self.high))

    def cells(self) -> tuple[str, ...]:
        """The numbers of the coefficient's row in a table."""
        is_open = math.isinf(self.low) and math.isinf(self.high)
        has_end = not math.isnan(self.low) and not (is_open and self.interval != "profile")
        shown = math.copysign(math.inf, self.estimate) if self.is_infinite else self.estimate
        error = self.standard_error if self.is_held else None
        ends = (self.low, self.high) if has_end else (None, None)
        p_value = "" if self.p_value is None else f"{self.p_value:.3g}"
        return *decimals(shown, error, *ends, self.z), p_value


def coefficient_table(head: str, coefficients: Iterable[Coefficient], interval: str = "") -> Table:
    """A row for each coefficient: its cells for people, and its numbers for data.

    People see the kind of each interval unless all are of the kind `interval`.
    """
    shown = list(coefficients)
    differ = interval and any(each.interval != interval for each in shown)
    names = (text_column("name", head), *(text_column("", each) for each in _HEADS))
    kind = text_column("interval", "interval" if differ else None)
    rows = ((each.name, *each.cells(), each) for each in shown)
    return Table.of(names, (*map(Column, _NUMBERS), kind), rows)


def linear_coefficients(assembly: Assembly, fit: Fit, choices: Choices) -> list[Coefficient]:
    """The coefficients of the linear predictors, then the logits of design parameters."""
    found = []
    # The change of each coefficient that moves a linear predictor as far as any term does.
    scale = parameter_scale(assembly.model, fit.parameters)
    units = quotients(np.max(np.abs(fit.parameters) * scale), scale)
    for index, name in enumerate(assembly.model.names):
        value, variance = float(fit.parameters[index]), float(fit.covariance[index, index])
        one = Coefficient.normal(name, value, variance, choices.confidence, float(units[index]))
        limited = _limited(one, fit, index, np.positive)
        found.append(replace(limited, is_infinite=bool(fit.is_infinite[index])))
    return found


def _limited(one: Coefficient, fit: Fit, index: int, turn: np.ufunc) -> Coefficient:
    """The coefficient with its interval by profile likelihood, if it has one."""
    is_normal = bool(fit.sound.is_normal[index])
    if fit.limits is not None and not np.isnan(fit.limits[index]).any():
        low, high = turn(fit.limits[index]).tolist()
        profile = CoefficientInterval.PROFILE.value
        return replace(one, low=low, high=high, interval=profile, is_normal=is_normal)
    if fit.limits is not None and not is_normal:
        return replace(one, low=np.nan, high=np.nan, interval=NO_INTERVAL, is_normal=False)
    interval = NO_INTERVAL if np.isnan(one.low) or not one.is_held else one.interval
    return replace(one, interval=interval, is_normal=is_normal)


def design_coefficients(assembly: Assembly, fit: Fit, choices: Choices) -> tuple[Coefficient, ...]:
    """The unknown design parameters, from their logits by the delta method."""
    model = assembly.model
    found = []
    for index in range(model.spread_slice.stop, model.size):
        value = float(special.expit(fit.parameters[index]))
        slope = value * (1 - value)
        variance = float(fit.covariance[index, index])
        variance = variance * slope**2 if np.isfinite(variance) else np.inf
        estimate = float(round(value)) if fit.is_infinite[index] else value
        one = Coefficient.normal(model.names[index], estimate, variance, choices.confidence)
        found.append(_limited(one, fit, index, special.expit))
    return tuple(found)


def residual_coefficient(assembly: Assembly, fit: Fit, choices: Choices) -> Coefficient | None:
    """The residual standard deviation of a number; None for categories, or by moments."""
    names = assembly.model.names[: assembly.model.outcome_size]
    if LOG_SPREAD not in names or fit.log_likelihood is None:
        return None
    index = names.index(LOG_SPREAD)
    value = float(np.exp(fit.parameters[index]))
    variance = float(fit.covariance[index, index]) * value**2
    one = Coefficient.normal("residual sd", value, variance, choices.confidence)
    return _limited(one, fit, index, np.exp)
