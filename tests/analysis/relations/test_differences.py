"""Intervals and tests of differences, and of several at once."""

import itertools

import pytest
from scipy import stats

from analysis.related import yes_no_study
from deniable_analysis import Channel, compare
from deniable_analysis.estimate.finite import count_chances
from deniable_analysis.estimate.heterogeneity import common_variances
from deniable_analysis.estimate.intervals import (
    Correction,
    corrected,
    difference_interval,
    two_sided,
)
from deniable_analysis.planning import plan_mechanism


def test_newcombes_interval_is_his() -> None:
    """His own example, 56 of 70 against 48 of 80, by method 10."""
    ends = []
    for count, reports in ((56, 70), (48, 80)):
        found = stats.binomtest(count, reports).proportion_ci(method="wilson")
        ends.append((count / reports, float(found.low), float(found.high)))
    one, other = ends
    low, high = difference_interval(one, other)
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)


def test_of_normal_intervals_the_difference_is_normal() -> None:
    """Ends at a distance of widths combine as standard errors do."""
    low, high = difference_interval((1.0, 0.7, 1.3), (0.5, 0.1, 0.9))
    assert [low, high] == pytest.approx([0.0, 1.0])


def test_p_values_are_corrected_by_holm_and_bonferroni() -> None:
    """Both are their definitions, and leave what is unknown alone."""
    p_values = [0.01, None, 0.04, 0.03, 0.005]
    assert corrected(p_values, Correction.HOLM) == pytest.approx([0.03, None, 0.06, 0.06, 0.02])
    assert corrected(p_values, Correction.BONFERRONI) == pytest.approx(
        [0.04, None, 0.16, 0.12, 0.02]
    )
    assert corrected(p_values, Correction.NONE) == p_values
    assert corrected([0.9, 0.8], Correction.HOLM) == [1.0, 1.0]


def test_rates_without_variation_have_no_test() -> None:
    """Where every report supports the option, or none, z and p are unknown."""
    assert two_sided(None) is None
    yes, _ = compare(yes_no_study(1, 0), yes_no_study(1, 0), "asthma").options
    assert (yes.z, yes.p_value, yes.adjusted_p_value) == (None, None, None)


def test_the_level_of_a_test_between_populations() -> None:
    """Summed exactly over both counts: equal shares are rejected in about 5 percent of surveys.

    Without the populations, hardly any are if most people report.
    """
    channel = Channel.of(plan_mechanism(4, 2)).rounded()
    people, reports, having = (40, 60), (36, 40), (20, 30)
    rates, laws = ([float(channel.keep)] * 2, [float(channel.flip)] * 2), []
    for total, n, yes in zip(people, reports, having, strict=True):
        truths, chances = count_chances(n, total, channel)
        laws.append(chances[truths.tolist().index(yes / total)])
    unknown: tuple[int | None, int | None] = (None, None)
    levels = dict.fromkeys((people, unknown), 0.0)
    for populations in levels:
        for one, other in itertools.product(range(reports[0] + 1), range(reports[1] + 1)):
            variances = common_variances((one, other), reports, *rates, populations)
            apart = (one / reports[0] - other / reports[1]) / float(channel.spread)
            rejects = apart**2 > stats.norm.isf(0.025) ** 2 * variances.sum()
            levels[populations] += rejects * float(laws[0][one] * laws[1][other])
    assert 0.03 <= levels[people] <= 0.065
    assert levels[unknown] < 0.01
