"""Comparisons, groups and pooled editions of surveys that are watched."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from analysis.invited_groups import grouped_study, ward, ward_with
from analysis.related import (
    LN3,
    MUST,
    counted_study,
    table_study,
    with_mechanisms,
    yes_no_apart,
    yes_no_study,
)
from deniable_analysis import Study, compare, pool_studies
from deniable_analysis.defaults import Interval
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.anytime import anytime_ends, anytime_p_values, anytime_sum
from deniable_analysis.estimate.choice import IntervalRule
from deniable_analysis.relations.cells import cells_of
from deniable_analysis.relations.rows import row_shares
from deniable_analysis.relations.stratified import mean_ends
from deniable_analysis.results import Comparison, Difference, OptionEstimate
from deniable_analysis.simulation import simulate_survey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.window import Window
from sample_definitions import choice, number, scale, survey, yes_no
from there import there

YES_NO = ward_with(Subset(2, 1, LN3), yes_no(**MUST))
SAID = {"nurses": {"asthma": [600, 400]}, "doctors": {"asthma": [150, 250]}}
GROUPED = grouped_study(YES_NO, SAID)
SLOPE = 2.0  # 1 / (keep - flip) of this mechanism


def ends(found: Difference | OptionEstimate) -> tuple[float, float]:
    """Both ends of an interval that is there."""
    return there(found.low), there(found.high)


def test_a_difference_of_studies_has_the_interval_of_its_counts() -> None:
    """The ends of the difference of the reporting rates, with the channel taken off."""
    one, other = GROUPED.group("nurses"), GROUPED.group("doctors")
    found = compare(one, other, "asthma", interval="anytime")
    counts, sizes = [[600, 400], [150, 250]], [1000, 400]
    low, high = anytime_sum(counts, sizes, [SLOPE, -SLOPE], 0.05)
    p_values = anytime_p_values(counts, sizes, [(0.75, 0.25)] * 2)
    once = compare(one, other, "asthma")
    assert (found.interval, once.interval) == ("anytime", "wilson")
    for index, each in enumerate(found.options):
        assert ends(each) == pytest.approx((low[index], high[index]))
        assert each.p_value == pytest.approx(p_values[index])
        assert each.difference == once.options[index].difference
        assert (each.z, each.standard_error) == (None, None)
        assert there(each.p_value) > there(once.options[index].p_value)
        assert ends(each)[0] < ends(once.options[index])[0]


def test_studies_with_different_channels_are_compared() -> None:
    """Equal shares under two epsilons: the difference is 0, and so certain that p is 1."""
    published = survey(yes_no(**MUST))
    low = counted_study(with_mechanisms(published, Subset(2, 1, LN3)), asthma=[500, 500])
    certain = Subset(2, 1, LN3.replace(high=9 * LN3.low))
    high = counted_study(with_mechanisms(published, certain), asthma=[300, 300])
    found = compare(low, high, "asthma", interval="anytime").options[0]
    assert found.difference == pytest.approx(0)
    assert found.p_value == pytest.approx(1)
    counts, weights = [[500], [300]], [2, -1 / 0.8]
    ((start,), (end,)) = anytime_sum(counts, [1000, 600], weights, 0.05)
    shift = 2 * 0.25 - 0.1 / 0.8
    assert ends(found) == pytest.approx((start - shift, end - shift))


WIDE = survey(
    choice("region", 3),
    scale("stress", 4),
    yes_no("told"),
    number(highest=12),
    epsilon=9,
    ask=3,
    crosstabs=[["region", "stress"], ["region", "told"]],
    slug="wide",
)


def answered(people: int, seed: int) -> Study:
    """The study of people whose answers are all equally likely."""
    random = np.random.default_rng(seed)
    answers = {each.id: random.integers(0, len(each.names), people) for each in WIDE.reported}
    return simulate_survey(WIDE, answers, random)


@pytest.mark.parametrize("question", ["region", "stress", "visits"])
def test_questions_in_several_blocks_and_means_are_compared(question: str) -> None:
    """Each side's interval is at half the level; both are wider than for one look."""
    one, other = answered(6_000, 1), answered(4_000, 2)
    found = compare(one, other, question, interval="anytime")
    once = compare(one, other, question)
    for wide, narrow in zip(rows(found), rows(once), strict=True):
        assert wide.difference == pytest.approx(narrow.difference)
        assert ends(wide)[0] < ends(narrow)[0] < ends(narrow)[1] < ends(wide)[1]
    if question == "region":
        halves = [
            study.estimate("region", interval="anytime", confidence=0.975).questions[0]
            for study in (one, other)
        ]
        low = there(halves[0].options[0].low) - there(halves[1].options[0].high)
        assert found.options[0].low == pytest.approx(low)
        assert found.options[0].p_value is None


def rows(found: Comparison) -> tuple[Difference, ...]:
    """The differences of a comparison, that of the means last."""
    return (*found.options, found.mean) if found.mean else found.options


def test_groups_of_respondents_are_compared_by_both_rows() -> None:
    """The difference of shares within two rows, each at half the level."""
    study = answered(20_000, 3)
    found = study.compare_groups("stress", "region", ("o0", "o1"), interval="anytime")
    once = study.compare_groups("stress", "region", ("o0", "o1"))
    cells = cells_of(study, "region", "stress")
    rule = IntervalRule(Interval.ANYTIME, 0.975)
    one, other = (row_shares(cells, row, len(found.options), rule).ends for row in (0, 1))
    assert [each.name for each in found.options] == ["1", "2", "3", "4"]
    assert (found.interval, once.interval) == ("anytime", "score")
    for index, each in enumerate(found.options):
        assert each.low == pytest.approx(one[0][index] - other[1][index])
        assert each.difference == pytest.approx(once.options[index].difference)
        assert ends(each)[0] < ends(once.options[index])[0]


def test_a_row_that_nobody_may_be_in_may_differ_by_anything() -> None:
    """Few reports exclude no share within a row, so the interval is as long as it can be."""
    study = answered(60, 4)
    found = study.compare_groups("stress", "region", ("o0", "o1"), interval="anytime")
    for each in found.options:
        assert there(each.low) <= -0.5
        assert there(each.high) >= 0.5
        assert each.difference == pytest.approx(there(each.first) - there(each.second))


def test_what_all_are_expected_to_send_is_no_plan_for_a_group() -> None:
    """It makes the intervals of all people wider, and those of groups stay as they are."""
    expecting = replace(
        GROUPED, survey=GROUPED.survey.replace(window=Window(respondents=1_000_000))
    )
    plain, planned = (
        each.estimate("asthma", by_group=True, interval="anytime") for each in (GROUPED, expecting)
    )
    assert planned.by_group == plain.by_group
    for wide, narrow in zip(planned.questions[0].options, plain.questions[0].options, strict=True):
        assert ends(wide)[1] - ends(wide)[0] > 1.5 * (ends(narrow)[1] - ends(narrow)[0])
    nurses = (
        each.group("nurses").estimate("asthma", interval="anytime").questions
        for each in (GROUPED, expecting)
    )
    assert next(nurses) == next(nurses)


def test_groups_of_invited_people_have_differences_and_a_total() -> None:
    """Both are those of the counts of all groups, weighted by the invited people."""
    found = there(GROUPED.estimate("asthma", by_group=True, interval="anytime").by_group)
    (question,) = found.questions
    assert question.interval == "anytime"
    alone = compare(
        GROUPED.group("nurses"), GROUPED.group("doctors"), "asthma", interval="anytime"
    )
    shown = [each for each in question.differences if set(each.groups) == {"nurses", "doctors"}]
    assert [ends(each) for each in shown] == [ends(each) for each in alone.options]
    merged = there(
        GROUPED.estimate(
            "asthma", by_group=True, merge=[["doctors", "cleaners"]], interval="anytime"
        ).by_group
    )
    counts, weights = [[600, 400], [150, 250]], np.array([200, 100]) / 300
    low, high = anytime_sum(counts, [1000, 400], weights * SLOPE, 0.05)
    for index, each in enumerate(merged.questions[0].options):
        assert ends(each) == pytest.approx((low[index] - 0.5, high[index] - 0.5))
    for name, estimate in question.groups[:2]:
        own = GROUPED.group(name).estimate("asthma", interval="anytime").questions[0]
        assert estimate == own


def test_the_mean_of_all_invited_has_an_interval() -> None:
    """It contains the mean for one look, and is wider."""
    published = ward(scale("stress", 5), number(highest=12), epsilon=4)
    said = {
        group: {
            block.id: (np.arange(block.mechanism.form.members) + shift).tolist()
            for block in published.blocks
        }
        for group, shift in (("nurses", 40), ("doctors", 60), ("cleaners", 50))
    }
    study = grouped_study(published, said)
    found, once = (
        there(study.estimate(by_group=True, interval=kind).by_group)
        for kind in ("anytime", "wilson")
    )
    means = [there(question.mean) for question in found.questions]
    for wide, narrow in zip(means, (each.mean for each in once.questions), strict=True):
        assert wide.value == there(narrow).value
        assert there(wide.low) < there(there(narrow).low)
        assert there(wide.high) > there(there(narrow).high)


def test_ends_of_a_mean_of_groups_are_the_furthest_that_their_intervals_allow() -> None:
    """A search over the corners of all intervals."""
    random = np.random.default_rng(5)
    means = np.sort(random.normal(size=(4, 2)), axis=1)
    answering = np.sort(random.uniform(0, 1.1, (4, 2)), axis=1)
    weights = random.dirichlet(np.ones(4))
    as_ends = [[tuple(each[:, None]) for each in rows] for rows in (means, answering)]
    low, high = mean_ends(as_ends[0], as_ends[1], weights)
    corners = [
        np.average([mean[side] for mean, side in zip(means, sides, strict=True)], weights=by)
        for sides in itertools.product((0, 1), repeat=4)
        for parts in itertools.product((0, 1), repeat=4)
        for by in [
            [
                w * min(1, part[side])
                for w, part, side in zip(weights, answering, parts, strict=True)
            ]
        ]
    ]
    assert (low[0], high[0]) == pytest.approx((min(corners), max(corners)))


def test_editions_are_pooled_at_every_look() -> None:
    """The interval of the weighted sum of the editions' rates."""
    studies = [yes_no_study(600, 400), yes_no_study(250, 150)]
    found = pool_studies(studies, interval="anytime")
    once = pool_studies(studies)
    low, high = anytime_sum(
        [[600], [250]], [1000, 400], SLOPE * np.array(once.questions[0].weights), 0.05
    )
    (yes, _) = found.questions[0].options
    assert (found.interval, once.interval) == ("anytime", "score")
    assert ends(yes) == pytest.approx((low[0] - 0.5, high[0] - 0.5))
    assert yes.share == once.questions[0].options[0].share
    assert str(found).startswith("health@1, health@1 pooled: 1400 reports; 0.95 anytime intervals")
    with pytest.raises(InvalidArgument, match=r"allowed: wilson, anytime$"):
        pool_studies(studies, interval="clopper-pearson")


def test_editions_of_the_same_people_are_pooled_by_their_own_intervals() -> None:
    """A fixed question may have the same reports in all editions: no product of capitals."""
    published = survey(yes_no(fixed=True, **MUST))
    studies = [
        counted_study(with_mechanisms(published, Subset(2, 1, LN3)), asthma=counts)
        for counts in ([600, 400], [640, 360])
    ]
    found = pool_studies(studies, interval="anytime").questions[0]
    parts = [anytime_ends([count], 1000, 0.025) for count in (600, 640)]
    low, high = (sum(each[0] for each in side) / 2 for side in zip(*parts, strict=True))
    assert ends(found.options[0]) == pytest.approx((2 * low - 0.5, 2 * high - 0.5))


def test_means_of_editions_are_pooled_at_every_look() -> None:
    """The mean's interval is wider than for one look and contains its mean."""
    studies = [answered(3_000, 7), answered(2_000, 8)]
    found = there(pool_studies(studies, "visits", interval="anytime").questions[0].mean)
    once = there(pool_studies(studies, "visits").questions[0].mean)
    assert there(found.low) < there(once.low) < there(once.value) < there(found.high)


@pytest.mark.deep
def test_watched_differences_contain_the_truth_and_others_do_not() -> None:
    """In 200 pairs of surveys with 20 looks; 24 misses have a chance of 0.01 % at 5 %."""
    random, looks = np.random.default_rng(11), np.geomspace(50, 20_000, 20).astype(int)
    steps = np.diff(looks, prepend=0)
    counts = np.array(
        [np.cumsum(random.binomial(steps, rate, (200, 20)), axis=1) for rate in (0.4, 0.35)]
    )
    rates, sizes = counts / looks, np.tile(looks, 200)
    low, high = anytime_sum(counts.reshape(2, -1), [sizes, sizes], [1, -1], 0.05)
    is_missed = ((low > 0.05) | (high < 0.05)).reshape(200, 20)
    assert is_missed.any(axis=1).sum() < 24
    errors = 1.96 * np.sqrt((rates * (1 - rates) / looks).sum(axis=0))
    assert (np.abs(rates[0] - rates[1] - 0.05) > errors).any(axis=1).sum() > 40


def test_separate_questions_are_compared_too() -> None:
    """Rows of questions that were randomized separately, wider than the normal interval."""
    study = table_study(yes_no_apart(), [[900, 500], [400, 700]])
    asked = "limited", "asthma", ("yes", "no")
    found, once = (study.compare_groups(*asked, interval=kind) for kind in ("anytime", "wilson"))
    assert ends(found.options[0])[0] < ends(once.options[0])[0]
    assert ends(found.options[0])[1] > ends(once.options[0])[1]


def test_a_question_with_a_mean_alone_is_compared_at_every_look() -> None:
    """Its mechanism tells the share of no option."""
    published = survey(number(required=True, highest=3), epsilon=4)
    people = np.arange(400) % 4
    one, other = (
        simulate_survey(published, {"visits": people}, np.random.default_rng(seed))
        for seed in (1, 2)
    )
    found = compare(one, other, "visits", interval="anytime")
    assert found.options == ()
    assert ends(there(found.mean))[0] < 0 < ends(there(found.mean))[1]
