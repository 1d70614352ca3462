"""The parts of the covariance of estimates, and the reliability of standard errors."""

from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from deniable_analysis.arrays import Bools, Floats, Indexes
from deniable_analysis.errors import InvalidRegression
from deniable_analysis.regression.channels import ReportChannel
from deniable_analysis.regression.evaluation import evaluate
from deniable_analysis.regression.maximize import predictor_steps
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.observations import Observations
from deniable_analysis.regression.outcomes import Normal

# With more possible reports, the expectation over them takes too long.
_MOST_REPORTS = 4096


def expected_information(model: Model, parameters: Floats) -> Floats:
    """The expected information over all possible reports.

    Raises:
        InvalidRegression: there are too many possible reports.
    """
    if isinstance(model.outcome, Normal):
        raise InvalidRegression(
            "se: got 'expected' for an outcome that is a number, whose values cannot be summed "
            "over; allowed are observed, sandwich and cluster"
        )
    others = [_others(each.channel, each.codes) for each in model.reports]
    sizes = [0 if each is None else each.shape[1] for each in others]
    if 0 in sizes or prod(sizes) > _MOST_REPORTS:
        raise InvalidRegression(
            "se: got 'expected', which sums over all possible reports, and there are too many; "
            "allowed are observed, sandwich and cluster"
        )
    found = np.zeros((model.size, model.size))
    for indexes in product(*map(range, sizes)):
        codes = [
            each[:, index] for each, index in zip(others, indexes, strict=True) if each is not None
        ]
        found += _part(model, parameters, codes)
    return found


def _part(model: Model, parameters: Floats, codes: list[Indexes]) -> Floats:
    """The contribution to the expectation of one possible report of every row."""
    rows = np.flatnonzero(np.logical_and.reduce([each >= 0 for each in codes]))
    some = model.of_rows(rows)
    reports = tuple(
        replace(each, codes=own[rows]) for each, own in zip(model.reports, codes, strict=True)
    )
    found = evaluate(replace(some, reports=reports), parameters)
    # Impossible reports have no score.
    chances = np.exp(found.rows)
    scores = np.where(chances[:, np.newaxis] > 0, found.scores, 0.0)
    return (scores.T * (some.counts * chances)) @ scores


def _others(channel: ReportChannel, codes: Indexes) -> Indexes | None:
    """For each row the indexes of all possible outputs, padded with -1."""
    if channel.groups is None:
        return None
    most = max(len(each) for each in channel.groups)
    of_output = np.full((len(channel.constant), most), -1, dtype=np.intp)
    for group in channel.groups:
        of_output[group, : len(group)] = group
    found: Indexes = of_output[codes]
    return found


def score_scatter(scores: Floats, seen: Observations) -> Floats:
    """The sum of the outer products of scores over rows of the table, or over clusters.

    With G clusters, the sum is multiplied by G / (G - 1).

    Args:
        scores: (different rows, parameters) scores without weights.
        seen: the rows.
    """
    weighted = scores * seen.weights[:, np.newaxis]
    if seen.clusters is None:
        return (weighted.T * seen.counts) @ weighted
    _, cluster_of = np.unique(seen.clusters, return_inverse=True)
    count = int(cluster_of.max()) + 1
    if count < 2:
        raise InvalidRegression(
            "cluster: got a single cluster; allowed are two or more, better many: name "
            "another column, or leave it out"
        )
    sums = np.zeros((count, scores.shape[1]))
    np.add.at(sums, cluster_of, weighted[seen.row_of])
    return sums.T @ sums * (count / (count - 1))


# Standard errors of log-odds. Up to the first, a normal interval has its nominal coverage. If any
# is beyond the second, no standard error is reliable (tests/analysis/regression/test_coverage.py).
_SURE = 0.5
_LOOSE = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Soundness:
    """The reliability of standard errors.

    Args:
        is_normal: (parameters,) whether a normal interval has its nominal
            coverage.
        is_loose: (parameters,) whether the standard error is unreliable,
            because the likelihood is very flat or its maximum is near a
            boundary.
    """

    is_normal: Bools
    is_loose: Bools

    @classmethod
    def of(cls, model: Model, parameters: Floats, variances: Floats) -> "Soundness":
        """The reliability of maximum likelihood estimates' standard errors.

        Args:
            model: model with its rows.
            parameters: estimates.
            variances: variances of the estimates; infinite if the data do not
                determine them.
        """
        moved = np.sqrt(np.maximum(variances, 0.0)) * predictor_steps(model, parameters)
        is_loose = ~(moved <= _LOOSE)
        return cls((moved <= _SURE) & (not is_loose.any()), is_loose)

    def at(self, indexes: Indexes, *, is_wald: bool) -> "Soundness":
        """The reliability for some parameters; all are normal if Wald intervals were chosen."""
        return Soundness(self.is_normal[indexes] | is_wald, self.is_loose[indexes])

    @classmethod
    def of_all(cls, size: int) -> "Soundness":
        """The reliability if all standard errors are assumed reliable, as with moments."""
        return cls(np.ones(size, dtype=bool), np.zeros(size, dtype=bool))
