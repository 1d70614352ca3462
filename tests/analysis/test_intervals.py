"""Intervals: known ends, and exact coverage by summing over every count."""

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import bdtr

from analysis.channels import real_channel
from analysis.known_numbers import KnownNumber, known
from deniable_analysis import (
    Channel,
    Interval,
    IntervalRule,
    InvalidConfidence,
    InvalidInterval,
    debias,
    plan_mechanism,
    project_to_simplex,
    share_interval,
    total_variance,
)
from deniable_analysis.estimators import read_interval

PAGE = Path(__file__).parents[2] / "docs" / "ANALYSIS.md"
SHARES = np.linspace(0, 1, 401)


def coverage(
    channel: Channel, report_count: int, shares: ArrayLike, rule: IntervalRule
) -> NDArray[np.float64]:
    """How often the interval holds each true share: exact sums, nothing drawn."""
    counts = np.arange(report_count + 1)
    truth = np.asarray(shares, dtype=np.float64)[:, None]
    low, high = share_interval(counts, report_count, channel, rule)
    rates = float(channel.flip) + truth * float(channel.spread)
    chances = stats.binom.pmf(counts, report_count, rates)
    return np.asarray(np.sum(chances * ((low <= truth) & (truth <= high)), axis=1))


@pytest.mark.parametrize("number", known("worked_example"))
def test_known_worked_examples(number: KnownNumber) -> None:
    """Shares, errors, intervals and projection of given counts are the known ones."""
    support, reports = number.inputs["support_counts"], number.inputs["n"]
    channel = real_channel(number.epsilon, number.domain_size, number.inputs["d"])
    shares = debias(support, reports, channel)
    wilson = share_interval(support, reports, channel)
    sure = share_interval(support, reports, channel, IntervalRule(Interval.CLOPPER_PEARSON))
    found = {
        "p": channel.keep,
        "q": channel.flip,
        "estimate": shares,
        "se_total": np.sqrt(total_variance(shares, reports, channel)),
        "wilson_lo": wilson[0],
        "wilson_hi": wilson[1],
        "cp_lo": sure[0],
        "cp_hi": sure[1],
        "norm_sub": project_to_simplex(shares),
    }
    assert found.keys() == number.expected.keys()
    for name, expected in number.expected.items():
        assert found[name] == pytest.approx(expected, abs=number.tolerance), name


@pytest.mark.parametrize("number", known("interval_coverage_95_no_truncation"))
def test_known_coverages(number: KnownNumber) -> None:
    """The exact coverage of both intervals is the independently computed one."""
    sizes = {"Warner": (2, 1), "SS10": (10, {0.5: 4, 1.0: 3, 2.0: 1}[number.epsilon])}
    channel = real_channel(number.epsilon, *sizes[number.inputs["protocol"]])
    for interval, name in ((Interval.WILSON, "wilson"), (Interval.CLOPPER_PEARSON, "CP")):
        rule = IntervalRule(interval)
        found = coverage(channel, number.inputs["n"], [number.inputs["f"]], rule)
        assert found[0] == pytest.approx(number.expected[name], abs=number.tolerance), name


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize("report_count", [1, 7, 50, 400])
@pytest.mark.parametrize("channel", [real_channel(0.5), real_channel(4), real_channel(1, 10, 3)])
def test_clopper_pearson_never_covers_less(
    channel: Channel, report_count: int, confidence: float
) -> None:
    """Clopper-Pearson covers every true share at least as often as it says."""
    rule = IntervalRule(Interval.CLOPPER_PEARSON, confidence)
    assert coverage(channel, report_count, SHARES, rule).min() >= confidence - 1e-9


def least_coverage(report_count: int, epsilon: float, options: int) -> float:
    """The least coverage of Wilson's 95 % interval over all true shares.

    Between two ends of intervals the same counts cover, and the chance of a
    run of counts has no minimum inside: the least is beside an end, or at a
    share of 0 or 1. A fine grid stands beside them.
    """
    channel = Channel.of(plan_mechanism(epsilon, options)).rounded()
    low, high = share_interval(np.arange(report_count + 1), report_count, channel)
    ends = np.concatenate([low, high])
    shares = np.concatenate([ends - 1e-9, ends + 1e-9, SHARES])
    shares = shares[(shares >= 0) & (shares <= 1)]
    first = np.searchsorted(high, shares, "left").astype(np.float64)
    last = np.searchsorted(low, shares, "right") - 1.0
    rates = float(channel.flip) + shares * float(channel.spread)
    below = np.where(first > 0, bdtr(np.maximum(first - 1, 0), report_count, rates), 0)
    return float(np.min(bdtr(last, report_count, rates) - below))


@pytest.mark.parametrize(("report_count", "percent"), [(50, 91.58), (100, 92.68), (1000, 93.94)])
def test_wilson_covers_as_often_as_the_page_says(report_count: int, percent: float) -> None:
    """The least coverage over the page's range, rounded down, is the page's figure."""
    least = min(
        least_coverage(report_count, step / 20, options)
        for step in range(10, 81)
        for options in (2, 5, 10)
    )
    assert math.floor(least * 10_000) / 100 == percent
    sentence = "at least 91.58, 92.68 and 93.94 percent of the time with 50, 100 and 1,000 reports"
    assert sentence in " ".join(PAGE.read_text().split())


def test_the_scan_finds_what_a_grid_of_shares_misses() -> None:
    """Beside the ends of intervals the coverage is lower than a grid of shares shows."""
    channel = Channel.of(plan_mechanism(2.25, 10)).rounded()
    on_grid = coverage(channel, 100, SHARES, IntervalRule()).min()
    assert least_coverage(100, 2.25, 10) < on_grid - 0.001


def test_wilson_covers_less_at_large_epsilons() -> None:
    """Beyond the range the page names, Wilson can miss its mark clearly."""
    assert least_coverage(1000, 10, 2) < 0.9


@pytest.mark.parametrize("report_count", [50, 100, 1000])
@pytest.mark.parametrize(("domain_size", "size"), [(2, 1), (5, 1), (10, 2)])
@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 4])
def test_wilson_covers_about_as_often_as_it_says(
    epsilon: float, domain_size: int, size: int, report_count: int
) -> None:
    """Averaged over all shares, Wilson's 95 % intervals cover 95 % of the time."""
    channel = real_channel(epsilon, domain_size, size)
    found = coverage(channel, report_count, SHARES, IntervalRule())
    assert found.mean() == pytest.approx(0.95, abs=0.006)


def test_a_wald_interval_would_not_cover() -> None:
    """The check tells a bad interval: Wald's covers a share of 0 far too seldom."""
    channel, reports = real_channel(4), 50
    counts = np.arange(reports + 1)
    shares = debias(counts, reports, channel)
    reach = 1.96 * np.sqrt(total_variance(shares, reports, channel))
    chances = stats.binom.pmf(counts, reports, float(channel.flip))
    assert chances[(shares - reach <= 0) & (shares + reach >= 0)].sum() < 0.7


@pytest.mark.parametrize("interval", Interval)
def test_intervals_hold_the_raw_share_and_are_ordered(interval: Interval) -> None:
    """Low, raw share and high are in order for every count, the first and last included."""
    channel = real_channel(1)
    counts = np.arange(41)
    low, high = share_interval(counts, 40, channel, IntervalRule(interval))
    shares = debias(counts, 40, channel)
    assert np.all(low <= shares + 1e-12)
    assert np.all(shares <= high + 1e-12)
    assert np.all(np.diff(low) > 0)
    assert np.all(np.diff(high) > 0)


@pytest.mark.parametrize("interval", Interval)
def test_more_comparisons_make_an_interval_surer(interval: Interval) -> None:
    """Ten comparisons at 95 % give the interval of one at 99.5 %."""
    channel = real_channel(1)
    ten = share_interval([30], 80, channel, IntervalRule(interval, 0.95, 10))
    surer = share_interval([30], 80, channel, IntervalRule(interval, 0.995))
    assert np.allclose(ten, surer, rtol=1e-12, atol=0)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, -0.5, float("nan")])
def test_a_confidence_that_is_none_is_refused(confidence: float) -> None:
    """A confidence outside 0 to 1 is repeated, with what is allowed."""
    with pytest.raises(InvalidConfidence, match=f"got the confidence {confidence:g}; allowed"):
        IntervalRule(confidence=confidence)


def test_an_unknown_interval_is_refused() -> None:
    """A wrong name is repeated, with the names there are."""
    with pytest.raises(InvalidInterval, match=r"got the interval 'wald'; allowed: wilson, clopp"):
        read_interval("wald")
