"""Pooling groups that were asked at different epsilons."""

import pytest

from analysis.channels import real_channel
from analysis.known.numbers import KnownNumber, known
from deniable_analysis import InvalidCounts, pool, total_variance


@pytest.mark.parametrize("number", known("pooled_variance_two_eps_groups"))
def test_known_pooled_variance(number: KnownNumber) -> None:
    """The variance of two pooled groups is the independently computed one."""
    share = number.inputs["f"]
    variances = [
        float(total_variance([share], size, real_channel(epsilon))[0])
        for size, epsilon in number.inputs["groups"]
    ]
    estimate, variance = pool([share, share], variances)
    assert variance == pytest.approx(number.expected, abs=number.tolerance)
    assert estimate == pytest.approx(share, abs=1e-12)


def test_the_more_precise_group_weighs_more() -> None:
    """Weights are the inverses of the variances."""
    estimate, variance = pool([0.0, 1.0], [1.0, 3.0])
    assert (estimate, variance) == pytest.approx((0.25, 0.75))


@pytest.mark.parametrize(
    ("estimates", "variances"), [([], []), ([0.1], [0.0]), ([0.1, 0.2], [1.0])]
)
def test_groups_without_a_variance_are_refused(
    estimates: list[float], variances: list[float]
) -> None:
    """No group, a missing variance and a variance of 0 are refused."""
    with pytest.raises(InvalidCounts, match=r"as many of both, at least one, and variances above"):
        pool(estimates, variances)
