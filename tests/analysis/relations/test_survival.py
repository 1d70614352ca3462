"""Survival curves from interval answers."""

import math
from fractions import Fraction

import numpy as np
import pytest

from analysis.enumerated import with_mechanism
from analysis.known.numbers import KnownNumber, known
from analysis.related import MUST, counted_study
from deniable_analysis import Channel, Study
from deniable_analysis.errors import NotIdentified, QuestionNotFound
from deniable_analysis.estimate import total_variance
from deniable_analysis.estimate.channel import merged_channel
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import choice, multiple, survey
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
    assert str(found).startswith(
        "when (survival): 1000 reports, epsilon 1.099; wilson intervals\nleft after  "
    )
    assert found.to_document()["points"][0]["option"] == "o0"
    assert found.to_frame()["option"].tolist() == ["o0", "o1", "o2"]
    (chart,) = found.charts()
    assert chart.kind.value == "steps"


def test_a_curve_of_nobody_leaves_everything_open() -> None:
    """Where the reports show nobody who answered, each point may be anything."""
    for point in years([10, 10, 10, 10, 400]).survival("when").points:
        assert (point.low, point.high) == (0, 1)


def test_curves_that_make_no_sense_are_refused() -> None:
    """Unknown options, and "no answer" for "not yet"."""
    with pytest.raises(QuestionNotFound, match="got the option 'never'; question 'when' has: o0"):
        years([200, 250, 150, 400], **MUST).survival("when", not_yet="never")
    with pytest.raises(NotIdentified, match="got 'no_answer' as the option of those without"):
        years([200, 250, 150, 400, 100]).survival("when", not_yet="no_answer")
    with pytest.raises(NotIdentified, match=r"question 'drugs' \(multiple\)"):
        counted_study(survey(multiple())).survival("drugs")
