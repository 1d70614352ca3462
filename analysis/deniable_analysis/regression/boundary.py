"""Estimates that run to infinity, and what can be said beside them."""

from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.regression.maximize import Maximum
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.scale import parameter_scale

# Of what clear answers would tell: below it, information is taken for none.
_NONE = 1e-9
# A part this large of a direction without information belongs to it.
_PART = 1e-3
# A predictor moved so far, with nothing left to hold it, has run away.
_FAR = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Boundary:
    """Which parameters the data do not hold.

    Args:
        held: orthonormal (parameters, directions) that the data do hold, in
            the scaled parameters.
        scale: (parameters,) what they are scaled by.
        is_free: (parameters,) whether a parameter moves along others.
        is_infinite: (parameters,) whether it has gone far there.
    """

    held: Floats
    scale: Floats
    is_free: Bools
    is_infinite: Bools

    def inverse(self, information: Floats) -> Floats:
        """The inverse information; of what is not held it is infinite."""
        scaled = information / self.scale[:, np.newaxis] / self.scale
        inner = self.held.T @ scaled @ self.held
        found: Floats = self.held @ np.linalg.solve(inner, self.held.T)
        return found / self.scale[:, np.newaxis] / self.scale


def find_boundary(model: Model, maximum: Maximum) -> Boundary:
    """What the data hold at the maximum.

    Raises:
        NotIdentified: they leave something open that did not run away.
    """
    scale = parameter_scale(model, maximum.parameters)
    scaled = maximum.evaluation.observed / scale[:, np.newaxis] / scale
    values, directions = np.linalg.eigh(scaled)
    is_open = values < _NONE
    is_free = np.sqrt((directions[:, is_open] ** 2).sum(axis=1)) > _PART
    reach = np.abs(maximum.parameters) * scale / np.sqrt(model.counts.sum())
    is_infinite = is_free & (reach > _FAR)
    if is_free.any() and not is_infinite.any():
        names = [name for name, free in zip(model.names, is_free, strict=True) if free]
        raise NotIdentified(
            f"the reports say nothing about {', '.join(names)}: other values are as likely; leave "
            "terms out, merge categories, or ask more respondents"
        )
    return Boundary(directions[:, ~is_open], scale, is_free, is_infinite)


def boundary_warnings(model: Model, boundary: Boundary) -> tuple[str, ...]:
    """What runs to infinity, and what follows for the others."""
    names = np.array(model.names, dtype=object)
    infinite = list(names[boundary.is_infinite])
    others = list(names[boundary.is_free & ~boundary.is_infinite])
    warnings = []
    if infinite:
        warnings.append(
            f"{', '.join(infinite)}: the likelihood still rises as this goes to infinity (some "
            "group has nobody, or everybody, in a category); it has no standard error, and an "
            "interval by profile likelihood if any"
        )
    if others:
        warnings.append(f"{', '.join(others)}: not determined beside what runs to infinity")
    return tuple(warnings)
