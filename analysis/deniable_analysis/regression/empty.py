"""Ordered outcomes whose likelihood is highest where a category has a share of 0."""

from dataclasses import dataclass, replace

import numpy as np

from deniable_analysis.arrays import Bools, Floats, Indexes
from deniable_analysis.regression.maximize import Lost, Maximum
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.outcome import arranged
from deniable_analysis.regression.outcomes import Ordered
from deniable_analysis.regression.starts import best_maximum

# Thresholds this near to each other met where the search was lost.
_MET = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class BoundaryMaximum:
    """A maximum, and the model of which it is one.

    Args:
        model: without the categories that are empty there.
        maximum: of its likelihood.
        places: for each parameter of the whole model that of this one:
            thresholds that meet are one.
        empty: the categories that were left out.
    """

    model: Model
    maximum: Maximum
    places: Indexes
    empty: tuple[str, ...] = ()


def maximum_or_boundary(
    model: Model, free: Bools | None = None, near: Floats | None = None
) -> BoundaryMaximum:
    """The highest maximum, of an ordered outcome if need be on the edge.

    There thresholds meet, between which the likelihood leaves nobody.

    Args:
        model: with its rows.
        free: which parameters may move; the others are 0. All if left out.
        near: one more start.
    Raises:
        NotIdentified: there is no maximum.
    """
    try:
        return BoundaryMaximum(model, best_maximum(model, free, near), np.arange(model.size))
    except Lost as error:
        gone = _empty_between(model, error.parameters)
        if not gone:
            raise
    smaller, places = _without(model, gone)
    moving = None if free is None else np.bincount(places, ~free, smaller.size) == 0
    found = maximum_or_boundary(smaller, moving)
    names = [model.outcome.categories[place] for place in gone]
    empty = [each for each in model.outcome.categories if each in (*names, *found.empty)]
    return BoundaryMaximum(found.model, found.maximum, found.places[places], tuple(empty))


def _empty_between(model: Model, parameters: Floats) -> list[int]:
    """The categories whose thresholds met."""
    if not isinstance(model.outcome, Ordered):
        return []
    thresholds = parameters[: len(model.outcome.categories) - 1]
    return [place + 1 for place in np.flatnonzero(np.diff(thresholds) < _MET).tolist()]


def _without(model: Model, gone: list[int]) -> tuple[Model, Indexes]:
    """The model without some categories, and where its parameters are then."""
    categories = model.outcome.categories
    kept = tuple(each for place, each in enumerate(categories) if place not in gone)
    name = model.axes[0]
    wanted = {
        variable.name: replace(variable, levels=kept, numbers=None)
        for each in model.reports
        for variable in each.variables
        if variable.name == name
    }
    # The upper threshold of a category goes, and is the lower one from then on.
    is_kept = np.array([place not in gone for place in range(model.size)])
    smaller = replace(
        model,
        outcome=Ordered(kept),
        predictors=tuple(each for place, each in enumerate(model.predictors) if place not in gone),
        reports=tuple(arranged(each, wanted) for each in model.reports),
    )
    return smaller, np.cumsum(is_kept) - 1
