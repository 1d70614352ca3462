"""PrivSet: each option's share from the sets that contain it; dummies carry no information."""

import math
from fractions import Fraction

import numpy as np

from deniable_analysis.arrays import Bools, Floats
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
from deniable_analysis.estimate.tallies import option_tallies
from deniable_sdk.mechanisms import PrivSet
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts, Integers


def _findings(
    mechanism: PrivSet, question: Question, counts: BlockCounts, choice: IntervalChoice
) -> Findings:
    """The share of each option among all who were asked."""
    return tally_findings(question.names, option_tallies(mechanism, counts), choice)


def _likelihood(mechanism: PrivSet, values: Integers) -> Floats:
    chosen = _padded(mechanism, selections(mechanism.domain))
    is_met: Bools = np.zeros((len(values), len(chosen)), dtype=np.bool_)
    for index in range(mechanism.size):
        is_met |= chosen[:, values[:, index]].T
    weights, total = mechanism.weights, mechanism.total_weight
    return np.where(is_met, weights.high / total, weights.low / total)


def _simulate(mechanism: PrivSet, answers: Answers, draw: Draw) -> Integers:
    """Ascending sets of options and dummies, one in each row."""
    at_most, size = mechanism.domain.at_most, mechanism.size
    chosen = _padded(mechanism, answers)
    met = np.searchsorted(mechanism.weights_up_to, draw(mechanism.total_weight), side="right")
    marks = np.zeros(chosen.shape, dtype=np.bool_)
    mark_subsets(marks, _places(chosen, at_most), met, min(at_most, size), draw)
    mark_subsets(marks, _places(~chosen, mechanism.domain.options), size - met, size, draw)
    return marked_columns(marks, size)


def _padded(mechanism: PrivSet, answers: Answers) -> Bools:
    """Each answer, padded with dummies to the number of options that may be chosen."""
    missing = mechanism.domain.at_most - answers.sum(axis=1)
    dummies = np.arange(mechanism.domain.at_most) < missing[:, np.newaxis]
    return np.concatenate([answers, dummies], axis=1)


def _places(candidates: Bools, count: int) -> Places:
    """The columns that are marked, `count` of them in each row."""
    columns, rows = marked_columns(candidates, count), np.arange(len(candidates))
    return Places(count, lambda index: columns[rows, index])


def _sum_of_largest(mechanism: PrivSet) -> Fraction:
    """Every set intersects some padded answer.

    A set with an option intersects the answer of that option alone. A set of
    dummies only intersects the empty answer, which is padded with all dummies.
    """
    outputs = math.comb(mechanism.padded, mechanism.size)
    return Fraction(outputs * mechanism.weights.high, mechanism.total_weight)


PRIVSET = MechanismAnalysis(
    findings=_findings,
    likelihood=_likelihood,
    simulate=_simulate,
    sum_of_largest=_sum_of_largest,
    informative_part=lambda _: Fraction(1),
    tallies=option_tallies,
)
