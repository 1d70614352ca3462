"""Quantiles of scales and numbers: their tests are exact, and their intervals short."""

import json
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from analysis.enumerated import with_mechanism
from analysis.related import MUST, channel_matrix, counted_study
from deniable_analysis import Study
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_sdk import compile_survey, theory
from deniable_sdk.mechanisms import OneOf, Piecewise, Subset
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import choice, number, scale, survey
from sampling_checks import SampleRejected, check_binomial

LN3 = Weights(3, 1)


def levels(counts: list[int], size: int = 1, **keys: Any) -> Study:
    """A study of a scale."""
    asked = scale(levels=len(counts) - (not keys.get("required")), **keys)
    published = with_mechanism(Subset(len(counts), size, LN3), asked)
    return counted_study(published, stress=counts)


def test_quantiles_are_those_of_the_valid_shares() -> None:
    """The quantile is the first level that at least so many do not exceed."""
    counts = channel_matrix(Subset(4, 1, LN3)) @ np.array([0.1, 0.35, 0.3, 0.25]) * 60_000
    found = levels([round(each) for each in counts], **MUST).quantiles("stress")
    assert [each.value for each in found.quantiles] == ["2", "3", "3"]
    assert [each.probability for each in found.quantiles] == [0.25, 0.5, 0.75]
    assert all(each.low <= each.value <= each.high for each in found.quantiles)


def test_an_interval_of_a_quantile_leaves_out_what_is_rejected() -> None:
    """From the first level that is not clearly below to the first that is clearly above."""
    counts = [90, 130, 140, 120, 100]
    (median,) = levels(counts, **MUST).quantiles("stress", [0.5]).quantiles
    mechanism = Subset(5, 1, LN3)
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    tests = []
    for level in (1, 2, 3, 4):
        rate = level * flip + (keep - flip) / 2
        for side in ("less", "greater"):
            test = binomtest(sum(counts[:level]), sum(counts), rate, alternative=side)
            tests.append((str(level), test.pvalue, side))
    below = [level for level, missed, side in tests if side == "less" and missed <= 0.025]
    above = [level for level, missed, side in tests if side == "greater" and missed <= 0.025]
    assert median.low == str(len(below) + 1)
    assert median.high == (min(above) if above else "5")


def test_few_reports_give_the_whole_scale() -> None:
    """With little information nothing is rejected, and the interval says so."""
    (median,) = levels([3, 2, 4, 3, 3], **MUST).quantiles("stress", [0.5]).quantiles
    assert (median.low, median.high) == ("1", "5")


def test_quantiles_of_numbers_come_from_the_places() -> None:
    """Shares by the channel's inverse are unbiased; the likeliest distribution's is the value."""
    mechanism = Piecewise(OneOf(6), 5, 3, LN3)
    truth = np.array([0.1, 0.1, 0.3, 0.3, 0.1, 0.1])
    law = matrix_of_channel(mechanism)
    counts = np.rint(law @ truth * 400_000).astype(int).tolist()
    published = with_mechanism(mechanism, number(highest=5, **MUST))
    found = counted_study(published, visits=counts).quantiles("visits", [0.25, 0.65])
    assert [each.value for each in found.quantiles] == ["2", "3"]
    assert [each.low for each in found.quantiles] == ["2", "3"]


def matrix_of_channel(mechanism: Piecewise) -> np.ndarray:
    """(outputs, answers) of a mechanism."""
    return np.array(list(theory.channel(mechanism).values()), dtype=np.float64)


def test_quantiles_have_all_forms() -> None:
    """A table, a document and a frame."""
    found = levels([90, 130, 140, 120, 100], **MUST).quantiles("stress")
    assert str(found).startswith(
        "stress: 580 reports; quantiles of those who answered, 0.95 intervals\npart  quantile"
    )
    assert found.to_document()["quantiles"][1]["probability"] == 0.5
    assert found.to_frame()["probability"].tolist() == [0.25, 0.5, 0.75]


def test_quantiles_that_make_no_sense_are_refused() -> None:
    """No order, no shares, no reports and no probabilities."""
    study = levels([90, 130, 140, 120, 100], **MUST)
    with pytest.raises(NotIdentified, match=r"question 'when' \(choice\) has no order"):
        counted_study(survey(choice("when", 4))).quantiles("when")
    rounded = with_mechanism(Piecewise(OneOf(5), 1, 1, LN3), number(highest=4, **MUST))
    with pytest.raises(
        NotIdentified, match="to 2 positions of 5, so it has no quantiles and no distribution"
    ):
        counted_study(rounded, visits=[5, 5]).quantiles("visits")
    waved = with_mechanism(Piecewise(OneOf(5), 4, 3, LN3), number(highest=4, **MUST))
    with pytest.raises(NotIdentified, match="no report of health@1 carries question 'visits' yet"):
        counted_study(waved, visits=[0]).quantiles("visits")
    for wrong in ([], [0.5, 1.0], [-0.1]):
        with pytest.raises(InvalidArgument, match=rf"got {len(wrong)} probabilities, "):
            study.quantiles("stress", wrong)
    with pytest.raises(InvalidArgument, match="confidence: got 1"):
        study.quantiles("stress", confidence=1)


def of_scale(size: int, epsilon: str, **keys: Any) -> PublishedSurvey:
    """A scale of 4 levels, with "no answer" unless it is required."""
    options = 5 - bool(keys)
    mechanism = Subset(options, size, integer_weights(Fraction(epsilon)))
    return with_mechanism(mechanism, scale(levels=4, **keys))


def of_number(epsilon: str, **keys: Any) -> PublishedSurvey:
    """A number from 0 to 8, with "no answer" unless it is required."""
    mechanism = Piecewise(OneOf(9, not keys), 8, 3, integer_weights(Fraction(epsilon)))
    return with_mechanism(mechanism, number(highest=8, **keys))


def misses(published: PublishedSurvey, source: Random, confidence: float, reports: int) -> int:
    """How many of 100 simulated surveys leave out a true quartile, of three.

    Each true cumulative share of a scale is one of the parts, so that the tests have the
    most wrong rejections.
    """
    (block,) = published.blocks
    question, channel = block.questions[0], theory.channel(block.mechanism)
    truth = np.full(block.domain.size, 0.0)
    levels = len(question.names) - question.offers_no_answer
    truth[np.linspace(0, levels - 1, 4).astype(int)] = 0.25
    if question.offers_no_answer:
        truth *= 0.7
        truth[-1] = 0.3
    law = np.array(list(channel.values()), dtype=np.float64) @ truth
    said = np.zeros((len(channel), block.domain.size + block.domain.size * (levels == 9)))
    for row, output in zip(said, channel, strict=True):
        row[json.loads(output)] = 1
    cumulative = np.cumsum(truth[:levels]) / truth[:levels].sum()
    generator, missed = np.random.default_rng(source.getrandbits(64)), 0
    for counts in generator.multinomial(reports, law / law.sum(), size=100):
        things = {place: int(count) for place, count in enumerate(counts @ said) if count}
        study = counted_study(published, **{question.id: things})
        for found in study.quantiles(question.id, confidence=confidence).quantiles:
            true = int(np.searchsorted(cumulative, found.probability - 1e-12))
            ends = [question.names.index(end) for end in (found.low, found.value, found.high)]
            assert ends == sorted(ends)
            missed += not ends[0] <= true <= ends[2]
    return missed


@pytest.mark.parametrize("reports", [5, 20, 400])
@pytest.mark.parametrize(
    "published",
    [
        of_scale(1, "8"),
        of_scale(1, "1", **MUST),
        of_scale(2, "0.5"),
        of_number("8"),
        of_number("2", **MUST),
    ],
    ids=lambda published: str(published.blocks[0].mechanism.to_document()),
)
def test_intervals_of_quantiles_miss_no_more_than_they_say(
    published: PublishedSurvey, reports: int, random_source: Random
) -> None:
    """However few reports there are; and none is refused."""
    assert misses(published, random_source, 0.95, reports) <= 0.05 * 300


def test_intervals_of_little_confidence_are_caught(random_source: Random) -> None:
    """At a confidence of 1 % true quartiles are missed clearly more than 5 % of the time."""
    missed = misses(of_scale(1, "2"), random_source, 0.01, 100)
    with pytest.raises(SampleRejected):
        check_binomial(missed, 300, 0.05)


@pytest.mark.parametrize(
    ("epsilon", "reports", "half"), [(1, 5000, 15), (2, 1000, 16), (2, 5000, 9.5)]
)
def test_intervals_of_numbers_are_as_short_as_steps_over_several_levels_make_them(
    epsilon: int, reports: int, half: float
) -> None:
    """At the expected counts; with one sharp step they were 2 to 7 times as long."""
    definition = {"title": "T", "slug": "t", "epsilon": epsilon}
    published = compile_survey({**definition, "questions": [number(highest=100, **MUST)]})
    (block,) = published.blocks
    law = np.array(list(theory.channel(block.mechanism).values()), np.float64).mean(axis=1)
    counts = np.diff(np.rint(np.append(0, np.cumsum(law)) * reports)).astype(int).tolist()
    (found,) = counted_study(published, visits=counts).quantiles("visits", [0.5]).quantiles
    assert found.value == "50"
    assert int(found.high) - int(found.low) <= 2 * half
