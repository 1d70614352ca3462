"""The maximum likelihood fit of a model, and the covariance of its estimates."""

from dataclasses import dataclass, replace
from itertools import compress, product
from math import prod

import numpy as np

from deniable_analysis.arrays import Bools, Floats, Indexes
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.regression.assembly import Assembly
from deniable_analysis.regression.boundary import (
    Boundary,
    Soundness,
    boundary_warnings,
    find_boundary,
    maximum_or_boundary,
    warning_about,
)
from deniable_analysis.regression.channels import ReportChannel
from deniable_analysis.regression.choices import Choices, CoefficientInterval, StandardErrors
from deniable_analysis.regression.evaluation import evaluate
from deniable_analysis.regression.maximize import Maximum
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.observations import Observations
from deniable_analysis.regression.outcomes import Normal
from deniable_analysis.regression.profile import Profile, profile_limits
from deniable_sdk.wording import counted

# The standard errors that are valid if the likelihood is.
_OF_LIKELIHOOD = (StandardErrors.OBSERVED, StandardErrors.EXPECTED)
_NOBODY = (
    "the likelihood is highest with nobody in this category, whose two thresholds then coincide; "
    "standard errors treat it as empty"
)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Estimates of all parameters of a model.

    Args:
        parameters: coefficients of the outcome, then those of the hidden
            predictors' distribution, then the logits of unknown design
            parameters.
        covariance: (parameters, parameters) covariance; infinite for parameters
            that the data do not determine.
        kind: how the covariance was computed.
        log_likelihood: log likelihood; None for moments.
        is_free: (parameters,) whether the data do not determine a parameter.
        is_infinite: (parameters,) whether it is infinite.
        sound: reliability of the standard errors.
        warnings: sentences about problems of the fit.
        limits: (parameters, 2) intervals by profile likelihood; NaN for
            parameters without one, None if there are none.
        empty: categories of an ordered outcome that have a share of 0.
    """

    parameters: Floats
    covariance: Floats
    kind: StandardErrors
    log_likelihood: float | None
    is_free: Bools
    is_infinite: Bools
    sound: Soundness
    warnings: tuple[str, ...] = ()
    limits: Floats | None = None
    empty: tuple[str, ...] = ()


def fit_likelihood(assembly: Assembly, choices: Choices, is_weighted: bool) -> Fit:
    """The maximum likelihood fit.

    Raises:
        NotIdentified: there is no maximum, or more than one.
        InvalidArgument: such standard errors do not fit the data.
    """
    kind = standard_errors(assembly, choices, is_weighted)
    check_rows(assembly)
    found = maximum_or_boundary(assembly.model)
    model, maximum = found.model, found.maximum
    boundary = find_boundary(model, maximum)
    covariance = _covariance(replace(assembly, model=model), maximum, boundary, kind)
    covariance[boundary.is_free] = np.inf
    covariance[:, boundary.is_free] = np.inf
    sound = Soundness.of(model, maximum.parameters, np.diag(covariance))
    limits = None
    if kind in _OF_LIKELIHOOD:
        profile = Profile(model, maximum, covariance)
        limits = profile_limits(profile, boundary, choices, sound)
    warnings = (
        *boundary_warnings(model, boundary),
        *warning_about(found.empty, _NOBODY),
        *_interval_warnings(model, sound, limits, choices),
    )
    return Fit(
        maximum.parameters[found.indexes],
        covariance[np.ix_(found.indexes, found.indexes)],
        kind,
        maximum.evaluation.log_likelihood,
        boundary.is_free[found.indexes],
        boundary.is_infinite[found.indexes],
        sound.at(found.indexes, is_wald=choices.interval == CoefficientInterval.WALD),
        warnings,
        None if limits is None else limits[found.indexes],
        found.empty,
    )


def check_rows(assembly: Assembly) -> None:
    """Raise NotIdentified if there are fewer rows than coefficients."""
    rows, names = int(assembly.seen.counts.sum()), assembly.model.names
    wanted = assembly.model.outcome_size
    if rows < wanted:
        raise NotIdentified(
            f"got {counted(rows, 'row')} for {wanted} coefficients ({', '.join(names[:wanted])}), "
            "which so few rows cannot distinguish; leave terms out, or wait for more reports"
        )


def _interval_warnings(
    model: Model, sound: Soundness, limits: Floats | None, choices: Choices
) -> tuple[str, ...]:
    """Warnings about intervals that are missing or unreliable."""
    if limits is None or choices.interval == CoefficientInterval.WALD:
        return warning_about(
            compress(model.names, ~sound.is_normal[: model.outcome_size]),
            "standard errors, its own or others, are so large that a normal (Wald) interval can "
            "miss the true value far too often; intervals by profile likelihood, available "
            "without weights and clusters, do not",
        )
    if choices.interval == CoefficientInterval.PROFILE:
        return ()
    return warning_about(
        compress(model.names, ~sound.is_normal & np.isnan(limits[:, 0]) & ~model.is_spread),
        "no interval: a normal one would mislead, and one by profile likelihood takes long to "
        "compute; interval='profile' computes those of all coefficients of the outcome "
        "(on_progress= reports progress), interval='wald' uses the normal ones",
    )


def standard_errors(assembly: Assembly, choices: Choices, is_weighted: bool) -> StandardErrors:
    """The kind of standard errors: the chosen one, or the default for the data.

    Raises:
        InvalidArgument: they do not fit the data.
    """
    is_clustered = assembly.seen.clusters is not None
    fitting = StandardErrors.OBSERVED
    if is_weighted:
        fitting = StandardErrors.SANDWICH
    if is_clustered:
        fitting = StandardErrors.CLUSTER
    kind = StandardErrors(choices.se) if choices.se else fitting
    if (kind is StandardErrors.CLUSTER) != is_clustered:
        raise InvalidArgument(
            f"se: got {kind.value!r} {'with' if is_clustered else 'without'} cluster=; clusters "
            "and se='cluster' go together"
        )
    if is_weighted and kind in _OF_LIKELIHOOD:
        raise InvalidArgument(
            f"se: got {kind.value!r} with weights, for which the information has no meaning; "
            "allowed are sandwich, and cluster with cluster="
        )
    if choices.interval == CoefficientInterval.PROFILE and kind not in _OF_LIKELIHOOD:
        raise InvalidArgument(
            f"interval: got 'profile' with {kind.value} standard errors, under which the "
            "likelihood is not that of the rows; allowed is wald, or se='observed' or 'expected' "
            "without weights and clusters"
        )
    return kind


def _covariance(
    assembly: Assembly, maximum: Maximum, boundary: Boundary, kind: StandardErrors
) -> Floats:
    if kind is StandardErrors.EXPECTED:
        return boundary.inverse(expected_information(assembly.model, maximum.parameters))
    bread = boundary.inverse(maximum.evaluation.observed)
    if kind is StandardErrors.OBSERVED:
        return bread
    scores = evaluate(assembly.model, maximum.parameters).scores
    scatter = score_scatter(scores, assembly.seen)
    return bread @ scatter @ bread


# With more possible reports, the expectation over them takes too long.
_MOST_REPORTS = 4096


def expected_information(model: Model, parameters: Floats) -> Floats:
    """The expected information over all possible reports.

    Raises:
        InvalidArgument: there are too many possible reports.
    """
    if isinstance(model.outcome, Normal):
        raise InvalidArgument(
            "se: got 'expected' for an outcome that is a number, whose values cannot be summed "
            "over; allowed are observed, sandwich and cluster"
        )
    others = [_others(each.channel, each.codes) for each in model.reports]
    sizes = [0 if each is None else each.shape[1] for each in others]
    if 0 in sizes or prod(sizes) > _MOST_REPORTS:
        raise InvalidArgument(
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
        raise InvalidArgument(
            "cluster: got a single cluster; allowed are two or more, better many: name "
            "another column, or leave it out"
        )
    sums = np.zeros((count, scores.shape[1]))
    np.add.at(sums, cluster_of, weighted[seen.row_of])
    return sums.T @ sums * (count / (count - 1))
