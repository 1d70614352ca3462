"""The shares of one question with their covariances, from all of its blocks."""

from dataclasses import dataclass

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.mechanisms.basis import JointBasis
from deniable_analysis.mechanisms.linear import LinearShares
from deniable_analysis.mechanisms.margins import Margin, expected_both, pool_margins
from deniable_analysis.relations.questions import label, subset_blocks
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_sdk.survey.questions import Question


@dataclass(frozen=True, slots=True)
class OrderedShares:
    """The shares of the answers to a question, "no answer" last where it is one.

    Args:
        question: its id.
        shares: of all answers.
        option_count: how many there are, "no answer" not counted.
        reports: behind them.
    """

    question: str
    shares: LinearShares
    option_count: int
    reports: int


@dataclass(frozen=True, slots=True)
class ClosedShares:
    """The shares of the options of a question.

    Args:
        question: a closed one.
        shares: of its names.
        reports: behind them.
        epsilon: what a report spends on a block of the question.
        basis: the answers of the block, where the question is in one.
        membership: (answers, options) which of them hold an option.
    """

    question: Question
    shares: LinearShares
    reports: int
    epsilon: float
    basis: JointBasis | None
    membership: Floats

    @property
    def option_count(self) -> int:
        """How many options there are, "no answer" not counted."""
        return len(self.question.names) - self.question.offers_no_answer

    @property
    def ordered(self) -> OrderedShares:
        """The same without the block."""
        return OrderedShares(self.question.id, self.shares, self.option_count, self.reports)


def closed_shares(study: ReportedSurvey, question: Question) -> ClosedShares:
    """The shares of a question's options, of one moment.

    Raises:
        NotIdentified: no block of it is randomized by subset selection, or no
            report carries one.
    """
    blocks = subset_blocks(study, question)
    counts = study.count(blocks)
    margins = [Margin.of(question, block, counts.blocks[block.id]) for block in blocks]
    reported = [margin for margin in margins if margin.reports]
    if not reported:
        raise NotIdentified(
            f"no report of {label(study)} carries question {question.id!r} yet; wait for reports"
        )
    is_one = len(reported) == 1
    both = expected_both(study.survey, counts.report_count)
    return ClosedShares(
        question=question,
        shares=pool_margins(reported, both),
        reports=sum(margin.reports for margin in reported),
        epsilon=max(block.epsilon for block in blocks),
        basis=reported[0].basis if is_one else None,
        membership=reported[0].membership,
    )
