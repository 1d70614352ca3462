"""Estimates of a survey that is watched while reports come in."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pytest

from analysis.simulated_studies import ROUTED, answers_of, simulated
from deniable_analysis import Estimates, Study, share_above
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.anytime import anytime_ends
from deniable_analysis.simulation import simulate_survey
from deniable_sdk.mechanisms import SampledBits, Subset
from deniable_storage.counts import BlockCounts, Member, SurveyCounts
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from there import there

# Sets, several answers, and a number; three of the four questions are asked.
MANY = survey(
    choice("region", 12),
    scale("stress", 9),
    multiple(options=6),
    number(highest=12),
    epsilon=4,
    ask=3,
    slug="many",
)
PLAIN = survey(yes_no("order", required=True), epsilon=1, slug="plain")
# The lower end, the estimate and the upper end; NaN without one.
Ends = tuple[float, float, float]


def watched(looks: Sequence[int], seed: int) -> Iterator[Estimates]:
    """The estimates of the survey after each of these numbers of reports."""
    answers, generator = answers_of(MANY, looks[-1], seed), np.random.default_rng(seed)
    support: dict[str, Counter[Member]] = {block.id: Counter() for block in MANY.blocks}
    asked: Counter[str] = Counter()
    for first, last in zip([0, *looks[:-1]], looks, strict=True):
        some = {name: rows[first:last] for name, rows in answers.items()}
        study = simulate_survey(MANY, some, generator)
        for name, counts in study.count(MANY.blocks).blocks.items():
            support[name].update(counts.support)
            asked[name] += counts.report_count
        blocks = {name: BlockCounts(asked[name], each) for name, each in support.items()}
        together = SurveyCounts(last, blocks)
        counted = Study(MANY, 1, partial(_given, together), study.joint_counts)
        yield counted.estimate(interval="anytime")


def _given(counts: SurveyCounts, blocks: object) -> SurveyCounts:
    del blocks  # these are the counts of all
    return counts


def ends_of(found: Estimates) -> dict[str, Ends]:
    """Each share and mean with its interval, by its name."""
    ends: dict[str, tuple[float | None, ...]] = {}
    for question in found.questions:
        for option in question.options:
            ends[f"{question.question} {option.option}"] = option.low, option.share, option.high
        if question.mean:
            mean = question.mean
            ends[f"{question.question} mean"] = mean.low, mean.value, mean.high
    return {
        name: (float(low), float(value), float(high))
        for name, (low, value, high) in (
            (name, np.array(each, dtype=np.float64)) for name, each in ends.items()
        )
    }


def test_shares_have_the_intervals_of_their_counts() -> None:
    """The ends of the reporting rate, with the channel taken off; wider than for one look."""
    study, block = simulated(PLAIN, 2_000, 1), PLAIN.blocks[0]
    found = study.estimate(interval="anytime")
    assert found.questions[0].interval == "anytime"
    support = study.count(PLAIN.blocks).blocks[block.id].of(range(2))
    low, high = anytime_ends(support, 2_000, 0.05)
    assert isinstance(block.mechanism, Subset)
    keep, flip = float(block.mechanism.keep), float(block.mechanism.flip)
    once = ends_of(study.estimate(interval="wilson"))
    for index, (name, ends) in enumerate(ends_of(found).items()):
        assert ends[0] == pytest.approx((low[index] - flip) / (keep - flip))
        assert ends[2] == pytest.approx((high[index] - flip) / (keep - flip))
        assert ends[1] == once[name][1]
        assert ends[2] - ends[0] > 1.4 * (once[name][2] - once[name][0])


def test_intervals_are_those_for_the_expected_reports_of_their_block() -> None:
    """Three of four blocks are asked, and few of the options are drawn in each report."""
    questions = choice("region", 12), scale("stress", 9), number(highest=12)
    bits = multiple(options=6, mechanism="sampled_bits")
    of_all = {"epsilon": 4, "ask": 3, "respondents": 8_000}
    expecting = survey(*questions, bits, **of_all)
    block = next(each for each in expecting.blocks if each.id == "drugs")
    assert isinstance(block.mechanism, SampledBits)
    study = simulated(expecting, 8_000, 3)
    counts = study.count([block]).blocks[block.id]
    no, yes = (counts.support[0, bit] for bit in (0, 1))
    part = block.mechanism.sampled / block.mechanism.domain.options
    low, high = anytime_ends([yes], no + yes, 0.05, 8_000 * 3 / 4 * part / 8)
    keep, flip = float(block.mechanism.keep), float(block.mechanism.flip)
    ends = ends_of(study.estimate(interval="anytime"))
    found = ends["drugs o0"]
    assert found[0] == pytest.approx((low[0] - flip) / (keep - flip))
    assert found[2] == pytest.approx((high[0] - flip) / (keep - flip))
    once = ends_of(study.estimate(interval="wilson"))
    wider = {name: (e[2] - e[0]) / (once[name][2] - once[name][0]) for name, e in ends.items()}
    # The mean of a scale comes from sets, whose intervals are wider than necessary.
    assert wider.pop("stress mean") < 2.5
    assert max(wider.values()) < 1.65


def test_all_kinds_of_questions_have_intervals_that_contain_their_estimates() -> None:
    """Shares and means of sets, pairs and numbers."""
    *_, found = watched([100, 3_000], 2)
    ends = ends_of(found)
    assert {"region o0", "stress mean", "drugs o0", "visits no_answer", "visits mean"} <= set(ends)
    assert all(low < value < high for low, value, high in ends.values())


@pytest.mark.parametrize("people", [400, 20_000])
def test_questions_in_several_blocks_and_paths_have_intervals(people: int) -> None:
    """Pooled shares and means, cells, and shares among those who were asked."""
    found = simulated(ROUTED, people, 6).estimate(interval="anytime")
    once = simulated(ROUTED, people, 6).estimate(interval="wilson")
    ends, before = ends_of(found), ends_of(once)
    assert {question.interval for question in found.questions} == {"anytime"}
    for name, (low, value, high) in ends.items():
        assert low < value < high
        assert high - low > before[name][2] - before[name][0]
    for among in (question.among for question in found.questions if question.among):
        for share in (*among.options, among.asked, among.refused):
            assert there(share.low) <= there(share.share) <= there(share.high)
    if people == 20_000:
        asked = [question.among for question in found.questions if question.among]
        assert [each.design for each in asked] == ["joint", "same"]
        assert all(each.options[0].share is not None for each in asked)


def test_crosstabs_of_separate_questions_have_intervals() -> None:
    """Cells, margins and shares within rows; wider than those for one look, within 0 to 1."""
    study = simulated(ROUTED, 20_000, 7)
    found = study.crosstab("stress", "told", interval="anytime")
    once = study.crosstab("stress", "told")
    assert found.interval == "anytime"
    watched = (*found.cells, *found.rows, *found.columns, *found.within_rows)
    plain = (*once.cells, *once.rows, *once.columns, *once.within_rows)
    for wide, narrow in zip(watched, plain, strict=True):
        assert wide.share == narrow.share
        ends = (wide.low, narrow.low, narrow.high, wide.high)
        within = np.clip([there(end) for end in ends], 0, 1)
        # Where a row may be empty, the interval for one look may be all of 0 to 1.
        assert (np.diff(within) >= 0).all() or narrow.standard_error is None
        assert there(wide.high) - there(wide.low) > 0


def test_simultaneous_intervals_are_wider() -> None:
    """The level is divided among the options of a question."""
    study = simulated(MANY, 2_000, 3)
    alone = ends_of(study.estimate("region", interval="anytime"))["region o0"]
    both = study.estimate("region", interval="anytime", simultaneous=True)
    together = ends_of(both)["region o0"]
    assert together[0] < alone[0] < alone[2] < together[2]


@pytest.mark.parametrize("reports", [0, 1])
def test_few_reports_are_no_mistake(reports: int) -> None:
    """Without reports there is no interval; one report excludes no share."""
    for question in simulated(MANY, reports, 4).estimate(interval="anytime").questions:
        for option in question.options:
            assert option.low is None or option.low <= 0
            assert option.high is None or option.high >= 1


def test_an_unknown_interval_is_refused() -> None:
    """The message lists those that there are."""
    study = simulated(MANY, 500, 5)
    with pytest.raises(InvalidArgument, match="allowed: wilson, clopper-pearson, anytime"):
        study.estimate(interval="always")


@pytest.mark.parametrize("question", ["region", "stress", "told", "visits"])
def test_cut_offs_have_intervals_at_every_look(question: str) -> None:
    """In one block or several, with "no answer" and without, and for numbers."""
    published = survey(
        choice("region", 3),
        scale("stress", 4),
        yes_no("told", required=True),
        {**number(highest=12), "target": "shares"},
        epsilon=9,
        ask="all",
        crosstabs=[["region", "stress"], ["region", "told"]],
        slug="summed",
    )
    study = simulated(published, 5_000, 3)
    cutoff = {"region": "o1", "stress": 3, "told": "no", "visits": 6}[question]
    found = share_above(study, question, cutoff, interval="anytime").share
    once = share_above(study, question, cutoff).share
    assert found.share == once.share
    assert found.low is not None
    assert found.high is not None
    assert once.low is not None
    assert once.high is not None
    assert found.low < once.low < once.high < found.high


def truths() -> dict[str, float]:
    """The true share of each option and each mean, by its name."""
    found: dict[str, float] = {}
    for question in MANY.reported:
        names = question.names
        likely = np.linspace(2, 1, len(names))
        shares = likely / likely.sum()
        if question.type == "multiple":
            shares = np.array([0.3] * (len(names) - 1) + [0.0])
        found |= {
            f"{question.id} {name}": float(share)
            for name, share in zip(names, shares, strict=True)
        }
        if question.type in {"scale", "number"}:
            levels = np.array([float(name) for name in names[:-1]])
            found[f"{question.id} mean"] = float(levels @ likely[:-1] / likely[:-1].sum())
    return found


def misses(surveys: int, looks: Sequence[int]) -> Counter[str]:
    """In how many surveys an interval missed its truth at some look."""
    true, missed = truths(), Counter[str]()
    for seed in range(surveys):
        missed.update(
            {
                name
                for found in watched(looks, seed)
                for name, (low, _, high) in ends_of(found).items()
                if true[name] < low or true[name] > high
            }
        )
    return missed


def test_watched_estimates_contain_the_truth() -> None:
    """In 8 surveys with 4 looks; 5 misses of one value have a chance of 0.06 % at 5 %."""
    looks = np.geomspace(30, 4_000, 4).astype(int).tolist()
    assert max(misses(8, looks).values(), default=0) <= 4


@pytest.mark.deep
def test_many_watched_surveys_contain_the_truth() -> None:
    """In 400 surveys with 20 looks; 33 misses of one value have a chance of 0.3 % at 5 %."""
    looks = np.geomspace(20, 20_000, 20).astype(int).tolist()
    assert max(misses(400, looks).values(), default=0) <= 33
