"""Unbiased scores: numbers for reports whose mean is what the answer is worth."""

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidRegression, NotIdentified
from deniable_analysis.regression.channels import Reports

_RANK = 1e-11
_EXACT = 1e-7


def unbiased_scores(reports: Reports, targets: Floats) -> Floats:
    """A score of every place for every target, right on average.

    Of all unbiased scores those with the least variance where every answer is
    equally likely.

    Args:
        reports: of one kind.
        targets: (cells, targets) what each answer is worth.
    Returns:
        (places, targets): under each answer their mean is its worth.
    Raises:
        NotIdentified: there are no such scores.
        InvalidRegression: the design has unknown parameters.
    """
    channel = reports.channel
    if channel.unknown:
        raise InvalidRegression(
            f"{reports.name}: got a design with unknown parameters, which moments cannot "
            "estimate; allowed is method='likelihood', or a design that is known"
        )
    if channel.scores is not None:
        given: Floats = channel.scores @ targets
        return given
    if channel.groups is None:
        raise InvalidRegression(
            f"{reports.name}: too many different reports are possible to score them; allowed is "
            "method='likelihood'"
        )
    found = np.zeros((len(channel.constant), targets.shape[1]))
    seen = np.unique(reports.codes)
    for places in channel.groups:
        if np.isin(places, seen).any():
            found[places] = _least_variance(reports.name, channel.constant[places], targets)
    return found


def _least_variance(name: str, likelihoods: Floats, targets: Floats) -> Floats:
    """By generalized least squares (Aitken 1935), the reports weighted alike."""
    roots = np.sqrt(likelihoods.mean(axis=1, keepdims=True))
    scaled = np.divide(likelihoods, roots, out=np.zeros_like(likelihoods), where=roots > 0)
    solved = np.linalg.lstsq(scaled.T, targets, rcond=_RANK)[0]
    found: Floats = np.divide(solved, roots, out=np.zeros_like(solved), where=roots > 0)
    worth = np.maximum(1.0, np.abs(targets).max(axis=0, initial=0.0))
    if np.any(np.abs(likelihoods.T @ found - targets) > _EXACT * worth):
        raise NotIdentified(
            f"{name}: no score of its reports is right on average for what the regression needs "
            "(a one-bit report tells a mean, but not the square of a predictor); take it as the "
            "outcome, or ask it by another mechanism"
        )
    return found
