"""What the analysis knows of a mechanism: one record each, and the findings of a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.estimators import Channel, Interval, IntervalRule
from deniable_analysis.estimators.intervals import check_simultaneous
from deniable_analysis.results import DistributionEstimate, MeanEstimate, OptionEstimate
from deniable_sdk.mechanisms import OneOf, SomeOf
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts, Integers


@dataclass(frozen=True, slots=True)
class IntervalChoice:
    """Which intervals are wanted.

    Args:
        interval: which binomial interval.
        confidence: how often an interval contains the true value.
        simultaneous: whether the intervals of the shares of one question or
            crosstab are to hold all at once (Bonferroni).
        population: of how many people the respondents are a sample; None for
            many times more than these.
    Raises:
        InvalidConfidence: confidence is not between 0 and 1.
        InvalidInterval: simultaneous is neither True nor False.
    """

    interval: Interval
    confidence: float
    simultaneous: bool
    population: int | None = None

    def __post_init__(self) -> None:
        check_simultaneous(self.simultaneous)
        self.among(1)

    def among(self, comparisons: int) -> IntervalRule:
        """The rule for one of so many intervals."""
        count = comparisons if self.simultaneous else 1
        return IntervalRule(self.interval, self.confidence, count, self.population)


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a question; see QuestionEstimate for the fields."""

    interval: str
    options: tuple[OptionEstimate, ...]
    mean: MeanEstimate | None = None
    distribution: DistributionEstimate | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of these reports support an option, through this channel."""

    support: int
    reports: int
    channel: Channel

    @property
    def design(self) -> tuple[int, Channel]:
        """The reports and the channel: what variances depend on."""
        return self.reports, self.channel


# Returns, for a bound, one uniform integer from 0 to bound - 1 in each row.
Draw = Callable[[int], Integers]
# One answer in each row: an index, or a truth value for each option.
Answers = NDArray[Any]


@dataclass(frozen=True, slots=True)
class MechanismAnalysis:
    """What the analysis knows of a mechanism; every function is given the mechanism first.

    Args:
        findings: of a question that is a block of its own, from the
            question, the block's counts and which intervals are wanted.
        likelihood: (values, answers) the probability of each of some legal
            values under every answer.
        simulate: the values of some answers, one in each row. It asks for the
            same bounds in the same order whatever the answers are.
        sum_of_largest: over the outputs, of the likelihood of the answer that
            makes the output likeliest.
        informative_part: the part of the reports that support or contradict a given
            option; None where reports do not support single options. Such a
            mechanism has a `keep` and a `flip`.
        tallies: for each option the reports that support it, from the counts
            of the block; None as above.
        mean_variance: the total variance of a mean at its hardest answers,
            times the reports, for a domain and on a range of length 1; None
            where it returns no mean.
    """

    findings: Callable[[Any, Question, BlockCounts, IntervalChoice], Findings]
    likelihood: Callable[[Any, Integers], Floats]
    simulate: Callable[[Any, Answers, Draw], Integers]
    sum_of_largest: Callable[[Any], Fraction]
    informative_part: Callable[[Any], Fraction] | None = None
    tallies: Callable[[Any, BlockCounts], Sequence[Tally]] | None = None
    mean_variance: Callable[[Any, OneOf], Fraction] | None = None


def selections(domain: SomeOf, columns: int) -> Bools:
    """(answers, columns) every answer as truth values, in the domain's order."""
    chosen = np.zeros((domain.size, columns), dtype=np.bool_)
    for row, answer in enumerate(domain.answers()):
        chosen[row, list(answer)] = True
    return chosen
