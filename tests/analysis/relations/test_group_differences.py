"""Differences between the groups of invited people, with their tests."""

import dataclasses
import math

import pytest
from scipy import stats

from analysis.invited_groups import STUDY, grouped_study, ward_with
from analysis.related import LN3, MUST
from deniable_analysis import compare
from deniable_sdk.mechanisms import OneOf, Piecewise, Subset
from sample_definitions import choice, number, yes_no
from there import there


def test_groups_are_compared_as_studies_are() -> None:
    """The differences of by_group are those of compare, but for the adjustment over pairs."""
    found = there(STUDY.estimate(by_group=True).by_group).questions[0].differences
    pairs = [("nurses", "doctors"), ("nurses", "cleaners"), ("doctors", "cleaners")]
    assert [each.groups for each in found] == [pair for pair in pairs for _ in range(2)]
    for first, second in pairs:
        options = compare(STUDY.group(first), STUDY.group(second), "asthma").options
        mine = [each for each in found if each.groups == (first, second)]
        for one, other in zip(options, mine, strict=True):
            numbers = dataclasses.asdict(other)
            del numbers["groups"]
            assert {**numbers, "adjusted_p_value": None} == {
                **dataclasses.asdict(one), "adjusted_p_value": None,
            }  # fmt: skip
    assert compare(STUDY.group("nurses"), STUDY.group("doctors"), "asthma").first == (
        "ward@1 nurses"
    )


def test_tests_between_groups_know_the_population() -> None:
    """With a common rate of 90 in 160, the sampling part is that of samples of 200 and 80."""
    difference = there(STUDY.estimate(by_group=True).by_group).questions[0].differences[0]
    rate = 90 / 160
    share = (rate - 0.25) / 0.5
    mechanism = (rate * (1 - rate) / 0.25 - share * (1 - share)) * (1 / 100 + 1 / 60)
    drawn = share * (1 - share) * (100 / 199 / 100 + 20 / 79 / 60)
    z = (0.7 - 0.5) / math.sqrt(mechanism + drawn)
    assert difference.z == pytest.approx(z)
    assert difference.p_value == pytest.approx(2 * stats.norm.sf(z))


def test_p_values_are_adjusted_over_all_pairs() -> None:
    """Holm over the three pairs of a yes/no question; its second option is no test of its own."""
    found = there(STUDY.estimate(by_group=True).by_group).questions[0].differences
    p_values = sorted(there(each.p_value) for each in found[::2])
    smallest = min(found, key=lambda each: there(each.p_value))
    assert smallest.adjusted_p_value == pytest.approx(min(1, 3 * p_values[0]))
    for yes, no in zip(found[::2], found[1::2], strict=True):
        assert no.adjusted_p_value == yes.adjusted_p_value
    three = grouped_study(
        ward_with(Subset(3, 1, LN3), choice(options=3, **MUST)),
        {"nurses": {"region": [50, 30, 20]}, "doctors": {"region": [20, 20, 20]}},
    )
    options = there(three.estimate(by_group=True).by_group).questions[0].differences
    least = min(there(each.p_value) for each in options)
    assert min(there(each.adjusted_p_value) for each in options) == pytest.approx(3 * least)


def test_means_of_groups_are_compared_too() -> None:
    """A difference of means has a p-value that is adjusted over the pairs alone."""
    published = ward_with(Piecewise(OneOf(5), 4, 3, LN3), number(highest=4, **MUST))
    said = {
        "nurses": {"visits": [20, 40, 60, 50, 30, 20, 10]},
        "doctors": {"visits": [5, 10, 10, 10, 20, 15, 9]},
    }
    differences = (
        there(grouped_study(published, said).estimate(by_group=True).by_group)
        .questions[0]
        .differences
    )
    (mean,) = differences
    assert mean.name == "mean"
    assert mean.adjusted_p_value == mean.p_value


def test_only_the_clearest_of_many_differences_are_printed() -> None:
    """All are in the frame; the table has 30, and says how many more there are."""
    groups = {f"g{index}": 50 for index in range(9)}
    published = ward_with(Subset(2, 1, LN3), yes_no(**MUST), groups=groups)
    said = {name: {"asthma": [20 + index, 20]} for index, name in enumerate(groups)}
    found = there(grouped_study(published, said).estimate(by_group=True).by_group)
    text = str(found)
    assert len(found.differences_to_frame()) == 72
    assert text.count(" - g") == 30
    assert "yes: g0 - g8" in text
    assert "42 differences with larger p-values: see differences_to_frame()" in text
