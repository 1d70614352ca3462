"""What a study says of one question: estimates, and the counts behind them."""

from dataclasses import dataclass

import numpy as np

from deniable_analysis.estimation.margins import Margin
from deniable_analysis.estimation.questions import check_supported, estimate_question
from deniable_analysis.estimators import Channel
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results import QuestionEstimate
from deniable_sdk.mechanisms import PrivSet, SampledBits, Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts


@dataclass(frozen=True, slots=True)
class Tally:
    """So many of the reports support an option, through this channel."""

    support: int
    reports: int
    channel: Channel

    @property
    def design(self) -> tuple[int, Channel]:
        """The reports and the channel: what variances depend on."""
        return self.reports, self.channel


@dataclass(frozen=True, slots=True)
class Evidence:
    """One question of one study.

    Args:
        estimate: of the question.
        tallies: one for each option, where reports are binomial counts.
        margins: what each block says that is randomized by subset selection
            and has reports.
    """

    estimate: QuestionEstimate
    tallies: tuple[Tally, ...] | None
    margins: tuple[Margin, ...]


def evidence(study: ReportedSurvey, question: Question, choice: IntervalChoice) -> Evidence:
    """What a study says of a question, of one moment.

    Raises:
        UnsupportedMechanism: this version cannot debias one of its blocks.
    """
    blocks = tuple(block for block in study.survey.blocks if question in block.questions)
    check_supported(blocks)
    counts = study.count(blocks)
    found = estimate_question(study.survey, question, counts, choice)
    used = [block for block in blocks if block.id in found.blocks]
    tallies = tally_of(question, used[0], counts.blocks[used[0].id]) if len(used) == 1 else None
    margins = [
        Margin.of(question, block, counts.blocks[block.id])
        for block in used
        if isinstance(block.mechanism, Subset)
    ]
    reported = tuple(margin for margin in margins if margin.counts.report_count)
    return Evidence(found, tallies, reported)


def tally_of(question: Question, block: Block, counts: BlockCounts) -> tuple[Tally, ...] | None:
    """The supporting reports of each option; None where they are no counts."""
    mechanism, reports = block.mechanism, counts.report_count
    if isinstance(mechanism, SampledBits):
        channel = Channel(mechanism.keep, mechanism.flip).rounded()
        bits = [
            (counts.said.get((place, 0), 0), counts.said.get((place, 1), 0))
            for place in range(len(question.names))
        ]
        return tuple(Tally(ones, zeros + ones, channel) for zeros, ones in bits)
    if isinstance(mechanism, PrivSet):
        channel = Channel(mechanism.keep, mechanism.flip).rounded()
        support = counts.of(range(len(question.names)))
        return tuple(Tally(each, reports, channel) for each in support)
    return _tally_of_subset(question, block, counts)


def _tally_of_subset(
    question: Question, block: Block, counts: BlockCounts
) -> tuple[Tally, ...] | None:
    mechanism = block.mechanism
    is_joint = len(block.questions) > 1
    if not isinstance(mechanism, Subset) or (is_joint and mechanism.size > 1):
        return None
    channel = Channel.of(mechanism).rounded()
    support = np.array(counts.of(range(mechanism.domain_size)))
    if is_joint:
        margin = Margin.of(question, block, counts)
        channel, support = margin.channel, np.rint(support @ margin.membership).astype(int)
    return tuple(Tally(each, counts.report_count, channel) for each in support.tolist())
