"""Plans against known numbers, and against each other."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.known.numbers import INTEGER_WEIGHTS, KnownNumber, known
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.planning import (
    Margin,
    MeanMargin,
    Share,
    StandardError,
    design_effect,
    expected_absolute_error,
    plan_mechanism,
    unit_variance,
    worst_share,
)
from deniable_sdk.mechanisms import OneOf, Piecewise, Subset
from deniable_sdk.weights import Weights, integer_weights

EPSILONS = st.integers(10, 8000).map(lambda thousandths: thousandths / 1000)
OPTIONS = st.integers(2, 12)


def test_ten_thousand_respondents_are_exactly_ten_thousand() -> None:
    """Epsilon ln 3 is exactly 3 to 1 on devices, so no rounding asks one person more."""
    mechanism = plan_mechanism(1.0986122886681098)
    assert mechanism.weights.ratio == 3
    assert StandardError(0.01).respondents(mechanism) == 10_000
    assert Margin(0.01).respondents(mechanism) == 38_415


@pytest.mark.parametrize("number", known("n_for_sd"))
def test_known_respondents_for_a_standard_error(number: KnownNumber) -> None:
    """Respondents for a standard error are the known ones, exactly."""
    mechanism = plan_mechanism(number.epsilon)
    assert StandardError(0.01, number.inputs["f"]).respondents(mechanism) == number.expected


@pytest.mark.parametrize("number", known("n_for_moe_95"))
def test_known_respondents_for_a_margin(number: KnownNumber) -> None:
    """Respondents for a margin are the known ones, exactly, at every kind of share."""
    mechanism = plan_mechanism(number.epsilon, number.domain_size)
    margin = number.inputs["moe"]
    if isinstance(number.expected, int):
        share = number.inputs["f"]
        assert Margin(margin, share=share).respondents(mechanism) == number.expected
        return
    assert mechanism.size == number.inputs["d"]
    assert number.expected == {
        "worst_f": pytest.approx(float(worst_share(mechanism)), abs=number.tolerance),
        "n_worst": Margin(margin).respondents(mechanism),
        "n_uniform": Margin(margin, share=Share.EQUAL).respondents(mechanism),
        "n_simultaneous_bonferroni": Margin(margin, simultaneous=True).respondents(mechanism),
    }


@pytest.mark.parametrize("number", known("privacy_design_effect_warner"))
def test_known_design_effects(number: KnownNumber) -> None:
    """How many times more respondents privacy takes is the known factor."""
    mechanism = plan_mechanism(number.epsilon)
    found = [design_effect(mechanism), design_effect(mechanism, 0.1)]
    assert found == pytest.approx(
        [number.expected["f05"], number.expected["f01"]], rel=INTEGER_WEIGHTS
    )


@pytest.mark.parametrize("number", known("n_mean_moe_95"))
def test_known_respondents_for_a_mean(number: KnownNumber) -> None:
    """Respondents for the mean of a number reported by one of its ends are the known ones."""
    ends = Piecewise(OneOf(1000), 1, 1, integer_weights(Fraction(str(number.epsilon))))
    found = MeanMargin(number.inputs["moe"]).respondents(ends)
    assert found == number.expected


def test_a_mean_scales_with_its_range() -> None:
    """A range of 0 to 30 visits at a margin of 1.5 is -1 to 1 at a margin of 0.1."""
    assert MeanMargin(1.5, low=0, high=30).respondents(1) == MeanMargin(0.1).respondents(1)


@pytest.mark.parametrize("number", known("expected_L1_error"))
def test_known_expected_absolute_error(number: KnownNumber) -> None:
    """The expected error of a whole table is the known one."""
    mechanism = plan_mechanism(number.epsilon, number.domain_size)
    found = expected_absolute_error(mechanism, number.inputs["n"], number.inputs["f"])
    assert found == pytest.approx(number.expected, rel=INTEGER_WEIGHTS)


@pytest.mark.parametrize("number", known("subset_selection_optimal_d"))
def test_known_set_sizes(number: KnownNumber) -> None:
    """The planner plans for the best set size."""
    assert plan_mechanism(number.epsilon, number.domain_size).size == number.expected


@pytest.mark.parametrize("number", known("first_k_where_subset_size_2"))
def test_known_first_domain_with_sets_of_two(number: KnownNumber) -> None:
    """Below the known number of options sets of one are best, from it on larger ones."""
    assert plan_mechanism(number.epsilon, number.expected).size >= 2
    if number.expected > 2:
        assert plan_mechanism(number.epsilon, number.expected - 1).size == 1


@pytest.mark.parametrize("number", known("worstcase_total_n_mse"))
def test_known_worst_total_errors(number: KnownNumber) -> None:
    """With equal shares the variances of all options add up to the known worst total."""
    best = plan_mechanism(number.epsilon, number.domain_size)
    single = Subset(number.domain_size, 1, best.weights)
    for mechanism, name in ((best, "SS"), (single, "GRR")):
        total = number.domain_size * unit_variance(mechanism, Share.EQUAL)
        assert float(total) == pytest.approx(number.expected[name], rel=INTEGER_WEIGHTS)


@given(EPSILONS, OPTIONS, st.fractions(0, 1))
def test_no_share_is_worse_than_the_worst(epsilon: float, options: int, share: Fraction) -> None:
    """The variance at any share is at most that at the worst one, exactly."""
    mechanism = plan_mechanism(epsilon, options)
    assert unit_variance(mechanism, share) <= unit_variance(mechanism)


def test_the_worst_share_stays_within_zero_and_one() -> None:
    """Large sets support every option more than half the time, so a share of 0 is worst."""
    assert worst_share(Subset(4, 3, Weights(3, 1))) == 0


@given(EPSILONS, OPTIONS, st.integers(20, 50_000))
def test_margins_and_respondents_are_inverse(
    epsilon: float, options: int, respondents: int
) -> None:
    """So many respondents give a margin, and that margin takes about so many respondents."""
    mechanism = plan_mechanism(epsilon, options)
    margin = Margin().reached(mechanism, respondents)
    assert abs(Margin(margin).respondents(mechanism) - respondents) <= 1
    wider = math.nextafter(margin, math.inf) * (1 + 1e-9)
    assert Margin(wider).respondents(mechanism) <= respondents


def test_all_options_at_once_take_more_unless_there_are_two() -> None:
    """Bonferroni widens the margin of three options; two options are one comparison."""
    for options, factor in ((2, 1.0), (3, 2.3939797998 / 1.9599639845)):
        mechanism = plan_mechanism(1, options)
        single = Margin().reached(mechanism, 1000)
        at_once = Margin(simultaneous=True).reached(mechanism, 1000)
        assert at_once / single == pytest.approx(factor, rel=1e-9)


def test_refusals_name_the_argument() -> None:
    """Every argument that makes no sense is named, with what was got and what is allowed."""
    mechanism = plan_mechanism(1)
    with pytest.raises(InvalidArgument, match=r"^sd: got 0; allowed is a number above 0"):
        StandardError(0).respondents(mechanism)
    with pytest.raises(InvalidArgument, match=r"^margin: got nan; allowed is a number above 0"):
        Margin(math.nan).respondents(mechanism)
    with pytest.raises(InvalidArgument, match=r"^share: got 30; allowed .* 30 percent is 0\.3"):
        StandardError(0.01, 30).respondents(mechanism)
    with pytest.raises(InvalidArgument, match=r"^respondents: got 0; allowed is a whole number"):
        Margin().reached(mechanism, 0)
    with pytest.raises(InvalidArgument, match=r"confidence: got 95; allowed"):
        Margin(0.03, confidence=95).respondents(mechanism)
    with pytest.raises(InvalidArgument, match=r"^options: got 1; allowed are 2 to 1000"):
        plan_mechanism(1, 1)
    with pytest.raises(InvalidArgument, match=r"^epsilon: got 4\.9e-05; .* 0\.01 \(for one of"):
        plan_mechanism(0.000049)
    with pytest.raises(
        InvalidArgument, match=r"^share: got 0, where an estimate without privacy has"
    ):
        design_effect(mechanism, 0)
    with pytest.raises(
        InvalidArgument, match=r"^shares: got 1; allowed are 2, one for each option"
    ):
        expected_absolute_error(mechanism, 100, [0.5])
    with pytest.raises(InvalidArgument, match=r"^low, high: got 1 and 1; allowed are two finite"):
        MeanMargin(0.1, low=1, high=1).respondents(1)
