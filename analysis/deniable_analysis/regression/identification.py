"""Refusing what no amount of such reports can tell."""

import numpy as np

from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.errors import NotIdentified
from deniable_analysis.regression.channels import Reports
from deniable_analysis.words import counted

# Relative to the largest, what is smaller is taken for zero.
_RANK = 1e-10
_COLLINEAR = 1e-9
# An eigenvalue above it spares the slower, exact look.
_CLEARLY_NOT = 1e-6
# Where unknown parameters and shares are when it is asked what they move.
_ANYWHERE = 0.6180339887


def check_reports(reports: Reports) -> None:
    """Raise NotIdentified unless such reports identify the share of each answer.

    Raises:
        NotIdentified: they cannot; it says why.
    """
    channel, cells = reports.channel, reports.channel.constant.shape[1]
    if channel.scores is not None:
        # Unbiased indicators of the answers exist, so their shares can be told.
        return
    present = _present(reports)
    parameters = np.full(len(channel.unknown), _ANYWHERE)
    likelihoods = channel.likelihoods(parameters)[present]
    # One report among very many is rare under every answer: only how its
    # probabilities compare with each other tells anything.
    largest = likelihoods.max(axis=1, keepdims=True)
    sizes = np.where(largest > 0, largest, 1.0)
    relative = likelihoods / sizes
    shares = np.arange(1.0, cells + 1) / (cells * (cells + 1) / 2)
    slopes = (channel.slopes[:, present] @ shares).T / sizes
    moved = [relative[:, 1:] - relative[:, :1], slopes]
    values = np.linalg.svd(np.concatenate(moved, axis=1), compute_uv=False)
    wanted = cells - 1 + len(channel.unknown)
    if int(np.sum(values > _RANK * values.max(initial=0.0))) < wanted:
        raise NotIdentified(_why(reports, relative, cells))


def _present(reports: Reports) -> Indexes:
    """The places of all reports that the groups of these rows can give."""
    seen = np.unique(reports.codes)
    groups = reports.channel.groups
    if groups is None:
        return np.arange(len(reports.channel.constant))
    return np.concatenate([each for each in groups if np.isin(each, seen).any()])


def _why(reports: Reports, relative: Floats, cells: int) -> str:
    name, unknown = reports.name, reports.channel.unknown
    all_groups = len(reports.channel.groups or ())
    if unknown and len(relative) < len(reports.channel.constant):
        return (
            f"{name}: not all of the {all_groups} groups of its design are present, and only "
            f"together do they reveal {', '.join(unknown)}; take the rows of all groups, or give "
            "the value by a design that is known"
        )
    different = len(np.unique(relative.round(12), axis=0))
    if different < cells:
        return (
            f"{name}: its reports say one of {different} different things, which cannot tell "
            f"{cells} answers apart, however many there are (one bit, say, gives a mean and no "
            "more); take it as the outcome of a linear regression, or ask it by another mechanism"
        )
    return (
        f"{name}: its design gives the same reports for different shares of its {cells} answers, "
        "so nothing tells them apart; check the design's probabilities"
    )


def check_collinearity(matrix: Floats, terms: tuple[str, ...]) -> None:
    """Raise NotIdentified if a column of a matrix follows from the others.

    Raises:
        NotIdentified: one does; it is named.
    """
    lengths = np.sqrt((matrix**2).sum(axis=0))
    empty = [term for term, length in zip(terms, lengths, strict=True) if length == 0]
    scaled = matrix / np.where(lengths > 0, lengths, 1.0)
    if not empty and np.linalg.eigvalsh(scaled.T @ scaled)[0] > _CLEARLY_NOT:
        return
    # The order of the formula is kept: what comes later follows from the earlier.
    triangle = np.linalg.qr(scaled, mode="r")
    diagonal = np.zeros(len(terms))
    known = np.abs(np.diag(triangle))
    diagonal[: len(known)] = known
    found = [
        *empty,
        *(term for term, each in zip(terms, diagonal, strict=True) if each < _COLLINEAR),
    ]
    if found:
        raise NotIdentified(
            f"formula: {', '.join(dict.fromkeys(found))} follows from the other terms (or is 0) "
            f"in {counted(len(matrix), 'row')}, so its coefficient could be anything; leave it out"
        )
