"""Predicted probabilities and means, with intervals by the delta method."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import compress, islice
from typing import Any

import numpy as np
from scipy import special

from deniable_analysis.arrays import Floats
from deniable_analysis.charts import Chart
from deniable_analysis.designs.tables import column_names, column_of, indexes_of
from deniable_analysis.errors import ColumnNotFound, InvalidArgument
from deniable_analysis.estimate.choice import critical_value
from deniable_analysis.estimate.intervals import normal_interval
from deniable_analysis.estimate.ratio import quotients
from deniable_analysis.forms import DataFrame, finite_or_none, pandas
from deniable_analysis.parts import Column, Line, Part, Table, text_column, warning_lines
from deniable_analysis.presentation import Presented
from deniable_analysis.regression.assembly import Assembly
from deniable_analysis.regression.averages import Given, expected, given_rows
from deniable_analysis.regression.boundary import warning_about
from deniable_analysis.regression.channels import Variable
from deniable_analysis.regression.fit import Fit
from deniable_analysis.regression.observations import as_numbers
from deniable_analysis.results.shares import ENDS

_MOST_SHOWN = 20
_CERTAIN = 1e-15


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Predictions(Presented):
    """Predictions for rows of a table.

    Args:
        outcome: name of the outcome.
        categories: predicted categories; a single nameless one for a number.
        values: (rows, categories) probabilities or means.
        errors: (rows, categories) standard errors; NaN if a prediction depends
            on an infinite coefficient.
        low: (rows, categories) lower ends of the intervals; NaN without one.
        high: (rows, categories) upper ends.
        confidence: nominal coverage of the intervals.
        warnings: sentences about problems of the predictions.
    """

    outcome: str
    categories: tuple[str, ...]
    values: Floats
    errors: Floats
    low: Floats
    high: Floats
    confidence: float
    warnings: tuple[str, ...] = ()

    def to_frame(self) -> DataFrame:
        """One row for each row and category, by pandas."""
        rows, count = self.values.shape
        return pandas().DataFrame(
            {
                "row": np.repeat(np.arange(rows), count),
                "category": list(self.categories) * rows,
                "prediction": self.values.reshape(-1),
                "standard_error": self.errors.reshape(-1),
                "low": self.low.reshape(-1),
                "high": self.high.reshape(-1),
            }
        )

    def to_document(self) -> dict[str, Any]:
        """The predictions as plain JSON values."""
        return {
            "outcome": self.outcome,
            "categories": list(self.categories),
            "confidence": self.confidence,
            "predictions": self.values.tolist(),
            "standard_errors": [[finite_or_none(each) for each in row] for row in self.errors],
            "low": [[finite_or_none(each) for each in row] for row in self.low],
            "high": [[finite_or_none(each) for each in row] for row in self.high],
            "warnings": list(self.warnings),
        }

    def charts(self) -> Iterable[Chart]:
        """The predictions of the first rows, with their intervals."""
        marks = self._first().marks("prediction")
        yield Chart(f"predictions of {self.outcome}, by row", "prediction", marks)

    def parts(self) -> Iterable[Part]:
        """The predictions of the first rows as a table."""
        yield Line(f"predictions of {self.outcome}, {self.confidence:.6g} intervals")
        yield self._first()
        left = self.values.size - _MOST_SHOWN
        if left > 0:
            yield Line(f"and {left} more: see to_frame()")
        yield from warning_lines(self.warnings)

    def _first(self) -> Table:
        """The first rows, with None for what is not finite."""
        rows = range(len(self.values))
        names = (f"{row} {name}".rstrip() for row in rows for name in self.categories)
        numbers = (each.flat for each in (self.values, self.errors, self.low, self.high))
        first = islice(zip(names, *numbers, strict=True), _MOST_SHOWN)
        columns = (
            text_column("", "row"),
            Column("prediction", "prediction"),
            Column("standard_error", "se"),
            *ENDS,
        )
        return Table(columns, tuple((name, *map(finite_or_none, row)) for name, *row in first))


def predict(assembly: Assembly, fit: Fit, table: Any, confidence: float) -> Predictions:
    """The predictions for rows of a table, or for the rows of the regression."""
    seen = assembly.seen
    clear = seen.clear if table is None else _clear_of(assembly, table)
    given = _given(assembly, fit, clear, table)
    found = expected(assembly, fit.parameters, given)
    # An infinite coefficient does not change a probability any more.
    covariance = np.where(np.isfinite(fit.covariance), fit.covariance, 0.0)
    values, errors = found.values.T, found.errors(covariance).T
    is_share = len(assembly.model.outcome.categories) > 1
    low, high = interval(values, errors, confidence, is_share=is_share)
    is_open = (found.rests & fit.is_free).any(axis=1)
    errors[is_open] = low[is_open] = high[is_open] = np.nan
    rows = seen.row_of if table is None else np.arange(len(values))
    return Predictions(
        assembly.formula.outcome,
        shown_categories(assembly),
        values[rows],
        errors[rows],
        low[rows],
        high[rows],
        confidence,
        unheld_warnings(assembly, fit, bool(is_open.any())),
    )


def interval(
    values: Floats, errors: Floats, confidence: float, *, is_share: bool
) -> tuple[Floats, Floats]:
    """Normal intervals; for probabilities on the log-odds scale.

    A prediction that is certain, because a coefficient is infinite, has no
    interval.
    """
    reach = critical_value(confidence)
    if not is_share:
        return normal_interval(values, errors**2, reach, 0.0)
    inner = np.clip(values, _CERTAIN, 1 - _CERTAIN)
    spread = np.where(values == inner, errors / (inner * (1 - inner)), 0.0)
    low, high = normal_interval(special.logit(inner), spread**2, reach)
    return special.expit(low), special.expit(high)


def unheld_warnings(assembly: Assembly, fit: Fit, is_missing: bool) -> tuple[str, ...]:
    """Warnings about coefficients without a standard error that predictions depend on."""
    return (
        *warning_about(
            compress(assembly.model.names, fit.sound.is_loose & is_missing),
            "goes to infinity in the regression or nearly so; results that depend on it have no "
            "standard error and no interval here",
        ),
        *warning_about(
            fit.empty,
            "has nobody in the regression, so results that depend on it look more certain here "
            "than they are",
        ),
    )


def shown_categories(assembly: Assembly) -> tuple[str, ...]:
    """The categories with expectations; only the second of two."""
    categories = assembly.model.outcome.categories
    return categories[1:] if len(categories) == 2 else categories


def _clear_of(assembly: Assembly, table: Any) -> Any:
    """The columns of a table that were not randomized, as the formula needs them."""
    hidden = [variable.name for variable in assembly.hidden]
    names = [name for name in assembly.formula.variables if name not in hidden]
    _check_columns(table, names)
    columns = {
        name: as_numbers(column_of(table, name), name).reset_index(drop=True) for name in names
    }
    known = [name for name in hidden if name in column_names(table)]
    lengths = {len(column_of(table, name)) for name in [*names, *known]}
    if len(lengths) != 1 or 0 in lengths:
        raise InvalidArgument(
            f"got a table in which none of {', '.join(assembly.formula.variables)} has rows, or "
            "with columns of different lengths; allowed are rows to predict for"
        )
    _check_complete(any(column.isna().any() for column in columns.values()))
    return pandas().DataFrame(columns, index=range(lengths.pop()))


def _check_columns(table: Any, names: Iterable[str]) -> None:
    """Raise an error unless the table is readable and has these columns."""
    is_table = isinstance(table, Mapping) and all(map(_is_column, table.values()))
    if not is_table and not hasattr(table, "columns"):
        raise InvalidArgument(
            "predict: got no table to predict for; allowed is a pandas table, a mapping from "
            'columns to lists like {"age": [30, 40]}, or nothing for the regression\'s own rows'
        )
    has = column_names(table)
    for name in names:
        if name not in has:
            near = difflib.get_close_matches(name, has, n=1, cutoff=0.5)
            instead = f"rename its column {near[0]!r}, if that is it" if near else "add it"
            raise ColumnNotFound(
                f"predict: got a table without the column {name!r}, which the regression needs; "
                f"{instead}"
            )


def _is_column(values: Any) -> bool:
    return hasattr(values, "__len__") and not isinstance(values, str | bytes)


def _check_complete(is_missing: object) -> None:
    if is_missing:
        raise InvalidArgument("got rows to predict for with missing values; fill them in")


def _given(assembly: Assembly, fit: Fit, clear: Any, table: Any) -> Given:
    given = given_rows(assembly, fit.parameters, clear)
    names = () if table is None else column_names(table)
    named = [variable for variable in assembly.hidden if variable.name in names]
    if fit.log_likelihood is None and len(named) < len(assembly.hidden):
        raise InvalidArgument(
            "predict: moments do not tell how hidden answers are spread; allowed is a table with "
            f"the columns {', '.join(variable.name for variable in assembly.hidden)}"
        )
    return _conditioned(assembly, given, named, table) if named else given


def _conditioned(assembly: Assembly, given: Given, named: list[Variable], table: Any) -> Given:
    """The same rows given the answers to some of the hidden questions, from a table."""
    indexes = np.indices([len(each.levels) for each in assembly.hidden])
    fits = np.ones(given.cells.shape, dtype=bool)
    for variable in named:
        axis = assembly.hidden.index(variable)
        own = indexes_of(
            column_of(table, variable.name), variable.levels, f"column {variable.name!r}"
        )
        _check_complete((own < 0).any())
        fits &= indexes[axis].reshape(-1) == own[:, np.newaxis]
    kept = given.cells * fits
    total = kept.sum(axis=1, keepdims=True)
    cells = quotients(kept, total)
    moved = given.slopes * fits[..., np.newaxis]
    sums = moved.sum(axis=1, keepdims=True)
    slopes = quotients(moved - cells[..., np.newaxis] * sums, total[..., np.newaxis])
    return replace(given, cells=cells, slopes=slopes)
