"""The forms results can take: text, JSON and data frames."""

import json
from typing import Any

import pytest

from analysis.enumerated import estimates, multiple, number, with_mechanism
from deniable_analysis import Estimates
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.results import DistributionEstimate, MeanEstimate
from deniable_sdk.mechanisms import OneOf, Piecewise, SampledBits, SomeOf, Subset
from deniable_sdk.weights import Weights
from sample_definitions import scale, yes_no

WAVE = with_mechanism(Piecewise(OneOf(5, offers_no_answer=True), 4, 3, Weights(3, 1)), number())
COUNTS = {"0": 15, "1": 9, "2": 10, "3": 11, "4": 12, "5": 18, "6": 23, "7": 30}
JOINT = with_mechanism(
    Subset(6, 1, Weights(3, 1)), yes_no(required=True), scale(levels=3, required=True)
)


def plain(found: Estimates) -> dict[str, Any]:
    """The document, which must be plain JSON."""
    document = found.to_document()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    return document


def test_the_document_of_a_number_has_stable_keys() -> None:
    """A number's mean and distribution stand beside its one option."""
    document = plain(estimates(WAVE, COUNTS))
    (question,) = document["questions"]
    assert [option["option"] for option in question["options"]] == ["no_answer"]
    assert list(question["mean"]) == [
        "value", "low", "high", "variance", "mechanism_variance", "sampling_variance",
        "release_variance", "unit",
    ]  # fmt: skip
    assert question["mean"]["unit"] == "visits"
    assert list(question["distribution"]) == ["names", "shares"]
    assert sum(question["distribution"]["shares"]) == pytest.approx(1)
    assert document["crosstabs"] == []


def test_the_document_of_a_crosstab_has_stable_keys() -> None:
    """A crosstab has its block, its questions and its cells."""
    (crosstab,) = plain(estimates(JOINT, {"0": 3, "4": 2}))["crosstabs"]
    assert list(crosstab) == ["block", "questions", "reports", "epsilon", "interval", "cells"]
    assert crosstab["questions"] == ["asthma", "stress"]
    assert list(crosstab["cells"][0]) == [
        "options", "share", "low", "high", "valid_share", "mechanism_variance",
        "sampling_variance", "release_variance", "manipulation_margin", "reports",
    ]  # fmt: skip
    assert crosstab["cells"][0]["options"] == ["yes", "1"]


def test_without_reports_everything_is_null() -> None:
    """Means without reports have null numbers, and there is no distribution."""
    for published in (WAVE, JOINT):
        found = estimates(published, {})
        questions = plain(found)["questions"]
        for question in questions:
            assert {option["share"] for option in question["options"]} == {None}
            assert question["distribution"] is None
        means = [question["mean"] for question in questions if question["mean"] is not None]
        assert {mean["value"] for mean in means} == {None}
        assert "no report carries this question yet" in str(found)
    assert "no report carries this crosstab yet" in str(estimates(JOINT, {}))


def test_the_text_of_a_number_shows_its_mean_and_quartiles() -> None:
    """The mean carries its unit, and the distribution is told by its quartiles."""
    assert str(estimates(WAVE, COUNTS).questions[0]) == (
        "visits (number): 128 reports, epsilon 1.099\n"
        "option      share      low    high   valid  sd mechanism  sd sampling\n"
        "no_answer  0.1250  -0.0483  0.3396  0.1250        0.0955       0.0292\n"
        "if 1% of the reports were forged, a share may be off by 0.0217\n"
        "mean of those who answered     low    high  sd mechanism  sd sampling\n"
        "2.5238 visits               2.0236  3.0558        0.2367       0.0988\n"
        "distribution (maximum likelihood, no intervals): quartiles 1, 3, 3"
    )


def test_the_text_of_a_crosstab_names_its_cells() -> None:
    """Cells are named by an option of each question, and questions say their crosstab."""
    text = str(estimates(JOINT, {"0": 30, "4": 20}))
    assert "asthma x stress (crosstab): 50 reports, epsilon 1.099\ncell " in text
    assert "\nno, 3 " in text
    assert "asthma (yes_no): 50 reports, epsilon 1.099, from asthma_x_stress; wilson" in text


def test_frames_have_a_row_for_each_estimate() -> None:
    """Options, means, cells and numbers of a distribution each have a frame."""
    found = estimates(WAVE, COUNTS)
    (question,) = found.questions
    assert question.distribution
    assert found.to_frame()["option"].tolist() == ["no_answer"]
    means = found.means_to_frame()
    assert means["value"].tolist() == pytest.approx([2 + 0.5 * (44 / 0.375) / 112])
    assert means.dtypes["standard_error"] == "float64"
    assert question.distribution.to_frame()["number"].tolist() == [1, 1.5, 2, 2.5, 3]
    (crosstab,) = estimates(JOINT, {"0": 30, "4": 20}).crosstabs
    frame = crosstab.to_frame()
    assert frame["asthma"].tolist() == ["yes"] * 3 + ["no"] * 3
    assert frame["stress"].tolist() == ["1", "2", "3"] * 2
    assert frame.dtypes["share"] == "float64"


def test_frames_of_nothing_have_their_columns() -> None:
    """A survey of means alone has a frame of options without rows, and the other way round."""
    sign = with_mechanism(Piecewise(OneOf(5), 1, 1, Weights(3, 1)), number(required=True))
    assert "share" in estimates(sign, {"0": 5, "1": 7}).to_frame().columns
    assert len(estimates(sign, {"0": 5, "1": 7}).to_frame()) == 0
    bits = with_mechanism(SampledBits(SomeOf(4, 3), 1, Weights(3, 1)), multiple())
    assert list(estimates(bits, {"[[0,1]]": 3}).means_to_frame()["value"]) == []


def test_a_multiple_question_says_which_options_were_drawn() -> None:
    """Each option has the reports it was drawn in; one that never was has no numbers."""
    bits = with_mechanism(SampledBits(SomeOf(4, 3), 2, Weights(3, 1)), multiple())
    counts = {"[[0,1],[1,0]]": 30, "[[0,0],[2,1]]": 20}
    (question,) = estimates(bits, counts).questions
    assert [option.reports for option in question.options] == [50, 30, 20, 0]
    assert question.options[0].share == pytest.approx((30 / 50 - 0.25) / 0.5)
    assert question.options[2].share == pytest.approx(1.5)
    assert question.options[2].valid_share == 1
    assert question.options[3].share is None
    (at_once,) = estimates(bits, counts, simultaneous=True).questions
    (surer,) = estimates(bits, counts, confidence=1 - 0.05 / 4).questions
    assert at_once.options[0].high == pytest.approx(surer.options[0].high)


def test_bits_beyond_chance_are_warned_of() -> None:
    """An option of a multiple question whose bits cannot be honest is named."""
    bits = with_mechanism(SampledBits(SomeOf(4, 3), 1, Weights(3, 1)), multiple())
    (warning,) = estimates(bits, {"[[0,1]]": 400, "[[1,0]]": 30, "[[1,1]]": 30}).warnings
    assert warning.startswith("conditions: the raw share of 'o0' lies")


def test_quantiles_are_numbers_of_the_grid() -> None:
    """The quantile is the first number by which the wanted part is reached."""
    found = DistributionEstimate(("1", "2", "3"), (0.25, 0.5, 0.25 - 1e-12))
    assert [found.quantile(part) for part in (0, 0.25, 0.26, 0.75, 0.9, 1)] == [
        "1", "1", "2", "2", "3", "3",
    ]  # fmt: skip
    with pytest.raises(InvalidArgument, match=r"got the probability 50; allowed are 0 to 1"):
        found.quantile(50)


def test_a_mean_without_a_split_variance_has_a_standard_error() -> None:
    """The standard error needs the variance alone, and is None without it."""
    assert MeanEstimate(value=1.0, variance=0.04).standard_error == pytest.approx(0.2)
    assert MeanEstimate().standard_error is None
    assert "sd mechanism" in str(MeanEstimate(value=1.0, low=0.6, high=1.4, variance=0.04))
