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
from deniable_analysis import (
    NotIdentified,
    QuestionNotFound,
)
from deniable_analysis.relations.cells import cells_of
from deniable_analysis.relations.crosstabs import row_shares
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
    assert repr(found).startswith(
        "region: asthma yes - no; 1000 reports; 0.95 normal intervals, holm"
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
    assert first.z == pytest.approx(there(first.difference) / math.sqrt(variance), rel=1e-4)


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


def test_groups_without_anybody_are_refused_and_small_ones_warned_of() -> None:
    """A group below 0 has no shares; one hardly above 0 has rough ones."""
    study = counted_study(joint_survey(), asthma_x_region=[400, 400, 380, 60, 50, 70])
    with pytest.raises(
        NotIdentified, match=r"nothing in .* reports shows that anybody answered 'no' to 'asthma'"
    ):
        study.compare_groups("region", "asthma", ("yes", "no"))
    small = counted_study(joint_survey(), asthma_x_region=[250, 210, 200, 150, 130, 120])
    found = small.compare_groups("region", "asthma", ("yes", "no"))
    assert found.warnings[0].startswith("the share of 'no' is hardly above 0")


def test_options_that_do_not_exist_are_refused() -> None:
    """The error lists the question's options."""
    study = counted_study(joint_survey(), asthma_x_region=JOINT)
    with pytest.raises(QuestionNotFound, match="got the option 'maybe'; question 'asthma' has: "):
        study.compare_groups("region", "asthma", ("yes", "maybe"))


def test_two_joint_reports_say_next_to_nothing() -> None:
    """The mechanism's noise is known even of two: the ends lie far outside -1 to 1."""
    study = counted_study(joint_survey(), asthma_x_region=[1, 0, 0, 1, 0, 0])
    first = study.compare_groups("region", "asthma", ("yes", "no")).options[0]
    assert first.difference == pytest.approx(0)
    assert first.low == pytest.approx(-22.17, abs=0.01)
    assert first.high == pytest.approx(22.17, abs=0.01)
    assert first.p_value == pytest.approx(1)


def test_a_single_joint_report_compares_no_groups() -> None:
    """It shows nobody in the other group; within its own it has shares."""
    lone = counted_study(joint_survey(), asthma_x_region=[1, 0, 0, 0, 0, 0])
    with pytest.raises(NotIdentified, match="1 report shows that anybody answered 'no'"):
        lone.compare_groups("region", "asthma", ("yes", "no"))
    cells = cells_of(lone, "asthma", "region")
    own = row_shares(cells, 0, cells.covariances())
    assert own is not None
    assert own.shares.sum() == pytest.approx(1)


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
