"""Answers: the counts of each group of a design, read from a table or from counts."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np

from deniable_analysis.arrays import Bools, Floats, Indexes
from deniable_analysis.designs.design import Design
from deniable_analysis.designs.groups import Answers, ByGroup, GroupModel, group_models
from deniable_analysis.designs.tables import MISSING, column_of, indexes_of
from deniable_analysis.designs.unknown import UnknownDesign
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.forms import pandas
from deniable_sdk.wording import counted


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

    def check_sizes(self) -> None:
        """Raise InvalidArgument unless every group has at least two answers."""
        if any(answers.rows < 2 for answers in self.answers):
            raise InvalidArgument(
                "got a group with a single answer; a standard error needs at least 2 in each "
                "group that has any"
            )

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


# With smaller weights, their squares would vanish next to the other squares.
_LEAST_WEIGHT = 1e-100
AnyKnown = Design | ByGroup | UnknownDesign


def answers_of_table(
    table: Any, column: str, design: AnyKnown, weights: Any = None
) -> AnsweredGroups:
    """The answers of a column of a table.

    Rows without an answer, or without a group, are left out and counted.

    Raises:
        ColumnNotFound: the table has no such column.
        InvalidArgument: a value is not a category or not a group, or there is no answer; there is
            not one weight for each row, or a weight is invalid; the design has groups, but no
            column with the group of each row.
    """
    if isinstance(design, UnknownDesign):
        raise InvalidArgument(
            f"got {design.name} for a table; say which column holds the groups "
            f"{', '.join(map(repr, design.groups))}: ByGroup(column, design)"
        )
    models = group_models(design)
    values = column_of(table, column)
    groups = design.group_indexes(table) if isinstance(design, ByGroup) else None
    indexes = _observed_indexes(values, groups, models, f"column {column!r}")
    each = np.zeros(len(indexes), np.intp) if groups is None else groups
    is_answered = (indexes != MISSING) & (each != MISSING)
    sizes = _weights(table, weights, is_answered)
    if not np.any(is_answered):
        raise InvalidArgument(
            f"column {column!r}: got {counted(len(indexes), 'row')} without an answer; there is "
            "nothing to estimate"
        )
    found = [
        _tally(indexes, sizes, is_answered & (each == index), len(model.observed))
        for index, model in enumerate(models)
    ]
    missing = int(np.count_nonzero(~is_answered))
    return _answered(design, models, found, missing=missing, is_weighted=weights is not None)


def answers_of_counts(counts: Any, design: AnyKnown) -> AnsweredGroups:
    """The answers that counts represent.

    Raises:
        InvalidArgument: they are not counts of the design's categories.
    """
    models = group_models(design)
    labels = [model.label for model in models]
    each = [counts] if isinstance(design, Design) else _by_name(counts, labels, "groups")
    found = []
    for model, given in zip(models, each, strict=True):
        numbers = _whole_numbers(_by_name(given, model.observed, "observed categories"))
        found.append(Answers(numbers, numbers, numbers))
    if not any(each.rows for each in found):
        raise InvalidArgument("got no answer at all; an estimate needs at least 2")
    return _answered(design, models, found, missing=0, is_weighted=False)


def _answered(
    design: AnyKnown,
    models: Sequence[GroupModel],
    found: Sequence[Answers],
    *,
    missing: int,
    is_weighted: bool,
) -> AnsweredGroups:
    own = design.estimator if isinstance(design, Design) else None
    inner = design.designs if isinstance(design, ByGroup) else design
    pairs = list(zip(models, found, strict=True))
    return AnsweredGroups(
        name=inner.name if isinstance(inner, (Design, UnknownDesign)) else "several designs",
        true=design.true,
        unknown=inner.unknown if isinstance(inner, UnknownDesign) else (),
        groups=tuple(model for model, each in pairs if each.rows),
        answers=tuple(each for each in found if each.rows),
        absent=tuple(model.label for model, each in pairs if not each.rows),
        missing=missing,
        is_weighted=is_weighted,
        estimator=None if own is None else np.array(own, dtype=np.float64),
    )


def _observed_indexes(
    values: Any, groups: Indexes | None, models: Sequence[GroupModel], what: str
) -> Indexes:
    """The index of each row's observed category, among the categories of its group."""
    if len({model.observed for model in models}) == 1:
        return indexes_of(values, models[0].observed, what)
    # Only reached with groups: a single design has one list of categories.
    of_group = np.asarray(groups)
    objects = np.asarray(values, dtype=object)
    found = np.full(len(objects), MISSING, dtype=np.intp)
    for index, model in enumerate(models):
        rows = of_group == index
        found[rows] = indexes_of(objects[rows], model.observed, f"{what}, group {model.label!r}")
    return found


def _tally(indexes: Indexes, sizes: Floats, rows: Bools, length: int) -> Answers:
    chosen, each = indexes[rows], sizes[rows]
    counts = np.bincount(chosen[each > 0], minlength=length).astype(np.float64)
    return Answers(
        counts,
        np.bincount(chosen, each, minlength=length).astype(np.float64),
        np.bincount(chosen, each**2, minlength=length).astype(np.float64),
    )


def _weights(table: Any, weights: Any, is_answered: Bools) -> Floats:
    """The weight of each row; 1 for all without weights.

    Raises:
        InvalidArgument: there is not one weight for each row; one is not a
            number, NaN, infinite or negative; or all are 0.
    """
    if weights is None:
        return np.ones(len(is_answered))
    given = column_of(table, weights) if isinstance(weights, str) else weights
    what = f"weights {weights!r}" if isinstance(weights, str) else "weights"
    found = _as_numbers(given, what)
    if len(found) != len(is_answered):
        raise InvalidArgument(
            f"{what}: got {len(found)} for {counted(len(is_answered), 'row')}; allowed is one for "
            "each row"
        )
    used = found[is_answered]
    wrong = int(np.count_nonzero(~(np.isfinite(used) & (used >= 0))))
    if wrong:
        raise InvalidArgument(
            f"{what}: {wrong} of {len(used)} are negative, infinite or missing; allowed are "
            "numbers of at least 0; leave these rows out, or give them the weight 0"
        )
    if used.size and not np.any(used):
        raise InvalidArgument(f"{what}: all are 0; allowed are some above 0")
    # Divided by the largest, so that no square overflows a float.
    scaled = np.where(is_answered, found, 0.0) / (used.max(initial=0.0) or 1.0)
    if np.any(scaled[scaled > 0] < _LEAST_WEIGHT):
        raise InvalidArgument(
            f"{what}: got some that are not even {_LEAST_WEIGHT:g} of the largest; allowed are "
            "numbers that can be added up, or 0 for rows that do not count"
        )
    return scaled


def _as_numbers(given: Any, what: str) -> Floats:
    try:
        numbers = np.asarray(pandas().to_numeric(np.asarray(given).ravel()))
        if numbers.dtype.kind in "biuf":
            return np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InvalidArgument(
        f"{what}: got values that are not numbers; allowed are numbers of at least 0"
    )


def _by_name(given: Any, names: Sequence[Hashable], what: str) -> list[Any]:
    """The value of each name, in the names' order."""
    if isinstance(given, Mapping):
        if set(given) != set(names):
            raise InvalidArgument(
                f"got counts for {len(given)} {what}; allowed are exactly "
                f"{', '.join(map(repr, names))}"
            )
        return [given[name] for name in names]
    listed = list(given) if isinstance(given, (Sequence, np.ndarray)) else []
    if isinstance(given, str) or len(listed) != len(names):
        raise InvalidArgument(
            f"got {len(listed)} counts for the {len(names)} {what} "
            f"{', '.join(map(repr, names))}; allowed is one for each, in this order or by name; "
            "for a table, name its column"
        )
    return listed


def _whole_numbers(given: Sequence[Any]) -> Floats:
    try:
        found = np.array([float(count) for count in given], dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(
            "got counts that are not numbers; allowed are whole numbers"
        ) from None
    if not np.all(np.isfinite(found) & (found >= 0) & (found == np.floor(found))):
        raise InvalidArgument(
            "got counts that are negative, broken or not finite; allowed are whole numbers of at "
            "least 0; for design weights pass the table"
        )
    return found
