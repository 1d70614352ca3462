"""Shares and means among all invited people, weighted by their groups."""

import math
from collections.abc import Mapping

import pytest
from scipy import stats

from analysis.invited_groups import YES_NO, Said, grouped, grouped_study, ward, ward_with
from analysis.related import LN3, MUST
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import OneOf, Piecewise, PrivSet, SomeOf, Subset
from sample_definitions import choice, multiple, number, scale, yes_no
from there import there

TWO = {"a": 150, "b": 50}


def test_a_share_is_the_weighted_sum_of_the_groups() -> None:
    """200, 80 and 20 of 300 people: variances add with the squares of these weights."""
    said = {name: {"asthma": counts} for name, counts in (
        ("nurses", [60, 40]), ("doctors", [30, 30]), ("cleaners", [4, 8]),
    )}  # fmt: skip
    found = grouped(grouped_study(YES_NO, said))
    yes, no = found.options
    weights = [200 / 300, 80 / 300, 20 / 300]
    shares = [0.7, 0.5, (1 / 3 - 0.25) / 0.5]
    assert yes.share == pytest.approx(sum(w * f for w, f in zip(weights, shares, strict=True)))
    groups = [estimate.options[0] for _, estimate in found.groups]
    for part in ("mechanism_variance", "sampling_variance"):
        parts = [there(getattr(each, part)) for each in groups]
        expected = sum(w * w * each for w, each in zip(weights, parts, strict=True))
        assert getattr(yes, part) == pytest.approx(expected)
    assert yes.mechanism_variance == pytest.approx(
        sum(w * w * 0.75 / n for w, n in zip(weights, (100, 60, 12), strict=True))
    )
    assert there(yes.share) + there(no.share) == pytest.approx(1)
    assert yes.reports == 172
    assert yes.manipulation_margin == pytest.approx(groups[0].manipulation_margin)
    assert (found.interval, yes.valid_share) == ("score", yes.share)
    assert there(yes.low) < there(yes.share) < there(yes.high)


def test_a_share_outside_0_to_1_stays_as_it_is() -> None:
    """Nothing is clipped but the valid share."""
    said = {name: {"asthma": [0, 12]} for name in ("nurses", "doctors", "cleaners")}
    yes, no = grouped(grouped_study(YES_NO, said)).options
    assert (yes.share, no.share) == (-0.5, 1.5)
    assert (yes.valid_share, no.valid_share) == (0, 1)
    assert there(yes.low) <= -0.5


def test_equal_response_weighs_nothing() -> None:
    """If the same part of each group reports, the weighted share is the plain one."""
    said = {name: {"asthma": counts} for name, counts in (
        ("nurses", [60, 40]), ("doctors", [10, 30]), ("cleaners", [4, 6]),
    )}  # fmt: skip
    study = grouped_study(YES_NO, said)
    plain = study.estimate().questions[0].options[0]
    weighted = grouped(study).options[0]
    assert weighted.share == pytest.approx(plain.share)
    assert weighted.mechanism_variance == pytest.approx(plain.mechanism_variance)


def test_all_kinds_of_options_are_weighted() -> None:
    """Sets of options, sampled bits, "no answer" to a number, margins of crosstabs."""
    sets = PrivSet(SomeOf(4, 2), 1, LN3)
    cases: list[tuple[PublishedSurvey, Mapping[str, Said], str]] = [
        (ward_with(sets, multiple(at_most=2), groups=TWO), {"drugs": [9, 8, 7, 6, 5, 5]}, "score"),
        (
            ward(multiple(**MUST), groups=TWO, epsilon=1),
            {"drugs": {(option, bit): 10 + option for option in range(3) for bit in (0, 1)}},
            "score",
        ),
        (
            ward_with(Piecewise(OneOf(5, True), 4, 3, LN3), number(highest=4), groups=TWO),
            {"visits": [5, 6, 7, 8, 9, 4, 3, 6]},
            "score",
        ),
        (
            ward_with(Subset(4, 1, LN3), yes_no(**MUST), yes_no("limited", **MUST), groups=TWO),
            {"asthma_x_limited": [9, 8, 7, 6]},
            "score",
        ),
        (
            ward_with(Subset(4, 2, LN3), yes_no(**MUST), yes_no("limited", **MUST), groups=TWO),
            {"asthma_x_limited": [20, 18, 14, 8]},
            "normal",
        ),
    ]
    for published, said, kind in cases:
        found = grouped(grouped_study(published, {"a": said, "b": said}))
        assert found.interval == kind
        for index, option in enumerate(found.options):
            groups = [estimate.options[index].share for _, estimate in found.groups]
            expected = 0.75 * there(groups[0]) + 0.25 * there(groups[1])
            assert option.share == pytest.approx(expected)
            assert there(option.low) < expected < there(option.high)


def test_normal_intervals_use_shares_drawn_together() -> None:
    """Of sets in a crosstab the variance is that at shares with four more common reports."""
    published = ward_with(Subset(4, 2, LN3), yes_no(**MUST), yes_no("limited", **MUST), groups=TWO)
    cells = {"a": [20, 18, 14, 8], "b": [2, 4, 2, 2]}
    study = grouped_study(published, {name: {"asthma_x_limited": cells[name]} for name in cells})
    yes = grouped(study).options[0]
    pairs = {"a": 30, "b": 5}
    raw = {name: study.group(name).estimate().questions[0].options[0].share for name in pairs}
    common = sum(pairs[name] * there(raw[name]) for name in pairs) / 35
    total = 0.0
    for name, weight, people in (("a", 0.75, 150), ("b", 0.25, 50)):
        n = pairs[name]
        near = (n * there(raw[name]) + 4 * common) / (n + 4)
        total += weight**2 * variance_of_pairs(near, n, people)
    half = float(stats.norm.isf(0.025)) * math.sqrt(total)
    assert yes.high == pytest.approx(there(yes.share) + half)


def variance_of_pairs(share: float, n: int, people: int) -> float:
    """Of two of four cells' share, reported as pairs at epsilon ln 3, by enumerating the pairs."""
    pairs = [(one, other) for one in range(4) for other in range(one)]
    score = {pair: sum((cell < 2) - 0.0 for cell in pair) for pair in pairs}
    keep = 3 * 3 / (3 * 3 + 3)
    flip = (2 - keep) / 3
    spread = keep - flip

    def moments(answer: int) -> tuple[float, float]:
        weights = {pair: 3.0 if answer in pair else 1.0 for pair in pairs}
        whole = sum(weights.values())
        values = {pair: (score[pair] - 2 * flip) / spread for pair in pairs}
        first = sum(weights[pair] * values[pair] for pair in pairs) / whole
        return first, sum(weights[pair] * values[pair] ** 2 for pair in pairs) / whole

    (one, one_square), (other, other_square) = moments(0), moments(2)
    assert (one, other) == pytest.approx((1, 0))
    mechanism = share * (one_square - 1) + (1 - share) * other_square
    drawn = share * (1 - share) * (people - n) / (people - 1)
    return (mechanism + drawn) / n


def test_a_mean_is_a_ratio_of_two_weighted_sums() -> None:
    """Of 1 to 3 with "no answer": the weighted sum of answers over that of those who answered."""
    published = ward_with(Subset(4, 1, LN3), scale(levels=3), groups=TWO)
    said = {"a": {"stress": [40, 30, 20, 10]}, "b": {"stress": [5, 10, 15, 10]}}
    mean = there(grouped(grouped_study(published, said)).mean)
    spread, flip = 1 / 3, 1 / 6
    shares = {
        name: [(count / sum(counts["stress"]) - flip) / spread for count in counts["stress"]]
        for name, counts in said.items()
    }
    whole = [0.75 * a + 0.25 * b for a, b in zip(shares["a"], shares["b"], strict=True)]
    expected = (whole[0] + 2 * whole[1] + 3 * whole[2]) / sum(whole[:3])
    assert mean.value == pytest.approx(expected)
    assert there(mean.variance) == pytest.approx(
        there(mean.mechanism_variance) + there(mean.sampling_variance)
    )
    half = float(stats.norm.isf(0.025)) * there(mean.standard_error)
    assert there(mean.high) - there(mean.low) == pytest.approx(2 * half, rel=0.02)


def test_a_mean_of_a_number_is_weighted_by_those_who_answered() -> None:
    """If everybody answers it is the weighted mean of the groups, with their variances."""
    published = ward_with(Piecewise(OneOf(5), 4, 3, LN3), number(highest=4, **MUST), groups=TWO)
    said = {
        "a": {"visits": [20, 20, 15, 15, 10, 10, 10]},
        "b": {"visits": [2, 3, 4, 5, 6, 5, 5]},
    }
    found = grouped(grouped_study(published, said))
    mean = there(found.mean)
    first, second = (there(estimate.mean) for _, estimate in found.groups)
    assert mean.value == pytest.approx(0.75 * there(first.value) + 0.25 * there(second.value))
    for part in ("variance", "mechanism_variance", "sampling_variance"):
        one, other = there(getattr(first, part)), there(getattr(second, part))
        assert getattr(mean, part) == pytest.approx(0.75**2 * one + 0.25**2 * other)


def test_a_mean_without_enough_reports_says_so() -> None:
    """A single report of a group has no variance, and no report of one no mean for all."""
    published = ward_with(Piecewise(OneOf(5), 4, 3, LN3), number(highest=4, **MUST), groups=TWO)
    few = {"a": {"visits": [20, 20, 15, 15, 10, 10, 10]}, "b": {"visits": [1]}}
    mean = there(grouped(grouped_study(published, few)).mean)
    assert mean.value is not None
    assert (mean.variance, mean.low) == (None, None)
    one = {"a": few["a"]}
    assert there(grouped(grouped_study(published, one)).mean).value is None
    ends = ward_with(Piecewise(OneOf(5), 1, 1, LN3), number(highest=4, **MUST), groups=TWO)
    rough = {name: {"visits": [15, 25]} for name in TWO}
    mean = there(grouped(grouped_study(ends, rough)).mean)
    assert mean.variance is not None
    assert mean.sampling_variance is None
    assert (
        grouped(grouped_study(ward(choice(**MUST), groups=TWO), {"a": {"region": [5, 5, 5]}})).mean
        is None
    )


def test_nobody_answering_leaves_every_mean_possible() -> None:
    """Where the weighted share of those who answered is not above 0, it may be anything."""
    published = ward_with(Subset(4, 1, LN3), scale(levels=3), groups=TWO)
    said = {name: {"stress": [0, 0, 0, 30]} for name in TWO}
    mean = there(grouped(grouped_study(published, said)).mean)
    assert (mean.low, mean.high, mean.variance) == (1, 3, None)
