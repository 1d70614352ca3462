"""What the projection does to the cells of a table."""

from fractions import Fraction

import numpy as np
import pytest

from analysis.known.numbers import KnownNumber, known
from deniable_analysis.results import project_to_simplex
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import integer_weights


def sum_of_squares(number: KnownNumber, project: bool) -> tuple[float, float]:
    """The mean squared error of 200 surveys, times 10,000, and the top's bias."""
    head = number.inputs["f"]
    truth = np.array([*head, *[0.0] * (number.domain_size - len(head))])
    mechanism = Subset(number.domain_size, 1, integer_weights(Fraction(int(number.epsilon))))
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    generator = np.random.default_rng(1965)
    reports = generator.multinomial(number.inputs["n"], flip + truth * (keep - flip), size=200)
    shares = (reports / number.inputs["n"] - flip) / (keep - flip)
    if project:
        shares = np.array([project_to_simplex(each) for each in shares])
    squares = ((shares - truth) ** 2).sum(axis=1).mean()
    return float(1e4 * squares), float(shares[:, 0].mean() - truth[0])


@pytest.mark.parametrize("number", known("post_processing_sum_MSE"))
def test_the_projection_makes_sparse_tables_less_wrong(number: KnownNumber) -> None:
    """The squared errors of raw and of projected shares are those known beforehand."""
    raw, projected = (sum_of_squares(number, project)[0] for project in (False, True))
    assert raw == pytest.approx(number.expected["none"], rel=number.tolerance)
    assert projected == pytest.approx(number.expected["norm_sub"], rel=number.tolerance)


@pytest.mark.parametrize("number", known("post_processing_bias"))
def test_the_projection_is_biased_and_the_raw_share_is_not(number: KnownNumber) -> None:
    """The largest share's bias is that known beforehand."""
    raw, projected = (sum_of_squares(number, project)[1] for project in (False, True))
    assert raw == pytest.approx(number.expected["none"], abs=number.tolerance)
    assert projected == pytest.approx(number.expected["norm_sub"], abs=number.tolerance)
