"""The record of a mechanism's analysis, and the findings of a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.estimators.alarms import share_warnings
from deniable_analysis.estimators.channel import Channel
from deniable_analysis.estimators.intervals import Interval, IntervalRule, check_simultaneous
from deniable_analysis.estimators.noise import NO_NOISE, Noise, balanced_counts
from deniable_analysis.estimators.sanity import clip
from deniable_analysis.estimators.shares import Numbers, binomial_numbers
from deniable_analysis.results.numbers import DistributionEstimate, MeanEstimate
from deniable_analysis.results.shares import OptionEstimate, named_options
from deniable_sdk.mechanisms import OneOf, PrivSet, SomeOf, Subset
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts, Integers


@dataclass(frozen=True, slots=True)
class IntervalChoice:
    """The choice of intervals; see IntervalRule for the other fields.

    If they are simultaneous, the confidence is that of all shares of one question or
    crosstab together (Bonferroni).

    Raises:
        InvalidArgument: confidence is not between 0 and 1; simultaneous is neither True nor False.
    """

    interval: Interval
    confidence: float
    simultaneous: bool
    population: int | None = None
    planned: float | None = None

    def __post_init__(self) -> None:
        check_simultaneous(self.simultaneous)
        self.among(1)

    def among(self, comparisons: int) -> IntervalRule:
        """The rule for one of this number of intervals."""
        count = comparisons if self.simultaneous else 1
        return IntervalRule(self.interval, self.confidence, count, self.population, self.planned)

    def shared(self, parts: int) -> "IntervalChoice":
        """The choice whose intervals of this number of parts hold together with the confidence."""
        return replace(self, confidence=1 - (1 - self.confidence) / parts)

    def of_part(self, part: float) -> "IntervalChoice":
        """The choice for what only a part of the reports contain."""
        return replace(self, planned=self.planned and self.planned * part)


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
    """The number of reports that support an option, with its channel.

    `noise` is that of releases in the number, which then need not be a whole one.
    """

    support: float
    reports: int
    channel: Channel
    noise: Noise = NO_NOISE

    @property
    def design(self) -> tuple[int, Channel]:
        """The number of reports and the channel, which variances without noise depend on."""
        return self.reports, self.channel


def option_tallies(mechanism: PrivSet | Subset, counts: BlockCounts) -> list[Tally]:
    """The tally of each option of a mechanism whose values are options or sets of them."""
    channel = Channel(mechanism.keep, mechanism.flip).rounded()
    support, noise = member_counts(counts, mechanism.form.members, mechanism.size)
    options = support[: mechanism.domain.options].tolist()
    return [Tally(each, counts.report_count, channel, noise) for each in options]


def member_counts(counts: BlockCounts, members: int, size: int = 1) -> tuple[Floats, Noise]:
    """(members,) how many reports contain each member, and the noise of one of these numbers.

    Every report contains so many members (`size`), which releases do not hide.
    """
    total = size * counts.report_count
    return balanced_counts(counts.of(range(members)), total, counts.noise)


def tally_findings(
    names: Sequence[str], tallies: Sequence[Tally], choice: IntervalChoice
) -> Findings:
    """The findings of options whose shares need not sum to 1, from their tallies."""
    numbers = tally_numbers(tallies, choice.among(len(tallies)), clip)
    warnings = tally_warnings(names, tallies)
    return Findings(choice.interval.value, named_options(names, numbers), warnings=warnings)


def tally_numbers(
    tallies: Sequence[Tally], rule: IntervalRule, valid: Callable[[Floats], Floats]
) -> list[Numbers]:
    """The numbers of options from their tallies; `valid` maps all raw shares to valid ones."""
    rows: list[Numbers] = []
    for (reports, channel), group in groupby(tallies, key=lambda tally: tally.design):
        found = list(group)
        support, noise = [tally.support for tally in found], found[0].noise
        rows += binomial_numbers(support, reports, channel, rule, valid, noise=noise)
    shown = iter(valid(np.array([row["share"] for row in rows if row])).tolist())
    return [{**row, "valid_share": next(shown)} if row else row for row in rows]


def tally_warnings(
    names: Sequence[str], tallies: Sequence[Tally], among: int | None = None
) -> tuple[str, ...]:
    """The warnings of share_warnings about tallies without noise; `among` are all shares."""
    warnings: list[str] = []
    for (reports, channel), group in groupby(
        zip(names, tallies, strict=True), key=lambda pair: pair[1].design
    ):
        some, found = zip(*group, strict=True)
        if not found[0].noise:
            support = [tally.support for tally in found]
            warnings += share_warnings(some, support, reports, channel, among or len(names))
    return tuple(warnings)


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
