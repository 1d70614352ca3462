"""Starts for hidden predictors: likely joint shares, and slopes that are far from 0."""

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.formula import INTERCEPT
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.outcomes import Binary, Multinomial
from deniable_analysis.regression.scale import predictor_steps

_EM_STEPS = 50
# Respondents added to every joint answer in each step: none is started at 0.
_ADDED = 0.5
# So many slopes are begun far from 0, and so far from a low to a high respondent.
_SLOPES = 4
_FAR = 6.0


def has_em_start(model: Model) -> bool:
    """Whether there is such a start: of categories, given hidden predictors."""
    return len(model.cells) > 1 and isinstance(model.outcome, Binary | Multinomial)


def em_start(model: Model, begun: Floats) -> Floats:
    """Coefficients fitted to the shares of all joint answers, outcome and cells.

    The shares come from a few steps of EM (Dempster, Laird and Rubin 1977),
    clear predictors apart; the coefficients from least squares on their
    log-odds (Berkson 1944).

    Args:
        model: with its rows.
        begun: another start, whose design parameters are kept.
    """
    joint = _joint_counts(model, begun)
    parameters, start = begun.copy(), 0
    respondents = model.counts.sum()
    for category, each in enumerate(model.predictors, start=1):
        stop = start + len(each.names)
        odds = np.log(joint[category] / joint[0])
        roots = np.sqrt(1 / (1 / joint[category] + 1 / joint[0]))
        mean = np.einsum("izp,i->zp", each.matrix, model.counts) / respondents
        weighted = np.broadcast_to(mean, (len(odds), len(each.names))) * roots[:, np.newaxis]
        parameters[start:stop] = np.linalg.lstsq(weighted, odds * roots)[0]
        start = stop
    return parameters


def far_starts(model: Model, begun: Floats, information: Floats) -> list[Floats]:
    """Starts with one slope far above or below 0, the mean predictor as it was.

    A likelihood that says little can have a maximum where the outcome follows
    from one predictor. The slopes with the least information are moved.

    Args:
        model: with its rows.
        begun: another start.
        information: the observed one at the best maximum so far.
    """
    unit, found, start = predictor_steps(model, begun), [], 0
    slopes: list[tuple[float, int, int, float]] = []
    for each in model.predictors:
        mean = np.einsum("izp,i->p", each.matrix, model.counts)
        mean = mean / model.counts.sum() / each.matrix.shape[1]
        level = each.names.index(INTERCEPT) if INTERCEPT in each.names else None
        for place in range(len(each.names)):
            if level is not None and place != level:
                own = start + place
                held = float(information[own, own] / unit[own] ** 2)
                slopes.append((held, own, start + level, float(mean[place])))
        start += len(each.names)
    for _, place, level, mean_of in sorted(slopes)[:_SLOPES]:
        for moved in (_FAR / unit[place], -_FAR / unit[place]):
            one = begun.copy()
            one[place] += moved
            one[level] -= moved * mean_of
            found.append(one)
    return found


def _joint_counts(model: Model, begun: Floats) -> Floats:
    """How many respondents are likely in each category and cell."""
    codes = [each.codes for each in model.reports]
    alike, first, places = np.unique(
        np.stack(codes, axis=1), axis=0, return_index=True, return_inverse=True
    )
    counts = np.bincount(places.reshape(-1), weights=model.counts, minlength=len(alike))
    likelihoods = model.of_rows(first).likelihoods(begun, slice(None))
    shares = np.full((likelihoods.shape[0], 1, likelihoods.shape[2]), 1.0)
    joint: Floats = shares[:, 0]
    for _ in range(_EM_STEPS):
        given = likelihoods * shares
        sums = given.sum(axis=(0, 2), keepdims=True)
        given = np.divide(given, sums, out=np.zeros_like(given), where=sums > 0)
        joint = np.einsum("krz,r->kz", given, counts) + _ADDED
        shares = joint[:, np.newaxis]
    return joint
