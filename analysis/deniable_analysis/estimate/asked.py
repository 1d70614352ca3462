"""Shares among those who were asked a question that not all respondents are asked.

These are all respondents whose answer to another question, the router, leads to
the question. Whether the router was asked needs no check: only those who were
asked it report one of its answers.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from deniable_analysis.defaults import Interval
from deniable_analysis.estimate.asked_ratios import asked_and_refused, share_among, tells_refusals
from deniable_analysis.estimate.asked_shares import (
    AskedShares,
    jointly_randomized,
    separately_randomized,
)
from deniable_analysis.estimate.channel import sampling_scale
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.linear import merge
from deniable_analysis.estimate.question_shares import (
    anytime_shares,
    expected_both,
    pool_margins,
    reported_margins,
)
from deniable_analysis.forms import finite_or_none
from deniable_analysis.results.questions import AmongAsked, QuestionEstimate, Untold
from deniable_analysis.results.shares import OptionEstimate
from deniable_analysis.results.valid import clip, project_to_simplex
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import SurveyCounts

JOINT, SAME, DIFFERENT = "joint", "same", "different"
ASKED = "asked"
_TOTALS = ASKED, NO_ANSWER


def among_asked(
    survey: PublishedSurvey,
    found: Mapping[str, QuestionEstimate],
    question: Question,
    counts: SurveyCounts,
    choice: IntervalChoice,
) -> AmongAsked:
    """The shares among respondents who were asked a question that has a router.

    `found` are the estimates of the question and of its router, and `counts` those
    of all blocks that contain one of the two. Intervals of `found` that hold at
    every look must hold for two shares at once.
    """
    rule = question.show_if
    assert rule  # noqa: S101 - see questions
    router = next(each for each in survey.questions if each.id == rule.question)
    estimate, of_router = found[question.id], found.get(router.id)
    block = _joint_block(survey, router, question)
    if block is not None:
        joint = question, block, counts
        shares, untold = jointly_randomized(router, rule.options, joint, choice), None
    else:
        path, pair = (router, rule.options), (of_router, estimate)
        shares, untold = _separately_randomized(survey, path, pair, counts, choice)
    # Among those who were asked, "no answer" is never "not asked".
    told = question.names[-len(estimate.options) :]
    shares = shares and replace(shares, names=told)
    nothing = tuple(OptionEstimate(option=each) for each in told)
    none = OptionEstimate(option=ASKED), nothing[-1]
    of_all, refused = asked_and_refused(shares, choice, _TOTALS) if shares else none
    return AmongAsked(
        question=question.id,
        router=router.id,
        leading=rule.options,
        design=_design(survey, block),
        untold=untold if shares else untold or Untold.NO_REPORT,
        tells_refusals=shares is not None and tells_refusals(shares, choice),
        can_join=question.is_closed
        and router.is_closed
        and block is None
        and of_router is not None,
        asked=of_all,
        refused=refused,
        options=_among(shares, question, choice) if shares else nothing,
    )


def _separately_randomized(
    survey: PublishedSurvey,
    path: tuple[Question, tuple[str, ...]],
    pair: tuple[QuestionEstimate | None, QuestionEstimate],
    counts: SurveyCounts,
    choice: IntervalChoice,
) -> tuple[AskedShares | None, Untold | None]:
    """The shares from separate blocks, or why there are none: of the router and the question."""
    of_router, estimate = pair
    if of_router is None:
        return None, Untold.NOT_REPORTED
    asked, untold = _asked(survey, *path, (of_router, counts), choice)
    scale = _scale(survey, (of_router, estimate), counts.report_count, choice.population)
    is_anytime = choice.interval is Interval.ANYTIME
    shares = separately_randomized(
        asked, estimate.options, scale, estimate.reports, is_anytime=is_anytime
    )
    return shares, untold


def _joint_block(survey: PublishedSurvey, router: Question, question: Question) -> Block | None:
    """The smallest block that joins both questions, or None."""
    found = [
        block
        for block in survey.blocks
        if router in block.questions
        and question in block.questions
        and isinstance(block.mechanism, Subset)
    ]
    return min(found, key=lambda block: len(block.questions), default=None)


def _design(survey: PublishedSurvey, block: Block | None) -> str:
    if block is not None:
        return JOINT
    return SAME if survey.asked == len(survey.blocks) else DIFFERENT


def _asked(
    survey: PublishedSurvey,
    router: Question,
    leading: tuple[str, ...],
    found: tuple[QuestionEstimate, SurveyCounts],
    choice: IntervalChoice,
) -> tuple[OptionEstimate, Untold | None]:
    """The share of answers that lead to a question, or why it is not identified."""
    estimate, counts = found
    told = {option.option: option for option in estimate.options}
    if not set(leading) <= set(told):
        return OptionEstimate(option=ASKED), Untold.MEAN_ONLY
    if len(leading) == 1:
        return told[leading[0]], None
    if router.accepts_several:
        return OptionEstimate(option=ASKED), Untold.SEVERAL
    blocks = [block for block in survey.blocks if block.id in estimate.blocks]
    reported = reported_margins(router, blocks, counts)
    if not reported:
        return OptionEstimate(option=ASKED), None
    both = expected_both(survey, counts.report_count)
    shares = pool_margins(reported, both).of_population(choice.population)
    leads = np.array([[name in leading] for name in router.names], dtype=np.float64)
    leading_shares = merge(shares, leads)
    mechanism, sampling = leading_shares.variances()
    released = leading_shares.release_part
    share = float(leads[:, 0] @ shares.shares)
    low = high = None
    if choice.interval is Interval.ANYTIME:
        ends = anytime_shares(reported, choice.shared(2).among(1), leads)
        low, high = (finite_or_none(each[0]) for each in ends)
    return OptionEstimate(
        option=ASKED,
        share=share,
        low=low,
        high=high,
        mechanism_variance=float(mechanism[0]),
        sampling_variance=float(sampling[0]),
        release_variance=None if released is None else float(released[0, 0]),
        reports=estimate.reports,
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
    raw = np.array([each.share for each in found], np.float64)
    valid = project_to_simplex(raw) if question.is_closed else clip(raw)
    return tuple(
        replace(each, valid_share=float(share)) for each, share in zip(found, valid, strict=True)
    )
