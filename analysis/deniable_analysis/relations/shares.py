"""The shares of one question with their covariances, and sums of them."""

from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimators import project_to_simplex
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.mechanisms.basis import Basis, JointBasis
from deniable_analysis.mechanisms.linear import LinearShares
from deniable_analysis.mechanisms.margins import Margin, expected_both, pool_margins
from deniable_analysis.mechanisms.share_numbers import NORMAL, Numbers, clip, normal_numbers
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


def numbers_among_answered(
    found: ClosedShares, later: Floats, choice: IntervalChoice
) -> tuple[list[Numbers], str]:
    """The numbers of sums of options' shares among those who answered, and their interval.

    Args:
        found: the shares of all options.
        later: (options, sums) 1 where a sum contains an option, "no answer" last.
        choice: which intervals.
    Raises:
        NotIdentified: nobody seems to have answered.
    """
    rule = choice.among(later.shape[1])
    projected = project_to_simplex(found.shares.shares)
    answered = projected[: found.option_count].sum()
    valid = later.T @ projected / answered if answered > 0 else np.zeros(later.shape[1])
    if _is_counted(found.basis, later) and not found.question.offers_no_answer and found.basis:
        rows = [
            found.basis.numbers(found.membership @ later[:, [column]], rule)[0]
            for column in range(later.shape[1])
        ]
        kind = rule.interval.value
    else:
        rows, kind = ratio_numbers(found.ordered, later, choice), NORMAL
    shown: list[Numbers] = [
        {**row, "valid_share": each} for row, each in zip(rows, valid.tolist(), strict=True)
    ]
    return shown, kind


def _is_counted(basis: Basis | None, later: Floats) -> bool:
    """Whether the reports that support any number of options are counts."""
    return basis is not None and basis.is_binomial(int(later.sum(axis=0).max()) + 1)


def ratio_numbers(found: OrderedShares, later: Floats, choice: IntervalChoice) -> list[Numbers]:
    """Sums of shares over the share of those who answered, by the delta method.

    Args:
        found: the shares of all answers.
        later: (answers, sums) 1 where a sum contains an answer.
        choice: how sure the intervals are; they are always normal.
    Raises:
        NotIdentified: nobody seems to have answered.
    """
    shares = found.shares.shares
    inside = np.zeros(len(shares))
    inside[: found.option_count] = 1
    answered = float(inside @ shares)
    if answered <= 0:
        raise NotIdentified(
            f"the reports do not show that anybody answered {found.question!r}; wait for more"
        )
    values = later.T @ shares / answered
    slopes = (later - np.outer(inside, values)) / answered
    parts = (
        np.sum(slopes * (found.shares.mechanism_part @ slopes), axis=0),
        np.sum(slopes * (found.shares.sampling_part @ slopes), axis=0),
    )
    rule = choice.among(len(values))
    return normal_numbers(values, parts, found.reports, rule, clip)
