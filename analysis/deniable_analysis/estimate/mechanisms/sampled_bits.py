"""Sampled bits: each option's share among the reports that contain its bit."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import FORGED
from deniable_analysis.estimate.channel import Channel, forged_gain
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.mechanisms.base import (
    Answers,
    Draw,
    Findings,
    MechanismAnalysis,
    selections,
    tally_findings,
)
from deniable_analysis.estimate.mechanisms.subset import Places, mark_subsets, marked_columns
from deniable_analysis.estimate.noise import Noise
from deniable_analysis.estimate.tallies import Tally
from deniable_sdk.mechanisms import SampledBits
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts, Integers


def _findings(
    mechanism: SampledBits, question: Question, counts: BlockCounts, choice: IntervalChoice
) -> Findings:
    """The share of each option, from the reports in which it was drawn.

    The number of these reports does not depend on the answers, so the estimates
    condition on it: each option's bits are then binomial. The forgers send this
    option in all of their reports, although it was drawn in few of the others.
    """
    tallies = _tallies(mechanism, counts)
    part = _informative_part(mechanism)
    found = tally_findings(question.names, tallies, choice.of_part(float(part)))
    drawn = (1 - FORGED) * part
    forged = FORGED / float(FORGED + drawn) * forged_gain(tallies[0].channel)
    options = tuple(
        each if each.share is None else replace(each, manipulation_margin=forged)
        for each in found.options
    )
    return replace(found, options=options)


def _informative_part(mechanism: SampledBits) -> Fraction:
    return Fraction(mechanism.sampled, mechanism.domain.options)


def _tallies(mechanism: SampledBits, counts: BlockCounts) -> list[Tally]:
    channel = Channel(mechanism.keep, mechanism.flip).rounded()
    bits = [
        (counts.support.get((option, 0), 0), counts.support.get((option, 1), 0))
        for option in range(mechanism.domain.options)
    ]
    noise = Noise(counts.noise) if counts.noise else None
    return [Tally(ones, zeros + ones, channel, noise) for zeros, ones in bits]


def _likelihood(mechanism: SampledBits, values: Integers) -> Floats:
    chosen = selections(mechanism.domain)
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    each = 1 / math.comb(mechanism.domain.options, mechanism.sampled)
    found = np.full((len(values), len(chosen)), each)
    for index in range(mechanism.sampled):
        truths = chosen[:, values[:, index, 0]].T
        found *= np.where(truths == values[:, index, 1, np.newaxis], keep, flip)
    return found


def _simulate(mechanism: SampledBits, answers: Answers, draw: Draw) -> Integers:
    """The (rows, pairs, 2) pairs of option and bit, ascending by option."""
    marks = np.zeros(answers.shape, dtype=np.bool_)
    sampled = mechanism.sampled
    mark_subsets(marks, Places(mechanism.domain.options, np.asarray), sampled, sampled, draw)
    drawn = marked_columns(marks, sampled)
    truths = np.take_along_axis(answers, drawn, axis=1)
    high = mechanism.weights.high
    kept = np.stack([draw(mechanism.total_weight) < high for _ in range(sampled)], axis=1)
    return np.stack([drawn, truths == kept], axis=2)


def _sum_of_largest(mechanism: SampledBits) -> Fraction:
    """The likeliest answer agrees with as many bits as possible.

    The drawn options do not depend on the answer. Of the bits that are 1, of
    which there are `ones`, at most at_most can be true at once; all bits that
    are 0 can be true.
    """
    keep, flip, sampled = mechanism.keep, mechanism.flip, mechanism.sampled
    found = Fraction(0)
    for ones in range(sampled + 1):
        false = max(0, ones - mechanism.domain.at_most)
        found += math.comb(sampled, ones) * keep ** (sampled - false) * flip**false
    return found


SAMPLED_BITS = MechanismAnalysis(
    findings=_findings,
    likelihood=_likelihood,
    simulate=_simulate,
    sum_of_largest=_sum_of_largest,
    informative_part=_informative_part,
    tallies=_tallies,
)
