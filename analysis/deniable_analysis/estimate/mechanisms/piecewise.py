"""Piecewise: the mean in closed form, the distribution by maximum likelihood.

Each output contributes to the sum of the answers and to the number of people who
answered. Both sums are unbiased, and the mean is their ratio: see piecewise_sums.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.defaults import Interval
from deniable_analysis.estimate.anytime_means import anytime_mean, ends_within
from deniable_analysis.estimate.channel import Channel
from deniable_analysis.estimate.choice import IntervalChoice, IntervalRule, tail
from deniable_analysis.estimate.means import impossible_mean, mean_of_sums, middle
from deniable_analysis.estimate.mechanisms.base import (
    Answers,
    Draw,
    Findings,
    MechanismAnalysis,
    tally_findings,
)
from deniable_analysis.estimate.mechanisms.piecewise_sums import (
    contributions,
    mean_tails,
    sums_of_outputs,
)
from deniable_analysis.estimate.outputs import likeliest_shares
from deniable_analysis.estimate.tallies import Tally, member_counts
from deniable_analysis.results.answers import numeric_levels
from deniable_analysis.results.numbers import DistributionEstimate, MeanEstimate
from deniable_sdk.mechanisms import OneOf, Piecewise
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question
from deniable_sdk.theory.piecewise_mean import worst_square
from deniable_storage.counts import BlockCounts, Integers


def _findings(
    mechanism: Piecewise, question: Question, counts: BlockCounts, choice: IntervalChoice
) -> Findings:
    """The share of "no answer", the mean and the distribution of the rest.

    If answers were rounded there is no distribution, because the reports
    identify only that of the rounded positions; and none if the counts have noise.
    """
    found = Findings(choice.interval.value, ())
    if mechanism.domain.offers_no_answer:
        found = tally_findings([NO_ANSWER], [no_answer_tally(mechanism, counts)], choice)
    found = replace(found, distribution=_distribution(question, mechanism, counts))
    numbers = numeric_levels(question)
    if numbers is None or not np.allclose(np.diff(numbers, n=2), 0.0, rtol=0, atol=1e-9):
        return found
    if not counts.report_count:
        return replace(found, mean=MeanEstimate(unit=question.unit))
    length = numbers[-1] - numbers[0]
    sums = sums_of_outputs(mechanism, counts, length, choice.population)
    mean = mean_of_sums(question, numbers, sums, choice.confidence)
    if mean.value is not None and choice.interval is Interval.ANYTIME:
        mean = _anytime(mean, mechanism, numbers, counts, choice.among(1))
    tails = length**2 * np.array(mean_tails(mechanism)) / counts.report_count
    warnings = *found.warnings, *impossible_mean(sums, length, tails)
    return replace(found, mean=mean, warnings=warnings)


def no_answer_tally(mechanism: Piecewise, counts: BlockCounts) -> Tally:
    """The tally of "no answer", which must be an option; it is a binomial count."""
    channel = Channel(float(mechanism.no_answer_keep), float(mechanism.no_answer_flip))
    support, noise = member_counts(counts, mechanism.outputs)
    return Tally(float(support[mechanism.places]), counts.report_count, channel, noise)


def _anytime(
    mean: MeanEstimate,
    mechanism: Piecewise,
    numbers: Sequence[float],
    counts: BlockCounts,
    rule: IntervalRule,
) -> MeanEstimate:
    """The same mean, with an interval that holds at every look; none for counts with noise."""
    if counts.noise:
        return replace(mean, low=None, high=None)
    outputs, missed = counts.of(range(mechanism.outputs)), 2 * tail(rule.confidence)
    ends = anytime_mean(
        contributions(mechanism), outputs, (-1.0, 1.0), missed, planned=rule.planned
    )
    length = numbers[-1] - numbers[0]
    low, high = (middle(numbers) + length * end for end in ends_within(ends, (-0.5, 0.5)))
    return replace(mean, low=low, high=high)


def _distribution(
    question: Question, mechanism: Piecewise, counts: BlockCounts
) -> DistributionEstimate | None:
    if mechanism.rounds or counts.noise or not counts.report_count:
        return None
    shares = likeliest_shares(counts.of(range(mechanism.outputs)), mechanism)
    answered = shares[: mechanism.cells]
    names = question.names[: mechanism.cells]
    return DistributionEstimate(names, tuple((answered / answered.sum()).tolist()))


def _likelihood(mechanism: Piecewise, values: Integers) -> Floats:
    outputs, last = values[:, np.newaxis], mechanism.cells - 1
    position, beyond = np.divmod(np.arange(mechanism.cells) * mechanism.steps, last)
    up = beyond / last

    def favours(start: Integers) -> Bools:
        found: Bools = (start <= outputs) & (outputs < start + mechanism.window)
        return found

    favouring = np.zeros((len(values), mechanism.domain.size))
    favouring[:, : mechanism.cells] = (1 - up) * favours(position) + up * favours(position + 1)
    is_none = values == mechanism.places
    favouring[is_none] = np.arange(mechanism.domain.size) == mechanism.cells
    weights, total = mechanism.weights, mechanism.total_weight
    extra = (weights.high - weights.low) / total
    found: Floats = weights.low / total + extra * favouring
    found[is_none] *= mechanism.window
    return found


def _simulate(mechanism: Piecewise, answers: Answers, draw: Draw) -> Integers:
    """One output in each row: answers are rounded, then outputs are walked in ascending order."""
    high, low, last = mechanism.weights.high, mechanism.weights.low, mechanism.cells - 1
    position, beyond = np.divmod(answers * mechanism.steps, last)
    rounded = position + (draw(last) < beyond)
    is_none = answers > last
    start = np.where(is_none, mechanism.places, rounded)
    left = draw(mechanism.total_weight) - start * low
    inside = mechanism.window * high
    after = start + mechanism.window + (left - inside) // low
    around = np.where(is_none, mechanism.places, start + left // high)
    outputs = np.where(left < inside, around, np.minimum(mechanism.places, after))
    return np.where(left < 0, start + left // low, outputs)


def _sum_of_largest(mechanism: Piecewise) -> Fraction:
    """The sum over all outputs of their largest probability under any answer.

    An output has the high weight under an answer that is always rounded to a
    position whose window contains the output. For outputs in the windows of two
    neighbouring positions, such an answer lies between or on them. With window
    1 an output belongs to one position, and the nearest answer is at most half
    a cell away. "No answer" has an output of its own.
    """
    weights, last, steps = mechanism.weights, mechanism.cells - 1, mechanism.steps
    if mechanism.window > 1:
        missed = Fraction(0)
    else:
        besides = (position * last % steps for position in range(steps + 1))
        missed = Fraction(sum(min(beside, steps - beside) for beside in besides), last)
    copies = mechanism.places + mechanism.window * mechanism.domain.offers_no_answer
    rest = missed * (weights.high - weights.low)
    return (copies * weights.high - rest) / mechanism.total_weight


def _mean_variance(mechanism: Piecewise, domain: OneOf) -> Fraction:  # noqa: ARG001 - it is its own
    return worst_square(mechanism, max(Fraction(0), _growth(mechanism)))


def _growth(mechanism: Piecewise) -> Fraction:
    """The increase of the variance from a mean of 0 to a mean of 1, with the same spread.

    Let Y be the output divided by the slope, 0 for no answer, and B its
    contribution to the share who answered. The linear part is Y - mean·B.
    Everybody answers, so E[YB] = mean·keep / (keep - flip), and E[B²] = (keep²
    + flip - 2·keep·flip) / (keep - flip)². Without "no answer" B is 1.
    """
    keep, flip = mechanism.no_answer_keep, mechanism.no_answer_flip
    if not mechanism.domain.offers_no_answer:
        return Fraction(-1)
    return (flip - keep**2) / (keep - flip) ** 2


PIECEWISE = MechanismAnalysis(
    findings=_findings,
    likelihood=_likelihood,
    simulate=_simulate,
    sum_of_largest=_sum_of_largest,
    tallies=lambda mechanism, counts: (
        [no_answer_tally(mechanism, counts)] if mechanism.domain.offers_no_answer else []
    ),
    mean_variance=_mean_variance,
)
