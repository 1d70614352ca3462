"""A fit: the estimates of a model and their covariance, before they are shown."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.errors import InvalidRegression
from deniable_analysis.regression.assembly import Assembly
from deniable_analysis.regression.boundary import Boundary, boundary_warnings, find_boundary
from deniable_analysis.regression.choices import Choices, StandardErrors
from deniable_analysis.regression.information import expected_information, score_scatter
from deniable_analysis.regression.maximize import Maximum
from deniable_analysis.regression.starts import best_maximum

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Estimates of all parameters of a model.

    Args:
        parameters: the outcome's coefficients, the hidden predictors', then
            the logits of unknown design parameters.
        covariance: of all of these; infinite where the data hold nothing.
        kind: what it is made of.
        log_likelihood: None of moments.
        is_free: whether a parameter is not held by the data.
        is_infinite: whether it runs to infinity.
        warnings: what looks wrong.
    """

    parameters: Floats
    covariance: Floats
    kind: StandardErrors
    log_likelihood: float | None
    is_free: NDArray[np.bool_]
    is_infinite: NDArray[np.bool_]
    warnings: tuple[str, ...] = ()


def fit_likelihood(assembly: Assembly, choices: Choices, is_weighted: bool) -> Fit:
    """The maximum likelihood.

    Raises:
        NotIdentified: there is no maximum, or many.
        InvalidRegression: such standard errors do not fit the data.
    """
    model, kind = assembly.model, standard_errors(assembly, choices, is_weighted)
    maximum = best_maximum(model)
    boundary = find_boundary(model, maximum)
    covariance = _covariance(assembly, maximum, boundary, kind)
    covariance[boundary.is_free] = np.inf
    covariance[:, boundary.is_free] = np.inf
    return Fit(
        maximum.parameters,
        covariance,
        kind,
        maximum.evaluation.log_likelihood,
        boundary.is_free,
        boundary.is_infinite,
        boundary_warnings(model, boundary),
    )


def standard_errors(assembly: Assembly, choices: Choices, is_weighted: bool) -> StandardErrors:
    """Which standard errors are wanted, or fit.

    Raises:
        InvalidRegression: they do not fit the data.
    """
    is_clustered = assembly.seen.clusters is not None
    fitting = StandardErrors.OBSERVED
    if is_weighted:
        fitting = StandardErrors.SANDWICH
    if is_clustered:
        fitting = StandardErrors.CLUSTER
    kind = StandardErrors(choices.se) if choices.se else fitting
    if (kind is StandardErrors.CLUSTER) != is_clustered:
        raise InvalidRegression(
            f"se: got {kind.value!r} {'with' if is_clustered else 'without'} cluster=; clusters "
            "and se='cluster' go together"
        )
    if is_weighted and kind in (StandardErrors.OBSERVED, StandardErrors.EXPECTED):
        raise InvalidRegression(
            f"se: got {kind.value!r} with weights, under which the information is that of nobody; "
            "allowed are sandwich, and cluster with cluster="
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
    scatter = score_scatter(maximum.evaluation.scores, assembly.seen)
    found: Floats = bread @ scatter @ bread
    return found
