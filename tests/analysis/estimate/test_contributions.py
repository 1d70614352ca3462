"""What reports of `piecewise` contribute to sums of answers: unbiased, and with least variance."""

import tracemalloc

import numpy as np
import pytest

from analysis.enumerated import with_mechanism
from analysis.related import MUST, counted_study
from deniable_analysis import share_above
from deniable_analysis.estimate.outputs import contributions_to_sums
from deniable_sdk import theory
from deniable_sdk.mechanisms import OneOf, Piecewise
from deniable_sdk.weights import Weights
from sample_definitions import number

LN3 = Weights(3, 1)


@pytest.mark.parametrize("has_none", [False, True])
@pytest.mark.parametrize(("cells", "window"), [(2, 1), (6, 1), (6, 3), (7, 6), (30, 7)])
def test_contributions_are_those_of_weighted_least_squares(
    cells: int, window: int, *, has_none: bool
) -> None:
    """For each answer alone, and for a sum of answers."""
    mechanism = Piecewise(OneOf(cells, has_none), cells - 1, window, LN3)
    law = np.array(list(theory.channel(mechanism).values()), dtype=np.float64)
    scaled = law.T / law.mean(axis=1)
    inverse = np.linalg.solve(scaled @ law, scaled)
    answers = np.eye(law.shape[1])
    assert contributions_to_sums(mechanism, answers) == pytest.approx(inverse.T)
    several = answers[:, ::2].sum(axis=1)[:, np.newaxis]
    assert contributions_to_sums(mechanism, several) == pytest.approx(inverse.T @ several)


def test_the_longest_scale_needs_no_matrix() -> None:
    """Its quantiles and shares take less memory than a tenth of a matrix of its answers."""
    cells = 5000
    mechanism = Piecewise(OneOf(cells), cells - 1, 1085, LN3)
    published = with_mechanism(mechanism, number(highest=cells - 1, **MUST))
    study = counted_study(published, visits=[1] * mechanism.outputs)
    tracemalloc.start()
    study.quantiles("visits")
    share_above(study, "visits", 2500)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * cells**2 / 10
