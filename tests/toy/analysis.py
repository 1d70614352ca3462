"""What the analysis knows of the mechanism."""

from fractions import Fraction

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.channel import Channel
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.mechanisms.base import (
    Answers,
    Draw,
    Findings,
    MechanismAnalysis,
    tally_findings,
)
from deniable_analysis.estimate.tallies import Tally
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts, Integers
from toy.mechanisms.toy import Toy


def _findings(
    mechanism: Toy, question: Question, counts: BlockCounts, choice: IntervalChoice
) -> Findings:
    return tally_findings(question.names, _tallies(mechanism, counts), choice)


def _tallies(mechanism: Toy, counts: BlockCounts) -> list[Tally]:
    channel = Channel(mechanism.keep, mechanism.flip).rounded()
    support = counts.of(range(mechanism.options))
    return [Tally(each, counts.report_count, channel) for each in support]


def _likelihood(mechanism: Toy, values: Integers) -> Floats:
    is_kept = values[:, np.newaxis] == np.arange(mechanism.options)
    return np.where(is_kept, float(mechanism.keep), float(mechanism.flip))


def _simulate(mechanism: Toy, answers: Answers, draw: Draw) -> Integers:
    drawn = draw(mechanism.total_weight) - mechanism.weights.high
    others = drawn // mechanism.weights.low
    simulated: Integers = np.where(drawn < 0, answers, others + (others >= answers))
    return simulated


TOY = MechanismAnalysis(
    findings=_findings,
    likelihood=_likelihood,
    simulate=_simulate,
    sum_of_largest=lambda mechanism: mechanism.options * mechanism.keep,
    informative_part=lambda _: Fraction(1),
    tallies=_tallies,
)
