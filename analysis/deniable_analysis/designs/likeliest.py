"""The maximum likelihood shares: within 0 to 1, naming those on a boundary."""

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.designs.ascent import active_set_newton, tangent
from deniable_analysis.designs.groups import Answered
from deniable_analysis.designs.likelihood import LogLikelihood
from deniable_analysis.designs.moment import (
    Solution,
    check_identified,
    check_sizes,
    solve_moments,
)
from deniable_analysis.errors import NotIdentified

# A start keeps this far from the bounds.
_INSIDE = 0.02
_SINGULAR = 1e-10


def solve_likelihood(answered: Answered) -> Solution:
    """The shares and parameters under which the answers are likeliest.

    Expectation maximization and Newton's method within the bounds, from two
    fixed starts where there are unknown parameters. Covariances are by the
    observed information of what is not on a bound; with weights, by the
    sandwich of pseudo-likelihood.

    Raises:
        NotIdentified: the answers of these groups do not identify the shares.
        InvalidCounts: a group has a single answer.
    Source: van den Hout and van der Heijden 2002 (International Statistical
        Review 70); Binder 1983 for weights.
    """
    check_sizes(answered)
    likelihood = LogLikelihood.of(answered)
    tops = [active_set_newton(likelihood, start) for start in _starts(answered, likelihood)]
    point, held = max(tops, key=lambda top: likelihood.at(top[0]))
    size = len(answered.true)
    # Two shares of which one is held at 0 leave the other no freedom.
    free_shares = ~held[:size]
    is_fixed = held.copy()
    if np.count_nonzero(free_shares) == 1:
        is_fixed[:size] = True
    covariance = _covariance(likelihood, point, is_fixed, is_weighted=answered.is_weighted)
    shares = point[:size]
    sampling = (np.diag(shares) - np.outer(shares, shares)) / answered.effective
    return Solution(
        shares=shares,
        parameters=point[size:],
        covariance=covariance,
        mechanism=covariance[:size, :size] - sampling,
        kind="sandwich" if answered.is_weighted else "observed",
        boundary=is_fixed,
    )


def _starts(answered: Answered, likelihood: LogLikelihood) -> list[Floats]:
    """Equal shares; and the unbiased estimate, drawn into the bounds."""
    size, unknown = len(answered.true), len(answered.unknown)
    middle = np.concatenate((np.full(size, 1 / size), np.full(unknown, 0.5)))
    check_identified(answered, likelihood.slopes_at(middle))
    if not unknown:
        return [middle]
    try:
        moments = solve_moments(answered)
    except NotIdentified:
        return [middle]
    shares = np.clip(moments.shares, _INSIDE, None)
    parameters = np.clip(moments.parameters, _INSIDE, 1 - _INSIDE)
    return [middle, np.concatenate((shares / shares.sum(), parameters))]


def _covariance(
    likelihood: LogLikelihood, point: Floats, held: Bools, *, is_weighted: bool
) -> Floats:
    """The covariances of free values; NaN for those on a bound.

    Also NaN where the likelihood is flat, as for what is unknown of people
    who are not there.
    """
    basis = tangent(likelihood.size, ~held)
    found = np.full((len(point), len(point)), np.nan)
    if not basis.shape[1]:
        return found
    information = basis.T @ likelihood.observed_information(point) @ basis
    values, vectors = np.linalg.eigh(information)
    is_told = values > _SINGULAR * max(values.max(), 1e-300)
    inverse = vectors[:, is_told] / values[is_told] @ vectors[:, is_told].T
    if is_weighted:
        middle = basis.T @ likelihood.score_variance(point) @ basis
        inverse = inverse @ middle @ inverse
    flat = np.abs(basis @ vectors[:, ~is_told]).max(axis=1, initial=0.0) > 1e-6
    told = ~held & ~flat
    found[np.ix_(told, told)] = (basis @ inverse @ basis.T)[np.ix_(told, told)]
    return found
