"""Designs that differ from row to row, and the outcomes of a column under them."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable_analysis.arrays import Indexes
from deniable_analysis.designs.design import Design
from deniable_analysis.designs.tables import MISSING, column_of, indexes_of, looked_up
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


def outcomes_of(table: Any, column: str, design: AnyDesign) -> Indexes:
    """The index of each row's outcome, -1 where the answer or the group is missing.

    An outcome is an observed category of a group. The categories of the first
    group come first.

    Raises:
        ColumnNotFound: the table does not have a column.
        InvalidTable: a value is not a group, or is not a category of its row's
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
        InvalidTable: an index is missing.
    """
    missing = int(np.count_nonzero(indexes == MISSING))
    if missing:
        raise InvalidTable(
            f"{what}: got {missing} missing among {counted(len(indexes), 'row')}; leave these "
            "out first"
        )
    return indexes
