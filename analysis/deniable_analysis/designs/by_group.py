"""Designs that differ from row to row, and the likelihoods of a column."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.designs.design import Design
from deniable_analysis.designs.tables import MISSING, column_of, looked_up
from deniable_analysis.designs.unknown import UnknownDesign
from deniable_analysis.errors import InvalidDesign, InvalidTable
from deniable_analysis.forms import counted


@dataclass(frozen=True, slots=True)
class ByGroup:
    """A design that differs from row to row, by the value of a column.

    Args:
        column: column with the group of each row.
        designs: design of each value of that column, all with the same true
            categories; or one design of several groups.
    Raises:
        InvalidDesign: there is no design, or their true categories differ.
    """

    column: str
    designs: Mapping[Any, Design] | UnknownDesign

    def __post_init__(self) -> None:
        if isinstance(self.designs, UnknownDesign):
            return
        given: Any = self.designs
        members = given.values() if isinstance(given, Mapping) else [None]
        if not all(isinstance(design, Design) for design in members):
            raise InvalidDesign(
                "designs: allowed is a mapping from each value of the column to its Design, "
                "or a design of several groups"
            )
        kinds = {design.true for design in self.designs.values()}
        if len(kinds) != 1:
            raise InvalidDesign(
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
        designs = self.designs
        if isinstance(designs, UnknownDesign):
            return designs.true
        return next(iter(designs.values())).true

    def observed(self, group: int) -> tuple[str, ...]:
        """The observed categories of the group with this index."""
        designs = self.designs
        if isinstance(designs, UnknownDesign):
            return designs.observed
        return designs[self.groups[group]].observed

    def group_indexes(self, table: Any) -> Indexes:
        """The index of each row's group, -1 where the value is missing.

        Raises:
            ColumnNotFound: the table has no such column.
            InvalidTable: a value is not a group.
        """
        known = {group: index for index, group in enumerate(self.groups)}
        what = f"column {self.column!r}"
        indexes, strays = looked_up(column_of(table, self.column), known, what)
        if strays:
            raise InvalidTable(
                f"{what}: got {counted(strays, 'row')} of {len(indexes)} in no group of the "
                f"design; its groups are {', '.join(map(repr, self.groups))}; leave those rows "
                "out, or add their design"
            )
        return indexes


AnyDesign = Design | ByGroup


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
    what, given = f"column {column!r}", design
    if isinstance(design, Design):
        indexes = complete(design.indexes(column_of(table, column), what), what)
        return Likelihoods(design.true, design.probabilities[indexes])
    if not isinstance(given, ByGroup):
        raise InvalidDesign(
            f"{what}: got something of the type {type(given).__name__}; allowed is a Design, or "
            "ByGroup(column, ...), which names the column with a row's group"
        )
    if isinstance(design.designs, UnknownDesign) and design.designs.unknown:
        raise InvalidDesign(
            f"{what}: the design has the unknown parameters "
            f"{', '.join(design.designs.unknown)}; set their values with .designs(...)"
        )
    known = design.designs
    matrices = known.designs(()) if isinstance(known, UnknownDesign) else known
    groups = complete(design.group_indexes(table), f"column {design.column!r}")
    values = np.asarray(column_of(table, column), dtype=object)
    found = np.empty((len(values), len(design.true)))
    for index, group in enumerate(design.groups):
        rows = groups == index
        each = matrices[group]
        found[rows] = each.probabilities[complete(each.indexes(values[rows], what), what)]
    return Likelihoods(design.true, found)


def complete(indexes: Indexes, what: str) -> Indexes:
    """The same indexes, if none is missing.

    Raises:
        InvalidTable: an index is missing.
    """
    missing = int(np.count_nonzero(indexes == MISSING))
    if missing:
        raise InvalidTable(
            f"{what}: got {missing} missing among {counted(len(indexes), 'row')}; leave these "
            "out first"
        )
    return indexes
