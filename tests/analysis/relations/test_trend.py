"""Shares over editions: centre, limits and slope."""

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from scipy import stats

from analysis.enumerated import with_mechanism
from analysis.related import LN3, MUST, counted_study, wave
from deniable_analysis import Channel, trend
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.estimate import total_variance
from deniable_analysis.estimate.weights import CONTROL_LIMIT, series
from deniable_sdk.mechanisms import OneOf, Piecewise, Subset
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import number, yes_no
from sampling_checks import SampleRejected, check_binomial

LN7 = Weights(7, 1)


WAVES = (wave(1, 400, 600), wave(2, 450, 550), wave(3, 280, 220, LN7))


def test_a_series_is_weighted_least_squares() -> None:
    """Centre, slope and its error are those of numpy's weighted fit."""
    times, values = [0.0, 1.0, 3.0, 4.0], [0.3, 0.35, 0.31, 0.4]
    variances = np.array([0.001, 0.002, 0.0015, 0.004])
    found = series(times, values, variances)
    (slope, _), covariances = np.polyfit(
        times, values, 1, w=1 / np.sqrt(variances), cov="unscaled"
    )
    assert found.slope == pytest.approx(slope)
    assert found.slope_error == pytest.approx(math.sqrt(covariances[0, 0]))
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(found.z)))
    assert found.centre == pytest.approx(np.average(values, weights=1 / variances))
    change = np.sum((np.array(values) - found.centre) ** 2 / variances)
    assert found.change_p_value == pytest.approx(stats.chi2.sf(change, 3))
    width = CONTROL_LIMIT * np.sqrt(variances - 1 / np.sum(1 / variances))
    assert found.limits[:, 1] - found.centre == pytest.approx(width)


@pytest.mark.parametrize(
    ("times", "variances"), [([0], [1]), ([0, 0], [1, 1]), ([0, 1], [1, 0]), ([0, 1, 2], [1, 1])]
)
def test_series_that_show_nothing_are_refused(times: list[float], variances: list[float]) -> None:
    """One point, equal times, no variance and unequal lengths each get the error."""
    values = [0.5] * len(variances)
    with pytest.raises(InvalidArgument, match=rf"got {len(times)} times, {len(values)} estimates"):
        series(times, values, variances)


def test_a_trend_takes_variances_as_if_nothing_changed() -> None:
    """Weights come from one share for all editions, through each one's own channel."""
    yes = trend(WAVES, "asthma").options[0]
    channels = [Channel.of(Subset(2, 1, weights)).rounded() for weights in (LN3, LN3, LN7)]
    reports, shares = (1000, 1000, 500), [point.value for point in yes.points]
    assert shares == pytest.approx([0.3, 0.4, (0.56 - 0.125) / 0.75])
    halves = [
        float(total_variance(0.5, n, channel))
        for n, channel in zip(reports, channels, strict=True)
    ]
    common = float(np.average(shares, weights=1 / np.array(halves)))
    variances = [
        float(total_variance(common, n, channel))
        for n, channel in zip(reports, channels, strict=True)
    ]
    expected = series([0, 1, 2], shares, variances)
    assert yes.slope == pytest.approx(expected.slope)
    assert yes.adjusted_p_value == pytest.approx(expected.p_value)
    assert yes.points[2].upper_limit == pytest.approx(expected.limits[2, 1])


def test_times_may_be_uneven() -> None:
    """A slope is for a unit of the times that are given."""
    plain, twice = (trend(WAVES, "asthma", times=each) for each in ([0, 1, 2], [0, 2, 4]))
    assert twice.options[0].slope == pytest.approx(plain.options[0].slope / 2)
    assert twice.options[0].p_value == pytest.approx(plain.options[0].p_value)


def test_an_edition_beyond_its_limits_is_out_of_control() -> None:
    """A share that jumped is marked, and any change is clearly seen."""
    waves = [wave(1, 400, 600), wave(2, 400, 600), wave(3, 400, 600), wave(4, 500, 500)]
    yes = trend(waves, "asthma").options[0]
    assert [point.is_in_control for point in yes.points] == [True, True, True, False]
    assert yes.change_p_value < 1e-5
    assert "out" in str(trend(waves, "asthma"))


def test_means_and_questions_of_sets_have_trends_too() -> None:
    """A number has the trend of its mean, and a crosstab's question that of its margins."""
    published = with_mechanism(Piecewise(OneOf(5), 4, 3, LN3), number(highest=4, **MUST))
    waves = [
        counted_study(published, visits=counts)
        for counts in ([20, 40, 60, 50, 30, 20, 10], [10, 20, 30, 50, 60, 40, 20])
    ]
    found = trend(waves, "visits")
    assert found.options == ()
    assert found.mean is not None
    assert found.mean.slope > 0
    joint = with_mechanism(Subset(4, 2, LN3), yes_no(**MUST), yes_no("limited", **MUST))
    alike = [counted_study(joint, asthma_x_limited=[600, 400, 500, 500]) for _ in range(2)]
    assert trend(alike, "asthma").options[0].slope == pytest.approx(0)


def test_a_trend_has_all_forms() -> None:
    """A table for each option, a document, a frame and a chart for each option."""
    found = trend(WAVES, "asthma")
    assert found.editions == ("health@1", "health@2", "health@3")
    assert str(found).startswith("asthma: 1000, 1000, 500 reports; 0.95 intervals\n\nyes ")
    assert "slope +0." in str(found)
    assert len(found.to_frame()) == 6
    points = found.to_document()["options"][0]["points"]
    assert [point["is_in_control"] for point in points] == [False, True, False]
    titles = [chart.title.split(":")[0] for chart in found.charts()]
    assert titles == ["asthma, yes", "asthma, no"]


def test_trends_that_make_no_sense_are_refused() -> None:
    """One study, unequal times, no reports, nothing that varies, unknown corrections."""
    with pytest.raises(InvalidArgument, match="got 1 studies and 1 times; a trend requires at"):
        trend(WAVES[:1], "asthma")
    with pytest.raises(InvalidArgument, match="got 3 studies and 2 times"):
        trend(WAVES, "asthma", times=[0, 1])
    with pytest.raises(NotIdentified, match="no report of health@2 carries every option"):
        trend([wave(1, 5, 5), wave(2, 0, 0)], "asthma")
    with pytest.raises(InvalidArgument, match="correction: got 'none at all'"):
        trend(WAVES, "asthma", correction="none at all")
    joint = with_mechanism(Subset(4, 2, LN3), yes_no(**MUST), yes_no("limited", **MUST))
    blank = [counted_study(joint, asthma_x_limited=[0, 0, 0, 0]) for _ in range(2)]
    with pytest.raises(NotIdentified, match="carries every option"):
        trend(blank, "asthma")
    with pytest.raises(InvalidArgument, match=r"^got health@1 or another study twice; what is "):
        trend([*WAVES, WAVES[0]], "asthma")


def slopes_rejected(source: Random, series_count: int, drift: float) -> int:
    """In how many series of four of surveys a slope is found at 5 %."""
    channel = Channel.of(Subset(2, 1, integer_weights(Fraction(1)))).rounded()
    generator = np.random.default_rng(source.getrandbits(64))
    shares = 0.3 + drift * np.arange(4)
    rates = float(channel.flip) + shares * float(channel.spread)
    published = with_mechanism(Subset(2, 1, integer_weights(Fraction(1))), yes_no(**MUST))
    rejected = 0
    for counts in generator.binomial(800, rates, size=(series_count, 4)):
        studies = [
            counted_study(published, asthma=[int(each), 800 - int(each)]) for each in counts
        ]
        rejected += trend(studies, "asthma").options[0].p_value < 0.05
    return rejected


@pytest.mark.deep
def test_constant_shares_hold_the_level_of_the_slope(random_source: Random) -> None:
    """Where nothing changes, a slope is found 5 % of the time."""
    check_binomial(slopes_rejected(random_source, 400, 0.0), 400, 0.05)


def test_a_drift_is_caught(random_source: Random) -> None:
    """Where shares really grow, the level is far exceeded."""
    hits = slopes_rejected(random_source, 100, 0.05)
    with pytest.raises(SampleRejected):
        check_binomial(hits, 100, 0.05)
