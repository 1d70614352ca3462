"""How far raw shares lie beyond 0 and 1."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from deniable_analysis import Channel
from deniable_analysis.estimate.alarms import (
    FALSE_ALARM_RATE,
    boundary_deviation,
    is_beyond_chance,
    sum_warnings,
    tail_variance,
)
from deniable_analysis.planning import plan_mechanism
from sampled_params import sampled_params


def test_shares_within_do_not_deviate() -> None:
    """Shares of 0, 1 and between lie beyond neither boundary."""
    assert boundary_deviation([25, 50, 75], 100, Channel(0.75, 0.25)).tolist() == [0, 0, 0]


def test_deviation_counts_standard_errors_at_the_boundary() -> None:
    """Ten reports beyond a boundary with a standard error of 4 reports are 2.5 of these."""
    found = boundary_deviation([10, 90], 100, Channel(0.8, 0.2))
    assert found.tolist() == pytest.approx([-2.5, 2.5])


def alarms(report_count: int, options: int, channel: Channel) -> NDArray[np.bool_]:
    """Whether an option with each count, 0 to n, would have a warning."""
    return np.array(
        [
            is_beyond_chance(np.full(options, count), report_count, channel)[0]
            for count in range(report_count + 1)
        ]
    )


@pytest.mark.sweep
@pytest.mark.parametrize("epsilon", [0.1, 1, 4])
@pytest.mark.parametrize("options", [2, 5, 999])
@pytest.mark.parametrize("report_count", sampled_params([10, 500, 1000]))
def test_honest_questions_hardly_ever_warn(
    epsilon: float, options: int, report_count: int
) -> None:
    """Summed over every count and all options, an honest question warns at most 1 in 10,000."""
    channel = Channel.of(plan_mechanism(epsilon, options)).rounded()
    warned = alarms(report_count, options, channel)
    counts = np.arange(report_count + 1)
    for share in (0.0, 0.001, 0.5, 0.999, 1.0):
        rate = float(channel.flip) + share * float(channel.spread)
        chance = stats.binom.pmf(counts, report_count, rate)[warned].sum()
        assert options * chance <= FALSE_ALARM_RATE == 1e-4


def test_one_limit_for_any_number_of_options_would_warn_too_often() -> None:
    """The check tells a bad limit: 4 standard errors for each of 999 options are not enough."""
    channel = Channel.of(plan_mechanism(1, 999)).rounded()
    counts = np.arange(501)
    chances = stats.binom.pmf(counts, 500, float(channel.flip))
    assert 998 * chances[boundary_deviation(counts, 500, channel) < -4].sum() > 0.005


@pytest.mark.sweep
@pytest.mark.parametrize("options", [2, 5, 999])
def test_made_up_reports_do_warn(options: int) -> None:
    """Seven standard errors beyond a boundary are warned of, however many options there are."""
    channel = Channel.of(plan_mechanism(1, options)).rounded()
    counts = np.arange(1001)
    deviations = boundary_deviation(counts, 1000, channel)
    warned = alarms(1000, options, channel)
    assert np.any(deviations < -7)
    assert np.all(warned[np.abs(deviations) > 7])
    assert not np.any(warned[np.abs(deviations) < 4])


@pytest.mark.parametrize("rate", [0.01, 0.2, 0.4])
def test_a_tail_variance_is_the_least_of_a_normal_bound(rate: float) -> None:
    """Of a count, on its light side, it is the variance; on the heavy one that of Kearns and Saul.

    Both are exact but for the 5 percent by which neighbouring steps may differ.
    """
    chances = np.array([[rate], [1 - rate]])
    light = tail_variance(np.array([1 - rate, -rate]), chances)
    heavy = tail_variance(np.array([rate - 1, rate]), chances)
    assert rate * (1 - rate) <= light <= 1.06 * rate * (1 - rate)
    known = (1 - 2 * rate) / (2 * np.log((1 - rate) / rate))
    assert known <= heavy <= 1.06 * known


def test_a_constant_has_no_tail() -> None:
    """What is the same in every report is never beyond chance."""
    assert tail_variance([0.0, 0.0], [[0.5], [0.5]]) == 0
    assert sum_warnings(["all"], [1.0], [0.0, 0.0]) == ()
