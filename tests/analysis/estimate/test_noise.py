"""Intervals from counts with noise: coverage summed exactly over every count and noise."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from analysis.channels import real_channel
from analysis.released import noise_chances
from deniable_analysis import Channel, Interval, IntervalRule, share_interval
from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.binomial import ALLOWANCE
from deniable_analysis.estimate.channel import raw_shares
from deniable_analysis.estimate.noise import (
    Noise,
    balanced_counts,
    noise_reach,
    released_interval,
    released_variance,
)
from sampled_params import sampled_params

# Noises of one release, from hardly any to more than all reports, and of several.
NOISES = [(0.1,), (0.5,), (1.0,), (2.0,), (4.0,), (20.0,), (200.0,), (4.0, 4.0, 4.0), (20.0, 2.0)]
CHANNELS = [real_channel(0.5), real_channel(2), real_channel(1, 4), real_channel(4, 20)]
SHARES = (0.0, 0.01, 0.05, 0.2, 0.5, 1.0)


def sum_of_noises(noise: tuple[float, ...]) -> tuple[int, Floats]:
    """The furthest noise that matters, and the probabilities of all up to it."""
    chances, reach = np.ones(1), 0
    for scale in noise:
        furthest = math.ceil(36 * scale)
        chances, reach = np.convolve(chances, noise_chances(scale, furthest)), reach + furthest
    return reach, chances


def coverage(
    ends: tuple[Floats, Floats], channel: Channel, n: int, share: float, noise: tuple[float, ...]
) -> float:
    """How often the interval of a count holds a share; `ends` are of all counts with noise."""
    _, chances = sum_of_noises(noise)
    rate = float(channel.flip) + share * float(channel.spread)
    both = np.convolve(stats.binom.pmf(np.arange(n + 1), n, rate), chances)
    low, high = ends
    return float(both[(low <= share + 1e-12) & (share - 1e-12 <= high)].sum())


def counts_with(n: int, noise: tuple[float, ...]) -> Floats:
    """Every count with noise that matters."""
    reach, _ = sum_of_noises(noise)
    return np.arange(-reach, n + reach + 1, dtype=np.float64)


def least(rule: IntervalRule, channel: Channel, n: int, noise: tuple[float, ...]) -> float:
    """The least coverage at some shares."""
    ends = released_interval(counts_with(n, noise), n, channel, rule, Noise(noise))
    return min(coverage(ends, channel, n, share, noise) for share in SHARES)


@pytest.mark.parametrize("noise", NOISES)
def test_the_variance_and_the_bound_are_those_of_the_noise(noise: tuple[float, ...]) -> None:
    """Both equal what a sum over all noises returns."""
    reach, chances = sum_of_noises(noise)
    values = np.arange(-reach, reach + 1)
    assert Noise(noise).variance == pytest.approx(float(chances @ values**2), rel=1e-9)
    for missed in (0.2, 0.05, 0.01, 1e-4):
        bound = Noise(noise).bound(missed)
        assert chances[np.abs(values) > bound].sum() <= missed
        assert bound == 0 or chances[np.abs(values) > bound - 1].sum() > missed


@pytest.mark.deep
@pytest.mark.parametrize("confidence", [0.8, 0.9, 0.95, 0.99, 0.999])
def test_the_reach_holds_for_one_noise_and_for_many(confidence: float) -> None:
    """So many standard deviations contain a sum of noises at least so often, and not much more."""
    for noise in ((50.0,), (50.0, 50.0), (50.0,) * 30):
        reach, chances = sum_of_noises(noise)
        within = noise_reach(confidence) * math.sqrt(Noise(noise).variance)
        held = float(chances[np.abs(np.arange(-reach, reach + 1)) <= within].sum())
        assert confidence - 0.002 <= held <= confidence + 0.4 * (1 - confidence) ** 0.5


@pytest.mark.sweep
@pytest.mark.parametrize(
    "case", sampled_params(product(CHANNELS, NOISES, (0.8, 0.9, 0.95, 0.99, 0.999)), every=7)
)
def test_the_default_covers_as_often_as_it_says(
    case: tuple[Channel, tuple[float, ...], float],
) -> None:
    """At no share, number of reports and noise is it 1.5 points below the confidence."""
    channel, noise, confidence = case
    rule = IntervalRule(confidence=confidence)
    for n in (1, 5, 20, 100, 400):
        assert least(rule, channel, n, noise) >= confidence - ALLOWANCE, n


@pytest.mark.sweep
@pytest.mark.parametrize("interval", [Interval.CLOPPER_PEARSON, Interval.ANYTIME])
@pytest.mark.parametrize("case", sampled_params(product(CHANNELS, NOISES), every=5))
def test_intervals_with_a_guarantee_keep_it(
    case: tuple[Channel, tuple[float, ...]], interval: Interval
) -> None:
    """They never cover less often than they say, also if several must hold at once."""
    channel, noise = case
    for n in (1, 20, 100):
        assert least(IntervalRule(interval), channel, n, noise) >= 0.95
        assert least(IntervalRule(interval, 0.9, 3), channel, n, noise) >= 1 - 0.1 / 3


def test_the_check_sees_if_the_noise_is_forgotten() -> None:
    """The interval of the same counts without noise covers far less often."""
    channel, n, noise = real_channel(1, 4), 100, (4.0,)
    counts = np.clip(counts_with(n, noise), 0, n)
    found = coverage(share_interval(counts, n, channel), channel, n, 0.2, noise)
    assert found < 0.9
    half = (noise[0] / 2,)
    counts = counts_with(n, noise)
    ends = released_interval(counts, n, channel, IntervalRule(), Noise(half))
    assert coverage(ends, channel, n, 0.2, noise) < 0.95 - ALLOWANCE


def test_shares_and_their_variances_are_exact() -> None:
    """Over all counts and noises their mean is the share; the noise adds its variance."""
    channel, n, noise, share = real_channel(1, 4), 20, (3.0,), 0.3
    counts, rate = counts_with(n, noise), channel.flip + share * channel.spread
    chances = np.convolve(stats.binom.pmf(np.arange(n + 1), n, rate), sum_of_noises(noise)[1])
    shares = raw_shares(counts, n, channel)
    assert float(chances @ shares) == pytest.approx(share, abs=1e-9)
    without = rate * (1 - rate) / (n * float(channel.spread) ** 2)
    added = float(chances @ (shares - share) ** 2) - without
    assert released_variance(Noise(noise), n, channel) == pytest.approx(added, rel=1e-6)


@pytest.mark.parametrize("interval", list(Interval))
def test_the_interval_contains_the_raw_share(interval: Interval) -> None:
    """Also for counts below 0 and above n, where it is not clipped."""
    channel, noise = real_channel(2), (20.0,)
    counts = np.array([-150.0, -1.0, 0.0, 3.0, 30.0, 31.0, 300.0])
    shares = raw_shares(counts, 30, channel)
    low, high = released_interval(counts, 30, channel, IntervalRule(interval), Noise(noise))
    assert np.all((low < shares) & (shares < high))
    assert high[0] < 0
    assert low[-1] > 1


@pytest.mark.parametrize("scales", [(2.0,), (20.0, 5.0)])
@pytest.mark.parametrize(("counts", "summed"), [(3, 1), (5, 2), (12, 11), (4, 4)])
def test_a_known_sum_takes_its_part_from_the_noise(
    scales: tuple[float, ...], counts: int, summed: int
) -> None:
    """The variance is that of many drawn noises, and they exceed the bound as often as it says."""
    random = np.random.default_rng(8)
    drawn = np.zeros((60_000, counts))
    for scale in scales:
        one, other = random.geometric(1 - math.exp(-1 / scale), (2, *drawn.shape))
        drawn += one - other
    balanced = np.array([balanced_counts(row, 0, scales)[0] for row in drawn[:50]])
    assert np.abs(balanced.sum(axis=1)).max() < 1e-9
    _, each = balanced_counts(drawn[0], 0, scales)
    noise, found = each.of_sum(summed), (drawn - drawn.mean(axis=1, keepdims=True))[:, :summed]
    total = found.sum(axis=1)
    assert np.allclose(balanced, (drawn - drawn.mean(axis=1, keepdims=True))[:50])
    assert noise.variance == pytest.approx(total.var(), rel=0.04, abs=1e-9)
    assert np.mean(np.abs(total) > noise.bound(0.05) + 1e-9) <= 0.055
    assert np.mean(np.abs(total) > 0.9 * noise.bound(0.05)) > 0.05 or summed == counts
