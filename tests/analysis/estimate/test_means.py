"""The mean among those who answered."""

import numpy as np
import pytest

from analysis.enumerated import estimates, number, with_mechanism
from deniable_analysis.estimate.mechanisms.piecewise_sums import contributions
from deniable_sdk.mechanisms import OneOf, Piecewise
from deniable_sdk.weights import Weights


def test_if_everybody_answers_it_is_the_mean_and_its_usual_variance() -> None:
    """The variance is the unbiased sample variance over n, as for any mean."""
    mechanism = Piecewise(OneOf(5), 4, 2, Weights(3, 1))
    (question,) = estimates(
        with_mechanism(mechanism, number(required=True)), {"0": 2, "2": 0, "4": 3}
    ).questions
    above, _ = contributions(mechanism)
    values = 2 + 2 * np.repeat(above[[0, 4]], [2, 3])
    assert question.mean
    assert question.mean.value == pytest.approx(np.mean(values))
    assert question.mean.variance == pytest.approx(np.var(values, ddof=1) / 5)


def test_a_single_report_has_no_variance() -> None:
    """One report has a mean, and neither a variance nor an interval."""
    published = with_mechanism(Piecewise(OneOf(5), 4, 2, Weights(3, 1)), number(required=True))
    (question,) = estimates(published, {"3": 1}).questions
    assert question.mean
    assert question.mean.value is not None
    assert (question.mean.variance, question.mean.low, question.mean.high) == (None, None, None)


@pytest.mark.parametrize("steps", [1, 2])
def test_means_without_anybody_who_answered_are_none(steps: int) -> None:
    """Where the reports show only "no answer" the mean has its unit and no number."""
    weights, grid = Weights(3, 1), OneOf(5, offers_no_answer=True)
    built = Piecewise(grid, steps, 1, weights)
    (question,) = estimates(
        with_mechanism(built, number()), {str(built.outputs - 1): 50}
    ).questions
    assert question.mean
    assert (question.mean.value, question.mean.variance, question.mean.unit) == (
        None,
        None,
        "visits",
    )
    assert "no mean: the reports do not show that anybody answered" in str(question)
    assert question.options[0].share is not None
    assert question.options[0].share > 1
    assert question.options[0].valid_share == 1
