"""Which category of a predictor or an outcome the others are compared with."""

from dataclasses import replace
from typing import Any

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.channels import Reports, Variable
from deniable_analysis.regression.formula import Formula
from deniable_analysis.regression.observations import Observations, distinct
from deniable_analysis.results.frames import pandas

# Fewer categories have the same coefficients, with the other sign, whichever is first.
_SEVERAL = 3
_EM_STEPS = 100


def with_default_coding(formula: Formula, name: str, reports: Reports, counts: Floats) -> Variable:
    """A reported variable as the formula uses it: numbers, or categories in order.

    Args:
        formula: that the variable is in.
        name: of the variable.
        reports: of the rows.
        counts: (rows,) how many respondents each row represents.
    """
    variable = reports.variable(name)
    if formula.has_contrasts_of(name):
        return replace(variable, numbers=None)
    if formula.makes_categories_of(name) or variable.numbers is None:
        return led_by_most_frequent(name, reports, counts)
    return variable


def led_by_most_frequent(name: str, reports: Reports, counts: Floats) -> Variable:
    """A reported variable as categories, the one with the largest estimated share first.

    A reference without respondents would send every coefficient to infinity.
    Where there are only two categories "no" or the like is first.

    Args:
        name: of the variable.
        reports: of the rows.
        counts: (rows,) how many respondents each row represents.
    """
    axis = [each.name for each in reports.variables].index(name)
    variable = reports.variables[axis]
    if len(variable.levels) < _SEVERAL:
        return variable.led_by()
    cube = _shares(reports, counts).reshape([len(each.levels) for each in reports.variables])
    own = np.moveaxis(cube, axis, 0).reshape(len(variable.levels), -1).sum(axis=1)
    return variable.led_by(variable.levels[int(np.argmax(own))])


def _shares(reports: Reports, counts: Floats) -> Floats:
    """Shares of the joint answers by some steps of EM."""
    middle = np.full(len(reports.channel.unknown), 0.5)
    likelihoods = reports.channel.likelihoods(middle)
    seen = np.bincount(reports.codes, counts, len(likelihoods))
    likelihoods, seen = likelihoods[seen > 0], seen[seen > 0]
    shares = np.full(likelihoods.shape[1], 1 / likelihoods.shape[1])
    for _ in range(_EM_STEPS):
        sums = likelihoods @ shares
        given = np.divide(seen, sums, out=np.zeros_like(sums), where=sums > 0)
        shares = shares * (given @ likelihoods)
        shares /= shares.sum() or 1.0
    return shares


def clear_with_references(formula: Formula, seen: Observations) -> Observations:
    """The same rows, with the most frequent category of each clear column first.

    Columns that have an order already (pandas' Categorical), or contrasts in
    the formula, keep them.
    """
    changed = {
        name: _led(seen, name)
        for name in formula.variables
        if name in seen.clear.columns and _has_default(formula, name, seen.clear[name])
    }
    if not changed:
        return seen
    clear = seen.clear.copy(deep=False)
    for name, column in changed.items():
        clear[name] = column
    return replace(seen, clear=clear)


def _has_default(formula: Formula, name: str, column: Any) -> bool:
    types = pandas().api.types
    has_order = isinstance(column.dtype, pandas().CategoricalDtype)
    if has_order or formula.has_contrasts_of(name) or column.nunique() < _SEVERAL:
        return False
    if types.is_numeric_dtype(column.dtype):
        return formula.has_only_categories_of(name)
    return bool(types.is_object_dtype(column.dtype) or types.is_string_dtype(column.dtype))


def _led(seen: Observations, name: str) -> Any:
    codes, levels = distinct(seen.clear[name], name)
    first = int(np.argmax(np.bincount(codes, seen.counts * seen.weights)))
    order = [levels[first], *(each for each in levels if each != levels[first])]
    return pandas().Categorical(seen.clear[name], categories=order)
