"""The groups of a design: which rows they are, and how likely and how many their answers are."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable_analysis.arguments import check_kind
from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.designs.design import Design
from deniable_analysis.designs.tables import MISSING, column_of, indexes_of, looked_up
from deniable_analysis.designs.unknown import UnknownDesign
from deniable_analysis.errors import InvalidArgument
from deniable_sdk.wording import counted


@dataclass(frozen=True, slots=True)
class ByGroup:
    """A design that differs from row to row, by the value of a column.

    Args:
        column: column with the group of each row.
        designs: design of each value of that column, all with the same true
            categories; or one design of several groups.
    Raises:
        InvalidArgument: there is no design, or their true categories differ.
    """

    column: str
    designs: Mapping[Any, Design] | UnknownDesign

    def __post_init__(self) -> None:
        if isinstance(self.designs, UnknownDesign):
            return
        given: Any = self.designs
        members = given.values() if isinstance(given, Mapping) else [None]
        if not all(isinstance(design, Design) for design in members):
            raise InvalidArgument(
                "designs: allowed is a mapping from each value of the column to its Design, "
                "or a design of several groups"
            )
        kinds = {design.true for design in self.designs.values()}
        if len(kinds) != 1:
            raise InvalidArgument(
                f"got designs with {len(kinds)} different lists of true categories; allowed is "
                "one or more designs that share one list: see .renamed(true=...)"
            )

    @property
    def groups(self) -> tuple[Hashable, ...]:
        """The column's names for the groups."""
        designs = self.designs
        return designs.groups if isinstance(designs, UnknownDesign) else tuple(designs)

    @property
    def true(self) -> tuple[str, ...]:
        """The true categories."""
        return self._of_group(0).true

    def observed(self, group: int) -> tuple[str, ...]:
        """The observed categories of the group with this index."""
        return self._of_group(group).observed

    def _of_group(self, index: int) -> Design | UnknownDesign:
        designs = self.designs
        return designs if isinstance(designs, UnknownDesign) else designs[self.groups[index]]

    def group_indexes(self, table: Any) -> Indexes:
        """The index of each row's group, -1 where the value is missing.

        Raises:
            ColumnNotFound: the table has no such column.
            InvalidArgument: a value is not a group.
        """
        known = {group: index for index, group in enumerate(self.groups)}
        what = f"column {self.column!r}"
        indexes, strays = looked_up(column_of(table, self.column), known, what)
        if strays:
            raise InvalidArgument(
                f"{what}: got {counted(strays, 'row')} of {len(indexes)} in no group of the "
                f"design; its groups are {', '.join(map(repr, self.groups))}; leave those rows "
                "out, or add their design"
            )
        return indexes


AnyDesign = Design | ByGroup


def outcomes_of(table: Any, column: str, design: AnyDesign) -> Indexes:
    """The index of each row's outcome, -1 where the answer or the group is missing.

    An outcome is an observed category of a group. The categories of the first
    group come first.

    Raises:
        ColumnNotFound: the table does not have a column.
        InvalidArgument: a value is not a group, or is not a category of its row's
            design.
    """
    what, values = f"column {column!r}", column_of(table, column)
    if isinstance(design, Design):
        return design.indexes(values, what)
    groups = design.group_indexes(table)
    objects = np.asarray(values, dtype=object)
    found, start = np.full(len(groups), MISSING, dtype=np.intp), 0
    for index in range(len(design.groups)):
        rows, observed = groups == index, design.observed(index)
        own = indexes_of(objects[rows], observed, what)
        found[rows] = np.where(own == MISSING, MISSING, start + own)
        start += len(observed)
    return found


def complete(indexes: Indexes, what: str) -> Indexes:
    """The same indexes, if none is missing.

    Raises:
        InvalidArgument: an index is missing.
    """
    missing = int(np.count_nonzero(indexes == MISSING))
    if missing:
        raise InvalidArgument(
            f"{what}: got {missing} missing among {counted(len(indexes), 'row')}; leave these "
            "out first"
        )
    return indexes


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


def group_models(design: Design | ByGroup | UnknownDesign) -> tuple[GroupModel, ...]:
    """The model of every group of a design, in its order.

    Raises:
        InvalidArgument: design is not a design.
    """
    found: Any = design.designs if isinstance(design, ByGroup) else design
    if isinstance(found, UnknownDesign):
        return tuple(_of_unknown(found, index) for index in range(len(found.groups)))
    if isinstance(design, ByGroup):
        return tuple(_of_known(label, each) for label, each in found.items())
    allowed = "a Design such as warner(0.7), or ByGroup(column, ...)"
    check_kind("design", design, Design, allowed)
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
        InvalidArgument: a value is missing, or is not a category of its row's design; the design
            has unknown parameters, or is not a design.
    """
    what = f"column {column!r}"
    if isinstance(design, ByGroup):
        if isinstance(design.designs, UnknownDesign) and design.designs.unknown:
            raise InvalidArgument(
                f"{what}: the design has the unknown parameters "
                f"{', '.join(design.designs.unknown)}; set their values with .designs(...)"
            )
        groups = complete(design.group_indexes(table), f"column {design.column!r}")
    else:
        allowed = "a Design, or ByGroup(column, ...), which names the column with a row's group"
        check_kind(what, design, Design, allowed)
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
