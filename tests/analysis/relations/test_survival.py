"""Survival curves from interval answers, and quantiles of ordered ones."""

import math
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from analysis.enumerated import with_mechanism
from analysis.known.numbers import KnownNumber, known
from analysis.related import MUST, channel_matrix, counted_study
from deniable_analysis import (
    Channel,
    InvalidConfidence,
    InvalidCounts,
    NotIdentified,
    QuestionNotFound,
    Study,
    total_variance,
)
from deniable_analysis.estimators.outputs import inverted_shares
from deniable_analysis.mechanisms.basis import merged_channel
from deniable_sdk import theory
from deniable_sdk.mechanisms import OneOf, Piecewise, Subset
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import choice, multiple, number, scale, survey
from sampling_checks import SampleRejected, check_binomial
from there import there

LN3 = Weights(3, 1)


@pytest.mark.parametrize("number", known("survival_point_n_var_GRR"))
def test_a_point_of_the_curve_has_the_variance_that_is_known(number: KnownNumber) -> None:
    """The later cells merged have one binomial channel."""
    inputs = number.inputs
    mechanism = Subset(inputs["k"], 1, integer_weights(Fraction(inputs["eps"])))
    channel: Channel = merged_channel(mechanism, inputs["cells_after"])
    found = float(total_variance(inputs["S"], 1, channel))
    assert found == pytest.approx(number.expected, rel=1e-8)


def years(counts: list[int], size: int = 1, **keys: object) -> Study:
    """A study of intervals o0 to o2, then "not yet" as o3."""
    options = len(counts)
    asked = choice("when", 4, **keys)
    published = with_mechanism(Subset(options, size, LN3), asked)
    return counted_study(published, when=counts)


def test_the_curve_sums_the_later_options() -> None:
    """What is left after an interval are the later ones, with Wilson's interval."""
    found = years([200, 250, 150, 400], **MUST).survival("when")
    shares = (np.array([200, 250, 150, 400]) / 1000 - 1 / 6) / (1 / 3)
    assert [point.share for point in found.points] == pytest.approx(
        [shares[1:].sum(), shares[2:].sum(), shares[3]]
    )
    assert [point.option for point in found.points] == ["o0", "o1", "o2"]
    channel = Channel(5 / 6, 1 / 2)
    expected = float(total_variance(there(found.points[0].share), 1000, channel))
    assert found.points[0].standard_error == pytest.approx(math.sqrt(expected))
    assert (found.not_yet, found.interval) == ("o3", "wilson")


def test_the_valid_curve_only_falls() -> None:
    """Where raw points rise, the valid ones beside them do not."""
    found = years([160, 420, 140, 280], **MUST).survival("when")
    raw = [there(point.share) for point in found.points]
    valid = [there(point.valid_share) for point in found.points]
    assert raw[2] > raw[1]
    assert valid == sorted(valid, reverse=True)
    assert 0 <= valid[2] <= valid[0] <= 1


def test_those_who_did_not_answer_are_left_out() -> None:
    """With "no answer" it is a ratio, with a variance by the delta method."""
    counts = [200, 250, 150, 400, 300]
    found = years(counts).survival("when")
    shares = (np.array(counts) / 1300 - 1 / 7) / (2 / 7)
    answered = shares[:4].sum()
    assert found.points[0].share == pytest.approx(shares[1:4].sum() / answered)
    mechanism = Subset(5, 1, LN3)
    rates = np.array(counts) / 1300
    covariances = (np.diag(rates) - np.outer(rates, rates)) / 1300 / (2 / 7) ** 2
    value = shares[1:4].sum() / answered
    slopes = (np.array([0, 1, 1, 1, 0]) - np.array([1, 1, 1, 1, 0]) * value) / answered
    assert found.points[0].standard_error == pytest.approx(
        math.sqrt(slopes @ covariances @ slopes)
    )
    assert found.interval == "score"
    assert mechanism.domain_size == len(counts)


def test_sets_have_intervals_of_a_score_test() -> None:
    """Reports of sets tell only the variance of the later options."""
    found = years([420, 480, 350, 750], size=2, **MUST).survival("when")
    assert found.interval == "score"
    point = found.points[0]
    assert point.low is not None
    assert point.share is not None
    assert point.low < point.share


def test_another_option_may_stand_for_not_yet() -> None:
    """An option that was written first may be the one without the event."""
    found = years([400, 200, 250, 150], **MUST).survival("when", not_yet="o0")
    shares = (np.array([400, 200, 250, 150]) / 1000 - 1 / 6) / (1 / 3)
    assert [point.option for point in found.points] == ["o1", "o2", "o3"]
    assert [point.share for point in found.points] == pytest.approx(
        [shares[0] + shares[2] + shares[3], shares[0] + shares[3], shares[0]]
    )


def test_a_curve_has_all_forms() -> None:
    """A table, a document, a frame and steps."""
    found = years([200, 250, 150, 400], **MUST).survival("when", simultaneous=True)
    assert repr(found).startswith(
        "when (survival): 1000 reports, epsilon 1.099; wilson intervals\nleft after  "
    )
    assert found.to_document()["points"][0]["option"] == "o0"
    assert found.to_frame()["option"].tolist() == ["o0", "o1", "o2"]
    (chart,) = found.charts()
    assert chart.look.value == "steps"


def test_curves_that_make_no_sense_are_refused() -> None:
    """Unknown options, "no answer" for "not yet", and nobody who answered."""
    with pytest.raises(QuestionNotFound, match="got the option 'never'; question 'when' has: o0"):
        years([200, 250, 150, 400], **MUST).survival("when", not_yet="never")
    with pytest.raises(NotIdentified, match="got 'no_answer' as the option of those without"):
        years([200, 250, 150, 400, 100]).survival("when", not_yet="no_answer")
    with pytest.raises(NotIdentified, match="do not show that anybody answered 'when'"):
        years([10, 10, 10, 10, 400]).survival("when")
    with pytest.raises(NotIdentified, match=r"question 'drugs' \(multiple\)"):
        counted_study(survey(multiple())).survival("drugs")


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
    study = levels(counts, **MUST)
    (median,) = study.quantiles("stress", [0.5]).quantiles
    mechanism = Subset(5, 1, LN3)
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    reports = sum(counts)
    rates = np.cumsum(counts)[:4] / reports
    shares = (rates - np.arange(1, 5) * flip) / (keep - flip)
    errors = np.sqrt(rates * (1 - rates) / reports) / (keep - flip)
    tests = list(zip("1234", shares, errors, strict=True))
    below = [name for name, s, e in tests if s - 0.5 < -1.96 * e]
    above = [name for name, s, e in tests if s - 0.5 > 1.96 * e]
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


@pytest.mark.parametrize("has_none", [False, True])
def test_inverted_shares_are_unbiased(has_none: bool) -> None:
    """The inverse of a channel gives back the shares, with the multinomial covariances."""
    mechanism = Piecewise(OneOf(5, has_none), 4, 3, LN3)
    law = matrix_of_channel(mechanism)
    truth = np.arange(1, law.shape[1] + 1) / (law.shape[1] * (law.shape[1] + 1) / 2)
    rates = law @ truth
    shares, covariances = inverted_shares(rates * 1000, law)
    assert shares == pytest.approx(truth)
    assert shares.sum() == pytest.approx(1)
    # Moving a report from one output to another moves the shares by columns.
    moved = np.array([inverted_shares(each, law)[0] for each in np.eye(len(rates))])
    expected = (moved.T * rates) @ moved - np.outer(truth, truth)
    assert covariances * 1000 == pytest.approx(expected)


def test_channels_that_cannot_be_inverted_are_refused() -> None:
    """Two answers with the same law, and no report, each get their error."""
    with pytest.raises(NotIdentified, match="cannot distinguish the answers"):
        inverted_shares([1, 2], [[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(InvalidCounts, match="got 0 reports"):
        inverted_shares([0, 0], [[0.9, 0.1], [0.1, 0.9]])


def test_quantiles_have_all_forms() -> None:
    """A table, a document and a frame."""
    found = levels([90, 130, 140, 120, 100], **MUST).quantiles("stress")
    assert repr(found).startswith(
        "stress: 580 reports; quantiles of those who answered, 0.95 intervals\npart  quantile"
    )
    assert found.to_document()["quantiles"][1]["probability"] == 0.5
    assert found.to_frame()["probability"].tolist() == [0.25, 0.5, 0.75]


def test_quantiles_that_make_no_sense_are_refused() -> None:
    """No order, no shares, no reports, no variation and no probabilities."""
    study = levels([90, 130, 140, 120, 100], **MUST)
    with pytest.raises(NotIdentified, match=r"question 'when' \(choice\) has no order"):
        years([200, 250, 150, 400], **MUST).quantiles("when")
    rounded = with_mechanism(Piecewise(OneOf(5), 1, 1, LN3), number(highest=4, **MUST))
    with pytest.raises(
        NotIdentified, match="to 2 positions of 5, so it has no quantiles and no distribution"
    ):
        counted_study(rounded, visits=[5, 5]).quantiles("visits")
    waved = with_mechanism(Piecewise(OneOf(5), 4, 3, LN3), number(highest=4, **MUST))
    with pytest.raises(NotIdentified, match="no report of health@1 carries question 'visits' yet"):
        counted_study(waved, visits=[0]).quantiles("visits")
    with pytest.raises(NotIdentified, match="got 1 report, with too little variation"):
        levels([1, 0, 0, 0, 0], **MUST).quantiles("stress")
    for wrong in ([], [0.5, 1.0], [-0.1]):
        with pytest.raises(InvalidConfidence, match=rf"got {len(wrong)} probabilities, "):
            study.quantiles("stress", wrong)
    with pytest.raises(InvalidConfidence, match="got the confidence 1"):
        study.quantiles("stress", confidence=1)


def quantile_misses(source: Random, confidence: float, reports: int) -> int:
    """How many of 400 simulated surveys leave out a true quartile, of three."""
    truth = np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    mechanism = Subset(5, 1, integer_weights(Fraction(2)))
    published = with_mechanism(mechanism, scale(levels=4))
    law = channel_matrix(mechanism) @ truth
    generator = np.random.default_rng(source.getrandbits(64))
    cumulative = np.cumsum(truth[:4]) / truth[:4].sum()
    misses = 0
    for counts in generator.multinomial(reports, law, size=400):
        study = counted_study(published, stress=counts.tolist())
        quartiles = study.quantiles("stress", confidence=confidence).quantiles
        assert len(quartiles) == 3
        for found in quartiles:
            true = str(int(np.searchsorted(cumulative, found.probability)) + 1)
            misses += not found.low <= true <= found.high
    return misses


@pytest.mark.parametrize("reports", [100, 2000])
def test_intervals_of_quantiles_miss_no_more_than_they_say(
    reports: int, random_source: Random
) -> None:
    """A level is a whole step, so true quartiles are missed less often than allowed."""
    misses = quantile_misses(random_source, 0.95, reports)
    assert misses <= 0.05 * 1200


def test_intervals_of_little_confidence_are_caught(random_source: Random) -> None:
    """At a confidence of 1 % true quartiles are missed clearly more than 5 % of the time."""
    misses = quantile_misses(random_source, 0.01, 100)
    with pytest.raises(SampleRejected):
        check_binomial(misses, 1200, 0.05)
