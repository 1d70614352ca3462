"""Design weights: exact on small tables, and covered with effective counts."""

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy import stats

from analysis.known.numbers import KnownNumber, known
from deniable_analysis import Channel, Interval, IntervalRule, share_interval, weighted_shares
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate import total_variance
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights, integer_weights
from sampling_checks import SampleRejected, check_binomial

WARNER = Channel.of(Subset(2, 1, Weights(3, 1))).rounded()


def one_hot(answers: list[int], options: int = 2) -> np.ndarray:
    """Support of reports of single options."""
    return np.eye(options)[answers]


def test_equal_weights_change_nothing() -> None:
    """With equal weights shares, intervals and variances are the unweighted ones."""
    support = one_hot([0] * 40 + [1] * 60)
    found = weighted_shares(support, np.full(100, 2.5), WARNER)
    low, high = share_interval([40, 60], 100, WARNER)
    assert found.shares == pytest.approx([0.3, 0.7])
    assert found.variance == pytest.approx(total_variance(found.shares, 100, WARNER))
    assert found.mechanism_variance + found.sampling_variance == pytest.approx(found.variance)
    assert found.sampling_variance == pytest.approx([0.0021, 0.0021])
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)
    assert found.design_effect == pytest.approx(1)
    assert found.effective_count == pytest.approx(100)
    assert found.standard_errors == pytest.approx(np.sqrt(found.variance))


@pytest.mark.parametrize("number", known("kish_deff_example"))
def test_the_design_effect_is_kishs(number: KnownNumber) -> None:
    """Weights 1, 1, 2 and 4 cost what they are known to, also beside a weight of 0."""
    weights = number.inputs["weights"]
    found = weighted_shares(one_hot([0, 1, 1, 0]), weights, WARNER)
    assert found.design_effect == pytest.approx(number.expected, abs=number.tolerance)
    more = weighted_shares(one_hot([0, 1, 1, 0, 0]), [*weights, 0], WARNER)
    assert more.design_effect == pytest.approx(number.expected)
    assert more.shares == pytest.approx(found.shares)


def test_shares_and_variances_are_hajeks() -> None:
    """Both are their definitions over scores, report by report."""
    answers, weights = [0, 1, 1, 0, 1], np.array([1.0, 2.0, 0.5, 3.0, 1.5])
    found = weighted_shares(one_hot(answers), weights, WARNER)
    scores = (one_hot(answers) - 0.25) / 0.5
    share = weights @ scores / weights.sum()
    assert found.shares == pytest.approx(share)
    assert found.variance == pytest.approx(weights**2 @ (scores - share) ** 2 / weights.sum() ** 2)
    noise = (share * 0.1875 + (1 - share) * 0.1875) / 0.25
    assert found.mechanism_variance == pytest.approx(
        noise * (weights**2).sum() / weights.sum() ** 2
    )


def test_clopper_pearson_takes_effective_counts() -> None:
    """Its ends are beta quantiles at the weighted count, which is no whole number."""
    weights = [1.0, 1.0, 2.0, 4.0]
    found = weighted_shares(
        one_hot([0, 1, 1, 0]),
        weights,
        WARNER,
        IntervalRule(Interval.CLOPPER_PEARSON),
    )
    n = 64 / 22
    high = stats.beta.isf(0.025, 5 / 8 * n + 1, n - 5 / 8 * n)
    assert found.high[0] == pytest.approx((high - 0.25) / 0.5)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], r"got weights of shape \(2,\) for support of shape \(3, 2\)"),
        ([1, 2, -1], "got 1 negative weights of 3; allowed are 0 and more"),
        ([1, float("nan"), 1], "one with a weight that is not a finite number; allowed"),
        (["x", "y", "z"], "^weights: got something of the type list, or one with a weight that"),
        ([0, 0, 0], "allowed are 0 and more, not all 0"),
    ],
)
def test_weights_that_no_design_gives_are_refused(weights: list[Any], message: str) -> None:
    """Missing, negative, infinite and all-zero weights each get an error that says so."""
    with pytest.raises(InvalidArgument, match=message):
        weighted_shares(one_hot([0, 1, 0]), weights, WARNER)


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e300, 1.7e308])
def test_the_size_of_weights_does_not_matter(size: float) -> None:
    """Only how weights relate to each other counts, however large or small they are."""
    support = one_hot([0, 1, 0, 0])
    plain = weighted_shares(support, [1, 1, 1, 1], WARNER)
    found = weighted_shares(support, [size] * 4, WARNER)
    assert found.shares == pytest.approx(plain.shares)
    assert found.variance == pytest.approx(plain.variance)
    assert found.low == pytest.approx(plain.low)
    assert found.high == pytest.approx(plain.high)
    assert found.effective_count == pytest.approx(4)


def hits(number: KnownNumber, source: Random, surveys: int, effective: bool) -> int:
    """How many simulated surveys with uneven weights cover the share."""
    mechanism = Subset(2, 1, integer_weights(Fraction(1)))
    channel, share, n = Channel.of(mechanism).rounded(), number.inputs["f"], number.inputs["n"]
    generator = np.random.default_rng(source.getrandbits(64))
    rate = float(channel.flip) + share * float(channel.spread)
    covered = 0
    for _ in range(surveys):
        weights = generator.lognormal(0, 0.6, size=n)
        support = (generator.random(n) < rate)[:, None]
        found = weighted_shares(support, weights, channel)
        low, high = found.low[0], found.high[0]
        if not effective:
            width = (high - low) / 2 / np.sqrt(found.design_effect) ** 2
            low, high = found.shares[0] - width, found.shares[0] + width
        covered += low <= share <= high
    return covered


@pytest.mark.parametrize("number", known("weighted_wilson_neff_coverage"))
def test_wilson_with_effective_counts_covers(number: KnownNumber, random_source: Random) -> None:
    """Uneven weights are covered as often as an independent simulation found."""
    check_binomial(hits(number, random_source, 1000, effective=True), 1000, number.expected)


def test_intervals_that_forget_the_weights_are_caught(random_source: Random) -> None:
    """Intervals too narrow by the design effect are rejected."""
    (number, *_) = known("weighted_wilson_neff_coverage")[0].values
    wrong = hits(number, random_source, 1000, effective=False)
    with pytest.raises(SampleRejected):
        check_binomial(wrong, 1000, 0.9465)


@pytest.mark.parametrize("wrong", [2, -1, 0.5, np.nan, "x"])
def test_support_that_is_neither_0_nor_1_is_refused(wrong: object) -> None:
    """A report supports an option or not, and the message says so without the value."""
    with pytest.raises(InvalidArgument, match=r"^got support that is neither 0 nor 1 somewhere; "):
        weighted_shares(np.array([[wrong], [0.0]], dtype=object), [1, 1], WARNER)
