"""Where the search for the maximum begins: at the same places every time."""

from itertools import product

import numpy as np
from scipy import special

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.errors import NotIdentified
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
        for index in range(len(each.names)):
            if level is not None and index != level:
                own = start + index
                held = float(information[own, own] / unit[own] ** 2)
                slopes.append((held, own, start + level, float(mean[index])))
        start += len(each.names)
    for _, index, level, mean_of in sorted(slopes)[:_SLOPES]:
        for moved in (_FAR / unit[index], -_FAR / unit[index]):
            one = begun.copy()
            one[index] += moved
            one[level] -= moved * mean_of
            found.append(one)
    return found


def _joint_counts(model: Model, begun: Floats) -> Floats:
    """How many respondents are likely in each category and cell."""
    codes = [each.codes for each in model.reports]
    alike, first, pattern_of = np.unique(
        np.stack(codes, axis=1), axis=0, return_index=True, return_inverse=True
    )
    counts = np.bincount(pattern_of.reshape(-1), weights=model.counts, minlength=len(alike))
    likelihoods = model.of_rows(first).likelihoods(begun, slice(None))
    shares = np.full((likelihoods.shape[0], 1, likelihoods.shape[2]), 1.0)
    joint: Floats = shares[:, 0]
    for _ in range(_JOINT_EM_STEPS):
        given = likelihoods * shares
        sums = given.sum(axis=(0, 2), keepdims=True)
        given = np.divide(given, sums, out=np.zeros_like(given), where=sums > 0)
        joint = np.einsum("krz,r->kz", given, counts) + _ADDED
        shares = joint[:, np.newaxis]
    return joint


# Unknown design parameters are probabilities: high, middle, low.
_TRIED = (0.85, 0.5, 0.15)
_EM_STEPS = 6
# Of the information that clear answers would have, in every direction.
_FIRM = 1e-3
# By less than this a log likelihood is no higher.
_HIGHER = 1e-6
# Predictors are moved so far without being pulled in.
_NEAR = 3.0
# Between a threshold that is held at 0 and the next.
_GAP = 0.1


def best_maximum(model: Model, free: Bools | None = None, near: Floats | None = None) -> Maximum:
    """The highest maximum that is reached from the starts.

    With an unknown design or hidden predictors there can be several. Hidden
    predictors of which the reports say little are looked at from more starts.

    Args:
        model: with its rows.
        free: which parameters may move; the others are 0. All if left out.
        near: one more start.
    Raises:
        NotIdentified: none is reached.
    """
    designs = map(np.array, product(_TRIED, repeat=len(model.unknown)))
    plain = [start(model, each) for each in designs]
    found, reasons = _ends(model, free, [*([] if near is None else [near]), *plain])
    if has_em_start(model) and not any(_is_firm(model, each) for each in found):
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
    """The same parameters with those that have gone far nearer, in their order.

    Args:
        model: with its rows.
        parameters: some.
        free: which of them may move; all if left out.
    """
    unit = predictor_steps(model, parameters).copy()
    if isinstance(model.outcome, Normal):
        # A number's coefficients are as large as they are.
        unit[: model.outcome_size] = 0.0
    reach = np.abs(parameters) * unit
    far = np.maximum(reach - _NEAR, 0.0)
    nearer = np.sign(parameters) * (_NEAR + np.log1p(far)) / np.where(unit > 0, unit, 1.0)
    moves = (reach > _NEAR) if free is None else (reach > _NEAR) & free
    return np.where(moves & (reach[moves].max(initial=0.0) > _NEAR + 1), nearer, parameters)


def _ends(
    model: Model, free: Bools | None, begun: list[Floats]
) -> tuple[list[Maximum], list[NotIdentified]]:
    """The maxima that starts lead to, and why others lead to none."""
    found: list[Maximum] = []
    reasons: list[NotIdentified] = []
    for each in begun:
        try:
            found.append(maximize(model, each if free is None else _held(model, each, free), free))
        except NotIdentified as error:
            reasons.append(error)
    return found, reasons


def _is_firm(model: Model, maximum: Maximum) -> bool:
    """Whether reports say enough of everything that there is hardly a higher maximum."""
    scale = parameter_scale(model, maximum.parameters)
    scaled = maximum.evaluation.observed / scale[:, np.newaxis] / scale
    return bool(np.linalg.eigvalsh(scaled)[0] > _FIRM)


def _held(model: Model, begun: Floats, free: Bools) -> Floats:
    """A start with 0 for what may not move, and thresholds in order around it."""
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
    """A start: no slopes, hidden answers as the reports have them on the whole.

    Args:
        model: with its rows.
        design: values of the unknown design parameters.
    """
    parameters = np.zeros(model.size)
    parameters[model.size - len(design) :] = special.logit(design)
    every = slice(0, len(model.counts))
    likelihoods = model.likelihoods(parameters, every).sum(axis=0)
    shares = _shares(likelihoods, model.counts)
    given = likelihoods * shares
    sums = given.sum(axis=1, keepdims=True)
    cells = np.where(sums > 0, given / np.where(sums > 0, sums, 1.0), shares)
    parameters[: model.outcome_size] = model.outcome.start(model.predictors, cells)
    if len(model.cells) > 1 and "Intercept" in model.spread_names:
        index, width = model.spread_names.index("Intercept"), len(model.spread_names)
        own = slice(model.outcome_size + index, model.outcome_size + model.spread_size, width)
        parameters[own] = np.log(shares[1:] / shares[0])
    return parameters


def _shares(likelihoods: Floats, counts: Floats) -> Floats:
    """Shares of the cells by a few steps of EM, none of them near 0."""
    shares = np.full(likelihoods.shape[1], 1 / likelihoods.shape[1])
    for _ in range(_EM_STEPS):
        given = likelihoods * shares
        sums = given.sum(axis=1, keepdims=True)
        given = np.divide(given, sums, out=np.zeros_like(given), where=sums > 0)
        shares = counts @ given + 0.5
        shares /= shares.sum()
    return shares
