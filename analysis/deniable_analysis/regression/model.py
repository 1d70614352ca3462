"""The model: an outcome given predictors, and the distribution of the hidden ones."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import accumulate, pairwise
from typing import Any, Self

import numpy as np
from scipy import special

from deniable_analysis.arrays import Bools, Floats, Indexes
from deniable_analysis.estimate.ratio import quotients
from deniable_analysis.regression.channels import Reports
from deniable_analysis.regression.outcomes import LogDensity, Normal, OutcomeModel, Predictor


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Everything that determines the likelihood of some rows.

    A cell is one joint answer to all randomized predictors; without randomized
    predictors there is a single cell. A row's likelihood is the sum over the
    outcome's categories y and the cells z of P(reports | y, z) g(y | x, z) f(z
    | v).

    Args:
        outcome: g.
        predictors: linear predictors of the outcome.
        spread: (rows, columns) predictors v of the multinomial logit f; without
            columns if there is a single cell.
        spread_names: names of these columns.
        reports: reports about the outcome and the predictors.
        axes: names of the reported variables: the outcome first, if it has
            categories, then the predictors. The last varies fastest.
        cells: names of the cells.
        counts: (rows,) weighted number of respondents that each row represents.
        known: cache of results that depend on these rows only; empty at first.
    """

    outcome: OutcomeModel
    predictors: tuple[Predictor, ...]
    spread: Floats
    spread_names: tuple[str, ...]
    reports: tuple[Reports, ...]
    axes: tuple[str, ...]
    cells: tuple[str, ...]
    counts: Floats
    known: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def outcome_size(self) -> int:
        """The number of coefficients of the outcome."""
        return sum(len(each.names) for each in self.predictors)

    @property
    def spread_size(self) -> int:
        """The number of coefficients of the hidden predictors' distribution."""
        return (len(self.cells) - 1) * len(self.spread_names)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The unknown parameters of the designs."""
        return tuple(name for each in self.reports for name in each.channel.unknown)

    @property
    def design_of(self) -> tuple[int, ...]:
        """The index of the reports that each unknown parameter belongs to."""
        counts = [len(each.channel.unknown) for each in self.reports]
        return tuple(index for index, count in enumerate(counts) for _ in range(count))

    @property
    def size(self) -> int:
        """The number of parameters."""
        return self.outcome_size + self.spread_size + len(self.unknown)

    @property
    def slices(self) -> list[slice]:
        """The coefficients of each linear predictor."""
        edges = accumulate((len(each.names) for each in self.predictors), initial=0)
        return [slice(*each) for each in pairwise(edges)]

    @property
    def spread_slice(self) -> slice:
        """The coefficients of the hidden predictors' distribution."""
        return slice(self.outcome_size, self.outcome_size + self.spread_size)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parameters, in order."""
        return (
            *(name for each in self.predictors for name in each.names),
            *(f"{cell}: {name}" for cell in self.cells[1:] for name in self.spread_names),
            *self.unknown,
        )

    @property
    def is_spread(self) -> Bools:
        """(parameters,) True for coefficients of the hidden predictors' distribution."""
        found = np.zeros(self.size, dtype=np.bool_)
        found[self.spread_slice] = True
        return found

    def of_rows(self, rows: Indexes) -> Self:
        """The same model for some of the rows."""
        outcome = self.outcome
        if isinstance(outcome, Normal):
            outcome = replace(outcome, numbers=outcome.numbers[rows])
        return replace(
            self,
            outcome=outcome,
            predictors=tuple(Predictor(each.names, each.matrix[rows]) for each in self.predictors),
            spread=self.spread[rows],
            reports=tuple(each.of_rows(rows) for each in self.reports),
            counts=self.counts[rows],
        )

    def linear(self, parameters: Floats, rows: slice) -> Floats:
        """The (predictors, rows, cells) linear predictors of the outcome."""
        found = []
        shape = (len(self.counts[rows]), len(self.cells))
        for each, own in zip(self.predictors, self.slices, strict=True):
            matrix = each.matrix[rows]
            flat = matrix.reshape(-1, len(each.names)) @ parameters[own]
            found.append(np.broadcast_to(flat.reshape(matrix.shape[:2]), shape))
        return np.stack(found)

    def density(self, parameters: Floats, rows: slice) -> LogDensity:
        """The log density of the outcome, and its derivatives."""
        return self.outcome.density(self.linear(parameters, rows), rows)

    def log_shares(self, parameters: Floats, rows: slice) -> Floats:
        """The (rows, cells) log probability of each cell under f."""
        return self.log_shares_at(parameters, self.spread[rows])

    def log_shares_at(self, parameters: Floats, spread: Floats) -> Floats:
        """The same for other (rows, columns) predictors."""
        if len(self.cells) == 1:
            return np.zeros((len(spread), 1))
        own = parameters[self.spread_slice].reshape(len(self.cells) - 1, -1)
        logits = spread @ own.T
        whole = np.concatenate([np.zeros((len(logits), 1)), logits], axis=1)
        return np.asarray(special.log_softmax(whole, axis=1))

    def design_parameters(self, parameters: Floats) -> Floats:
        """The unknown design parameters, from their logits."""
        return np.asarray(special.expit(parameters[self.spread_slice.stop :]))

    def likelihoods(self, parameters: Floats, rows: slice) -> Floats:
        """The (categories, rows, cells) probabilities of the rows' reports."""
        parts = [
            each.spread(each.channel.likelihoods(unknown), self.axes, self._lead)
            for each, unknown in self._reports_with(parameters, rows)
        ]
        return self._cube(parts, len(self.counts[rows]))

    def design_slopes(self, parameters: Floats, rows: slice) -> tuple[Floats, ...]:
        """The derivatives of log P(reports | cell) by the logit of each unknown parameter.

        Each is (categories, rows, cells). If a report is impossible in a cell,
        no parameter between 0 and 1 makes it possible: its derivative is 0.
        """
        found = []
        for each, unknown in self._reports_with(parameters, rows):
            likelihoods = each.channel.likelihoods(unknown)
            for slope, own in zip(each.channel.slopes, unknown, strict=True):
                relative = quotients(slope * own * (1 - own), likelihoods)
                one = each.spread(relative, self.axes, self._lead)
                found.append(self._cube([one], len(self.counts[rows])))
        return tuple(found)

    def _reports_with(self, parameters: Floats, rows: slice) -> Iterator[tuple[Reports, Floats]]:
        """The reports of some rows, each with the values of its unknown design parameters."""
        unknown = self.design_parameters(parameters)
        for each in self.reports:
            count = len(each.channel.unknown)
            yield each.of_rows(rows), unknown[:count]
            unknown = unknown[count:]

    @property
    def _lead(self) -> int:
        """1 if the outcome is an axis, which comes before the rows; otherwise 0."""
        return int(len(self.outcome.categories) > 1)

    def _cube(self, parts: list[Floats], rows: int) -> Floats:
        """The product of the probabilities of all reports, with the cells in one axis."""
        sizes = {
            variable.name: len(variable.levels)
            for each in self.reports
            for variable in each.variables
        }
        shape = [sizes[name] for name in self.axes]
        shape.insert(self._lead, rows)
        whole = reduce(np.multiply, parts, np.ones((1,) * len(shape)))
        full = np.broadcast_to(whole, shape)
        return full.reshape(len(self.outcome.categories), rows, len(self.cells))


def log_sums(logs: Floats, likelihoods: Floats) -> tuple[Floats, Floats]:
    """The log of each row's sum of likelihood times exp(log), and each term's share of the sum."""
    # The maximum is taken over answers under which the report is possible.
    possible = logs if likelihoods.min() > 0 else np.where(likelihoods > 0, logs, -np.inf)
    top = possible.max(axis=0).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = likelihoods * np.exp(np.minimum(logs - top, 0.0))
        sums = parts.sum(axis=0).sum(axis=1, keepdims=True)
        return (np.log(sums) + top)[:, 0], parts / sums
