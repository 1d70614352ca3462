"""One closed question's own shares, from the crosstabs that it is part of."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimation.crosstab import joint_mechanism
from deniable_analysis.estimators import Channel, manipulation_margin, project_to_simplex
from deniable_analysis.estimators.confidence import comparisons_among
from deniable_analysis.mechanisms import Findings, IntervalChoice
from deniable_analysis.mechanisms.linear import (
    LinearShares,
    block_shares,
    linear_shares,
    mean_of_shares,
    merge,
    pool_shares,
)
from deniable_analysis.mechanisms.share_numbers import (
    NORMAL,
    Numbers,
    binomial_numbers,
    normal_numbers,
    normal_warnings,
    share_warnings,
)
from deniable_analysis.results import OptionEstimate
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts


@dataclass(frozen=True, slots=True)
class Margin:
    """One block's counts for one of its questions.

    Args:
        question: of the block.
        mechanism: the block's.
        counts: the block's.
        membership: (cells, options) 1 where a cell holds an option.
    """

    question: Question
    mechanism: Subset
    counts: BlockCounts
    membership: Floats

    @classmethod
    def of(cls, question: Question, block: Block, counts: BlockCounts) -> "Margin":
        """The margin of a question in a block.

        Raises:
            UnsupportedMechanism: the block is not randomized by subset selection.
        """
        sizes = [len(member.names) for member in block.questions]
        place = block.questions.index(question)
        option = np.indices(sizes)[place].ravel()
        membership = option[:, None] == np.arange(sizes[place])
        return cls(question, joint_mechanism(block), counts, membership.astype(np.float64))

    @property
    def channel(self) -> Channel:
        """How often a report of a single cell supports an option.

        Source: a set of m cells under k-ary randomized response is supported
        with probability p + (m - 1) q if it contains the answer, else m q.
        """
        cells, options = self.membership.shape
        merged = cells // options
        keep, flip = float(self.mechanism.keep), float(self.mechanism.flip)
        return Channel(keep + (merged - 1) * flip, merged * flip)

    @property
    def manipulation_margin(self) -> float:
        """How far forged reports could move an option's share."""
        merged = len(self.membership) // self.membership.shape[1]
        channel, supported = Channel.of(self.mechanism), min(merged, self.mechanism.size)
        return manipulation_margin(channel, options=merged, supported=supported)

    def shares(self) -> LinearShares:
        """The options' shares, as sums of those of the cells.

        Raises:
            InvalidCounts: there is no report.
        """
        return merge(block_shares(self.mechanism, self.counts), self.membership)

    def variance_at_equal_shares(self) -> float:
        """The total variance of an option's share, if all cells had the same.

        Raises:
            InvalidCounts: there is no report.
        """
        size = self.mechanism.domain_size
        cells = linear_shares(np.full(size, 1 / size), self.mechanism, self.counts.report_count)
        mechanism_part, sampling_part = merge(cells, self.membership).variances()
        return float(mechanism_part[0] + sampling_part[0])


def analyse_margin(margin: Margin, choice: IntervalChoice) -> Findings:
    """The shares of a question that is in one crosstab.

    Where a report is a single cell, those with a cell of the option are a
    binomial count; of larger sets only the variance is known.
    """
    question, counts, mechanism = margin.question, margin.counts, margin.mechanism
    shares = margin.shares().of_population(choice.population) if counts.report_count else None
    if mechanism.size > 1:
        return _normal_findings(question, shares, [margin], choice)
    cells = np.array(counts.of(range(mechanism.domain_size)))
    support = (cells @ margin.membership).astype(int).tolist()
    rule = choice.among(comparisons_among(len(support)))
    numbers = binomial_numbers(
        support, counts.report_count, margin.channel, rule, project_to_simplex
    )
    mean = mean_of_shares(question, shares, choice.confidence)
    warnings = share_warnings(question.names, support, counts.report_count, margin.channel)
    return Findings(choice.interval.value, _options(question, numbers), mean, warnings=warnings)


def analyse_margins(
    margins: Sequence[Margin], asked_both: float, choice: IntervalChoice
) -> Findings:
    """The shares of a question that is in several blocks, pooled.

    Args:
        margins: what each block says.
        asked_both: how many respondents were asked any two of these blocks.
        choice: how sure the intervals are; they are normal.
    """
    reported = [margin for margin in margins if margin.counts.report_count]
    pooled = (
        pool_margins(reported, asked_both).of_population(choice.population) if reported else None
    )
    return _normal_findings(margins[0].question, pooled, reported or margins, choice)


def pool_margins(margins: Sequence[Margin], asked_both: float) -> LinearShares:
    """The pooled shares, weighted by inverse variances at equal shares.

    Variances at the estimated shares would make the weights depend on the
    reports, the estimates biased, and their sum other than 1.
    """
    reports = np.array([margin.counts.report_count for margin in margins], dtype=np.float64)
    both = np.full((len(margins), len(margins)), asked_both)
    np.fill_diagonal(both, reports)
    return pool_shares(
        [margin.shares() for margin in margins],
        _weights(margins),
        both / np.outer(reports, reports),
    )


def _weights(margins: Sequence[Margin]) -> Floats:
    precisions = np.array([1 / margin.variance_at_equal_shares() for margin in margins])
    return np.asarray(precisions / precisions.sum())


def _normal_findings(
    question: Question,
    shares: LinearShares | None,
    margins: Sequence[Margin],
    choice: IntervalChoice,
) -> Findings:
    numbers: list[Numbers] = [{}] * len(question.names)
    warnings: tuple[str, ...] = ()
    if shares:
        rule = choice.among(comparisons_among(len(question.names)))
        report_count = sum(margin.counts.report_count for margin in margins)
        rows = normal_numbers(
            shares.shares, shares.variances(), report_count, rule, project_to_simplex
        )
        # That part of the reports of each of the blocks.
        forged = float(_weights(margins) @ [each.manipulation_margin for each in margins])
        numbers = [{**row, "manipulation_margin": forged} for row in rows]
        part = shares.variances()[0]
        warnings = normal_warnings(question.names, shares.shares, part, report_count)
    mean = mean_of_shares(question, shares, choice.confidence)
    return Findings(NORMAL, _options(question, numbers), mean, warnings=warnings)


def _options(question: Question, numbers: Sequence[Numbers]) -> tuple[OptionEstimate, ...]:
    named = zip(question.names, numbers, strict=True)
    return tuple(OptionEstimate(option=name, **each) for name, each in named)


def expected_both(survey: PublishedSurvey, report_count: int) -> float:
    """How many respondents are asked two given blocks: exactly, if all are asked.

    Otherwise as many as are expected, of which the number strays by chance.
    """
    blocks, asked = len(survey.blocks), survey.asked
    pairs = blocks * (blocks - 1)
    return report_count * asked * (asked - 1) / pairs
