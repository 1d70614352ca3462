"""Average marginal effects: of one unit more, or of another category."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from deniable_analysis.charts import Chart
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.forms import pandas
from deniable_analysis.parts import Line, Part, Table, warning_lines
from deniable_analysis.presentation import Named, Presented
from deniable_analysis.regression.assembly import Assembly
from deniable_analysis.regression.averages import Expected, Given, expected, given_rows
from deniable_analysis.regression.coefficients import Coefficient, coefficient_table
from deniable_analysis.regression.fit import Fit
from deniable_analysis.regression.predictions import shown_categories, unheld_warnings

# The step of numerical slopes, in standard deviations: they are exact to about 7 digits.
_STEP = 1e-3


@dataclass(frozen=True, slots=True, repr=False)
class AverageEffects(Presented, Named[Coefficient]):
    """The effect of each predictor on the outcome, averaged over the rows.

    Args:
        outcome: name of the outcome.
        effects: changes of a probability or a mean. Their names contain the
            predictor, the change and, if there are several, the outcome's
            category.
        confidence: nominal coverage of the intervals.
        warnings: sentences about problems of the effects.
    """

    outcome: str
    effects: tuple[Coefficient, ...]
    confidence: float
    warnings: tuple[str, ...] = ()

    def _named(self) -> Mapping[str, Coefficient]:
        return {each.name: each for each in self.effects}

    def table(self) -> Table:
        """A row for each effect."""
        return coefficient_table("effect", self.effects)

    def parts(self) -> Iterable[Part]:
        """The effects as a table."""
        yield Line(f"average marginal effects on {self.outcome}, {self.confidence:.6g} intervals")
        yield self.table()
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The effects with their intervals; nothing without predictors."""
        if not self.effects:
            return
        marks = tuple(each.mark() for each in self.effects)
        yield Chart(f"average marginal effects on {self.outcome}", "change", marks)


def average_effects(assembly: Assembly, fit: Fit, confidence: float) -> AverageEffects:
    """The effects of all predictors.

    The effect of a number is a slope; the effect of a category is the
    difference from the first one. All other predictors keep their values, and
    randomized ones their estimated distribution.

    Raises:
        InvalidArgument: the regression is by moments.
    """
    if fit.log_likelihood is None:
        raise InvalidArgument(
            "average_marginal_effects: got a regression by moments, which does not estimate the "
            "distribution of hidden answers; its coefficients are already effects"
        )
    given = given_rows(assembly, fit.parameters, assembly.seen.clear)
    effects: list[Coefficient] = []
    for label, high, low, per in _changes(assembly, given):
        up, down = (expected(assembly, fit.parameters, each) for each in (high, low))
        effects += _averaged(assembly, fit, (up, down), (label, per, confidence))
    is_missing = any(not each.is_held for each in effects)
    warnings = unheld_warnings(assembly, fit, is_missing)
    return AverageEffects(assembly.formula.outcome, tuple(effects), confidence, warnings)


def _changes(assembly: Assembly, given: Given) -> Iterator[tuple[str, Given, Given, float]]:
    """The name of each change, the rows after and before it, and its size."""
    pd = pandas()
    for name in assembly.formula.variables:
        column = given.stacked[name]
        if _is_number(column) and not assembly.formula.has_only_categories_of(name):
            step = _STEP * (float(column.std(ddof=0)) or 1.0)
            high, low = (_with(given, name, column + each) for each in (step, -step))
            yield name, high, low, 2 * step
            continue
        levels = _levels(column)
        for level in levels[1:]:
            high, low = (
                _with(given, name, pd.Series(each, index=column.index, dtype=column.dtype))
                for each in (level, levels[0])
            )
            yield f"{name}: {level} instead of {levels[0]}", high, low, 1.0


def _is_number(column: Any) -> bool:
    types = pandas().api.types
    return bool(types.is_numeric_dtype(column.dtype) and not types.is_bool_dtype(column.dtype))


def _levels(column: Any) -> list[Any]:
    if isinstance(column.dtype, pandas().CategoricalDtype):
        return list(column.cat.categories)
    return sorted(column.unique().tolist(), key=str)


def _with(given: Given, name: str, column: Any) -> Given:
    changed = given.stacked.copy(deep=False)
    changed[name] = column
    return replace(given, stacked=changed)


def _averaged(
    assembly: Assembly, fit: Fit, pair: tuple[Expected, Expected], what: tuple[str, float, float]
) -> list[Coefficient]:
    up, down = pair
    label, per, confidence = what
    weights = assembly.model.counts / assembly.model.counts.sum()
    values = (up.values - down.values) @ weights / per
    gradients = np.einsum("krp,r->kp", up.gradients - down.gradients, weights) / per
    rests = (up.rests | down.rests)[weights > 0].any(axis=0)
    is_loose = bool((rests & fit.sound.is_loose).any())
    covariance = np.where(np.isfinite(fit.covariance), fit.covariance, 0.0)
    categories = shown_categories(assembly)
    found = []
    for category, value, gradient in zip(categories, values, gradients, strict=True):
        name = f"{category}: {label}" if len(categories) > 1 else label
        if is_loose:
            found.append(Coefficient.without_error(name, float(value)))
            continue
        variance = float(gradient @ covariance @ gradient)
        found.append(Coefficient.normal(name, float(value), variance, confidence))
    return found
