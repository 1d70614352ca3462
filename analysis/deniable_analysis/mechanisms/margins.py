"""The shares of one closed question, from the blocks that contain it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import UnsupportedMechanism
from deniable_analysis.estimators import Channel, manipulation_margin, project_to_simplex
from deniable_analysis.estimators.confidence import comparisons_among
from deniable_analysis.mechanisms.base import Findings, IntervalChoice
from deniable_analysis.mechanisms.basis import JointBasis, membership_of
from deniable_analysis.mechanisms.linear import (
    LinearShares,
    linear_shares,
    mean_of_shares,
    merge,
    pool_shares,
)
from deniable_analysis.mechanisms.scores import scores
from deniable_analysis.mechanisms.share_numbers import NORMAL, normal_numbers, normal_warnings
from deniable_analysis.results import OptionEstimate
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts


@dataclass(frozen=True, slots=True)
class Margin:
    """One question of a block: its options are groups of the block's cells.

    Args:
        question: question of the block.
        basis: cells of the block.
        membership: (cells, options) 1 where a cell contains an option; the
            identity if the question is a block of its own.
    """

    question: Question
    basis: JointBasis
    membership: Floats

    @classmethod
    def of(cls, question: Question, block: Block, counts: BlockCounts) -> "Margin":
        """The margin of a question in a block.

        Raises:
            UnsupportedMechanism: the block is not randomized by subset selection.
        """
        sizes = [len(member.names) for member in block.questions]
        membership = membership_of(sizes, block.questions.index(question))
        return cls(question, JointBasis(joint_mechanism(block), counts), membership)

    @property
    def reports(self) -> int:
        """The number of reports that contain the block."""
        return self.basis.reports

    @property
    def merged(self) -> int:
        """The number of cells that contain an option."""
        cells, options = self.membership.shape
        return int(cells // options)

    @property
    def manipulation_margin(self) -> float:
        """The largest increase of an option's share that forged reports can cause."""
        mechanism = self.basis.mechanism
        supported = min(self.merged, mechanism.size)
        return manipulation_margin(Channel.of(mechanism), options=self.merged, supported=supported)

    def shares(self) -> LinearShares:
        """The shares of the options, as sums of the shares of cells.

        Raises:
            InvalidCounts: there is no report.
        """
        return merge(self.basis.cells, self.membership)

    def shares_if(self, shares: Floats) -> LinearShares:
        """Shares of the options under a hypothesis, with their covariances under it.

        Under subset selection the covariances of sums of cells depend on the
        sums alone, so every cell of an option can have an equal share.

        Args:
            shares: (options,) shares of the hypothesis.
        Raises:
            InvalidCounts: there is no report.
        """
        spread = self.membership @ (shares / self.membership.sum(axis=0))
        mechanism = self.basis.mechanism
        return merge(linear_shares(spread, mechanism, self.reports), self.membership)

    def variance_at_equal_shares(self) -> float:
        """The total variance of an option's share under equal shares.

        Raises:
            InvalidCounts: there is no report.
        """
        options = self.membership.shape[1]
        equal = np.full(options, 1 / options)
        return float(self.basis.covariances_at(self.membership, equal)[0, 0])


def joint_mechanism(block: Block) -> Subset:
    """The mechanism of a block whose answers are cells.

    Raises:
        UnsupportedMechanism: it is not subset selection.
    """
    if isinstance(block.mechanism, Subset):
        return block.mechanism
    raise UnsupportedMechanism(
        f"block {block.id!r} joins several questions and is randomized by "
        f"{block.mechanism.name!r}; this version debiases joint blocks by {Subset.name!r} only"
    )


def margin_findings(
    margins: Sequence[Margin], asked_both: float, choice: IntervalChoice
) -> Findings:
    """The shares of a question, and the mean if its answers are numbers.

    In a single block, the number of reports that support an option is a
    binomial count; if it is not, intervals are normal. Several blocks are
    pooled, with normal intervals.

    Args:
        margins: margins of the question in each of its blocks.
        asked_both: number of respondents who were asked any two of these
            blocks.
        choice: which intervals.
    """
    question, reported = margins[0].question, [each for each in margins if each.reports]
    rule = choice.among(comparisons_among(len(question.names)))
    if len(margins) == 1 and margins[0].basis.is_binomial(margins[0].merged):
        (margin,) = margins
        numbers = margin.basis.numbers(margin.membership, rule)
        interval = rule.interval.value
        warnings = margin.basis.warnings(question.names, margin.membership)
        is_mean_wanted = reported and scores(question) is not None
        shares = margin.shares().of_population(choice.population) if is_mean_wanted else None
    elif reported:
        interval = NORMAL
        shares = pool_margins(reported, asked_both).of_population(choice.population)
        reports = sum(margin.reports for margin in reported)
        rows = normal_numbers(shares.shares, shares.variances(), reports, rule, project_to_simplex)
        # The same part of each block's reports is assumed to be forged.
        forged = float(_weights(reported) @ [each.manipulation_margin for each in reported])
        numbers = [{**row, "manipulation_margin": forged} for row in rows]
        part = shares.variances()[0]
        warnings = normal_warnings(question.names, shares.shares, part, reports)
    else:
        numbers, interval, warnings, shares = [{}] * len(question.names), NORMAL, (), None
    named = zip(question.names, numbers, strict=True)
    return Findings(
        interval,
        tuple(OptionEstimate(option=name, **each) for name, each in named),
        mean_of_shares(question, shares, choice.confidence),
        warnings=warnings,
    )


def pool_margins(
    margins: Sequence[Margin], asked_both: float, shares: Floats | None = None
) -> LinearShares:
    """The pooled shares, weighted by inverse variances at equal shares.

    With variances at the estimated shares, the weights would depend on the
    reports, the estimates would be biased, and their sum would differ from 1.

    Args:
        margins: margins of the question in each of its blocks.
        asked_both: number of respondents who were asked any two of these
            blocks.
        shares: shares of a hypothesis; by default the estimated ones.
    """
    reports = np.array([margin.reports for margin in margins], dtype=np.float64)
    both = np.full((len(margins), len(margins)), asked_both)
    np.fill_diagonal(both, reports)
    return pool_shares(
        [margin.shares() if shares is None else margin.shares_if(shares) for margin in margins],
        _weights(margins),
        both / np.outer(reports, reports),
    )


def _weights(margins: Sequence[Margin]) -> Floats:
    precisions = np.array([1 / margin.variance_at_equal_shares() for margin in margins])
    return np.asarray(precisions / precisions.sum())


def expected_both(survey: PublishedSurvey, report_count: int) -> float:
    """The number of respondents who are asked two given blocks: exact, if all are asked.

    Otherwise it is the expected number, which the true number differs from by
    chance.
    """
    blocks, asked = len(survey.blocks), survey.asked
    pairs = blocks * (blocks - 1)
    return report_count * asked * (asked - 1) / pairs if pairs else 0.0
