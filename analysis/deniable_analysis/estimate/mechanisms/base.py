"""The record of a mechanism's analysis, and the findings of a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.tallies import (
    Tally,
    tally_numbers,
    tally_warnings,
)
from deniable_analysis.results.numbers import DistributionEstimate, MeanEstimate
from deniable_analysis.results.shares import OptionEstimate, named_options
from deniable_analysis.results.valid import clip
from deniable_sdk.mechanisms import OneOf, SomeOf
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts, Integers


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a question; see QuestionEstimate for the fields."""

    interval: str
    options: tuple[OptionEstimate, ...]
    mean: MeanEstimate | None = None
    distribution: DistributionEstimate | None = None
    warnings: tuple[str, ...] = ()


def tally_findings(
    names: Sequence[str], tallies: Sequence[Tally], choice: IntervalChoice
) -> Findings:
    """The findings of options whose shares need not sum to 1, from their tallies."""
    numbers = tally_numbers(tallies, choice.among(len(tallies)), clip)
    warnings = tally_warnings(names, tallies)
    return Findings(choice.interval.value, named_options(names, numbers), warnings=warnings)


# Returns, for a bound, one uniform integer from 0 to bound - 1 in each row.
Draw = Callable[[int], Integers]
# One answer in each row: an index, or True or False for each option.
Answers = NDArray[Any]


@dataclass(frozen=True, slots=True)
class MechanismAnalysis:
    """The analysis of a mechanism; the first argument of every function is the mechanism.

    Args:
        likelihood: (values, answers) probability of each of some valid values
            under every answer.
        simulate: simulated values for some answers, one in each row. The bounds
            that it draws with, and their order, do not depend on the answers.
        sum_of_largest: sum over the outputs of the largest likelihood under any
            answer.
        informative_part: part of the reports that support or contradict a given
            option; None if reports do not support single options. A mechanism
            with such a part has a `keep` and a `flip`.
        tallies: for each option that has a share, the number of reports that support
            it, from the counts of the block.
        mean_variance: largest total variance of a mean under any answers, times
            the number of reports, for a domain and on a range of length 1; None
            if the mechanism has no mean.
        findings: findings of a question that is a block of its own, from the
            question, the block's counts and the choice of intervals. None for
            subset selection, whose blocks may join questions: see QuestionCells.
    """

    likelihood: Callable[[Any, Integers], Floats]
    simulate: Callable[[Any, Answers, Draw], Integers]
    sum_of_largest: Callable[[Any], Fraction]
    informative_part: Callable[[Any], Fraction] | None = None
    tallies: Callable[[Any, BlockCounts], Sequence[Tally]] | None = None
    mean_variance: Callable[[Any, OneOf], Fraction] | None = None
    findings: Callable[[Any, Question, BlockCounts, IntervalChoice], Findings] | None = None


def selections(domain: SomeOf) -> Bools:
    """The (answers, options) True or False of every answer, in the domain's order."""
    chosen = np.zeros((domain.size, domain.options), dtype=np.bool_)
    for row, answer in enumerate(domain.answers()):
        chosen[row, list(answer)] = True
    return chosen
