"""Plans for telling groups, or options, apart."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from analysis.channels import every_subset
from analysis.known.numbers import KnownNumber, known
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate import covariance_matrix
from deniable_analysis.planning import Order, TwoGroups, plan_mechanism
from deniable_sdk.mechanisms import Subset


@pytest.mark.parametrize("number", known("n_per_group_two_sided_5pct_power80"))
def test_known_group_sizes(number: KnownNumber) -> None:
    """Respondents per group are the known ones, and give the power they are for."""
    mechanism = plan_mechanism(number.epsilon)
    first, second = number.inputs["f1"], number.inputs["f2"]
    found = TwoGroups(first, second).respondents(mechanism)
    assert found == number.expected
    assert TwoGroups(first, second).reached(mechanism, found) >= 0.8
    assert TwoGroups(first, second).reached(mechanism, found - 1) < 0.8


def test_power_is_what_the_exact_test_has() -> None:
    """Summed over every pair of counts, the z test finds the difference as often as planned."""
    mechanism, size = plan_mechanism(2), 200
    rates = [
        float(mechanism.flip + share * (mechanism.keep - mechanism.flip))
        for share in (Fraction(3, 10), Fraction(1, 2))
    ]
    counts = np.arange(size + 1)
    one, other = np.meshgrid(counts, counts, indexing="ij")
    pooled = (one + other) / (2 * size)
    with np.errstate(invalid="ignore"):
        z = (other - one) / np.sqrt(2 * size * pooled * (1 - pooled))
    chances = np.outer(*(stats.binom.pmf(counts, size, rate) for rate in rates))
    exact = float(chances[np.abs(z) > 1.959963984540054].sum())
    assert TwoGroups(0.3, 0.5).reached(mechanism, size) == pytest.approx(exact, abs=0.005)


@pytest.mark.parametrize("number", known("n_for_top2_order_95"))
def test_the_known_orders_of_the_two_largest(number: KnownNumber) -> None:
    """Respondents for the order are the known ones, and give the probability they are for."""
    mechanism = plan_mechanism(number.epsilon, number.domain_size)
    shares = number.inputs["f1"], number.inputs["f2"]
    found = Order(*shares).respondents(mechanism)
    assert found == number.expected
    assert Order(*shares).reached(mechanism, found) >= 0.95
    assert Order(*shares).reached(mechanism, found - 1) < 0.95


def test_the_probability_of_an_order_is_what_is_drawn() -> None:
    """Summed over every count of two options, the larger one leads as often as planned."""
    mechanism, size = plan_mechanism(2), 300
    counts = np.arange(size + 1)
    rate = float(mechanism.flip + Fraction(11, 20) * (mechanism.keep - mechanism.flip))
    chance = stats.binom.pmf(counts, size, rate)
    leads = float(chance[2 * counts > size].sum() + chance[2 * counts == size].sum() / 2)
    assert Order(0.55, 0.45).reached(mechanism, size) == pytest.approx(leads, abs=0.002)


@pytest.mark.parametrize("mechanism", every_subset(5))
def test_the_variance_of_a_difference_is_that_of_the_covariances(mechanism: Subset) -> None:
    """What planning computes for a difference, the covariance matrix gives as well."""
    others = mechanism.domain_size - 2
    shares = [0.5, 0.3, *[0.2 / others] * others] if others else [0.6, 0.4]
    matrix = covariance_matrix(shares, 1, mechanism)
    expected = matrix[0, 0] + matrix[1, 1] - 2 * matrix[0, 1]
    mean, variance = Order(*map(Fraction, map(str, shares[:2])))._difference(mechanism)
    spread = float(mechanism.keep - mechanism.flip)
    assert float(variance) / spread**2 == pytest.approx(expected, rel=1e-9)
    assert float(mean) / spread == pytest.approx(shares[0] - shares[1], rel=1e-9)


def test_surer_plans_take_more_respondents() -> None:
    """More power, less significance and a surer order all take more respondents."""
    mechanism = plan_mechanism(1)
    plain = TwoGroups(0.3, 0.4).respondents(mechanism)
    assert TwoGroups(0.3, 0.4, power=0.9).respondents(mechanism) > plain
    assert TwoGroups(0.3, 0.4, significance=0.01).respondents(mechanism) > plain
    surer = Order(0.6, 0.4, probability=0.99).respondents(mechanism)
    assert surer > Order(0.6, 0.4).respondents(mechanism)


def test_at_least_one_respondent_is_needed() -> None:
    """A plan that asks for next to nothing still asks one respondent."""
    mechanism = plan_mechanism(10)
    assert TwoGroups(0, 1, significance=0.9, power=0.01).respondents(mechanism) == 1


def test_refusals_name_the_argument() -> None:
    """Every argument that makes no sense is named, with what was got and what is allowed."""
    mechanism = plan_mechanism(1, 3)
    with pytest.raises(
        InvalidArgument, match=r"^second: got 0\.3 twice; allowed is another share"
    ):
        TwoGroups(0.3, 0.3).respondents(mechanism)
    with pytest.raises(
        InvalidArgument, match=r"^first: got -0\.1; allowed is a share from 0 to 1"
    ):
        TwoGroups(-0.1, 0.3).reached(mechanism, 100)
    with pytest.raises(
        InvalidArgument, match=r"^power: got 80; allowed is a number between 0 and 1"
    ):
        TwoGroups(0.3, 0.4, power=80).respondents(mechanism)
    with pytest.raises(
        InvalidArgument, match=r"^significance: got inf; allowed is a number between"
    ):
        TwoGroups(0.3, 0.4, significance=math.inf).respondents(mechanism)
    with pytest.raises(InvalidArgument, match=r"^first, second: got 0\.6 and 0\.5; .* at most 1"):
        Order(0.6, 0.5).respondents(mechanism)
    with pytest.raises(
        InvalidArgument, match=r"^first, second: got 0\.2 and 0\.2; allowed are two"
    ):
        Order(0.2, 0.2).respondents(mechanism)
    with pytest.raises(InvalidArgument, match=r"got 0\.4 and 0\.2; .* exactly 1 of two options"):
        Order(0.4, 0.2).respondents(plan_mechanism(1, 2))
    with pytest.raises(InvalidArgument, match=r"^probability: got 0\.5; allowed .* above 0\.5"):
        Order(0.3, 0.2, probability=0.5).respondents(mechanism)
