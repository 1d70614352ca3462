"""The data of a regression: reports of its randomized columns, with equal rows merged."""

import contextlib
import itertools
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import numpy as np

from deniable_analysis.arguments import is_finite
from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.designs import AnyDesign, ByGroup, Design, UnknownDesign
from deniable_analysis.designs.groups import group_models, outcomes_of
from deniable_analysis.designs.tables import column_of, factorized
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.forms import pandas
from deniable_analysis.regression.channels import ReportChannel, Reports, Variable
from deniable_sdk.wording import counted

_NUMERAL = re.compile(r"-?\d+(\.\d+)?", re.ASCII)


def reports_of(table: Any, name: str, design: AnyDesign) -> Reports:
    """The reports of a column's rows; code -1 where a value is missing.

    Raises:
        ColumnNotFound: the table does not have the column, or the column of its
            groups.
        InvalidArgument: a row contains a value that its design cannot produce; it is not a design
            of a column.
    """
    given: Any = design
    if not isinstance(given, Design | ByGroup):
        raise InvalidArgument(
            f"designs: got something of the type {type(given).__name__} for {name!r}; allowed "
            "is a Design, or ByGroup(column, designs) where it differs from row to row or has "
            "several groups"
        )
    codes, models = outcomes_of(table, name, design), group_models(design)
    edges = itertools.accumulate((len(model.observed) for model in models), initial=0)
    inner = design.designs if isinstance(design, ByGroup) else {None: design}
    unknown: tuple[str, ...] = ()
    epsilon = None
    if isinstance(inner, UnknownDesign):
        unknown = tuple(f"{name}: {each}" for each in inner.unknown)
    else:
        epsilon = max(each.epsilon for each in inner.values())
    channel = ReportChannel(
        np.concatenate([model.constant for model in models]),
        np.concatenate([model.slopes for model in models], axis=1),
        unknown,
        tuple(np.arange(*each) for each in itertools.pairwise(edges)),
    )
    is_number = all(map(_NUMERAL.fullmatch, design.true))
    variable = Variable(name, design.true, tuple(map(float, design.true)) if is_number else None)
    return Reports((variable,), codes, channel, epsilon)


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """The different rows of a table, and how often each occurs.

    Args:
        clear: columns that were not randomized, as a pandas table.
        reports: reports of the randomized columns.
        counts: (rows,) number of equal rows in the table.
        weights: (rows,) sampling weight of each of these; over the table's rows
            their mean is 1.
        row_of: (table rows,) index of the equal row.
        clusters: (table rows,) cluster of each; None without clusters.
        left_out: number of rows left out because a value was missing.
    """

    clear: Any
    reports: tuple[Reports, ...]
    counts: Floats
    weights: Floats
    row_of: Indexes = field(repr=False)
    clusters: Indexes | None = None
    left_out: int = 0

    @property
    def reports_of(self) -> dict[str, Reports]:
        """The reports about each randomized variable, by its name."""
        return {variable.name: each for each in self.reports for variable in each.variables}

    def ungrouped(self) -> "Observations":
        """The same with every row of the table on its own."""
        return replace(
            self,
            clear=self.clear.iloc[self.row_of].reset_index(drop=True),
            reports=tuple(each.of_rows(self.row_of) for each in self.reports),
            counts=np.ones(len(self.row_of)),
            weights=self.weights[self.row_of],
            row_of=np.arange(len(self.row_of)),
        )


def observe(
    table: Any,
    clear: Sequence[str],
    randomized: Mapping[str, AnyDesign],
    weights: Any = None,
    cluster: str | None = None,
) -> Observations:
    """The rows of a table without missing values in the needed columns.

    Args:
        table: a pandas table, or a mapping from names to columns.
        clear: needed columns that were not randomized.
        randomized: design of each needed column that was randomized.
        weights: as in regress.
        cluster: as in regress.
    Raises:
        ColumnNotFound: there is no such column.
        InvalidArgument: a randomized column contains a value that its design cannot produce, or
            every row has a missing value; a weight is negative or not a number.
    """
    reports = [reports_of(table, name, design) for name, design in randomized.items()]
    columns = {name: _factorized(table, name) for name in clear}
    codes = [*(each.codes for each in reports), *(each for each, _ in columns.values())]
    clusters = _factorized(table, cluster)[0] if cluster else None
    weights = _read_weights(table, weights, len(codes[0]))
    checked = [*codes, *([] if clusters is None else [clusters])]
    kept = np.flatnonzero(np.logical_and.reduce([each >= 0 for each in checked]))
    if not len(kept):
        raise InvalidArgument(
            f"got {counted(len(checked[0]), 'row')}, and none with all of the columns that are "
            "named; fill them in, or name fewer"
        )
    if weights is not None:
        weights = _of_mean_1(weights, kept)
    by_weight = [] if weights is None else [np.unique(weights[kept], return_inverse=True)[1]]
    first, row_of = _alike([*(each[kept] for each in codes), *by_weight])
    rows = kept[first]
    return Observations(
        clear=pandas().DataFrame(
            {
                name: column.iloc[rows].reset_index(drop=True)
                for name, (_, column) in columns.items()
            },
            index=range(len(rows)),
        ),
        reports=tuple(each.of_rows(rows) for each in reports),
        counts=np.bincount(row_of).astype(np.float64),
        weights=np.ones(len(rows)) if weights is None else weights[rows],
        row_of=row_of,
        clusters=None if clusters is None else clusters[kept],
        left_out=len(checked[0]) - len(kept),
    )


def _factorized(table: Any, name: str) -> tuple[Indexes, Any]:
    column = column_of(table, name)
    codes, _ = factorized(column, f"column {name!r}")
    return codes, as_numbers(column, name)


def _alike(codes: Sequence[Indexes]) -> tuple[Indexes, Indexes]:
    """The index of the first of equal rows, and for each row which of these it equals."""
    pd = pandas()
    joint: Indexes = np.zeros(len(codes[0]), dtype=np.intp)
    for each in codes:
        joint = pd.factorize(joint * (int(each.max()) + 1) + each)[0]
        if int(joint.max()) + 1 == len(joint):
            break
    return np.unique(joint, return_index=True)[1], joint


def _read_weights(table: Any, given: Any, rows: int) -> Floats | None:
    """Sampling weights, from the name of a column or from numbers.

    Raises:
        InvalidArgument: one is negative, missing or not a number; all are 0; or
            there is not one for each row.
    """
    if given is None:
        return None
    source = column_of(table, given) if isinstance(given, str) else given
    found = np.full(0, np.nan)
    with contextlib.suppress(TypeError, ValueError):
        found = np.asarray(source, dtype=np.float64)
    is_legal = found.ndim == 1 and len(found) > 0 and bool(np.isfinite(found).all())
    if not is_legal or found.min() < 0 or found.max() == 0:
        raise InvalidArgument(
            "weights: got some that are negative, missing or not numbers, or all 0; allowed is a "
            "number from 0 up for each row, not all 0: leave rows without a weight out first"
        )
    if len(found) != rows:
        raise InvalidArgument(
            f"weights: got {len(found)} for {counted(rows, 'row')}; allowed is one for each row "
            "of the table"
        )
    return found


def _of_mean_1(weights: Floats, kept: Indexes) -> Floats:
    """The weights, scaled to a mean of 1 over the kept rows; only their ratios matter.

    Raises:
        InvalidArgument: the weights of the kept rows are all 0.
    """
    largest = float(weights[kept].max())
    if not largest:
        raise InvalidArgument(
            f"weights: got 0 for all of the {len(kept)} rows that have all of the columns that "
            "are named; allowed are some above 0: fill in the missing values of these rows, or "
            "name fewer"
        )
    scaled = weights / largest
    return np.asarray(scaled / scaled[kept].mean())


def as_numbers(column: Any, name: str) -> Any:
    """The column; if its objects are all numbers or missing, converted to numbers.

    Raises:
        InvalidArgument: it mixes numbers and texts.
    """
    found = column if hasattr(column, "iloc") else pandas().Series(column)
    if found.dtype != object:
        return found
    present = found[found.notna()]
    are_numbers = [_is_number(value) for value in present]
    if any(are_numbers) and any(isinstance(value, str) for value in present):
        raise InvalidArgument(
            f"column {name!r}: got numbers and texts mixed; allowed is one kind: leave out what "
            "is not a number (None), or turn all values into texts, which are categories"
        )
    return found.astype("float64") if are_numbers and all(are_numbers) else found


def _is_number(value: object) -> bool:
    return value.is_finite() if isinstance(value, Decimal) else is_finite(value)


def distinct(column: Any, name: str) -> tuple[Indexes, list[Hashable]]:
    """The index of each row's category in a column that was not randomized, and the categories."""
    pd = pandas()
    if isinstance(getattr(column, "dtype", None), pd.CategoricalDtype):
        known = [each for each in column.cat.categories if (column == each).any()]
        return np.asarray(pd.Categorical(column, categories=known).codes, dtype=np.intp), known
    codes, found = factorized(column, f"column {name!r}")
    order = sorted(range(len(found)), key=lambda index: (str(type(found[index])), found[index]))
    rank = np.empty(len(found), dtype=np.intp)
    rank[order] = np.arange(len(found))
    return rank[codes], [found[index] for index in order]
