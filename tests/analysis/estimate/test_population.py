"""Finite populations: the sampling part shrinks, and intervals still cover."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from analysis.enumerated import with_mechanism
from analysis.known.numbers import KnownNumber, known
from analysis.related import MUST, counted_study
from deniable_analysis import Channel, Interval, IntervalRule, share_interval
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate import mechanism_variance
from deniable_analysis.estimate.binomial import ALLOWANCE
from deniable_analysis.estimate.channel import sampling_scale
from deniable_analysis.estimate.finite import count_chances, finite_score_interval
from deniable_analysis.planning import plan_mechanism
from deniable_sdk.mechanisms import OneOf, Piecewise, Subset
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import choice, scale, survey, yes_no
from sample_definitions import number as number_question
from sampled_params import sampled_params
from there import there

LN3 = Weights(3, 1)
WARNER = Channel.of(Subset(2, 1, LN3)).rounded()


@pytest.mark.parametrize("number", known("fpc_variance"))
def test_the_correction_touches_the_sampling_part_only(number: KnownNumber) -> None:
    """The variance of 2,000 of 5,000 people is the one that is known."""
    inputs = number.inputs
    mechanism = Subset(2, 1, integer_weights(Fraction(str(inputs["eps"]))))
    share, n = inputs["f"], inputs["n"]
    noise = float(mechanism_variance(share, n, Channel.of(mechanism).rounded()))
    drawn = share * (1 - share) * sampling_scale(1 / n, inputs["N"])
    assert noise + drawn == pytest.approx(number.expected, abs=number.tolerance)


def test_an_estimate_for_a_population_says_so_in_its_variance() -> None:
    """Only the sampling part of a study's estimate is smaller, by (N - n)/(N - 1)."""
    published = with_mechanism(Subset(2, 1, LN3), yes_no(**MUST))
    study = counted_study(published, asthma=[400, 600])
    free, of_all = study.estimate(), study.estimate(population=1500)
    one, other = (each.questions[0].options[0] for each in (free, of_all))
    assert other.share == one.share
    assert other.mechanism_variance == one.mechanism_variance
    assert other.sampling_variance == pytest.approx(there(one.sampling_variance) * 500 / 1499)
    assert one.low < other.low < other.high < one.high  # type: ignore[operator]


def test_a_census_leaves_the_mechanism_part() -> None:
    """Were everybody asked, nothing would be left of the sampling part."""
    published = with_mechanism(Subset(2, 1, LN3), yes_no(**MUST))
    (yes, _) = (
        counted_study(published, asthma=[40, 60]).estimate(population=100).questions[0].options
    )
    assert yes.sampling_variance == 0
    assert yes.standard_error == pytest.approx(math.sqrt(there(yes.mechanism_variance)))
    assert sampling_scale(1.0, 1) == 0


def test_a_huge_population_gives_wilsons_interval() -> None:
    """The score interval with an infinite population is Wilson's, mapped."""
    reach = float(stats.norm.isf(0.025))
    rates = np.array([0.2, 0.4, 0.7])
    shares = (rates - 0.25) / 0.5
    found = finite_score_interval(shares, (1 / 200, 1 / 200), WARNER, reach)
    centre = (rates + reach**2 / 400) / (1 + reach**2 / 200)
    spread = rates * (1 - rates) / 200 + reach**2 / 160_000
    width = reach * np.sqrt(spread) / (1 + reach**2 / 200)
    assert found[0] == pytest.approx((centre - width - 0.25) / 0.5)
    assert found[1] == pytest.approx((centre + width - 0.25) / 0.5)


def coverage(
    rule: IntervalRule, yes: int, n: int, population: int, channel: Channel = WARNER
) -> float:
    """How often the interval of n of N people holds their share: the exact sum.

    The support is a sum of two binomials, of those drawn with a yes and of
    the others.
    """
    drawn = np.arange(n + 1)
    chances = stats.hypergeom.pmf(drawn, population, yes, n)
    low, high = share_interval(np.arange(n + 1), n, channel, rule)
    holds = (low <= yes / population) & (yes / population <= high)
    total = 0.0
    for count, chance in zip(drawn, chances, strict=True):
        if chance > 1e-12:
            kept = stats.binom.pmf(np.arange(n + 1), count, float(channel.keep))
            flipped = stats.binom.pmf(np.arange(n + 1), n - count, float(channel.flip))
            law = np.convolve(kept, flipped)[: n + 1]
            total += chance * float(law @ holds)
    return total


@pytest.mark.parametrize("yes", [0, 3, 30, 75])
@pytest.mark.parametrize("n", [50, 120, 150])
def test_intervals_of_a_finite_population_cover(yes: int, n: int) -> None:
    """Wilson covers a share of 150 people about as often as it says, Clopper-Pearson always."""
    wilson = coverage(IntervalRule(population=150), yes, n, 150)
    sure = coverage(IntervalRule(Interval.CLOPPER_PEARSON, population=150), yes, n, 150)
    assert 0.93 <= wilson <= 0.98
    assert sure >= 0.95
    assert sure > wilson - 1e-9


@pytest.mark.sweep
@pytest.mark.parametrize("population", [50, 100, 10**5])
def test_few_reports_of_a_population_cover_at_a_large_epsilon(population: int) -> None:
    """50 reports at epsilon 4, where counts are far apart: 92.2 percent without a correction."""
    channel, rule = Channel(0.982, 0.018), IntervalRule(population=population)
    for yes in {0, *range(1, population // 2, max(1, population // 100))}:
        assert coverage(rule, yes, 50, population, channel) >= 0.935
    low, high = share_interval(range(51), 50, channel, rule)
    lowest, highest = share_interval(range(51), 50, channel)
    assert np.all(low >= lowest)
    assert np.all(high <= highest)


def least_coverage(epsilon: float, options: int, people: int, n: int, rule: IntervalRule) -> float:
    """The least coverage over all shares that so many people can have."""
    channel = Channel.of(plan_mechanism(epsilon, options)).rounded()
    low, high = share_interval(np.arange(n + 1), n, channel, replace(rule, population=people))
    truths, chances = count_chances(n, people, channel)
    holds = (low <= truths[:, None] + 1e-12) & (truths[:, None] - 1e-12 <= high)
    return float(np.min(np.sum(chances * holds, axis=1)))


SMALL = [(people, n) for people in (1, 2, 3, 5, 10, 20, 40) for n in {1, 2, people // 2, people}]
GROUPS = [(people, n) for people, n in SMALL if 1 <= n <= people]


@pytest.mark.parametrize("options", [2, 5])
@pytest.mark.parametrize("epsilon", sampled_params([0.25, 2, 0.5, 4, 1, 3, 6], 2))
def test_tiny_groups_cover(epsilon: float, options: int) -> None:
    """Of 1 to 40 people, from one to all of them report, and all possible shares are tried."""
    for people, n in GROUPS:
        least = least_coverage(epsilon, options, people, n, IntervalRule())
        assert least >= 0.95 - ALLOWANCE, (people, n)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("confidence", "comparisons"), [(0.8, 1), (0.9, 1), (0.99, 1), (0.95, 5), (0.95, 10)]
)
def test_tiny_groups_cover_at_other_confidences(confidence: float, comparisons: int) -> None:
    """The search raises z until each of so many intervals covers as often as is promised."""
    rule = IntervalRule(confidence=confidence, comparisons=comparisons)
    wanted = 1 - (1 - confidence + ALLOWANCE) / comparisons
    for epsilon, options in ((0.5, 3), (1, 3), (4, 2), (6, 3)):
        for people, n in GROUPS:
            least = least_coverage(epsilon, options, people, n, rule)
            assert least >= wanted, (epsilon, people, n)


def test_an_option_that_no_report_supports_may_have_a_share_of_0() -> None:
    """One report of two people at epsilon 3: before, its interval began at 0.067."""
    clear = Channel.of(plan_mechanism(3, 2)).rounded()
    (low, _), (_, high) = share_interval([0, 1], 1, clear, IntervalRule(population=2))
    assert low < 0
    assert high > 1


def test_the_law_of_counts_is_that_of_drawn_people() -> None:
    """Of 3 of 4 people, two of them with the option: every way to draw them is enumerated."""
    truths, chances = count_chances(3, 4, WARNER)
    assert truths.tolist() == [0, 0.25, 0.5, 0.75, 1]
    expected = np.zeros(4)
    for chosen in itertools.combinations((0.75, 0.75, 0.25, 0.25), 3):
        for said in itertools.product((0, 1), repeat=3):
            pairs = zip(chosen, said, strict=True)
            chance = math.prod(rate if bit else 1 - rate for rate, bit in pairs)
            expected[sum(said)] += chance / 4
    assert chances[2] == pytest.approx(expected)
    assert chances.sum(axis=1) == pytest.approx(np.ones(5))


@pytest.mark.parametrize(
    "question",
    [scale(levels=3, **MUST), choice(options=3, **MUST)],
    ids=["scale", "choice"],
)
@pytest.mark.parametrize("size", [1, 2])
def test_all_shares_and_means_of_a_population_shrink(
    question: dict[str, object], size: int
) -> None:
    """Of single options and of sets, of shares and of means, the sampling part shrinks."""
    published = with_mechanism(Subset(3, size, LN3), question)
    study = counted_study(published, **{str(question["id"]): [40 * size, 35 * size, 25 * size]})
    free, of_all = (study.estimate(population=each).questions[0] for each in (None, 110))
    pairs: list[tuple[Any, Any]] = [*zip(free.options, of_all.options, strict=True)]
    if free.mean:
        pairs.append((free.mean, of_all.mean))
    for one, other in pairs:
        assert other.sampling_variance == pytest.approx(there(one.sampling_variance) * 10 / 109)
        assert other.mechanism_variance == pytest.approx(one.mechanism_variance)


@pytest.mark.parametrize("size", [1, 2])
def test_crosstabs_and_margins_of_a_population_shrink(size: int) -> None:
    """The cells of a joint block and its questions' margins shrink alike."""
    mechanism = Subset(4, size, LN3)
    published = with_mechanism(mechanism, yes_no(**MUST), yes_no("limited", **MUST))
    study = counted_study(published, asthma_x_limited=[size * each for each in (30, 25, 25, 20)])
    free, of_all = (study.estimate(population=each) for each in (None, 110))
    one, other = (each.questions[0].options[0] for each in (free, of_all))
    assert other.sampling_variance == pytest.approx(there(one.sampling_variance) * 10 / 109)
    one_cell, other_cell = (each.crosstabs[0].cells[0] for each in (free, of_all))
    assert other_cell.sampling_variance == pytest.approx(
        there(one_cell.sampling_variance) * 10 / 109
    )


def test_means_of_numbers_shrink_where_the_parts_are_known() -> None:
    """A mean has a smaller sampling part; one of few positions is left as it is."""
    grid = OneOf(5, offers_no_answer=False)
    asked = number_question(highest=4, **MUST)
    near = with_mechanism(Piecewise(grid, 4, 3, LN3), asked)
    counts = {"visits": [20, 40, 60, 50, 30, 20, 10]}
    free, of_all = (
        counted_study(near, **counts).estimate(population=each).questions[0].mean
        for each in (None, 300)
    )
    assert free is not None
    assert of_all is not None
    assert of_all.sampling_variance == pytest.approx(there(free.sampling_variance) * 70 / 299)
    assert of_all.mechanism_variance == pytest.approx(free.mechanism_variance)
    ends = counted_study(with_mechanism(Piecewise(grid, 1, 1, LN3), asked), visits=[90, 110])
    assert ends.estimate().questions == ends.estimate(population=300).questions


@pytest.mark.parametrize(
    ("population", "message"),
    [
        (99, "^got a population of 99 for 100 reports; allowed is a whole number of people, at"),
        (0, "^got a population of 0; allowed is a whole number of people: everybody"),
        (-5, "^got a population of -5; "),
        (200.0, "^got a population of 200; allowed is a whole number"),
        (True, "^got a population of something of the type bool; "),
    ],
)
def test_populations_smaller_than_their_reports_are_refused(
    population: object, message: str
) -> None:
    """The error names the number, and says what a population is."""
    study = counted_study(survey(yes_no(**MUST)), asthma=[40, 60])
    with pytest.raises(InvalidArgument, match=message):
        study.estimate(population=population)  # type: ignore[arg-type]
