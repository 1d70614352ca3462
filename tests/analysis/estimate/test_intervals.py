"""Intervals: known ends, and exact coverage by summing over every count."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from analysis.channels import real_channel
from analysis.exact_coverage import SHARES, coverage, ends_of
from analysis.known.numbers import KnownNumber, known
from deniable_analysis import Channel, Interval, IntervalRule, debias, share_interval
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate import total_variance
from deniable_analysis.estimate.binomial import wilson_ends
from deniable_analysis.estimate.choice import critical_value, read_interval
from deniable_analysis.results import project_to_simplex

SURE = IntervalRule(Interval.CLOPPER_PEARSON)


@pytest.mark.parametrize(
    "number",
    [
        *known("worked_example_warner"),
        *known("worked_example_GRR4"),
        *known("worked_example_SS6"),
    ],
)
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
    """The exact coverage of both formulas, as published, is the independently computed one."""
    sizes = {"Warner": (2, 1), "SS10": (10, {0.5: 4, 1.0: 3, 2.0: 1}[number.epsilon])}
    channel = real_channel(number.epsilon, *sizes[number.inputs["protocol"]])
    reports, flip, spread = number.inputs["n"], float(channel.flip), float(channel.spread)
    low, high = wilson_ends(np.arange(reports + 1) / reports, reports, critical_value(0.95))
    ends = {
        "wilson": ((low - flip) / spread, (high - flip) / spread),
        "CP": ends_of(reports, channel, SURE),
    }
    for name, its_ends in ends.items():
        found = coverage(channel, reports, [number.inputs["f"]], its_ends)
        assert found[0] == pytest.approx(number.expected[name], abs=number.tolerance), name


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize("report_count", [1, 7, 50, 400])
@pytest.mark.parametrize("channel", [real_channel(0.5), real_channel(4), real_channel(1, 10, 3)])
def test_clopper_pearson_never_covers_less(
    channel: Channel, report_count: int, confidence: float
) -> None:
    """Clopper-Pearson covers every true share at least as often as it says."""
    ends = ends_of(report_count, channel, IntervalRule(Interval.CLOPPER_PEARSON, confidence))
    assert coverage(channel, report_count, SHARES, ends).min() >= confidence - 1e-9


@pytest.mark.sweep
@pytest.mark.parametrize("report_count", [50, 100, 1000])
@pytest.mark.parametrize(("domain_size", "size"), [(2, 1), (5, 1), (10, 2)])
@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 4])
def test_wilson_covers_about_as_often_as_it_says(
    epsilon: float, domain_size: int, size: int, report_count: int
) -> None:
    """Averaged over all shares the default intervals cover about 95 % of the time."""
    channel = real_channel(epsilon, domain_size, size)
    ends = ends_of(report_count, channel, IntervalRule())
    found = coverage(channel, report_count, SHARES, ends)
    assert found.mean() == pytest.approx(0.955, abs=0.01)


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
    # At every look, few reports against an option exclude no rate near 1, so ends can be equal.
    least = 0.0 if interval is not Interval.ANYTIME else -1e-12
    assert np.all(np.diff(low) > least)
    assert np.all(np.diff(high) > least)


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
    with pytest.raises(InvalidArgument, match=f"confidence: got {confidence:g}; allowed"):
        IntervalRule(confidence=confidence)


def test_an_unknown_interval_is_refused() -> None:
    """A wrong name is repeated, with the names there are."""
    with pytest.raises(InvalidArgument, match=r"interval: got 'wald'; allowed: wilson, clopp"):
        read_interval("wald")


def test_a_rule_takes_an_interval_by_its_name() -> None:
    """A name gives its interval, never silently another one."""
    name: Any = "clopper-pearson"
    assert IntervalRule(name).interval is Interval.CLOPPER_PEARSON
    name = "wald"
    with pytest.raises(InvalidArgument, match="wald"):
        IntervalRule(name)
