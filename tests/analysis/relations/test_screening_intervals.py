"""Intervals of prevalences: against closed forms, and their coverage summed exactly."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from analysis.exact_coverage import coverage, ends_of
from deniable_analysis import Channel, IntervalRule, debias
from deniable_analysis.relations.screening import prevalence_interval, rogan_gladen
from deniable_analysis.results.screening import Rate
from sampled_params import sampled_params
from there import there

REACH = 1.959963984540054
GRID = tuple(
    product(
        (0.5, 1, 2, 4),
        (100, 1_000, 10_000),
        (0.02, 0.1, 0.5),
        ((1.0, 1.0), (0.9, 0.9), (0.7, 0.95)),
    )
)
Setting = tuple[float, int, float, tuple[float, float]]


def known(value: float) -> Rate:
    """A rate that was not measured."""
    return Rate(value=value)


def measured(hits: int, persons: int) -> Rate:
    """A rate as Lang and Reiczigel shift it."""
    rate, shifted = (
        Rate(value=hits / persons, hits=hits, persons=persons),
        (hits + 1) / (persons + 2),
    )
    assert rate.shifted == pytest.approx(shifted, rel=1e-15)
    assert rate.variance == pytest.approx(shifted * (1 - shifted) / (persons + 2), rel=1e-14)
    return rate


def test_known_rates_transform_the_ends_of_the_share() -> None:
    """Whatever these are, and however far from the share."""
    rates = known(0.9), known(0.8)
    assert rogan_gladen(0.34, 0.9, 0.8) == pytest.approx(0.2)
    low, high = there(prevalence_interval((0.34, 0.31, 0.41), *rates, REACH))
    assert low == pytest.approx((0.31 - 0.2) / 0.7)
    assert high == pytest.approx((0.41 - 0.2) / 0.7)


def test_a_known_share_has_fiellers_interval() -> None:
    """At both ends the distance from the share is 1.96 standard errors of the rates."""
    se, sp = measured(88, 100), measured(170, 200)
    for end in there(prevalence_interval((0.4, 0.4, 0.4), se, sp, REACH)):
        distance = 0.4 - end * se.shifted - (1 - end) * (1 - sp.shifted)
        variance = end**2 * se.variance + (1 - end) ** 2 * sp.variance
        assert abs(distance) == pytest.approx(REACH * math.sqrt(variance))


def test_false_results_vary_among_few_people() -> None:
    """In 50 people with known rates, the share of positive ones varies around its expectation."""
    se, sp = known(0.9), known(0.8)
    for end in there(prevalence_interval((0.4, 0.4, 0.4), se, sp, REACH, population=50)):
        distance = 0.4 - end * 0.9 - (1 - end) * 0.2
        variance = (end * 0.9 * 0.1 + (1 - end) * 0.8 * 0.2) / 50
        assert abs(distance) == pytest.approx(REACH * math.sqrt(variance))


def test_rates_whose_sum_may_be_1_leave_no_bounds() -> None:
    """Exactly if 1 is within 1.96 standard errors of their sum."""
    share = 0.4, 0.35, 0.45
    bounded = []
    for hits in range(50, 101):
        se, sp = measured(hits, 100), measured(55, 100)
        apart = se.shifted + sp.shifted - 1 > REACH * math.sqrt(se.variance + sp.variance)
        assert (prevalence_interval(share, se, sp, REACH) is not None) == apart
        bounded.append(apart)
    assert bounded == sorted(bounded)
    assert 0 < sum(bounded) < len(bounded)
    assert prevalence_interval(share, known(0.4), known(0.5), REACH) is None


@pytest.mark.sweep
@pytest.mark.parametrize("setting", GRID)
def test_prevalences_behind_known_rates_cover(setting: Setting) -> None:
    """As often as the interval of the share: at least 95 - 1.5 percent."""
    epsilon, reports, prevalence, (se, sp) = setting
    keep = math.exp(epsilon) / (math.exp(epsilon) + 1)
    channel = Channel(keep, 1 - keep)
    low, high = ends_of(reports, channel, IntervalRule())
    shares = debias(np.arange(reports + 1), reports, channel)
    rate = 1 - keep + (2 * keep - 1) * positive(setting)
    likely = binom.pmf(np.arange(reports + 1), reports, rate)
    covered = 0.0
    for index in np.flatnonzero(likely > 1e-12).tolist():
        ends = prevalence_interval(
            (shares[index], low[index], high[index]), known(se), known(sp), REACH
        )
        covered += likely[index] * (there(ends)[0] <= prevalence <= there(ends)[1])
    of_share = coverage(channel, reports, [positive(setting)], (low, high))
    assert covered == pytest.approx(float(of_share[0]), abs=1e-9)
    assert covered >= 0.935


def positive(setting: Setting) -> float:
    """The share of positive screenings."""
    _, _, prevalence, (se, sp) = setting
    return prevalence * se + (1 - prevalence) * (1 - sp)


@pytest.mark.sweep
@pytest.mark.parametrize("persons", [40, 100, 1_000])
@pytest.mark.parametrize("setting", sampled_params(GRID, 9))
def test_prevalences_behind_measured_rates_cover(setting: Setting, persons: int) -> None:
    """In 4,000 studies with both rates measured on so many persons."""
    epsilon, reports, prevalence, rates = setting
    keep = math.exp(epsilon) / (math.exp(epsilon) + 1)
    channel = Channel(keep, 1 - keep)
    low, high = ends_of(reports, channel, IntervalRule())
    source, times, hits = np.random.default_rng(4), 4_000, 0
    shares = debias(np.arange(reports + 1), reports, channel)
    rate = 1 - keep + (2 * keep - 1) * positive(setting)
    support = source.binomial(reports, rate, times)
    found = [source.binomial(persons, rate, times) for rate in rates]
    for count, first, second in zip(*(each.tolist() for each in (support, *found)), strict=True):
        se, sp = measured(first, persons), measured(second, persons)
        ends = prevalence_interval((shares[count], low[count], high[count]), se, sp, REACH)
        # Without bounds the interval contains everything.
        hits += ends is None or ends[0] <= prevalence <= ends[1]
    assert binom.cdf(hits, times, 0.935) > 1e-4, hits / times
