"""Weighted sums of strata: exact small cases, and intervals that cover."""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analysis.known.numbers import KnownNumber, known
from deniable_analysis import Channel, IntervalRule, share_interval, weighted_shares
from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.binomial import ALLOWANCE
from deniable_analysis.estimate.stratified import Strata, stratified_interval
from deniable_analysis.planning import plan_mechanism
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights
from sampled_params import sampled_params
from sampling_checks import ALPHA, SampleRejected, count_check

LN3 = Channel.of(Subset(2, 1, Weights(3, 1))).rounded()
RULE = IntervalRule()


def strata(people: list[int], reports: list[int]) -> Strata:
    """Strata of so many people and reports."""
    return Strata(np.array(people, np.float64), np.array(reports, np.float64))


@pytest.mark.parametrize("number", known("ps_poststratified"))
def test_weights_are_the_parts_of_the_population(number: KnownNumber) -> None:
    """The post-stratified share of 60 weighted reports, and its conditional standard error."""
    draws = park_miller(555)
    group = np.array([int(3 * next(draws)) for _ in range(60)])
    weights = np.array([1.0 + int(3 * next(draws)) for _ in range(60)])
    truth = np.array([next(draws) < (0.2, 0.4, 0.6)[each] for each in group])
    for _ in truth:
        next(draws)  # the answer to another question
    reports = np.array([next(draws) < 0.75 for _ in truth]) == truth
    assert (int(reports.sum()), float(weights @ reports)) == (22, 41)
    found = [
        weighted_shares(reports[group == each, None], weights[group == each], LN3)
        for each in range(3)
    ]
    parts = strata(number.inputs["N"], np.bincount(group).tolist()).weights
    share = float(parts @ [float(each.shares[0]) for each in found])
    error = math.sqrt(float(parts**2 @ [float(each.variance[0]) for each in found]))
    assert share == pytest.approx(number.expected["share"], abs=number.tolerance)
    expected = number.expected["se_conditional_no_n_over_n_minus_1"]
    assert error == pytest.approx(expected, abs=number.tolerance)


def park_miller(seed: int) -> Iterator[float]:
    """The stream of numbers between 0 and 1 that the known data are made of."""
    while True:
        seed = 16807 * seed % (2**31 - 1)
        yield seed / (2**31 - 1)


def test_shares_for_variances_are_drawn_towards_the_common_one() -> None:
    """As if each stratum had four more reports, with the share of all reports."""
    found = strata([100, 100], [6, 16]).drawn_together(np.array([0.0, 1.0]))
    common = 16 / 22
    assert found == pytest.approx([4 * common / 10, (16 + 4 * common) / 20])


def test_a_population_corrects_the_sampling_part_of_its_own_stratum() -> None:
    """(N - n)/(N - 1)/n; 0 if everybody reported, and 1/n if more did than there are people."""
    assert strata([50, 20, 20], [10, 20, 25]).scales == pytest.approx([40 / 49 / 10, 0, 1 / 25])


def test_one_stratum_has_the_score_interval_of_its_population() -> None:
    """The ends solve (share - F)² = z² variance(F), each half a report further out."""
    low, high = stratified_interval(np.array([40.0]), strata([100], [60]), LN3, RULE)
    scale = 40 / 99 / 60

    def distance(end: float, support: float) -> float:
        share = (support / 60 - 0.25) / 0.5
        variance = (0.75 * 0.25 / 0.25) / 60 + scale * end * (1 - end)
        return (share - end) / math.sqrt(variance)

    z = float(stats.norm.isf(0.025))
    assert distance(low, 39.5) == pytest.approx(z)
    assert distance(high, 40.5) == pytest.approx(-z)


def test_the_hypothesis_moves_all_strata_alike() -> None:
    """Of two strata the ends solve the same equation, with both shares moved by as much."""
    both = strata([300, 100], [50, 30])
    support = np.array([20.0, 20.0])
    low, high = stratified_interval(support, both, LN3, RULE)
    shares = (support / [50, 30] - 0.25) / 0.5
    near = both.drawn_together(shares)

    def distance(end: float, side: float) -> float:
        at = near + (end - both.weights @ near)
        parts = 0.75 / both.reports + both.scales * at * (1 - at)
        half = 0.5 * (0.75**2 / 50 + 0.25**2 / 30) / 0.5
        away = float(both.weights @ shares) + side * half - end
        return away / math.sqrt(float(both.weights**2 @ parts))

    z = float(stats.norm.isf(0.025))
    assert distance(low, -1) == pytest.approx(z)
    assert distance(high, 1) == pytest.approx(-z)


def test_few_supporting_reports_have_the_end_of_a_weighted_poisson_number() -> None:
    """With equal weights it is Garwood's: half a chi-squared quantile of twice the count."""
    clear = Channel(0.998, 0.002)
    counts = np.array([1.0, 0, 1, 0, 1, 0, 0, 0, 0, 0])
    low, _ = stratified_interval(counts, strata([1000] * 10, [100] * 10), clear, RULE)
    rate = float(stats.chi2.ppf(0.025, 2 * 3)) / 2 / 1000
    assert low == pytest.approx((rate - 0.002) / 0.996)
    none, _ = stratified_interval(np.zeros(2), strata([50, 50], [20, 20]), clear, RULE)
    assert none == pytest.approx(-0.002 / 0.996)
    _, every = stratified_interval(np.full(2, 20.0), strata([50, 50], [20, 20]), clear, RULE)
    assert every == pytest.approx((1 - 0.002) / 0.996)


def test_intervals_hold_their_estimate() -> None:
    """Whatever the counts, small strata with clear answers included."""
    few = strata([3, 3], [1, 2])
    for epsilon in (0.25, 1, 4, 8):
        channel = Channel.of(plan_mechanism(epsilon, 2)).rounded()
        for support in itertools.product(range(2), range(3)):
            rates = np.array(support) / few.reports
            share = float(few.weights @ (rates - float(channel.flip))) / float(channel.spread)
            low, high = stratified_interval(np.array(support, np.float64), few, channel, RULE)
            assert low <= share <= high


SHAPES = {
    "even": ([100, 100], [80, 30]),
    "a small group": ([412, 118, 20], [200, 90, 5]),
    "small groups": ([20] * 5, [15, 10, 5, 3, 18]),
    "many small groups": ([20] * 20, [10] * 20),
    "tiny groups": ([10] * 10, [2, 3, 4, 5, 6, 7, 8, 9, 10, 1]),
    "everybody": ([30, 50, 20], [30, 50, 20]),
    "one dominates": ([500, 20, 20], [20, 20, 20]),
    "single reports": ([20] * 50, [1] * 50),
}
TRUTHS: Mapping[str, Callable[[int], list[float]]] = {
    "nobody": lambda count: [0.0] * count,
    "few": lambda count: [0.02] * count,
    "half": lambda count: [0.5] * count,
    "unequal": lambda count: [0.9 * index / count for index in range(count)],
    "opposite": lambda count: [float(index % 2) for index in range(count)],
}


def hits(
    shape: tuple[list[int], list[int]], truth: list[float], channel: Channel, source: Random
) -> tuple[int, int]:
    """How many of so many surveys' intervals hold the share of the whole population."""
    people, reports = (np.array(each) for each in shape)
    having = np.rint(np.array(truth) * people).astype(int)
    target, surveys = float(having.sum() / people.sum()), 400
    generator = np.random.default_rng(source.getrandbits(64))
    found = 0
    for _ in range(surveys):
        support = drawn(people, reports, having, channel, generator)
        low, high = stratified_interval(support, strata(*shape), channel, RULE)
        found += low - 1e-9 <= target <= high + 1e-9
    return found, surveys


def drawn(
    people: NDArray[np.int_],
    reports: NDArray[np.int_],
    having: NDArray[np.int_],
    channel: Channel,
    generator: np.random.Generator,
) -> Floats:
    """The supporting reports of a sample of each stratum."""
    with_it = generator.hypergeometric(having, people - having, reports)
    kept = generator.binomial(with_it, float(channel.keep))
    return np.asarray(
        kept + generator.binomial(reports - with_it, float(channel.flip)), np.float64
    )


def check_coverage(found: int, surveys: int) -> None:
    """Accept a coverage unless it is surely more than 1.5 points below 95 percent."""
    count_check()
    if stats.binom.cdf(found, surveys, 0.95 - ALLOWANCE) < ALPHA:
        raise SampleRejected(f"{found} of {surveys} intervals hold the truth")


CASES = list(itertools.product(SHAPES, TRUTHS, (0.25, 1, 2, 4, 6), (2, 5)))


@pytest.mark.sweep
@pytest.mark.parametrize("case", sampled_params(CASES, 17))
def test_intervals_cover(case: tuple[str, str, float, int], random_source: Random) -> None:
    """Small, tiny and unequal groups, at shares from 0 to 1 and small and large epsilons."""
    shape, truth, epsilon, options = case
    shares = TRUTHS[truth](len(SHAPES[shape][0]))
    channel = Channel.of(plan_mechanism(epsilon, options)).rounded()
    check_coverage(*hits(SHAPES[shape], shares, channel, random_source))


def test_normal_intervals_of_small_groups_would_not_cover(random_source: Random) -> None:
    """With each group's variance at its own share, far fewer hold the truth: 80 percent."""
    people, reports = (np.array(each) for each in SHAPES["tiny groups"])
    channel = Channel.of(plan_mechanism(1, 5)).rounded()
    generator = np.random.default_rng(random_source.getrandbits(64))
    flip, spread, weights = float(channel.flip), float(channel.spread), np.full(10, 0.1)
    found = 0
    for _ in range(400):
        rates = drawn(people, reports, np.zeros(10, int), channel, generator) / reports
        share = float(weights @ (rates - flip)) / spread
        variance = float(weights**2 @ (rates * (1 - rates) / reports)) / spread**2
        found += abs(share) <= 1.96 * math.sqrt(variance)
    with pytest.raises(SampleRejected):
        check_coverage(found, 400)


def test_a_stratum_is_as_its_group_where_reports_are_many() -> None:
    """Of 2,000 of 5,000 people the ends are those of the group's own interval, nearly."""
    found = stratified_interval(np.array([900.0]), strata([5000], [2000]), LN3, RULE)
    low, high = share_interval([900], 2000, LN3, IntervalRule(population=5000))
    assert found == pytest.approx((float(low[0]), float(high[0])), abs=1e-3)
