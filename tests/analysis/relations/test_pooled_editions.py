"""Editions of a survey pooled into one estimate."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from scipy import stats

from analysis.enumerated import with_mechanism
from analysis.related import LN3, MUST, counted_study, wave, yes_no_study
from analysis.study_files import add_reports, counted, write_store
from deniable_analysis import Channel, open_editions, pool_studies
from deniable_analysis.errors import DifferentQuestions, InvalidArgument, SurveyNotFound
from deniable_analysis.estimate import total_variance
from deniable_sdk.mechanisms import OneOf, Piecewise, Subset
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from sampling_checks import SampleRejected, check_binomial
from there import there

LN7 = Weights(7, 1)
# Epsilons and reports of two editions that `make test` takes too.
QUICK = ((2, 2), 20)


WAVES = (wave(1, 400, 600), wave(2, 450, 550), wave(3, 280, 220, LN7))


def test_editions_are_pooled_by_inverse_variances() -> None:
    """Each edition is debiased by itself and weighted by one over its variance at a half."""
    found = pool_studies(WAVES, "asthma").questions[0]
    channels = [Channel.of(Subset(2, 1, weights)).rounded() for weights in (LN3, LN3, LN7)]
    variances = [
        float(total_variance(0.5, n, channel))
        for n, channel in zip((1000, 1000, 500), channels, strict=True)
    ]
    shares = [0.3, 0.4, (0.56 - 0.125) / 0.75]
    yes, no = found.options
    assert yes.share == pytest.approx(np.average(shares, weights=1 / np.array(variances)))
    assert there(yes.share) + there(no.share) == pytest.approx(1)
    weights = 1 / np.array(variances) / np.sum(1 / np.array(variances))
    assert found.weights == pytest.approx(weights.tolist())
    own = [
        float(total_variance(share, n, channel))
        for share, n, channel in zip(shares, (1000, 1000, 500), channels, strict=True)
    ]
    assert yes.standard_error == pytest.approx(math.sqrt(float(weights**2 @ own)))
    assert found.reports == 2500


def test_a_single_edition_is_its_own_pool() -> None:
    """Shares and standard errors of one edition are those of its estimate."""
    published = with_mechanism(Subset(5, 1, LN3), scale(levels=4))
    study = counted_study(published, stress=[90, 70, 60, 50, 40])
    pooled, alone = pool_studies([study]).questions[0], study.estimate().questions[0]
    for one, other in zip(pooled.options, alone.options, strict=True):
        assert one.share == pytest.approx(other.share)
        assert one.standard_error == pytest.approx(other.standard_error)
        assert one.valid_share == pytest.approx(other.valid_share)
    assert pooled.mean is not None
    assert alone.mean is not None
    assert pooled.mean.value == pytest.approx(alone.mean.value)
    assert pooled.mean.variance == pytest.approx(alone.mean.variance)


def test_raw_counts_are_never_pooled() -> None:
    """Two editions of very different epsilon give the share both have, not a mixture's."""
    first, second = wave(1, 400, 600), wave(2, 4985, 5015, Weights(101, 100))
    yes = pool_studies([first, second], "asthma").questions[0].options[0]
    assert yes.share == pytest.approx(0.3, abs=0.02)


def test_multiple_questions_and_numbers_are_pooled() -> None:
    """Options of a multiple question by their own draws, numbers by their mean."""
    published = survey(multiple(options=2, **MUST), number(highest=4), epsilon=1, ask="all")
    waved = published.blocks[1].replace(mechanism=Piecewise(OneOf(5, True), 4, 3, LN3))
    published = published.replace(blocks=(published.blocks[0], waved))
    said = {(0, 0): 60, (0, 1): 40, (1, 0): 30, (1, 1): 70}
    visits = [20, 40, 60, 50, 30, 20, 10, 40]
    study, other = (counted_study(published, drugs=said, visits=visits) for _ in range(2))
    drugs, numbers = pool_studies([study, other]).questions
    alone = study.estimate().questions
    assert drugs.options[0].share == pytest.approx(alone[0].options[0].share)
    assert drugs.options[0].standard_error == pytest.approx(
        there(alone[0].options[0].standard_error) / math.sqrt(2)
    )
    assert numbers.mean is not None
    assert alone[1].mean is not None
    assert numbers.weights == pytest.approx((0.5, 0.5))
    assert numbers.mean.variance == pytest.approx(there(alone[1].mean.variance) / 2, rel=0.01)
    assert numbers.options[0].share == pytest.approx(alone[1].options[0].share)


def test_editions_without_reports_weigh_nothing() -> None:
    """An empty edition is left out; where all are, a question has no numbers."""
    found = pool_studies([wave(1, 400, 600), wave(2, 0, 0)])
    assert found.questions[0].editions == ("health@1",)
    assert found.questions[0].options[0].share == pytest.approx(0.3)
    none = pool_studies([wave(1, 0, 0)])
    assert [option.share for option in none.questions[0].options] == [None, None]
    assert "asthma (yes_no): no report carries this question yet" in str(none)
    waved = with_mechanism(Piecewise(OneOf(5), 4, 3, LN3), number(highest=4, **MUST))
    both = [counted_study(waved, visits=[20, 40, 60, 50, 30, 20, each]) for each in (10, 90)]
    assert sum(pool_studies(both).questions[0].weights) == pytest.approx(1)
    assert "% health@1" in str(pool_studies(both))
    numbers = counted_study(
        with_mechanism(Piecewise(OneOf(5), 4, 3, LN3), number(highest=4, **MUST))
    )
    assert pool_studies([numbers]).questions[0].options == ()


def test_pooled_estimates_have_all_forms() -> None:
    """A text with the weights, a document, a frame and charts."""
    found = pool_studies(WAVES)
    assert str(found).splitlines()[0] == (
        "health@1, health@2, health@3 pooled: 2500 reports; 0.95 score intervals"
    )
    assert "health@3" in str(found).splitlines()[2]
    assert found.to_frame()["option"].tolist() == ["yes", "no"]
    assert found.to_document()["questions"][0]["editions"][2] == "health@3"
    assert [chart.unit for chart in found.charts()] == ["share of those asked"]


def test_differing_editions_are_refused() -> None:
    """Another wording, and no study at all, each get their error."""
    other = with_mechanism(Subset(2, 1, LN3), yes_no(text="Asthma?", **MUST))
    with pytest.raises(DifferentQuestions, match="differs from that of health@1 in: text"):
        pool_studies([wave(1, 5, 5), counted_study(other, asthma=[5, 5])])
    with pytest.raises(InvalidArgument, match="got no study; pass at least one"):
        pool_studies([])


def test_all_editions_of_a_store_are_opened(tmp_path: Path) -> None:
    """They come from the first to the newest, each with its own epsilon."""
    surveys = [survey(choice(**MUST), epsilon=epsilon) for epsilon in (1, 2, 3)]
    path = tmp_path / "store.sqlite"
    write_store(path, *surveys)
    for number_of, published in enumerate(surveys):
        add_reports(path, published, counted("region", [10 + number_of, 5, 5]))
    found = open_editions(path)
    assert [study.edition for study in found] == [1, 2, 3]
    assert [study.report_count for study in found] == [20, 21, 22]
    assert pool_studies(found).reports == 63
    with pytest.raises(SurveyNotFound, match="got the survey 'other'"):
        open_editions(path, "other")


def pooled_hits(source: Random, pairs: int, narrow: float) -> int:
    """How many pairs of editions cover the share they both have."""
    mechanisms = [Subset(2, 1, integer_weights(Fraction(each))) for each in ("1/2", "2")]
    channels = [Channel.of(mechanism).rounded() for mechanism in mechanisms]
    rates = [float(each.flip) + 0.3 * float(each.spread) for each in channels]
    published = [with_mechanism(mechanism, yes_no(**MUST)) for mechanism in mechanisms]
    generator = np.random.default_rng(source.getrandbits(64))
    hits = 0
    for yes in generator.binomial([3000, 1000], rates, size=(pairs, 2)).tolist():
        studies = [
            counted_study(one, asthma=[each, n - each])
            for one, each, n in zip(published, yes, (3000, 1000), strict=True)
        ]
        option = pool_studies(studies).questions[0].options[0]
        share, error = there(option.share), there(option.standard_error)
        hits += abs(share - 0.3) <= narrow * 1.959964 * error
    return hits


@pytest.mark.deep
def test_pooled_intervals_cover(random_source: Random) -> None:
    """Two editions at epsilon 0.5 and 2 cover the share about 95 % of the time."""
    check_binomial(pooled_hits(random_source, 400, 1.0), 400, 0.95)


def test_too_narrow_pooled_intervals_are_caught(random_source: Random) -> None:
    """Intervals of half the width are rejected."""
    hits = pooled_hits(random_source, 100, 0.5)
    with pytest.raises(SampleRejected):
        check_binomial(hits, 100, 0.95)


def covered(editions: Sequence[tuple[int, Weights]], share: float) -> float:
    """How often, exactly, the pooled interval of some editions holds the share all have."""
    chances = []
    for reports, weights in editions:
        channel = Channel.of(Subset(2, 1, weights)).rounded()
        rate = float(channel.flip) + share * float(channel.spread)
        chances.append(stats.binom.pmf(np.arange(reports + 1), reports, rate))
    found = 0.0
    for counts in product(*(range(reports + 1) for reports, _ in editions)):
        chance = math.prod(each[count] for each, count in zip(chances, counts, strict=True))
        if chance < 1e-6:
            continue
        waves = [
            wave(index, count, reports - count, weights)
            for index, (count, (reports, weights)) in enumerate(
                zip(counts, editions, strict=True), start=1
            )
        ]
        yes = pool_studies(waves, "asthma").questions[0].options[0]
        assert yes.low is not None
        assert yes.high is not None
        found += chance * (yes.low <= share <= yes.high)
    return found


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("epsilons", "reports", "share"),
    [
        pytest.param(*each, marks=() if each[:2] == QUICK else pytest.mark.deep)
        for each in product(
            [(2, 2), (0.1, 0.1), (0.5, 2), (1, 4), (4, 4)], [20, 50], [0.0, 0.05, 0.3, 0.95, 1.0]
        )
    ],
)
def test_pooled_intervals_cover_with_few_reports(
    epsilons: tuple[float, float], reports: int, share: float
) -> None:
    """At lopsided shares and few reports, summed exactly: at most 1.5 points below 0.95."""
    editions = [(reports, integer_weights(Fraction(str(epsilon)), 1)) for epsilon in epsilons]
    assert covered(editions, share) >= 0.935 - 1e-3


def test_normal_pooled_intervals_would_not_cover() -> None:
    """The normal interval of the same editions falls below, so that the test above can fail."""
    channel = Channel.of(Subset(2, 1, integer_weights(Fraction(2), 1))).rounded()
    rate, counts = float(channel.flip), np.arange(41)
    shares = (counts / 40 - rate) / float(channel.spread)
    errors = np.sqrt(counts / 40 * (1 - counts / 40) / 40) / float(channel.spread)
    is_held = np.abs(shares) <= 1.96 * errors
    assert stats.binom.pmf(counts, 40, rate)[is_held].sum() < 0.9


def test_one_edition_pooled_has_its_own_interval() -> None:
    """And two of the same epsilon that of all their reports together."""
    alone = yes_no_study(33, 67).estimate().questions[0].options
    for found, own in zip(
        pool_studies([wave(1, 33, 67)]).questions[0].options, alone, strict=True
    ):
        assert (found.low, found.high) == pytest.approx((own.low, own.high))
    both = yes_no_study(90, 210).estimate().questions[0].options[0]
    halves = pool_studies([wave(1, 33, 67), wave(2, 57, 143)]).questions[0].options[0]
    assert (halves.low, halves.high) == pytest.approx((both.low, both.high))


def test_editions_of_which_one_tells_a_mean_alone_pool_the_mean() -> None:
    """A scale asked for its shares in one edition and for its mean in another."""
    first = with_mechanism(Subset(5, 1, LN3), scale(levels=5, **MUST))
    rounded = Piecewise(OneOf(5), 1, 1, LN3)
    other = with_mechanism(rounded, scale(levels=5, target="mean", **MUST))
    assert first.questions == other.questions
    shares = counted_study(first, stress=[90, 70, 60, 50, 40])
    found = pool_studies([shares, counted_study(other, stress=[300, 200])]).questions[0]
    assert found.options == ()
    assert found.mean is not None
    assert found.mean.low is not None
    assert found.reports == 810
