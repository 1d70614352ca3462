"""The mean among those who answered."""

import numpy as np
import pytest

from analysis.enumerated import estimates, number, with_mechanism
from deniable_analysis import InvalidCounts
from deniable_analysis.estimators.ratio import ratio_of_means
from deniable_sdk.mechanisms import OneOf, Piecewise
from deniable_sdk.weights import Weights


def test_with_denominators_of_one_it_is_the_mean_and_its_usual_variance() -> None:
    """The variance is the unbiased sample variance over n, as for any mean."""
    found = ratio_of_means([2, 0, 3], [1.0, 5.0, 4.0], [1, 1, 1])
    values = [1.0, 1.0, 4.0, 4.0, 4.0]
    assert found
    assert found.value == pytest.approx(np.mean(values))
    assert found.variance == pytest.approx(np.var(values, ddof=1) / 5)
    assert found.denominator == 1


def test_units_do_not_matter() -> None:
    """Numerators k times as large give k times the ratio and k² times its variance."""
    one = ratio_of_means([5, 7, 2], [1.0, 3.0, 0.0], [1.2, 1.1, -0.5])
    ten = ratio_of_means([5, 7, 2], [10.0, 30.0, 0.0], [1.2, 1.1, -0.5])
    assert one
    assert ten
    assert ten.value == pytest.approx(10 * one.value)
    assert one.variance is not None
    assert ten.variance == pytest.approx(100 * one.variance)


def test_without_anybody_who_answered_there_is_no_ratio() -> None:
    """Denominators that sum to 0 or less, and no reports at all, give None."""
    assert ratio_of_means([1, 2], [1.0, 1.0], [1, -1]) is None
    assert ratio_of_means([0, 0], [1.0, 1.0], [1, 1]) is None


def test_a_single_report_has_no_variance() -> None:
    """One report has a value and no variance."""
    found = ratio_of_means([1, 0], [3.0, 4.0], [1, 1])
    assert found
    assert (found.value, found.variance) == (3.0, None)


def test_negative_counts_are_refused() -> None:
    """Counts below 0 say what is allowed."""
    with pytest.raises(InvalidCounts, match=r"got a negative count of reports; allowed are 0 and"):
        ratio_of_means([1, -1], [1.0, 1.0], [1, 1])


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
