"""Two studies compared."""

import dataclasses
import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from analysis.enumerated import with_mechanism
from analysis.known.numbers import KnownNumber, known
from analysis.related import LN3, MUST, channel_matrix, counted_study, yes_no_study
from deniable_analysis import Channel, Study, compare
from deniable_analysis.errors import (
    DifferentQuestions,
    InvalidArgument,
    NotIdentified,
    QuestionNotFound,
)
from deniable_analysis.estimate import total_variance
from deniable_analysis.estimate.intervals import difference_interval
from deniable_analysis.results import Comparison
from deniable_analysis.simulation import simulate_survey
from deniable_sdk.mechanisms import OneOf, Piecewise, Subset
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from sampling_checks import SampleRejected, check_binomial
from there import there


def pooled_z(counts: tuple[int, int], reports: tuple[int, int]) -> float:
    """The z statistic of the difference of two rates of reports, with one common rate."""
    common = sum(counts) / sum(reports)
    variance = common * (1 - common) * (1 / reports[0] + 1 / reports[1])
    return (counts[0] / reports[0] - counts[1] / reports[1]) / math.sqrt(variance)


def edition(study: Study, number: int) -> Study:
    """The same study as another edition."""
    return dataclasses.replace(study, edition=number)


@pytest.mark.parametrize("number", known("worked_example_two_group"))
def test_two_groups_are_compared_on_their_reports(number: KnownNumber) -> None:
    """The worked example's z, p-value, difference and standard error come out."""
    first, second = (yes_no_study(yes, 1000 - yes) for yes in number.inputs["yes_reports"])
    found = compare(first, edition(second, 2), "asthma")
    yes, no = found.options
    assert yes.z == pytest.approx(number.expected["z"], abs=number.tolerance)
    assert yes.p_value == pytest.approx(number.expected["p"], abs=number.tolerance)
    assert yes.difference == pytest.approx(number.expected["difference"])
    assert yes.standard_error == pytest.approx(number.expected["se_unpooled"])
    assert no.difference == pytest.approx(-0.12)
    assert (found.first, found.second, found.reports) == ("health@1", "health@2", (1000, 1000))


def test_two_options_are_one_comparison() -> None:
    """The p-value of a yes/no question needs no correction; of three options it does."""
    yes, _ = compare(yes_no_study(560, 440), yes_no_study(500, 500), "asthma").options
    assert yes.adjusted_p_value == yes.p_value
    published = with_mechanism(Subset(3, 1, LN3), choice(options=3, **MUST))
    first, second = (
        counted_study(published, region=counts) for counts in ([400, 300, 300], [330, 340, 330])
    )
    found = compare(first, second, "region", correction="bonferroni").options
    assert found[0].adjusted_p_value == pytest.approx(3 * there(found[0].p_value))


def test_other_channels_are_compared_on_their_shares() -> None:
    """Between different epsilons z has the variances of both at their common share."""
    first, second = yes_no_study(560, 440), yes_no_study(500, 500, Weights(7, 2))
    yes, _ = compare(first, second, "asthma").options
    errors = [study.estimate().questions[0].options[0].standard_error for study in (first, second)]
    expected = math.hypot(*(there(error) for error in errors))
    assert yes.standard_error == pytest.approx(expected)
    channels = [Channel.of(Subset(2, 1, weights)).rounded() for weights in (LN3, Weights(7, 2))]
    precisions = [1 / float(total_variance(0.5, 1000, channel)) for channel in channels]
    common = float(np.average([there(yes.first), there(yes.second)], weights=precisions))
    variances = [float(total_variance(common, 1000, channel)) for channel in channels]
    assert yes.z == pytest.approx(there(yes.difference) / math.sqrt(sum(variances)))


def test_intervals_of_differences_are_made_of_both() -> None:
    """The difference's interval is Newcombe's, of the two Wilson intervals."""
    first, second = yes_no_study(56, 44), yes_no_study(50, 50)
    yes, _ = compare(first, second, "asthma").options
    one, other = (study.estimate().questions[0].options[0] for study in (first, second))
    assert (yes.low, yes.high) == difference_interval(
        (one.share, one.low, one.high),  # type: ignore[arg-type]
        (other.share, other.low, other.high),  # type: ignore[arg-type]
    )


def test_means_are_compared_too() -> None:
    """Of a number the means are, with a normal interval and test."""
    published = with_mechanism(Piecewise(OneOf(5), 4, 3, LN3), number(highest=4, **MUST))
    first, second = (
        counted_study(published, visits=counts)
        for counts in ([20, 40, 60, 50, 30, 20, 10], [10, 20, 30, 50, 60, 40, 20])
    )
    mean = compare(first, second, "visits").mean
    assert mean is not None
    means = [study.estimate().questions[0].mean for study in (first, second)]
    error = math.sqrt(sum(there(there(each).variance) for each in means))
    assert mean.standard_error == pytest.approx(error)
    # The variances of the test are those of all reports together.
    both = [30, 60, 90, 100, 90, 60, 30]
    pooled = there(counted_study(published, visits=both).estimate().questions[0].mean)
    together = there(pooled.standard_error) * math.sqrt(2 * 2)
    assert mean.z == pytest.approx(there(mean.difference) / together)
    assert there(mean.high) - there(mean.low) == pytest.approx(2 * 1.959964 * error, rel=1e-6)
    assert "mean" in str(compare(first, second, "visits"))
    assert compare(first, second, "visits").to_frame()["difference"].tolist() == []


def test_options_of_a_multiple_question_are_compared_one_by_one() -> None:
    """Two options of a multiple question are two comparisons, of those who drew them."""
    published = survey(multiple(options=2, **MUST), epsilon=1)
    first, second = (
        counted_study(published, drugs={(0, 0): 60, (0, 1): 40 + more, (1, 0): 50, (1, 1): 50})
        for more in (0, 30)
    )
    found = compare(first, second, "drugs", correction="bonferroni").options
    assert found[0].z == pytest.approx(pooled_z((40, 70), (100, 130)))
    assert found[0].adjusted_p_value == pytest.approx(2 * there(found[0].p_value))
    assert found[1].z == pytest.approx(0)


def test_questions_of_joint_blocks_are_compared() -> None:
    """Margins of single cells are tested on reports, those of sets on their shares."""
    for size in (1, 2):
        published = with_mechanism(Subset(4, size, LN3), yes_no(**MUST), yes_no("limited", **MUST))
        first, second = (
            counted_study(published, asthma_x_limited=[size * each for each in counts])
            for counts in ([300, 200, 250, 250], [200, 200, 300, 300])
        )
        yes, _ = compare(first, second, "asthma").options
        if size == 1:
            assert yes.z == pytest.approx(pooled_z((500, 400), (1000, 1000)))
        else:
            assert yes.z == pytest.approx(
                there(yes.difference) / there(yes.standard_error), rel=0.02
            )


def test_differing_questions_are_refused() -> None:
    """The error names the studies and what differs."""
    other = with_mechanism(Subset(2, 1, LN3), yes_no(text="Do you have asthma now?", **MUST))
    with pytest.raises(DifferentQuestions, match="of health@2 differs from that of health@1 in"):
        compare(yes_no_study(5, 5), edition(counted_study(other, asthma=[5, 5]), 2), "asthma")
    with pytest.raises(QuestionNotFound, match="got the question 'region'"):
        compare(yes_no_study(5, 5), yes_no_study(5, 5), "region")


def test_studies_without_reports_are_refused() -> None:
    """The error names the study."""
    with pytest.raises(NotIdentified, match="no report of health@2 carries question 'asthma'"):
        compare(yes_no_study(5, 5), edition(yes_no_study(0, 0), 2), "asthma")


def test_unknown_corrections_are_refused() -> None:
    """The error lists those there are."""
    with pytest.raises(InvalidArgument, match="correction: got 'fdr'; allowed: holm, bonf"):
        compare(yes_no_study(5, 5), yes_no_study(5, 5), "asthma", correction="fdr")


def test_warnings_of_both_studies_are_kept() -> None:
    """An impossible share of either is told with its study."""
    found = compare(yes_no_study(560, 440), edition(yes_no_study(1000, 0), 2), "asthma")
    assert found.warnings[0].startswith("health@2: the raw share of 'yes' lies")
    assert "warning: health@2" in str(found)


def test_a_comparison_has_all_forms() -> None:
    """A table, a document, a frame and a chart of the differences."""
    found = compare(yes_no_study(560, 440), edition(yes_no_study(500, 500), 2), "asthma")
    assert str(found) == (
        "asthma: health@1 - health@2; 1000 and 1000 reports; 0.95 wilson intervals, holm\n"
        "option   first  second  difference      low     high        z         p  adjusted p\n"
        "yes     0.6200  0.5000      0.1200   0.0325   0.2068   2.6881  0.007185    0.007185\n"
        "no      0.3800  0.5000     -0.1200  -0.2068  -0.0325  -2.6881  0.007185    0.007185"
    )
    assert found.to_document()["options"][0]["option"] == "yes"
    assert found.to_frame()["difference"].tolist() == pytest.approx([0.12, -0.12])
    (chart,) = found.charts()
    assert chart.marks[0].value == pytest.approx(0.12)


def difference_hits(source: Random, surveys: int, narrow: float) -> int:
    """How many pairs of surveys of 200 at epsilon 1 cover the true difference."""
    mechanism = Subset(2, 1, integer_weights(Fraction(1)))
    law = channel_matrix(mechanism) @ np.array([[0.05, 0.3], [0.95, 0.7]])
    generator = np.random.default_rng(source.getrandbits(64))
    published = with_mechanism(mechanism, yes_no(**MUST))
    hits = 0
    for _ in range(surveys):
        yes = generator.binomial(200, law[0])
        first, second = (
            counted_study(published, asthma=[int(each), 200 - int(each)]) for each in yes
        )
        found = compare(first, second, "asthma").options[0]
        low, high, value = there(found.low), there(found.high), there(found.difference)
        hits += value - narrow * (value - low) <= -0.25 <= value + narrow * (high - value)
    return hits


def test_intervals_of_differences_cover(random_source: Random) -> None:
    """Of 200 respondents each, the true difference is covered about 95 % of the time."""
    hits = difference_hits(random_source, 400, 1.0)
    check_binomial(hits, 400, 0.95)


def test_too_narrow_intervals_of_differences_are_caught(random_source: Random) -> None:
    """Intervals made of one side's width only are rejected."""
    hits = difference_hits(random_source, 100, 0.5)
    with pytest.raises(SampleRejected):
        check_binomial(hits, 100, 0.95)


def test_simulated_waves_are_compared() -> None:
    """Through a device's channels, a wave that grew by 0.1 is found to have grown."""
    published = survey(yes_no(**MUST), scale(levels=3), epsilon=4, ask="all")
    generator = np.random.default_rng(8)

    def wave(share: float) -> Study:
        asthma = generator.choice(2, size=20_000, p=[share, 1 - share])
        return simulate_survey(
            published, {"asthma": asthma, "stress": generator.choice(4, size=20_000)}, generator
        )

    found: Comparison = compare(wave(0.4), wave(0.3), "asthma")
    assert found.options[0].difference == pytest.approx(0.1, abs=0.05)
    assert there(found.options[0].p_value) < 1e-4
