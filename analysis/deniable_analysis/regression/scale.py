"""How large a parameter counts as large."""

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.outcomes import Normal


def parameter_scale(model: Model, parameters: Floats) -> Floats:
    """How much information clear answers would have of each parameter, as a root.

    A parameter times its scale, over the root of the respondents, is about
    how far it moves a linear predictor.

    Args:
        model: with its rows.
        parameters: where; only the spread of a number matters.
    """
    if "scale" not in model.known:
        model.known["scale"] = _scale(model)
    return _by_spread(model, parameters, model.known["scale"])


def _scale(model: Model) -> Floats:
    """The same where the spread of a number is 1."""
    sizes = [
        np.einsum("izp,i->p", each.matrix**2, model.counts) / each.matrix.shape[1]
        for each in model.predictors
    ]
    if len(model.cells) > 1:
        sizes += [model.counts @ model.spread**2] * (len(model.cells) - 1)
    sizes.append(np.full(len(model.unknown), model.counts.sum()))
    found: Floats = np.sqrt(np.concatenate(sizes))
    return found


def predictor_steps(model: Model, parameters: Floats) -> Floats:
    """How far each parameter moves a predictor from a low to a high respondent.

    Of two values from one to the other; of more two standard deviations, which
    is the same where half have each (Gelman 2008, Statistics in Medicine 27).
    """
    if "steps" not in model.known:
        found = [_step(each.matrix, model.counts) for each in model.predictors]
        if len(model.cells) > 1:
            found += [_step(model.spread[:, np.newaxis], model.counts)] * (len(model.cells) - 1)
        model.known["steps"] = np.concatenate([*found, np.ones(len(model.unknown))])
    return _by_spread(model, parameters, model.known["steps"])


def _step(matrix: Floats, counts: Floats) -> Floats:
    shares = counts / counts.sum() / matrix.shape[1]
    means = np.einsum("izp,i->p", matrix, shares)
    spread = np.sqrt(np.einsum("izp,i->p", (matrix - means) ** 2, shares))
    low, high = matrix.min(axis=(0, 1)), matrix.max(axis=(0, 1))
    has_two = ((matrix == low) | (matrix == high)).all(axis=(0, 1))
    found: Floats = np.where(has_two, high - low, 2 * spread)
    return np.where(high > low, found, np.abs(high))


def _by_spread(model: Model, parameters: Floats, found: Floats) -> Floats:
    """The same for the spread that an outcome has, if it is a number."""
    if not isinstance(model.outcome, Normal):
        return found
    is_of_mean = np.arange(model.size) < model.outcome_size - 1
    spread: Floats = np.exp(parameters[model.outcome_size - 1])
    return np.where(is_of_mean, found / spread, found)
