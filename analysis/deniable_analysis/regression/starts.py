"""The starts of the search for the maximum, which are the same every time."""

from itertools import product

import numpy as np
from scipy import special

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.regression.channels import em_shares
from deniable_analysis.regression.formula import INTERCEPT
from deniable_analysis.regression.maximize import (
    Lost,
    Maximum,
    maximize,
    parameter_scale,
    predictor_steps,
)
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.outcomes import Binary, Multinomial, Normal, Ordered

_JOINT_EM_STEPS = 50
# Respondents added to every joint answer in each step, so that no share starts at 0.
_ADDED = 0.5
# The number of slopes that start far from 0, and how far, from a low to a high respondent.
_SLOPES = 4
_FAR = 6.0


def em_start(model: Model, begun: Floats) -> Floats:
    """Coefficients of categories fitted to the shares of all joint answers, outcome and cells.

    The shares ignore predictors that were not randomized. The coefficients come
    from least squares on the log-odds (Berkson 1944). The design parameters are
    those of the other start.
    """
    joint = _joint_shares(model, begun)
    parameters = begun.copy()
    respondents = model.counts.sum()
    pairs = zip(model.predictors, model.slices, strict=True)
    for category, (each, own) in enumerate(pairs, start=1):
        odds = np.log(joint[category] / joint[0])
        roots = np.sqrt(1 / (1 / joint[category] + 1 / joint[0]))
        mean = np.einsum("izp,i->zp", each.matrix, model.counts) / respondents
        weighted = np.broadcast_to(mean, (len(odds), len(each.names))) * roots[:, np.newaxis]
        parameters[own] = np.linalg.lstsq(weighted, odds * roots)[0]
    return parameters


def far_starts(model: Model, begun: Floats, information: Floats) -> list[Floats]:
    """Starts with one slope far above or below 0, and the same mean predictor.

    A likelihood with little information can have a maximum at which one
    predictor determines the outcome. The slopes with the least information are
    moved.
    """
    unit, found = predictor_steps(model, begun), []
    slopes: list[tuple[float, int, int, float]] = []
    for each, place in zip(model.predictors, model.slices, strict=True):
        mean = np.einsum("izp,i->p", each.matrix, model.counts)
        mean = mean / model.counts.sum() / each.matrix.shape[1]
        level = each.names.index(INTERCEPT) if INTERCEPT in each.names else None
        for index in range(len(each.names)):
            if level is not None and index != level:
                own = place.start + index
                held = float(information[own, own] / unit[own] ** 2)
                slopes.append((held, own, place.start + level, float(mean[index])))
    for _, index, level, mean_of in sorted(slopes)[:_SLOPES]:
        for moved in (_FAR / unit[index], -_FAR / unit[index]):
            one = begun.copy()
            one[index] += moved
            one[level] -= moved * mean_of
            found.append(one)
    return found


def _joint_shares(model: Model, begun: Floats) -> Floats:
    """The shares of each category and cell."""
    codes = [each.codes for each in model.reports]
    alike, first, pattern_of = np.unique(
        np.stack(codes, axis=1), axis=0, return_index=True, return_inverse=True
    )
    counts = np.bincount(pattern_of.reshape(-1), model.counts, len(alike)).astype(np.float64)
    likelihoods = model.of_rows(first).likelihoods(begun, slice(None))
    flat = likelihoods.transpose(1, 0, 2).reshape(len(first), -1)
    return em_shares(flat, counts, _JOINT_EM_STEPS, _ADDED).reshape(len(likelihoods), -1)


# Starts of unknown design parameters, which are probabilities: high, middle, low.
_TRIED = (0.85, 0.5, 0.15)
_EM_STEPS = 6
# Enough information in every direction, as a part of the information of direct answers.
_FIRM = 1e-3
# A log likelihood must be higher by more than this to count as higher.
_HIGHER = 1e-6
# Parameters that move a predictor by less than this are not pulled in.
_NEAR = 3.0
# The distance between a threshold that is fixed at 0 and the next.
_GAP = 0.1


def best_maximum(model: Model, free: Bools | None = None, near: Floats | None = None) -> Maximum:
    """The highest maximum that the search reaches from the starts.

    With an unknown design or hidden predictors there can be several maxima. If
    the reports contain little information about hidden predictors, there are
    more starts.

    `free` are the parameters that may move, by default all; the others are 0. `near`
    is one more start.

    Raises:
        NotIdentified: the search reaches no maximum.
    """
    designs = map(np.array, product(_TRIED, repeat=len(model.unknown)))
    plain = [start(model, each) for each in designs]
    found, reasons = _ends(model, free, [*([] if near is None else [near]), *plain])
    has_em_start = len(model.cells) > 1 and isinstance(model.outcome, Binary | Multinomial)
    if has_em_start and not any(_is_firm(model, each) for each in found):
        begun = [em_start(model, each) for each in plain]
        if found:
            information = max(found, key=_height).evaluation.observed
            begun += [far for each in plain for far in far_starts(model, each, information)]
        more = _ends(model, free, begun)
        found, reasons = [*found, *more[0]], [*reasons, *more[1]]
    if not found:
        raise next((each for each in reasons if isinstance(each, Lost)), reasons[0])
    best = max(found, key=_height)
    back = pulled_in(model, best.parameters, free)
    again = _ends(model, free, [back])[0] if (back != best.parameters).any() else []
    return next((each for each in again if _height(each) > _height(best) + _HIGHER), best)


def _height(maximum: Maximum) -> float:
    return maximum.evaluation.log_likelihood


def pulled_in(model: Model, parameters: Floats, free: Bools | None = None) -> Floats:
    """The same parameters; distant ones are moved closer but keep their order."""
    unit = predictor_steps(model, parameters).copy()
    if isinstance(model.outcome, Normal):
        # The coefficients of a numeric outcome have no natural bound.
        unit[: model.outcome_size] = 0.0
    reach = np.abs(parameters) * unit
    far = np.maximum(reach - _NEAR, 0.0)
    nearer = np.sign(parameters) * (_NEAR + np.log1p(far)) / np.where(unit > 0, unit, 1.0)
    moves = (reach > _NEAR) if free is None else (reach > _NEAR) & free
    return np.where(moves & (reach[moves].max(initial=0.0) > _NEAR + 1), nearer, parameters)


def _ends(
    model: Model, free: Bools | None, begun: list[Floats]
) -> tuple[list[Maximum], list[NotIdentified]]:
    """The maxima that the search reaches from starts, and why it reaches none from others."""
    found: list[Maximum] = []
    reasons: list[NotIdentified] = []
    for each in begun:
        try:
            found.append(maximize(model, each if free is None else _held(model, each, free), free))
        except NotIdentified as error:
            reasons.append(error)
    return found, reasons


def _is_firm(model: Model, maximum: Maximum) -> bool:
    """Whether the reports are so informative that a higher maximum is unlikely."""
    scale = parameter_scale(model, maximum.parameters)
    scaled = maximum.evaluation.observed / scale[:, np.newaxis] / scale
    return bool(np.linalg.eigvalsh(scaled)[0] > _FIRM)


def _held(model: Model, begun: Floats, free: Bools) -> Floats:
    """A start with 0 for parameters that may not move, and ordered thresholds around it."""
    found = np.where(free, begun, 0.0)
    if not isinstance(model.outcome, Ordered):
        return found
    last = len(model.outcome.categories) - 1
    for index in np.flatnonzero(~free[:last]).tolist():
        steps = _GAP * (np.arange(last) - index)
        found[:index] = np.minimum(found[:index], steps[:index])
        found[index + 1 : last] = np.maximum(found[index + 1 : last], steps[index + 1 :])
    return found


def start(model: Model, design: Floats) -> Floats:
    """A start without slopes, and with the overall shares of the hidden answers."""
    parameters = np.zeros(model.size)
    parameters[model.size - len(design) :] = special.logit(design)
    every = slice(0, len(model.counts))
    likelihoods = model.likelihoods(parameters, every).sum(axis=0)
    shares = em_shares(likelihoods, model.counts, _EM_STEPS, _ADDED)
    given = likelihoods * shares
    sums = given.sum(axis=1, keepdims=True)
    cells = np.where(sums > 0, given / np.where(sums > 0, sums, 1.0), shares)
    parameters[: model.outcome_size] = model.outcome.start(model.predictors, cells)
    if len(model.cells) > 1 and INTERCEPT in model.spread_names:
        levels = parameters[model.spread_slice].reshape(len(shares) - 1, -1)
        levels[:, model.spread_names.index(INTERCEPT)] = np.log(shares[1:] / shares[0])
    return parameters
