"""Plans for finite populations and for weighted samples."""

import math
from fractions import Fraction
from typing import Any

import pytest

from analysis.known.numbers import KnownNumber, known
from deniable_analysis.designs import forced_response, stochastic_lie_detector
from deniable_analysis.errors import Infeasible, InvalidArgument
from deniable_analysis.planning import (
    Margin,
    Share,
    StandardError,
    plan_groups,
    plan_mechanism,
    unit_variance,
)
from deniable_sdk.mechanisms import SampledBits, SomeOf
from deniable_sdk.weights import Weights

LN3 = plan_mechanism(1.0986122886681098)
CELLS = plan_mechanism(2, options=25)
BITS = SampledBits(SomeOf(4, 4), 2, Weights(3, 1))
DIE = forced_response(yes=Fraction(1, 6), no=Fraction(1, 3))
EVERY: list[Any] = [LN3, CELLS, BITS, DIE]


@pytest.mark.parametrize("number", known("fpc_variance"))
def test_the_planned_error_is_the_known_one(number: KnownNumber) -> None:
    """2,000 of 5,000 people are planned with the variance that is known for them."""
    inputs = number.inputs
    mechanism = plan_mechanism(inputs["eps"])
    found = StandardError(share=inputs["f"], population=inputs["N"]).reached(
        mechanism, inputs["n"]
    )
    assert found**2 == pytest.approx(number.expected, abs=number.tolerance)


@pytest.mark.parametrize("mechanism", EVERY)
@pytest.mark.parametrize("share", [Share.WORST, Share.EQUAL, 0.1])
@pytest.mark.parametrize("population", [300, 5_000, 10**9])
def test_so_many_are_enough_and_one_less_is_not(
    mechanism: Any, share: Share | float, population: int
) -> None:
    """Respondents and margins are each other's reverse, whatever the population."""
    census = Margin(share=share, population=population).reached(mechanism, population)
    margin = max(0.02, census * 1.2)
    needed = Margin(margin, share=share, population=population).respondents(mechanism)
    assert 1 < needed <= min(population, Margin(margin, share=share).respondents(mechanism))
    reached = [
        Margin(share=share, population=population).reached(mechanism, count)
        for count in (needed, needed - 1)
    ]
    assert reached[0] <= margin < reached[1]


@pytest.mark.parametrize("mechanism", EVERY)
def test_no_share_is_worse_than_the_worst_of_a_population(mechanism: Any) -> None:
    """Which share is hardest depends on how many of all people are asked."""
    for respondents in (50, 900, 1_000):
        worst = StandardError(population=1_000).reached(mechanism, respondents)
        grid = [
            StandardError(share=Fraction(part, 50), population=1_000).reached(
                mechanism, respondents
            )
            for part in range(51)
        ]
        assert max(grid) <= worst * (1 + 1e-12)
        assert max(grid) >= worst * 0.999


def test_a_census_leaves_the_randomization() -> None:
    """Were everybody asked, the error is that of the mechanism; of one person, too."""
    assert StandardError(share=0.5, population=400).reached(LN3, 400) == pytest.approx(
        math.sqrt(0.75 / 400)
    )
    assert StandardError(share=0.5, population=1).reached(LN3, 1) == pytest.approx(math.sqrt(0.75))
    with pytest.raises(
        Infeasible,
        match=r"^not even asking all 400 people is enough: the standard error is then "
        r"0.0433",
    ):
        Margin(0.03, population=400).respondents(LN3)


def test_weights_ask_for_more_respondents() -> None:
    """A design effect of 1.375 takes 1.375 times as many, and widens by its square root."""
    assert StandardError(0.01, weighting_effect=1.375).respondents(LN3) == 13_750
    plain = Margin().reached(CELLS, 1_000)
    weighted = Margin(weighting_effect=1.375).reached(CELLS, 1_000)
    assert weighted == pytest.approx(plain * math.sqrt(1.375))


def test_epsilon_is_found_for_populations_and_weights() -> None:
    """The least epsilon is smaller for a small population, and larger with weights."""
    free = Margin(0.06).epsilon(1_000)
    small = Margin(0.06, population=1_200).epsilon(1_000)
    weighted = Margin(0.06, weighting_effect=1.5).epsilon(1_000)
    assert small < free < weighted
    for epsilon, is_enough in ((small, True), (small - 1e-6, False)):
        needed = Margin(population=1_200).reached(plan_mechanism(f"{epsilon:.6f}"), 1_000)
        assert (needed <= 0.06) is is_enough
    assert StandardError(0.04, share=Share.EQUAL, population=500).epsilon(500, options=3) < 2
    with pytest.raises(Infeasible, match=r"^a margin of 0.001 is infeasible with 400 respondents"):
        Margin(0.001, population=500).epsilon(400)
    with pytest.raises(Infeasible, match=r"above 10, .* with which nobody is enough; ask more"):
        Margin(0.0001, population=400).epsilon(400)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"population": 99},
            r"^population: got 99 for 100 respondents; allowed is a whole number",
        ),
        ({"population": 0}, r"^population: got 0; allowed is a whole number from 1$"),
        ({"population": 200.0}, r"^population: got 200; allowed is a whole number from 1$"),
        ({"population": True}, r"^population: got something of the type bool; allowed is"),
        ({"weighting_effect": 0.9}, r"^weighting_effect: got 0.9; allowed is a number from 1"),
        ({"weighting_effect": math.nan}, r"^weighting_effect: got nan; allowed is a finite"),
        ({"population": 200, "weighting_effect": 2}, r"^got a population and a weighting_effect;"),
    ],
)
def test_impossible_drawings_are_refused(changes: dict[str, Any], message: str) -> None:
    """The error says what is allowed, and why both do not go together."""
    with pytest.raises(InvalidArgument, match=message):
        Margin(**changes).reached(LN3, 100)


def test_groups_have_no_population() -> None:
    """A design of several groups refuses a population with the reason."""
    plan = plan_groups(stochastic_lie_detector({1: 0.2, 2: 0.8}), {"t": 0.8})
    with pytest.raises(
        InvalidArgument, match=r"^population: got one for a design of several groups"
    ):
        Margin(0.1, population=1_000).respondents(plan)
    doubled = StandardError(weighting_effect=4).reached(plan, 500)
    assert doubled == pytest.approx(2 * StandardError().reached(plan, 500))


def test_a_joint_block_has_the_margin_of_its_cells() -> None:
    """A cell of a 5 by 5 crosstab is one of 25 options; its variance is solved for n here."""
    assert CELLS.domain_size == 25
    share, people = Fraction(1, 25), 2_000
    drawn = share * (1 - share) * people / (people - 1)
    noise = unit_variance(CELLS, share) - share * (1 - share)
    allowed = (0.05 / 1.959963984540054) ** 2
    found = Margin(0.05, share=share, population=people).respondents(CELLS)
    assert found == math.ceil((noise + drawn) / (allowed + drawn / people)) == 996
    assert Margin(0.05, share=share).respondents(CELLS) == 1_026
