"""Groups within a study compared, of whom nobody is known."""

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from analysis.enumerated import with_mechanism
from analysis.related import (
    LN3,
    MUST,
    channel_matrix,
    counted_study,
    table_study,
    with_mechanisms,
)
from deniable_analysis.errors import QuestionNotFound
from deniable_analysis.relations.cells import cells_of
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import integer_weights
from sample_definitions import choice, survey, yes_no
from sampling_checks import check_binomial
from there import there


def joint_survey() -> PublishedSurvey:
    """A yes/no question and a choice, randomized as one answer of single cells."""
    published = survey(yes_no(**MUST), choice(options=3, **MUST), crosstabs=[["asthma", "region"]])
    return with_mechanisms(published, Subset(6, 1, LN3))


JOINT = [300, 100, 150, 120, 200, 130]


def test_groups_are_options_of_another_question() -> None:
    """Differences within a joint block are those of the shares within its rows."""
    study = counted_study(joint_survey(), asthma_x_region=JOINT)
    found = study.compare_groups("region", "asthma", ("yes", "no"))
    within = study.crosstab("asthma", "region").within_rows
    for index, each in enumerate(found.options):
        assert each.first == pytest.approx(within[index].share)
        assert each.second == pytest.approx(within[index + 3].share)
    assert (found.by, found.first, found.second) == ("asthma", "yes", "no")
    assert str(found).startswith(
        "region: asthma yes - no; 1000 reports; 0.95 score intervals, holm"
    )


def test_the_variance_between_groups_is_by_the_delta_method() -> None:
    """It is that of finite differences, with the covariance between both rows."""
    study = counted_study(joint_survey(), asthma_x_region=JOINT)
    cells, step = cells_of(study, "asthma", "region"), 1e-7
    shares = cells.basis.cells.shares

    def apart(values: np.ndarray) -> float:
        return float(values[0] / values[:3].sum() - values[3] / values[3:].sum())

    slopes = [(apart(shares + step * unit) - apart(shares)) / step for unit in np.eye(6)]
    variance = np.array(slopes) @ cells.covariances() @ np.array(slopes)
    first = study.compare_groups("region", "asthma", ("yes", "no")).options[0]
    assert first.standard_error == pytest.approx(math.sqrt(variance), rel=1e-4)
    assert (there(first.z) > 0) == (there(first.difference) > 0)


def test_groups_of_separate_questions_are_compared() -> None:
    """Groups may come from questions that were randomized apart."""
    published = survey(yes_no(**MUST), yes_no("limited", **MUST), ask="all")
    published = with_mechanisms(published, Subset(2, 1, LN3), Subset(2, 1, LN3))
    study = table_study(published, [[400, 200], [150, 250]])
    found = study.compare_groups("limited", "asthma", ("yes", "no"), correction="none")
    assert found.options[0].adjusted_p_value == found.options[0].p_value
    assert found.options[0].difference == pytest.approx(
        there(found.options[0].first) - there(found.options[0].second)
    )


def test_groups_without_anybody_leave_everything_open() -> None:
    """If the reports show nobody in a group, any share is possible, and a warning says so."""
    for said in ([400, 400, 380, 60, 50, 70], [250, 210, 200, 150, 130, 120], [1, 0, 0, 0, 0, 0]):
        study = counted_study(joint_survey(), asthma_x_region=said)
        found = study.compare_groups("region", "asthma", ("yes", "no"))
        assert found.warnings[-1].startswith("by the reports nobody may have answered 'no'")
        for each in found.options:
            assert 0 <= there(each.second) <= 1
            assert there(each.low) <= there(each.difference) <= there(each.high)
            assert each.standard_error is None


def test_options_that_do_not_exist_are_refused() -> None:
    """The error lists the question's options."""
    study = counted_study(joint_survey(), asthma_x_region=JOINT)
    with pytest.raises(QuestionNotFound, match="got the option 'maybe'; question 'asthma' has: "):
        study.compare_groups("region", "asthma", ("yes", "maybe"))


def test_two_joint_reports_say_next_to_nothing() -> None:
    """Every difference from -1 to 1 is possible."""
    study = counted_study(joint_survey(), asthma_x_region=[1, 0, 0, 1, 0, 0])
    first = study.compare_groups("region", "asthma", ("yes", "no")).options[0]
    assert first.difference == pytest.approx(0)
    assert (first.low, first.high) == pytest.approx((-1, 1))
    assert first.p_value == pytest.approx(1)


def group_hits(source: Random, surveys: int) -> tuple[int, int]:
    """How many simulated joint surveys cover the groups' difference, and reject none."""
    mechanism = Subset(4, 1, integer_weights(Fraction(2)))
    law = channel_matrix(mechanism) @ np.array([0.12, 0.28, 0.18, 0.42])
    published = with_mechanism(mechanism, yes_no(**MUST), yes_no("limited", **MUST))
    generator = np.random.default_rng(source.getrandbits(64))
    covered = rejected = 0
    for counts in generator.multinomial(1500, law, size=surveys):
        study = counted_study(published, asthma_x_limited=counts.tolist())
        found = study.compare_groups("limited", "asthma", ("yes", "no")).options[0]
        # A missing interval would cover nothing, and a missing test reject.
        covered += (
            found.low is not None and found.high is not None and found.low <= 0 <= found.high
        )
        rejected += found.p_value is None or found.p_value < 0.05
    return covered, rejected


def test_differences_between_groups_cover_and_hold_their_level(random_source: Random) -> None:
    """Equal groups are found equal about 95 % of the time."""
    covered, rejected = group_hits(random_source, 500)
    check_binomial(covered, 500, 0.95)
    check_binomial(rejected, 500, 0.05)


def test_no_answer_is_neither_an_answer_nor_a_group() -> None:
    """Who refuses more often in one group does not make its answers differ."""
    published = survey(yes_no(), yes_no("limited"), crosstabs=[["asthma", "limited"]], epsilon=6)
    # Of each group half say yes of those who answer; no answer to a quarter and to three.
    asthma = np.repeat([0, 1, 2], 4000)
    limited = np.concatenate(
        [
            np.repeat([0, 1, 2], each)
            for each in ([1500, 1500, 1000], [500, 500, 3000], [4000, 0, 0])
        ]
    )
    answers = {"asthma": asthma, "limited": limited}
    study = simulate_survey(published, answers, np.random.default_rng(20261129))
    found = study.compare_groups("limited", "asthma", ("yes", "no"))
    assert [each.name for each in found.options] == ["yes", "no"]
    for each in found.options:
        assert each.first == pytest.approx(0.5, abs=0.08)
        assert there(each.low) < 0 < there(each.high)
    test = study.independence("asthma", "limited")
    assert test.degrees_of_freedom == 1
    assert test.p_value > 0.001
    assert {name for each in test.departures for name in each.options} == {"yes", "no"}
    with pytest.raises(QuestionNotFound, match="groups: got 'no_answer'; allowed are two diff"):
        study.compare_groups("limited", "asthma", ("yes", "no_answer"))


def small_group_hits(generator: np.random.Generator, surveys: int) -> tuple[int, int, int]:
    """How often a group of 10 %, and its difference, are covered, and equality is rejected.

    Both questions are randomized apart, so both shares have errors in common.
    """
    published = survey(yes_no(**MUST), yes_no("limited", **MUST), ask="all")
    mechanism = Subset(2, 1, integer_weights(Fraction(1)))
    published = with_mechanisms(published, mechanism, mechanism)
    channel, cells = channel_matrix(mechanism), np.array([[0.02, 0.08], [0.18, 0.72]])
    law = channel @ cells @ channel.T
    own = covered = rejected = 0
    for counts in generator.multinomial(1500, law.ravel(), size=surveys):
        study = table_study(published, counts.reshape(2, 2).tolist())
        found = study.compare_groups("limited", "asthma", ("yes", "no")).options[0]
        within = study.crosstab("asthma", "limited").within_rows[0]
        own += there(within.low) <= 0.2 <= there(within.high)
        covered += there(found.low) <= 0 <= there(found.high)
        rejected += there(found.p_value) < 0.05
    return own, covered, rejected


def test_small_groups_cover_as_often_as_they_say(random_source: Random) -> None:
    """All surveys count, also those whose reports show nobody in the group."""
    own, covered, rejected = small_group_hits(
        np.random.default_rng(random_source.getrandbits(64)), 300
    )
    check_binomial(own, 300, 0.95)
    check_binomial(covered, 300, 0.95)
    check_binomial(rejected, 300, 0.05)
