"""One closed question in a block, and its shares pooled over all blocks that contain it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import FORGED
from deniable_analysis.estimate.cells import (
    JointBasis,
    block_membership,
    group_sizes,
    joint_mechanism,
)
from deniable_analysis.estimate.channel import Channel, forged_gain
from deniable_analysis.estimate.choice import IntervalChoice, IntervalRule
from deniable_analysis.estimate.linear import Ends, LinearShares, anytime_cell_ends, merge
from deniable_analysis.forms import finite_or_none
from deniable_analysis.results.answers import numeric_levels
from deniable_analysis.results.numbers import MeanEstimate
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts, SurveyCounts


@dataclass(frozen=True, slots=True)
class QuestionCells:
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
    def of(cls, question: Question, block: Block, counts: BlockCounts) -> "QuestionCells":
        """The margin of a question in a block.

        Raises:
            UnsupportedMechanism: the block is not randomized by subset selection.
        """
        basis = JointBasis(joint_mechanism(block), counts)
        return cls(question, basis, block_membership(block, question))

    @property
    def reports(self) -> int:
        """The number of reports that contain the block."""
        return self.basis.reports

    @property
    def manipulation_margin(self) -> float:
        """The largest increase of an option's share that forged reports can cause."""
        mechanism = self.basis.mechanism
        channel = Channel.of(mechanism)
        sizes = group_sizes(self.membership)
        return FORGED * max(
            forged_gain(channel, each, min(each, mechanism.size)) for each in sizes
        )

    def shares(self) -> LinearShares:
        """The shares of the options, as sums of the shares of cells.

        Raises:
            InvalidArgument: there is no report.
        """
        return merge(self.basis.cells, self.membership)

    def variance_at_equal_shares(self) -> float:
        """The total variance of an option's share under equal shares, on average.

        Raises:
            InvalidArgument: there is no report.
        """
        possible = self.membership[:, self.membership.any(axis=0)]
        equal = np.full(possible.shape[1], 1 / possible.shape[1])
        return float(np.diag(self.basis.shares_if(possible, equal).covariances).mean())


def pooled_tails(margins: Sequence[QuestionCells]) -> Floats:
    """(2, options) tail variances of the pooled shares, at 0 and at 1; see alarms."""
    each = np.array([margin.basis.tails(margin.membership) for margin in margins])
    return np.asarray(np.tensordot(block_weights(margins) ** 2, each, axes=1))


def reported_margins(
    question: Question, blocks: Iterable[Block], counts: SurveyCounts
) -> list[QuestionCells]:
    """The margins of a question in those of its blocks that have reports."""
    margins = (QuestionCells.of(question, block, counts.blocks[block.id]) for block in blocks)
    return [margin for margin in margins if margin.reports]


def pool_margins(
    margins: Sequence[QuestionCells], asked_both: float, shares: Floats | None = None
) -> LinearShares:
    """The pooled shares, weighted by inverse variances at equal shares.

    With variances at the estimated shares, the weights would depend on the
    reports, the estimates would be biased, and their sum would differ from 1.
    The blocks are randomized separately, so their mechanism parts are
    independent. Their samples are not: a respondent who is asked in two blocks
    counts in both, with the same answer. `asked_both` respondents were asked any
    two of the blocks. With `shares`, covariances are those under this hypothesis.
    """
    reports = np.array([margin.reports for margin in margins], dtype=np.float64)
    both = np.full((len(margins), len(margins)), asked_both)
    np.fill_diagonal(both, reports)
    parts = [
        margin.shares() if shares is None else margin.basis.shares_if(margin.membership, shares)
        for margin in margins
    ]
    weights = block_weights(margins)
    mechanism_parts = np.array([part.mechanism_part for part in parts])
    noises = [part.release_part for part in parts]
    known = [each for each in noises if each is not None]
    return LinearShares(
        weights @ np.array([part.shares for part in parts]),
        np.tensordot(weights**2, mechanism_parts, axes=1),
        float(weights @ (both / np.outer(reports, reports)) @ weights),
        # A release has noise in the counts of every block.
        np.tensordot(weights**2, np.array(known), axes=1) if known else None,
    )


def anytime_shares(
    margins: Sequence[QuestionCells],
    rule: IntervalRule,
    groups: Floats | None = None,
    among: Floats | None = None,
) -> Ends:
    """The ends for the pooled shares at every look: of each option, or of groups of options.

    Each block's interval is at a level that holds for all blocks together.

    Args:
        margins: the question's margins, all with reports.
        rule: confidence of the intervals.
        groups: (options, groups) 1 where a group contains an option.
        among: (options,) 1 for the options among which the shares are; by
            default all.
    """
    each = replace(rule, comparisons=rule.comparisons * len(margins))
    parts = []
    for margin in margins:
        cells = margin.membership if groups is None else margin.membership @ groups
        if among is None:
            rows = margin.basis.numbers(cells, each)
            ends = np.array([[row["low"], row["high"]] for row in rows], np.float64).T
        else:
            whole = margin.membership @ among
            ends = np.array(anytime_cell_ends(margin.basis.contributions, cells, each, whole))
        parts.append(ends)
    return _weighted(parts, margins)


def anytime_question_mean(
    mean: MeanEstimate, margins: Sequence[QuestionCells], choice: IntervalChoice
) -> MeanEstimate:
    """The same mean with an interval that holds at every look, from all of its blocks."""
    numbers = numeric_levels(margins[0].question) or ()
    rule = replace(choice.among(1), comparisons=len(margins))
    options = np.zeros((margins[0].membership.shape[1], 2))
    options[: len(numbers), 0], options[: len(numbers), 1] = numbers, 1.0
    sums = [(margin.basis.contributions, margin.membership @ options) for margin in margins]
    parts = [
        np.array(anytime_cell_ends(found, cells[:, :1], rule, cells[:, 1]))
        for found, cells in sums
    ]
    low, high = (finite_or_none(end[0]) for end in _weighted(parts, margins))
    return replace(mean, low=low, high=high)


def _weighted(parts: Sequence[Floats], margins: Sequence[QuestionCells]) -> Ends:
    """The weighted ends of all blocks, from (2, sums) ends of each that hold at once."""
    low, high = np.tensordot(block_weights(margins), np.array(parts), axes=1)
    return low, high


def block_weights(margins: Sequence[QuestionCells]) -> Floats:
    """(blocks,) weights that sum to 1: the inverse variances at equal shares."""
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
