"""Intervals hold the truth as often as they say: exact sums over every count."""

import math
from pathlib import Path

import numpy as np
import pytest

from analysis.channels import real_channel
from analysis.exact_coverage import SHARES, coverage, ends_of, least_coverage
from analysis.known.numbers import KnownNumber, known
from deniable_analysis import Channel, Interval, IntervalRule
from deniable_analysis.estimate.binomial import ALLOWANCE, dependable_reach, wilson_ends
from deniable_analysis.estimate.choice import critical_value
from deniable_analysis.estimate.intervals import rate_interval
from deniable_analysis.planning import plan_mechanism
from deniable_analysis.results import project_to_simplex
from sampling_checks import SEED, SampleRejected, check_binomial

PAGE = Path(__file__).parents[3] / "docs" / "ANALYSIS.md"
WILSON = IntervalRule()
SURE = IntervalRule(Interval.CLOPPER_PEARSON)
NOMINAL = 0.95
EPSILONS = [0.5, 1, 2, 3, 4]
OPTIONS = [2, 5, 10, 50]


def planned(epsilon: float, options: int) -> Channel:
    """The channel that a question with so many options is published with."""
    return Channel.of(plan_mechanism(epsilon, options)).rounded()


def least(report_count: int, epsilon: float, options: int, rule: IntervalRule = WILSON) -> float:
    """The least coverage over all shares from 0 to 1."""
    channel = planned(epsilon, options)
    return least_coverage(channel, report_count, ends_of(report_count, channel, rule))


def plain_least(report_count: int, epsilon: float, options: int) -> float:
    """The same of Wilson's formula as published, never widened."""
    channel = planned(epsilon, options)
    rates = np.arange(report_count + 1) / report_count
    low, high = wilson_ends(rates, report_count, critical_value(NOMINAL))
    flip, spread = float(channel.flip), float(channel.spread)
    return least_coverage(channel, report_count, ((low - flip) / spread, (high - flip) / spread))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("report_count", [1, 7, 50, 100, 137, 1000])
def test_wilson_is_never_far_below_what_it_says(
    report_count: int, epsilon: float, options: int
) -> None:
    """At no share does the default interval cover 1.5 points less often than it says."""
    assert least(report_count, epsilon, options) >= NOMINAL - ALLOWANCE


@pytest.mark.deep
@pytest.mark.parametrize("options", [2, 3, 4, 5, 7, 10, 15, 20, 30, 50])
def test_wilson_over_the_whole_range(options: int) -> None:
    """The same at every report count from 100 to 200, more to 10,000, and more epsilons."""
    counts = [*range(1, 20), *range(20, 100, 5), *range(100, 200), *range(200, 400, 7)]
    counts += np.unique(np.geomspace(400, 10_000, 15).astype(int)).tolist()
    for epsilon in np.arange(2, 17) / 4:
        channel = planned(float(epsilon), options)
        for report_count in counts:
            ends = ends_of(report_count, channel, WILSON)
            found = least_coverage(channel, report_count, ends)
            assert found >= NOMINAL - ALLOWANCE, (epsilon, report_count)


@pytest.mark.parametrize("report_count", [100, 1000, 10_000])
@pytest.mark.parametrize("epsilon", [6, 8, 10])
def test_wilson_holds_at_the_largest_epsilons(epsilon: float, report_count: int) -> None:
    """Where hardly any report supports an option that nobody chose, it covers, too."""
    assert least(report_count, epsilon, 2) >= NOMINAL - ALLOWANCE


@pytest.mark.parametrize("confidence", [0.8, 0.9, 0.99, 0.999])
@pytest.mark.parametrize("comparisons", [1, 3, 50])
@pytest.mark.parametrize("report_count", [30, 100, 1000])
def test_wilson_holds_at_every_confidence(
    confidence: float, comparisons: int, report_count: int
) -> None:
    """All intervals together miss at most 1.5 points more often than they say."""
    rule = IntervalRule(confidence=confidence, comparisons=comparisons)
    missed = comparisons * (1 - least(report_count, 4, 10, rule))
    assert missed <= 1 - confidence + ALLOWANCE + 1e-12


@pytest.mark.deep
@pytest.mark.parametrize("confidence", [0.8, 0.9, 0.95, 0.99, 0.999])
@pytest.mark.parametrize("comparisons", [1, 2, 5, 20, 100, 1000])
def test_many_expected_reports_need_no_widening(confidence: float, comparisons: int) -> None:
    """Where so many are expected that nobody looks, no share is covered too seldom."""
    many = 100 if confidence >= NOMINAL else 2000
    wanted = 1 - (1 - confidence + ALLOWANCE) / comparisons
    rule = IntervalRule(confidence=confidence, comparisons=comparisons)
    for report_count in (many * np.array([2, 3, 5, 10, 30])).tolist():
        flip = many / report_count
        channel = Channel(1 - flip / 2, flip)
        low, high = rate_interval(np.arange(report_count + 1) / report_count, report_count, rule)
        spread = float(channel.spread)
        ends = (low - flip) / spread, (high - flip) / spread
        largest = (0.5 - flip) / spread
        assert least_coverage(channel, report_count, ends, largest) >= wanted, report_count


@pytest.mark.parametrize(
    ("report_count", "epsilon", "options", "percent"),
    [(100, 4, 50, 91.59), (100, 4, 2, 92.68), (50, 4, 2, 91.58), (1000, 10, 2, 83.81)],
)
def test_the_formula_as_published_would_not(
    report_count: int, epsilon: float, options: int, percent: float
) -> None:
    """The check sees where Wilson's own formula falls short; the page says it does."""
    found = plain_least(report_count, epsilon, options)
    assert math.floor(found * 10_000) / 100 == percent
    assert found < NOMINAL - ALLOWANCE < least(report_count, epsilon, options)


def test_the_page_says_how_often_wilson_covers() -> None:
    """The least coverages over the page's range, rounded down, are the page's figures."""
    grid = [(step / 4, options) for step in range(2, 17) for options in OPTIONS]
    plain, few, many = (
        math.floor(min(found(count, *case) for case in grid) * 10_000) / 100
        for found, count in ((plain_least, 100), (least, 100), (least, 1000))
    )
    words = " ".join(PAGE.read_text().split())
    assert f"with 100 reports is as low as {plain:.2f} percent at a nominal 95" in words
    assert f"covers at least {few:.2f} and {many:.2f} percent with 100 and 1,000 reports" in words
    widest = max(
        dependable_reach(100, (float(channel.flip), float(channel.keep)), NOMINAL, 1)
        for channel in (planned(*case) for case in grid)
    )
    assert 1.005 < widest / critical_value(NOMINAL) <= 1.01


def test_the_scan_finds_what_a_grid_of_shares_misses() -> None:
    """Beside the ends of intervals the coverage is lower than a grid of shares shows."""
    channel = planned(2, 5)
    ends = ends_of(100, channel, WILSON)
    on_grid = coverage(channel, 100, SHARES, ends).min()
    assert least_coverage(channel, 100, ends) < on_grid - 0.0005


@pytest.mark.parametrize(
    ("report_count", "epsilon", "options"), [(1000, 1, 5), (1000, 4, 50), (10_000, 0.5, 2)]
)
def test_most_surveys_get_the_plain_formula(
    report_count: int, epsilon: float, options: int
) -> None:
    """Where enough reports are expected, the interval is Wilson's own, unchanged."""
    channel = planned(epsilon, options)
    rates = float(channel.flip), float(channel.keep)
    assert dependable_reach(report_count, rates, NOMINAL, 1) == critical_value(NOMINAL)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("report_count", [1, 50, 1000])
def test_clopper_pearson_never_covers_less(
    report_count: int, epsilon: float, options: int
) -> None:
    """At no share does Clopper-Pearson cover less often than it says."""
    assert least(report_count, epsilon, options, SURE) >= NOMINAL - 1e-9


@pytest.mark.deep
@pytest.mark.parametrize("options", [2, 3, 5, 10, 20, 50])
def test_clopper_pearson_over_the_whole_range(options: int) -> None:
    """The same at report counts from 1 to 10,000 and more epsilons."""
    for epsilon in np.arange(2, 17) / 4:
        for report_count in np.unique(np.geomspace(1, 10_000, 40).astype(int)).tolist():
            found = least(report_count, float(epsilon), options, SURE)
            assert found >= NOMINAL - 1e-9, (epsilon, report_count)


@pytest.mark.deep
@pytest.mark.parametrize("number", known("bootstrap_after_norm_sub_coverage_top_item"))
def test_a_bootstrap_of_valid_shares_would_not_cover(number: KnownNumber) -> None:
    """Percentiles of projected shares cover as rarely as is known; of raw ones they do cover."""
    options, reports = number.domain_size, number.inputs["n"]
    channel = real_channel(number.epsilon, options)
    shares = np.zeros(options)
    shares[:5] = number.inputs["f_top"], 0.25, 0.15, 0.1, 0.1
    generator = np.random.default_rng(SEED)
    rates = float(channel.flip) + shares * float(channel.spread)
    surveys, again, hits = 100, 200, np.zeros(2)
    for counts in generator.multinomial(reports, rates, size=surveys):
        drawn = generator.multinomial(reports, counts / reports, size=again)
        raw = (drawn / reports - float(channel.flip)) / float(channel.spread)
        valid = np.array([project_to_simplex(one) for one in raw])
        for index, values in enumerate((valid, raw)):
            low, high = np.quantile(values[:, 0], [0.025, 0.975])
            hits[index] += low <= shares[0] <= high
    assert hits[0] / surveys == pytest.approx(number.expected, abs=number.tolerance)
    with pytest.raises(SampleRejected):
        check_binomial(int(hits[0]), surveys, NOMINAL)
    check_binomial(int(hits[1]), surveys, NOMINAL)
