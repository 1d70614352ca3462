"""From a randomized column and its design to reports and their channel."""

import itertools
import re
from typing import Any

import numpy as np

from deniable_analysis.arrays import Indexes
from deniable_analysis.designs import AnyDesign, ByGroup, Design, UnknownDesign
from deniable_analysis.designs.labels import MISSING, places_of
from deniable_analysis.designs.tables import column_of
from deniable_analysis.errors import InvalidDesign
from deniable_analysis.regression.channels import ReportChannel, Reports, Variable


def reports_of(table: Any, name: str, design: AnyDesign) -> Reports:
    """The reports in a column's rows; code -1 where something is missing.

    Raises:
        ColumnNotFound: the table has no such column, or not that of the groups.
        InvalidTable: a row holds what its design cannot produce.
        InvalidDesign: it is no design of a column.
    """
    what, column = f"column {name!r}", column_of(table, name)
    if isinstance(design, Design):
        places = design.places(column, what)
        channel = ReportChannel.known(design.probabilities, (np.arange(len(design.observed)),))
        return Reports((variable_of(name, design.true),), places, channel, design.epsilon)
    if not isinstance(design, ByGroup):
        raise InvalidDesign(
            f"designs: got something of the type {type(design).__name__} for {name!r}; allowed "
            "is a Design, or ByGroup(column, designs) where it differs from row to row or has "
            "several groups"
        )
    groups = design.group_places(table)
    starts = np.cumsum([0, *(len(design.observed(place)) for place in range(len(design.groups)))])
    codes = np.full(len(groups), MISSING, dtype=np.intp)
    values = np.asarray(column, dtype=object)
    for place, start in enumerate(starts[:-1]):
        rows = np.flatnonzero(groups == place)
        own = places_of(values[rows], design.observed(place), what)
        codes[rows] = np.where(own == MISSING, MISSING, start + own)
    channel = _channel(name, design, starts)
    return Reports((variable_of(name, design.true),), codes, channel, _epsilon(design))


def variable_of(name: str, levels: tuple[str, ...]) -> Variable:
    """The variable; its levels are numbers where all are written as such."""
    numbers = tuple(map(float, levels)) if all(map(_is_number, levels)) else None
    return Variable(name, levels, numbers)


def _is_number(level: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?", level, re.ASCII) is not None


def _channel(name: str, design: ByGroup, starts: Indexes) -> ReportChannel:
    groups = tuple(np.arange(start, stop) for start, stop in itertools.pairwise(starts))
    designs = design.designs
    if not isinstance(designs, UnknownDesign):
        rows = [designs[group].probabilities for group in design.groups]
        return ReportChannel.known(np.concatenate(rows), groups)
    count = len(designs.unknown)
    cells = len(designs.true)
    return ReportChannel(
        designs.matrices(np.zeros(count)).reshape(-1, cells),
        designs.derivatives(np.zeros(count)).reshape(count, starts[-1], cells),
        tuple(f"{name}: {unknown}" for unknown in designs.unknown),
        groups,
    )


def _epsilon(design: ByGroup) -> float | None:
    if isinstance(design.designs, UnknownDesign):
        return None
    return max(each.epsilon for each in design.designs.values())
