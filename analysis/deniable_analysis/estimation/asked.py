"""Shares among those who were asked a question that not all respondents are asked.

These are all respondents whose answer to another question, the router, leads to
the question. Whether the router was asked needs no check: only those who were
asked it report one of its answers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from deniable_analysis.estimation.asked_shares import (
    AskedShares,
    asked_and_refused,
    jointly_randomized,
    separately_randomized,
    share_among,
)
from deniable_analysis.estimators import project_to_simplex, sampling_scale
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.mechanisms.linear import merge
from deniable_analysis.mechanisms.margins import Margin, expected_both, pool_margins
from deniable_analysis.mechanisms.share_numbers import clip
from deniable_analysis.results import AmongAsked, OptionEstimate, QuestionEstimate, Untold
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts, SurveyCounts

JOINT, SAME, DIFFERENT = "joint", "same", "different"
ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Path:
    """A question that not all respondents are asked, and the answers that lead to it.

    Args:
        question: the question.
        router: question whose answers lead to it.
        leading: options of the router that lead to it.
    """

    question: Question
    router: Question
    leading: tuple[str, ...]

    @classmethod
    def of(cls, survey: PublishedSurvey, question: Question) -> "Path | None":
        """The path to a question; None if everybody is asked it."""
        rule = question.show_if
        if rule is None:
            return None
        router = next(each for each in survey.questions if each.id == rule.question)
        return cls(question, router, rule.options)

    @property
    def are_closed(self) -> bool:
        """Whether a crosstab of both questions is possible."""
        return self.question.is_closed and self.router.is_closed

    def joint_block(self, survey: PublishedSurvey) -> Block | None:
        """The smallest block that joins both questions, or None."""
        both = {self.question.id, self.router.id}
        found = [
            block
            for block in survey.blocks
            if both <= {each.id for each in block.questions}
            and isinstance(block.mechanism, Subset)
        ]
        return min(found, key=lambda block: len(block.questions), default=None)


def among_asked(
    survey: PublishedSurvey,
    found: Mapping[str, QuestionEstimate],
    question: Question,
    counts: SurveyCounts,
    choice: IntervalChoice,
) -> AmongAsked | None:
    """The shares among respondents who were asked a question; None if all are.

    Args:
        survey: survey with the question.
        found: estimates of the question and of its router.
        question: question of the survey.
        counts: counts of all blocks that contain one of the two.
        choice: which intervals.
    """
    path = Path.of(survey, question)
    if path is None:
        return None
    estimate, router = found[question.id], found.get(path.router.id)
    block = path.joint_block(survey)
    design, shares, untold = _design(survey, block), None, None
    if block is not None:
        shares = _joint_shares(path, block, counts.blocks[block.id], choice)
    elif router is None:
        untold = Untold.NOT_REPORTED
    else:
        asked, untold = _asked(survey, path, router, counts, choice)
        scale = _scale(survey, (router, estimate), counts.report_count, choice.population)
        shares = separately_randomized(asked, estimate.options, scale, estimate.reports)
    nothing = tuple(OptionEstimate(option=each.option) for each in estimate.options)
    options = _among(shares, question, choice) if shares else nothing
    none, names = (OptionEstimate(option=ASKED), nothing[-1]), (ASKED, NO_ANSWER)
    of_all, refused = asked_and_refused(shares, choice, names) if shares else none
    if all(option.share is None for option in options):
        untold = untold or Untold.TOO_FEW
    return AmongAsked(
        question=question.id,
        router=path.router.id,
        leading=path.leading,
        design=design,
        untold=untold,
        can_join=path.are_closed and block is None and router is not None,
        asked=of_all,
        refused=refused,
        options=options,
    )


def _joint_shares(
    path: Path, block: Block, counts: BlockCounts, choice: IntervalChoice
) -> AskedShares | None:
    """The shares from a block that joins both questions; None without reports."""
    of_router, margin = (Margin.of(each, block, counts) for each in (path.router, path.question))
    if not margin.reports:
        return None
    return jointly_randomized(of_router, path.leading, margin, choice.population)


def _design(survey: PublishedSurvey, block: Block | None) -> str:
    if block is not None:
        return JOINT
    return SAME if survey.asked == len(survey.blocks) else DIFFERENT


def _asked(
    survey: PublishedSurvey,
    path: Path,
    router: QuestionEstimate,
    counts: SurveyCounts,
    choice: IntervalChoice,
) -> tuple[OptionEstimate, Untold | None]:
    """The share of answers that lead to a question, or why it is not identified."""
    told = {option.option: option for option in router.options}
    if not set(path.leading) <= set(told):
        return OptionEstimate(option=ASKED), Untold.MEAN_ONLY
    if len(path.leading) == 1:
        return told[path.leading[0]], None
    if path.router.accepts_several:
        return OptionEstimate(option=ASKED), Untold.SEVERAL
    blocks = [block for block in survey.blocks if block.id in router.blocks]
    margins = [Margin.of(path.router, block, counts.blocks[block.id]) for block in blocks]
    reported = [margin for margin in margins if margin.reports]
    if not reported:
        return OptionEstimate(option=ASKED), None
    both = expected_both(survey, counts.report_count)
    shares = pool_margins(reported, both).of_population(choice.population)
    leads = np.array([[name in path.leading] for name in path.router.names], dtype=np.float64)
    mechanism, sampling = merge(shares, leads).variances()
    share = float(leads[:, 0] @ shares.shares)
    return OptionEstimate(
        option=ASKED,
        share=share,
        mechanism_variance=float(mechanism[0]),
        sampling_variance=float(sampling[0]),
    ), None


def _scale(
    survey: PublishedSurvey,
    pair: tuple[QuestionEstimate, QuestionEstimate],
    report_count: int,
    population: int | None,
) -> float:
    """The factor of the covariance of one respondent's answers to two questions.

    The number of respondents who were asked a block of each is its expectation,
    unless all were.
    """
    both = expected_both(survey, report_count)
    per_block = [each.reports / len(each.blocks) for each in pair]
    if not all(per_block):
        return 0.0
    return sampling_scale(both / (per_block[0] * per_block[1]), population)


def _among(
    shares: AskedShares, question: Question, choice: IntervalChoice
) -> tuple[OptionEstimate, ...]:
    """The shares among those who were asked, with valid ones for display."""
    found = [share_among(shares, index, choice) for index in range(1, len(shares.shares))]
    raw = np.array([each.share if each.share is not None else np.nan for each in found])
    sums_to_one = question.is_closed and not np.isnan(raw).any()
    valid = project_to_simplex(raw) if sums_to_one else clip(raw)
    return tuple(
        each if each.share is None else replace(each, valid_share=float(share))
        for each, share in zip(found, valid, strict=True)
    )
