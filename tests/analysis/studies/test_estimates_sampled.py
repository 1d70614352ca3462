"""Estimates of simulated surveys: as wrong as they say, and covered as often."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analysis.enumerated import (
    answers_of,
    estimates,
    expected_counts,
    surveys,
    with_mechanism,
)
from deniable_analysis import Estimates
from deniable_analysis.estimate.means import mean_of_sums
from deniable_analysis.estimate.mechanisms.piecewise_sums import sums_of_outputs
from deniable_analysis.planning import plan_mean
from deniable_analysis.results import MeanEstimate, ShareEstimate
from deniable_sdk import PublishedSurvey, theory
from deniable_sdk.mechanisms import Answer, Mechanism, OneOf, Piecewise, Subset
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.theory.subset import best_subset
from deniable_sdk.weights import Weights, integer_weights
from deniable_storage.counts import BlockCounts
from sample_definitions import number, scale, survey
from sampled_params import sampled_params
from sampling_checks import ALPHA, SampleRejected
from there import there

SURVEYS = surveys()
TYPES = (
    "scale 2",
    "joint 1",
    "joint 2",
    "bits 2",
    "privset 2",
    "piecewise 4 3 optional",
    "piecewise 2 1 optional",
)
RESPONDENTS = 2000
TIMES = 100

Numbers = list[tuple[float, float]]


def law(mechanism: Mechanism) -> tuple[list[str], NDArray[np.float64]]:
    """The outputs, and the chances of each under each answer."""
    channel = theory.channel(mechanism)
    return list(channel), np.array(list(channel.values()), dtype=np.float64)


def drawn(
    published: PublishedSurvey, reported: Mechanism, source: Random, respondents: int
) -> Iterator[dict[str, int]]:
    """Output counts of one simulated survey after another, of people drawn anew."""
    outputs, chances = law(reported)
    truths = true_shares(published)
    shares = [float(truths.get(answer, 0)) for answer in reported.domain.answers()]
    generator = np.random.default_rng(source.getrandbits(64))
    rates = chances @ shares
    while True:
        counts = generator.multinomial(respondents, rates / rates.sum())
        yield dict(zip(outputs, counts.tolist(), strict=True))


def true_shares(published: PublishedSurvey) -> dict[Answer, Fraction]:
    """Uneven shares of the answers a device can give."""
    (block,) = published.blocks
    given = answers_of(block)
    whole = len(given) * (len(given) + 1) // 2
    return {answer: Fraction(part, whole) for part, answer in enumerate(given, 1)}


def expected(published: PublishedSurvey) -> Estimates:
    """The estimates from the counts that are expected, which are the truth."""
    mechanism = published.blocks[0].mechanism
    return estimates(published, expected_counts(mechanism, true_shares(published))[1])


def values(found: Estimates) -> Numbers:
    """Every estimate with the variance of one report's worth of it."""
    shares: list[ShareEstimate] = [
        *(option for question in found.questions for option in question.options),
        *(cell for crosstab in found.crosstabs for cell in crosstab.cells),
    ]
    means = [question.mean for question in found.questions if question.mean]
    numbers = []
    for share in shares:
        assert share.share is not None
        assert share.standard_error is not None
        numbers.append((share.share, share.standard_error**2 * share.reports))
    for mean in means:
        assert mean.value is not None
        assert mean.variance is not None
        numbers.append((mean.value, mean.variance * found.reports))
    return numbers


def check_errors(published: PublishedSurvey, reported: Mechanism, source: Random) -> None:
    """Accept the errors of simulated surveys if they spread as is predicted.

    The squared errors of each estimate over its variance, summed over the
    surveys, are a chi-square; each side of it is tested at ALPHA / 2.
    """
    truths = values(expected(published))
    squares = np.zeros(len(truths))
    for counts in islice(drawn(published, reported, source, RESPONDENTS), TIMES):
        found = estimates(published, counts)
        behind = [option.reports for question in found.questions for option in question.options]
        behind += [RESPONDENTS] * (len(truths) - len(behind))
        for index, (value, _) in enumerate(values(found)):
            truth, variance = truths[index]
            squares[index] += (value - truth) ** 2 * behind[index] / variance
    tails = np.minimum(stats.chi2.sf(squares, TIMES), stats.chi2.cdf(squares, TIMES))
    if tails.min() < ALPHA / 2:
        raise SampleRejected(f"p = {2 * tails.min():.3g} of {len(truths)} estimates")


@pytest.mark.sweep
@pytest.mark.parametrize("name", sampled_params(TYPES))
def test_estimates_err_as_much_as_they_say(name: str, random_source: Random) -> None:
    """Over 100 simulated surveys every estimate strays by its predicted variance."""
    published = SURVEYS[name]
    check_errors(published, published.blocks[0].mechanism, random_source)


@pytest.mark.deep
def test_errors_of_another_mechanism_are_rejected(random_source: Random) -> None:
    """The same check rejects reports that were randomized by other weights."""
    published = SURVEYS["piecewise 4 3 optional"]
    weaker = published.blocks[0].mechanism.replace(weights=Weights(2, 1))
    with pytest.raises(SampleRejected):
        check_errors(published, weaker, random_source)


def coverage(
    published: PublishedSurvey,
    respondents: int,
    times: int,
    read: Callable[[Estimates], ShareEstimate | MeanEstimate],
    source: Random,
) -> int:
    """How many of the simulated intervals hold the truth."""
    truth = centre(read(expected(published)))
    mechanism = published.blocks[0].mechanism
    hits = 0
    for counts in islice(drawn(published, mechanism, source, respondents), times):
        found = read(estimates(published, counts))
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= truth <= found.high
    return hits


def centre(found: ShareEstimate | MeanEstimate) -> float:
    """The estimate itself."""
    value = found.value if isinstance(found, MeanEstimate) else found.share
    assert value is not None
    return value


def first_mean(found: Estimates) -> MeanEstimate:
    """The mean of the first question that has one."""
    return next(question.mean for question in found.questions if question.mean)


def first_option(found: Estimates) -> ShareEstimate:
    """The first option of the first question."""
    return found.questions[0].options[0]


def of_scale(mechanism: type[Mechanism], epsilon: Fraction) -> PublishedSurvey:
    """An optional scale of five levels by this mechanism."""
    weights, grid = integer_weights(epsilon), OneOf(5, offers_no_answer=True)
    if mechanism is Subset:
        return with_mechanism(best_subset(6, weights), scale())
    return with_mechanism(Piecewise(grid, 1, 1, weights), scale())


def check_coverage(hits: int, times: int) -> None:
    """Accept unless 95 % intervals hold the truth in fewer than 93.5 % of surveys."""
    p_value = float(stats.binom.cdf(hits, times, 0.935))
    if p_value < ALPHA:
        raise SampleRejected(f"p = {p_value:.3g}: {hits} of {times} intervals hold the truth")


@pytest.mark.deep
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(2)])
@pytest.mark.parametrize("mechanism", [Subset, Piecewise], ids=["subset", "piecewise"])
def test_intervals_of_means_cover(
    mechanism: type[Mechanism], epsilon: Fraction, random_source: Random
) -> None:
    """With 1,000 respondents the mean's intervals are at most 1.5 points short of 95 %."""
    published = of_scale(mechanism, epsilon)
    hits = coverage(published, 1000, 1000, first_mean, random_source)
    check_coverage(hits, 1000)


NUMBERS = [
    (target, epsilon, respondents)
    for target in Target
    for epsilon in (Fraction(1, 4), Fraction(1), Fraction(4))
    for respondents in (300, 1000, 10_000)
]


@pytest.mark.sweep
@pytest.mark.parametrize("case", sampled_params(NUMBERS, 7), ids=str)
def test_intervals_of_means_of_numbers_cover(
    case: tuple[Target, Fraction, int], random_source: Random
) -> None:
    """Of skewed answers, a tenth of them none, they are at most 1.5 points short of 95 %."""
    target, epsilon, respondents = case
    mechanism = plan_mean(str(float(epsilon)), 31, target=target, offers_no_answer=True)
    published = survey(number(), epsilon=float(epsilon))
    shares = np.append(0.9 * np.exp(-np.arange(31) / 8) / np.exp(-np.arange(31) / 8).sum(), 0.1)
    truth = float(shares[:31] @ np.arange(31)) / 0.9
    channel = np.array(list(theory.channel(mechanism).values()), dtype=np.float64)
    hits = 0
    drawn = np.random.default_rng(random_source.getrandbits(64)).multinomial
    for counts in drawn(respondents, channel @ shares / (channel @ shares).sum(), 1000):
        said = BlockCounts(respondents, dict(enumerate(counts.tolist())))
        # Without the distribution, which takes longest and has no interval.
        sums = sums_of_outputs(mechanism, said, 30, None)
        found = mean_of_sums(published.questions[0], (0, 30), sums, 0.95)
        if found.value is None:  # no more reports of answers than chance gives: counted as a miss
            continue
        assert found.low is not None
        assert found.high is not None
        if found.variance is not None:
            parts = there(found.mechanism_variance), there(found.sampling_variance)
            assert sum(parts) == pytest.approx(found.variance)
        hits += found.low <= truth <= found.high
    check_coverage(hits, 1000)


@pytest.mark.deep
@pytest.mark.parametrize("name", ["joint 1", "joint 2"])
def test_intervals_of_margins_cover(name: str, random_source: Random) -> None:
    """With 1,000 respondents a margin's intervals are at most 1.5 points short of 95 %."""
    hits = coverage(SURVEYS[name], 1000, 1000, first_option, random_source)
    check_coverage(hits, 1000)


def test_intervals_that_are_too_narrow_are_rejected() -> None:
    """Intervals that hold the truth nine times of ten are not accepted."""
    with pytest.raises(SampleRejected):
        check_coverage(880, 1000)
