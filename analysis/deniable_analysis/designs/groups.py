"""A design's probabilities for each group, and the group's answers."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np

from deniable_analysis.arguments import check_kind
from deniable_analysis.arrays import Floats
from deniable_analysis.designs.by_group import AnyDesign, ByGroup, complete, outcomes_of
from deniable_analysis.designs.design import Design
from deniable_analysis.designs.unknown import UnknownDesign
from deniable_analysis.errors import InvalidDesign


@dataclass(frozen=True, slots=True)
class GroupModel:
    """The probabilities of the answers of one group.

    Args:
        label: name of the group in the table; None if there is only one group.
        observed: observed categories of the group.
        constant: (observed, true) matrix if the unknown parameters are 0.
        slopes: (unknown, observed, true) derivatives of the matrix by each
            parameter.
        is_direct: whether the group is asked directly.
    """

    label: Hashable
    observed: tuple[str, ...]
    constant: Floats
    slopes: Floats
    is_direct: bool

    def matrix(self, parameters: Floats) -> Floats:
        """The matrix at values of the unknown parameters."""
        return self.constant + np.tensordot(parameters, self.slopes, axes=1)


@dataclass(frozen=True, slots=True)
class Answers:
    """The counts of the categories that were observed in a group.

    Args:
        counts: rows with each category.
        weights: sum of their weights; equal to the counts without weights.
        squares: sum of the squares of their weights.
    """

    counts: Floats
    weights: Floats
    squares: Floats

    @property
    def rows(self) -> float:
        """The number of rows of the group."""
        return float(self.counts.sum())

    @property
    def effective(self) -> float:
        """The effective number of rows: the rows over the design effect (Kish 1965)."""
        return float(self.weights.sum() ** 2 / self.squares.sum())

    @property
    def rates(self) -> Floats:
        """The rate of each observed category."""
        return np.asarray(self.weights / self.weights.sum())

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
    """The groups that have answers, with everything that an estimate needs.

    Args:
        name: name of the design.
        true: the true categories.
        unknown: the unknown parameters.
        groups: groups with answers.
        answers: answers of each of these groups.
        absent: groups of the design without answers.
        missing: number of rows left out because a value is missing.
        is_weighted: whether the rows have weights.
        estimator: the design's own estimator, if it has one.
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
        """The number of rows with answers."""
        return int(sum(each.rows for each in self.answers))

    @property
    def names(self) -> tuple[str, ...]:
        """The true categories, then the unknown parameters."""
        return (*self.true, *self.unknown)

    @property
    def effective(self) -> float:
        """The effective number of rows in all groups."""
        return float(sum(each.effective for each in self.answers))

    def of(self, wanted: Sequence[bool]) -> "AnsweredGroups":
        """Some of the groups, and the parameters that their answers depend on."""
        groups = list(compress(self.groups, wanted))
        playing = np.any([group.slopes.any(axis=(1, 2)) for group in groups], axis=0)
        return replace(
            self,
            unknown=tuple(compress(self.unknown, playing)),
            groups=tuple(replace(group, slopes=group.slopes[playing]) for group in groups),
            answers=tuple(compress(self.answers, wanted)),
        )


def group_models(design: Design | ByGroup | UnknownDesign) -> tuple[GroupModel, ...]:
    """The model of every group of a design, in its order.

    Raises:
        InvalidDesign: design is not a design.
    """
    found: Any = design.designs if isinstance(design, ByGroup) else design
    if isinstance(found, UnknownDesign):
        return tuple(_of_unknown(found, index) for index in range(len(found.groups)))
    if isinstance(design, ByGroup):
        return tuple(_of_known(label, each) for label, each in found.items())
    allowed = "a Design such as warner(0.7), or ByGroup(column, ...)"
    check_kind("design", design, Design, allowed, InvalidDesign)
    return (_of_known(None, found),)


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """The likelihood of each row's answer, under every true category.

    Args:
        true: true categories.
        matrix: (rows, true) probabilities.
    """

    true: tuple[str, ...]
    matrix: Floats


def likelihoods(table: Any, column: str, design: AnyDesign) -> Likelihoods:
    """The likelihoods of a column's rows, each under the design of its row.

    Args:
        table: a pandas table, or a mapping from names to columns.
        column: randomized column, without missing values.
        design: design of the column, the same in every row or by group.
    Raises:
        ColumnNotFound: the table has no such column.
        InvalidTable: a value is missing, or is not a category of its row's
            design.
        InvalidDesign: the design has unknown parameters, or is not a design.
    """
    what = f"column {column!r}"
    if isinstance(design, ByGroup):
        if isinstance(design.designs, UnknownDesign) and design.designs.unknown:
            raise InvalidDesign(
                f"{what}: the design has the unknown parameters "
                f"{', '.join(design.designs.unknown)}; set their values with .designs(...)"
            )
        groups = complete(design.group_indexes(table), f"column {design.column!r}")
    else:
        allowed = "a Design, or ByGroup(column, ...), which names the column with a row's group"
        check_kind(what, design, Design, allowed, InvalidDesign)
    outcomes = outcomes_of(table, column, design)
    if isinstance(design, Design):
        groups = np.zeros_like(outcomes)
    for group in np.unique(groups):
        complete(outcomes[groups == group], what)
    matrix = np.concatenate([model.constant for model in group_models(design)])
    return Likelihoods(design.true, matrix[outcomes])


def _of_known(label: Hashable, design: Design) -> GroupModel:
    matrix = design.probabilities
    nothing = np.zeros((0, *matrix.shape))
    return GroupModel(label, design.observed, matrix, nothing, design.is_direct)


def _of_unknown(design: UnknownDesign, index: int) -> GroupModel:
    nothing = [0.0] * len(design.unknown)
    constant = design.matrices(nothing)[index]
    slopes = design.derivatives(nothing)[:, index]
    is_direct = np.array_equal(constant, np.eye(len(constant))) and not slopes.any()
    return GroupModel(design.groups[index], design.observed, constant, slopes, is_direct)
