"""What the data do not determine: parameters on a boundary, and reliable standard errors.

On a boundary, categories have a share of 0, or coefficients are infinite.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from deniable_analysis.arrays import Bools, Floats, Indexes
from deniable_analysis.errors import NotIdentified
from deniable_analysis.forms import named
from deniable_analysis.regression.maximize import Lost, Maximum, parameter_scale, predictor_steps
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.outcome import arranged
from deniable_analysis.regression.outcomes import Ordered
from deniable_analysis.regression.starts import best_maximum

# Thresholds closer than this at the end of a failed search count as equal.
_MET = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class BoundaryMaximum:
    """A maximum, and the model whose likelihood it maximizes.

    Args:
        model: model without the categories that are empty at the maximum.
        maximum: maximum of its likelihood.
        indexes: for each parameter of the whole model its index in this model;
            equal thresholds share one index.
        empty: categories that were left out.
    """

    model: Model
    maximum: Maximum
    indexes: Indexes
    empty: tuple[str, ...] = ()


def maximum_or_boundary(
    model: Model, free: Bools | None = None, near: Floats | None = None
) -> BoundaryMaximum:
    """The highest maximum; for an ordered outcome, on the boundary if necessary.

    On the boundary, thresholds are equal: the category between them has a share
    of 0.

    The arguments are those of best_maximum.

    Raises:
        NotIdentified: there is no maximum.
    """
    try:
        return BoundaryMaximum(model, best_maximum(model, free, near), np.arange(model.size))
    except Lost as error:
        gone = _empty_between(model, error.parameters)
        if not gone:
            raise
    smaller, indexes = _without(model, gone)
    moving = None if free is None else np.bincount(indexes, ~free, smaller.size) == 0
    found = maximum_or_boundary(smaller, moving)
    names = [model.outcome.categories[index] for index in gone]
    empty = [each for each in model.outcome.categories if each in (*names, *found.empty)]
    return BoundaryMaximum(found.model, found.maximum, found.indexes[indexes], tuple(empty))


def _empty_between(model: Model, parameters: Floats) -> list[int]:
    """The categories between equal thresholds."""
    if not isinstance(model.outcome, Ordered):
        return []
    thresholds = parameters[: len(model.outcome.categories) - 1]
    return [index + 1 for index in np.flatnonzero(np.diff(thresholds) < _MET).tolist()]


def _without(model: Model, gone: list[int]) -> tuple[Model, Indexes]:
    """The model without some categories, and the new index of each parameter."""
    categories = model.outcome.categories
    kept = tuple(each for index, each in enumerate(categories) if index not in gone)
    name = model.axes[0]
    wanted = {
        variable.name: replace(variable, levels=kept, numbers=None)
        for each in model.reports
        for variable in each.variables
        if variable.name == name
    }
    # The upper threshold of a removed category is merged into its lower one.
    is_kept = np.array([index not in gone for index in range(model.size)])
    smaller = replace(
        model,
        outcome=Ordered(kept),
        predictors=tuple(each for index, each in enumerate(model.predictors) if index not in gone),
        reports=tuple(arranged(each, wanted) for each in model.reports),
    )
    return smaller, np.cumsum(is_kept) - 1


# Information below this part of the information of direct answers counts as none.
_NONE = 1e-9
# A parameter with at least this component in a direction without information is free.
_PART = 1e-3
# A free parameter that moves a predictor by more than this is infinite.
_FAR = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Boundary:
    """The parameters that the data do not determine.

    Args:
        held: (parameters, directions) orthonormal directions that the data
            determine, in the scaled parameters.
        scale: (parameters,) factors of the scaled parameters.
        is_free: (parameters,) whether a parameter is part of a direction that
            the data do not determine.
        is_infinite: (parameters,) whether it is also so large that it counts as
            infinite.
    """

    held: Floats
    scale: Floats
    is_free: Bools
    is_infinite: Bools

    def inverse(self, information: Floats) -> Floats:
        """The inverse of the information within the directions that the data determine."""
        scaled = information / self.scale[:, np.newaxis] / self.scale
        inner = self.held.T @ scaled @ self.held
        found: Floats = self.held @ np.linalg.solve(inner, self.held.T)
        return found / self.scale[:, np.newaxis] / self.scale


def find_boundary(model: Model, maximum: Maximum) -> Boundary:
    """The parameters that the data determine at the maximum, and those they do not.

    Raises:
        NotIdentified: some parameters are not determined, and none is infinite.
    """
    scale = parameter_scale(model, maximum.parameters)
    scaled = maximum.evaluation.observed / scale[:, np.newaxis] / scale
    values, directions = np.linalg.eigh(scaled)
    is_open = values < _NONE
    is_free = np.sqrt((directions[:, is_open] ** 2).sum(axis=1)) > _PART
    reach = np.abs(maximum.parameters) * scale / np.sqrt(model.counts.sum())
    is_infinite = is_free & (reach > _FAR)
    if is_free.any() and not is_infinite.any():
        names = list(compress(model.names, is_free))
        raise NotIdentified(
            f"the reports do not determine {named(names)}: other values are as likely; leave "
            "terms out, merge categories, or ask more respondents"
        )
    return Boundary(directions[:, ~is_open], scale, is_free, is_infinite)


def boundary_warnings(model: Model, boundary: Boundary) -> tuple[str, ...]:
    """Warnings about infinite parameters, and about those not determined because of them."""
    others = compress(model.names, boundary.is_free & ~boundary.is_infinite)
    return (
        *warning_about(
            compress(model.names, boundary.is_infinite),
            "the likelihood still rises as this goes to infinity (some group has nobody, or "
            "everybody, in a category); it has no standard error, and no interval except perhaps "
            "by profile likelihood",
        ),
        *warning_about(others, "not determined, because other coefficients go to infinity"),
    )


def warning_about(names: Iterable[str], what: str) -> tuple[str, ...]:
    """A warning about some parameters or categories; empty if there are none."""
    listed = named(list(names))
    return (f"{listed}: {what}",) if listed else ()


# Standard errors of log-odds. Up to the first, a normal interval has its nominal coverage. If any
# is beyond the second, no standard error is reliable (tests/analysis/regression/test_coverage.py).
_SURE = 0.5
_LOOSE = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Soundness:
    """The reliability of standard errors.

    Args:
        is_normal: (parameters,) whether a normal interval has its nominal
            coverage.
        is_loose: (parameters,) whether the standard error is unreliable,
            because the likelihood is very flat or its maximum is near a
            boundary.
    """

    is_normal: Bools
    is_loose: Bools

    @classmethod
    def of(cls, model: Model, parameters: Floats, variances: Floats) -> "Soundness":
        """The reliability of standard errors; variances that the data leave open are infinite."""
        moved = np.sqrt(np.maximum(variances, 0.0)) * predictor_steps(model, parameters)
        is_loose = ~(moved <= _LOOSE)
        return cls((moved <= _SURE) & (not is_loose.any()), is_loose)

    def at(self, indexes: Indexes, *, is_wald: bool) -> "Soundness":
        """The reliability for some parameters; all are normal if Wald intervals were chosen."""
        return Soundness(self.is_normal[indexes] | is_wald, self.is_loose[indexes])

    @classmethod
    def of_all(cls, size: int) -> "Soundness":
        """The reliability if all standard errors are assumed reliable, as with moments."""
        return cls(np.ones(size, dtype=bool), np.zeros(size, dtype=bool))
