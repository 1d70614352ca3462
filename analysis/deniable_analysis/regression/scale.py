"""How large a parameter counts as large."""

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.regression.model import Model
from deniable_analysis.regression.outcomes import Normal

Floats = NDArray[np.float64]


def parameter_scale(model: Model, parameters: Floats) -> Floats:
    """How much information clear answers would have of each parameter, as a root.

    A parameter times its scale, over the root of the respondents, is about
    how far it moves a linear predictor.

    Args:
        model: with its rows.
        parameters: where; only the spread of a number matters.
    """
    sizes = [
        np.einsum("izp,i->p", each.matrix**2, model.counts) / each.matrix.shape[1]
        for each in model.predictors
    ]
    if isinstance(model.outcome, Normal):
        sizes[0] *= np.exp(-2 * parameters[model.outcome_size - 1])
    if len(model.cells) > 1:
        sizes += [model.counts @ model.spread**2] * (len(model.cells) - 1)
    sizes.append(np.full(len(model.unknown), model.counts.sum()))
    found: Floats = np.sqrt(np.concatenate(sizes))
    return found
