"""A design's probabilities for each group, and the group's answers."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.designs.by_group import ByGroup
from deniable_analysis.designs.design import Design
from deniable_analysis.designs.unknown import UnknownDesign
from deniable_analysis.errors import InvalidDesign


@dataclass(frozen=True, slots=True)
class GroupModel:
    """How the answers of one group come about.

    Args:
        label: what the table calls the group; None where there is only one.
        observed: its observed categories.
        constant: (observed, true) the matrix where unknown parameters are 0.
        slopes: (unknown, observed, true) what it gains by each of them.
        is_direct: whether the group is asked openly.
    """

    label: Hashable
    observed: tuple[str, ...]
    constant: Floats
    slopes: Floats
    is_direct: bool

    def matrix(self, parameters: Floats) -> Floats:
        """The matrix at values of the unknown parameters."""
        found: Floats = self.constant + np.tensordot(parameters, self.slopes, axes=1)
        return found


@dataclass(frozen=True, slots=True)
class Answers:
    """How often each category was observed in a group.

    Args:
        counts: rows with it.
        weights: the sum of their weights; the counts without weights.
        squares: the sum of the squares of their weights.
    """

    counts: Floats
    weights: Floats
    squares: Floats

    @property
    def rows(self) -> float:
        """How many rows the group has."""
        return float(self.counts.sum())

    @property
    def effective(self) -> float:
        """As many equally weighted rows as are as precise (Kish 1965)."""
        return float(self.weights.sum() ** 2 / self.squares.sum())

    @property
    def rates(self) -> Floats:
        """The part of each observed category."""
        found: Floats = self.weights / self.weights.sum()
        return found

    def covariance(self) -> Floats:
        """The covariance of the rates; unbiased without weights.

        Source: Cochran 1977, equation 6.13, for ratios to a sum of weights.
        """
        rates, squares = self.rates, self.squares
        crossed = np.outer(squares, rates)
        spread = np.diag(squares) - crossed - crossed.T + squares.sum() * np.outer(rates, rates)
        return np.asarray(spread / self.weights.sum() ** 2 * self.rows / (self.rows - 1))


@dataclass(frozen=True, slots=True)
class AnsweredGroups:
    """The groups that have answers, with all that an estimate needs.

    Args:
        name: of the design.
        true: the true categories.
        unknown: the unknown parameters.
        groups: those with answers.
        answers: of each.
        absent: the groups of the design that have no answer.
        missing: rows left out because something of them is missing.
        is_weighted: whether rows count by their weights.
        estimator: the design's own, if it has one.
    """

    name: str
    true: tuple[str, ...]
    unknown: tuple[str, ...]
    groups: tuple[GroupModel, ...]
    answers: tuple[Answers, ...]
    absent: tuple[Hashable, ...]
    missing: int
    is_weighted: bool
    estimator: Floats | None

    @property
    def rows(self) -> int:
        """How many rows have answers."""
        return int(sum(each.rows for each in self.answers))

    @property
    def effective(self) -> float:
        """As many equally weighted rows as are as precise, in all groups."""
        return float(sum(each.effective for each in self.answers))

    def of(self, wanted: Sequence[bool]) -> "AnsweredGroups":
        """Only some of the groups, and the parameters that play a part in them."""
        chosen = [index for index, is_wanted in enumerate(wanted) if is_wanted]
        groups = [self.groups[index] for index in chosen]
        playing = [
            index
            for index in range(len(self.unknown))
            if any(group.slopes[index].any() for group in groups)
        ]
        return replace(
            self,
            unknown=tuple(self.unknown[index] for index in playing),
            groups=tuple(replace(group, slopes=group.slopes[playing]) for group in groups),
            answers=tuple(self.answers[index] for index in chosen),
        )


def group_models(design: Design | ByGroup | UnknownDesign) -> tuple[GroupModel, ...]:
    """The model of every group of a design, in its order.

    Raises:
        InvalidDesign: it is none.
    """
    found: Any = design.designs if isinstance(design, ByGroup) else design
    if isinstance(found, UnknownDesign):
        return tuple(_of_unknown(found, index) for index in range(len(found.groups)))
    if isinstance(found, Design):
        found = {None: found}
    elif not isinstance(design, ByGroup):
        raise InvalidDesign(
            f"design: got something of the type {type(design).__name__}; allowed is a Design "
            "such as warner(0.7), or ByGroup(column, ...)"
        )
    return tuple(_of_known(label, each) for label, each in found.items())


def _of_known(label: Hashable, design: Design) -> GroupModel:
    matrix = design.probabilities
    nothing = np.zeros((0, *matrix.shape))
    return GroupModel(label, design.observed, matrix, nothing, design.is_direct)


def _of_unknown(design: UnknownDesign, index: int) -> GroupModel:
    nothing = [0.0] * len(design.unknown)
    constant = design.matrices(nothing)[index]
    slopes = design.derivatives(nothing)[:, index]
    is_square = constant.shape[0] == constant.shape[1]
    is_direct = is_square and bool(np.all(constant == np.eye(len(constant))) and not slopes.any())
    return GroupModel(design.groups[index], design.observed, constant, slopes, is_direct)
