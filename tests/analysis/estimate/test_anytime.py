"""Intervals that hold at every look, beside checked numbers and in surveys that are watched."""

import numpy as np
import pytest

from deniable_analysis.estimate.anytime import (
    anytime_ends,
    anytime_p_values,
    anytime_sum,
    log_capital,
    prior_for,
)
from deniable_analysis.estimate.anytime_means import anytime_mean
from deniable_analysis.estimate.choice import IntervalRule
from deniable_analysis.estimate.intervals import rate_interval

# (support, reports, worth of the prior, missed): ends by bisection of the exact ratio.
SHARES = {
    (0, 50, 500, 0.05): (0.0, 0.5754883454569577),
    (3, 10, 100, 0.05): (0.003563016996150814, 0.9566249944478479),
    (420, 1000, 500, 0.05): (0.36981163367731523, 0.4713471479963129),
    (5000, 10000, 500, 0.05): (0.4846010274189994, 0.5153989725809817),
    (2, 1000, 500, 0.05): (1.1252722954297452e-05, 0.011099528549728316),
    (420, 1000, 500, 0.01): (0.3597512568772669, 0.48200147652731284),
    (0, 50, 50, 0.05): (0.0, 0.17075499301783836),
    (420, 1000, 50, 0.05): (0.37242732191626715, 0.4684463328907521),
}
# Width divided by that of Wilson's interval, at a rate of 0.27, by number of reports.
WIDTHS = {
    60: 1.760497686331221,
    100: 1.6517351186139893,
    300: 1.5517179067309523,
    1_000: 1.5720162694119884,
    3_000: 1.6358794620850312,
    10_000: 1.7198734068546742,
    100_000: 1.8824646274706227,
    1_000_000: 2.0350619731212194,
}
# (support, reports) of two groups, and the ends for the difference of their rates.
DIFFERENCES = {
    ((560, 1000), (500, 1000)): (-0.019525224938336194, 0.1391305048467859),
    ((3000, 10000), (2700, 10000)): (0.003913968088295694, 0.05607385634393125),
    ((450, 1500), (900, 4000)): (0.02466863659666391, 0.12686833176167228),
}
# Ends for a mean of 31 values by number of reports, of which the middle ones are likelier.
MEANS = {
    100: (0.3555511097603234, 0.533037521995768),
    1_000: (0.41237408492486755, 0.463214902073488),
    10_000: (0.42875648280195605, 0.44587820871888767),
    100_000: (0.4343100455626784, 0.4402722083070024),
}
CERTAIN = (1.0, 0.0)


@pytest.mark.parametrize("case", SHARES, ids=str)
def test_ends_of_a_rate_equal_the_checked_ones(case: tuple[int, int, int, float]) -> None:
    """The checked ends are bisected from the exact ratio of likelihoods."""
    support, reports, prior, missed = case
    low, high = anytime_ends([support], reports, missed, prior)
    assert (low[0], high[0]) == pytest.approx(SHARES[case], abs=1e-9)


def test_the_capital_equals_the_checked_one() -> None:
    """The logarithm of the mean likelihood ratio at one rate."""
    found = log_capital(0.45, 420, 1000)
    assert found == pytest.approx(0.21966489135769507, abs=1e-9)


@pytest.mark.parametrize("reports", WIDTHS)
def test_an_interval_is_as_much_wider_than_wilson_s_as_checked(reports: int) -> None:
    """The ratio is smallest at about eight times the reports that the prior is worth."""
    support = round(0.27 * reports)
    low, high = anytime_ends([support], reports, 0.05)
    fixed_low, fixed_high = rate_interval(np.array([support / reports]), reports, IntervalRule())
    ratio = (high - low) / (fixed_high - fixed_low)
    assert ratio[0] == pytest.approx(WIDTHS[reports], abs=1e-6)


def test_an_interval_is_at_most_1_9_times_as_wide_as_for_one_look() -> None:
    """From 60 to 100,000 reports, if 5 to 95 percent support the option, and 15 do and do not."""
    for reports in (60, 80, 300, 1_000, 10_000, 100_000):
        least = max(15, 0.05 * reports)
        support = np.unique(np.geomspace(least, reports - least, 60).round())
        low, high = anytime_ends(support, reports, 0.05)
        fixed_low, fixed_high = rate_interval(support / reports, reports, IntervalRule())
        assert ((high - low) / (fixed_high - fixed_low)).max() < 1.9


@pytest.mark.parametrize("groups", DIFFERENCES, ids=str)
def test_ends_of_a_difference_equal_the_checked_ones(
    groups: tuple[tuple[int, int], tuple[int, int]],
) -> None:
    """A difference is a sum with the weights 1 and -1."""
    (support, reports), (other_support, other_reports) = groups
    counts, sizes = [[support], [other_support]], [reports, other_reports]
    low, high = anytime_sum(counts, sizes, [1, -1], 0.05)
    assert (low[0], high[0]) == pytest.approx(DIFFERENCES[groups], abs=1e-7)


@pytest.mark.parametrize("support", [0, 1, 3, 420, 999, 1000])
def test_the_sum_of_one_group_is_its_own_interval(support: int) -> None:
    """Also where no report supports the option, or all do."""
    low, high = anytime_sum([[support]], [1000], [1], 0.05)
    own_low, own_high = anytime_ends([support], 1000, 0.05)
    assert (low[0], high[0]) == pytest.approx((own_low[0], own_high[0]), abs=1e-9)
    above, below = anytime_sum([[support]], [1000], [-2], 0.05)
    assert (above[0], below[0]) == pytest.approx((-2 * own_high[0], -2 * own_low[0]), abs=1e-9)


@pytest.mark.parametrize("reports", [50, 1000, 137_600])
def test_groups_in_which_all_support_are_compared(reports: int) -> None:
    """Next to 1, what is left of a rate is not rounded away beside the number of reports."""
    low, high = anytime_sum([[reports], [reports]], [reports, reports], [1, -1], 0.05)
    _, furthest = anytime_ends([0], reports, 0.05)
    assert (low[0], high[0]) == pytest.approx((-furthest[0], furthest[0]), rel=1e-6)


def test_the_ends_of_a_sum_are_the_last_that_the_capital_allows() -> None:
    """Three groups, searched by a grid over two rates and the third at its own end."""
    counts, sizes, weights = np.array([30, 400, 90]), np.array([200, 900, 150]), [0.2, 0.5, 0.3]
    low, high = anytime_sum(counts[:, None], sizes, weights, 0.05)
    first, second = (rates.ravel() for rates in np.meshgrid(*[np.linspace(0.01, 0.99, 600)] * 2))
    spent = log_capital(first, 30, 200) + log_capital(second, 400, 900)
    third = np.linspace(0.01, 0.99, 600)
    own = log_capital(third, 90, 150)
    start = int(np.argmin(own))
    left = -np.log(0.05) - spent
    inside = left > own[start]
    falling, rising = own[: start + 1][::-1], own[start:]
    least = third[start - np.searchsorted(falling, left[inside]) + 1]
    most = third[start + np.searchsorted(rising, left[inside]) - 1]
    rest = weights[0] * first[inside] + weights[1] * second[inside]
    assert (rest + weights[2] * least).min() == pytest.approx(low[0], abs=2e-3)
    assert (rest + weights[2] * most).max() == pytest.approx(high[0], abs=2e-3)


def test_p_values_agree_with_the_interval_of_the_difference() -> None:
    """The interval at level p has 0 at its end; equal rates have a p-value of 1."""
    for support, reports in (((560, 500), (1000, 1000)), ((3000, 2700), (10_000, 10_000))):
        counts = np.array(support)[:, None]
        (p_value,) = anytime_p_values(counts, reports, (CERTAIN, CERTAIN))
        low, _ = anytime_sum(counts, reports, [1, -1], p_value)
        assert low[0] == pytest.approx(0, abs=1e-7)
    assert anytime_p_values([[50], [500]], [100, 1000], (CERTAIN, CERTAIN)) == 1
    # Equal shares under different channels.
    noisy = [[250 + 300], [100 + 480]]
    assert anytime_p_values(noisy, [1000, 1000], ((0.75, 0.25), (0.9, 0.1))) == 1


def _likely(reports: int) -> np.ndarray:
    """The expected counts of 31 values, from 0 to 1, of which the middle ones are likelier."""
    likely = np.ones(31)
    likely[5:16] = 2.7
    return np.asarray(reports * likely / likely.sum())


@pytest.mark.parametrize("reports", MEANS)
def test_ends_of_a_mean_equal_the_checked_ones(reports: int) -> None:
    """Everybody answers, with values from 0 to 1."""
    counts = np.round(_likely(reports))
    found = anytime_mean((np.arange(31) / 30, np.ones(31)), counts, (0, 1), 0.05)
    assert found == pytest.approx(MEANS[reports], abs=1e-8)


@pytest.mark.parametrize("reports", [60, 100, 1_000, 10_000, 100_000])
def test_a_mean_is_at_most_1_9_times_as_wide_as_for_one_look(reports: int) -> None:
    """The standard deviation is a quarter of the scale."""
    values, counts = np.arange(31) / 30, _likely(reports)
    low, high = anytime_mean((values, np.ones(31)), counts, (0, 1), 0.05)
    assert low is not None
    assert high is not None
    deviation = np.sqrt(np.cov(values, aweights=counts, bias=True) / reports)
    assert (high - low) / (2 * 1.96 * deviation) < 1.9


@pytest.mark.parametrize("planned", [60, 400, 5_000, 100_000])
def test_a_share_is_at_most_1_6_times_as_wide_at_the_planned_number(planned: int) -> None:
    """With the prior for this number of reports, whatever it is."""
    support = np.unique(np.geomspace(15, planned - 15, 30).round())
    low, high = anytime_ends(support, planned, 0.05, prior_for(planned))
    fixed_low, fixed_high = rate_interval(support / planned, planned, IntervalRule())
    assert ((high - low) / (fixed_high - fixed_low)).max() < 1.6


@pytest.mark.parametrize("planned", [200, 2_000, 20_000, 200_000])
def test_a_mean_is_at_most_1_65_times_as_wide_at_the_planned_number(planned: int) -> None:
    """With the bets for this number of reports."""
    values, counts = np.arange(31) / 30, _likely(planned)
    low, high = anytime_mean((values, np.ones(31)), counts, (0, 1), 0.05, planned=planned)
    assert low is not None
    assert high is not None
    deviation = np.sqrt(np.cov(values, aweights=counts, bias=True) / planned)
    assert (high - low) / (2 * 1.96 * deviation) < 1.65


@pytest.mark.parametrize("planned", [0.01, 1, 10**9])
def test_an_unlikely_plan_makes_intervals_wide_and_never_wrong(planned: float) -> None:
    """They contain the estimate, and are wider than with a likely plan."""
    low, high = anytime_ends([270], 1000, 0.05, prior_for(planned))
    near, far = anytime_ends([270], 1000, 0.05, prior_for(1000))
    assert 0 <= low[0] < near[0] < 0.27 < far[0] < high[0] <= 1


def test_a_mean_among_those_who_answered_is_between_its_ends() -> None:
    """Kinds of reports: 0, 1 and 2, and one that says "no answer" most of the time."""
    above, below = np.array([-0.2, 1.3, 2.7, -0.1]), np.array([1.2, 1.2, 1.2, -0.3])
    counts = np.array([3_000, 5_000, 2_000, 1_500])
    low, high = anytime_mean((above, below), counts, (-1, 3), 0.05)
    estimate = counts @ above / (counts @ below)
    assert low is not None
    assert high is not None
    assert low < estimate < high < low + 0.2


def test_a_mean_that_nothing_excludes_has_no_ends() -> None:
    """Two reports exclude hardly any mean between 0 and 1, and none between 0.4 and 0.6."""
    low, high = anytime_mean(([0, 1], [1, 1]), [1, 1], (0.0, 1.0), 0.05)
    assert low is not None
    assert high is not None
    assert 0 < low < 0.06
    assert 0.94 < high < 1
    wide = anytime_mean(([0, 1], [1, 1]), [1, 1], (0.4, 0.6), 0.05)
    assert wide == (None, None)


def _watched(rate: float, looks: np.ndarray, surveys: int) -> np.ndarray:
    """(surveys, looks) numbers of supporting reports of surveys that are watched."""
    random = np.random.default_rng(20261123)
    new = random.binomial(np.diff(looks, prepend=0), rate, (surveys, len(looks)))
    return np.asarray(new.cumsum(axis=1))


def _always_covers(
    rate: float,
    looks: np.ndarray,
    counts: np.ndarray,
    *,
    anytime: bool,
    planned: float | None = None,
) -> float:
    """The part of the surveys in which every look's interval contains the rate."""
    inside = np.ones(len(counts), dtype=np.bool_)
    for look, reports in enumerate(looks.tolist()):
        if anytime:
            capital = log_capital(rate, counts[:, look], reports, prior_for(planned))
            inside &= capital < -np.log(0.05)
        else:
            low, high = rate_interval(counts[:, look] / reports, reports, IntervalRule())
            inside &= (low <= rate) & (rate <= high)
    return float(inside.mean())


LOOKS = np.unique(np.geomspace(10, 100_000, 200).round().astype(int))


@pytest.mark.sweep
@pytest.mark.parametrize("rate", [0.02, 0.27, 0.5])
def test_all_of_200_looks_contain_the_rate_as_often_as_they_say(rate: float) -> None:
    """An interval for one look, watched as often, does not: the test can fail."""
    counts = _watched(rate, LOOKS, 2_000)
    for planned in (None, 20, 2_000, 200_000):
        assert _always_covers(rate, LOOKS, counts, anytime=True, planned=planned) > 0.95
    assert _always_covers(rate, LOOKS, counts, anytime=False) < 0.7


@pytest.mark.deep
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("options", [2, 3, 5, 10, 20])
def test_watched_shares_are_covered(options: int, epsilon: float) -> None:
    """Randomized response with k options, shares from 0 to 1."""
    keep = np.exp(epsilon) / (np.exp(epsilon) + options - 1)
    flip = (1 - keep) / (options - 1)
    for share in (0.0, 0.01, 0.05, 0.2, 0.5, 0.9, 1.0):
        rate = flip + share * (keep - flip)
        counts = _watched(rate, LOOKS, 4_000)
        assert _always_covers(rate, LOOKS, counts, anytime=True) >= 0.95
