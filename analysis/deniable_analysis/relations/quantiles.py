"""Quantiles of scales and numbers, by inverting tests of the cumulative share.

An interval excludes a level if a test rejects the hypothesis that the quantile
is at this level. So the coverage of the interval is at least the confidence,
whatever the distribution of the answers, as long as the normal tests have their
nominal level.
"""

from collections.abc import Sequence

import numpy as np

from deniable_analysis.arguments import as_list, is_finite
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidConfidence, NotIdentified
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.estimators.outputs import channel_inverse, inverted_shares, likeliest_shares
from deniable_analysis.forms import counted
from deniable_analysis.mechanisms import block_likelihood
from deniable_analysis.mechanisms.linear import Contributions, LinearShares, watched_ends
from deniable_analysis.relations.questions import find_question, nothing_reported
from deniable_analysis.relations.shares import QuestionShares, closed_shares
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.numbers import Quantile, Quantiles
from deniable_sdk.mechanisms import Piecewise
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.questions import Question


def quantiles(
    study: ReportedSurvey, question: str, probabilities: Sequence[float], confidence: float
) -> Quantiles:
    """Quantiles of a scale or number among those who answered.

    Errors are those of Study.quantiles.
    """
    reach = critical_value(confidence)
    given = as_list(probabilities) or []
    wrong = [each for each in given if not (is_finite(each) and 0 < each < 1)]
    if wrong or not given:
        raise InvalidConfidence(
            f"got {len(given)} probabilities, {len(wrong)} of them not between 0 and 1; "
            "allowed is a list of numbers between 0 and 1, like [0.5] for the median"
        )
    levels = levels_of(study, find_question(study, question))
    found = tuple(_quantile(levels, float(each), reach) for each in given)
    return Quantiles(
        question=question,
        reports=levels.reports,
        epsilon=levels.epsilon,
        confidence=confidence,
        quantiles=found,
    )


def _quantile(levels: QuestionShares, probability: float, reach: float) -> Quantile:
    count = levels.option_count
    # Each is above 0 if the cumulative share exceeds the probability. It is a sum of shares, not a
    # ratio, so "no answer" needs no special case.
    slopes = np.zeros((count - 1, len(levels.covariances)))
    slopes[:, :count] = np.tri(count - 1, count) - probability
    values = slopes @ levels.shares.shares
    errors = np.sqrt(np.maximum(0.0, np.sum(slopes @ levels.covariances * slopes, axis=1)))
    if not np.all(errors > 0):
        raise NotIdentified(
            f"got {counted(levels.reports, 'report')}, with too little variation for "
            "intervals of quantiles; wait for more"
        )
    is_below, is_above = values < -reach * errors, values >= reach * errors
    # From the first level that is not clearly below to the one after the last that is not clearly
    # above: no other level needs a test.
    low = int(np.argmin(np.append(is_below, False)))
    high = count - 1 - int(np.argmin(np.append(is_above[::-1], False)))
    cumulative = np.cumsum(levels.valid[:count])
    value = int(np.searchsorted(cumulative, probability * cumulative[-1] * (1 - 1e-12)))
    names = levels.question.names
    return Quantile(
        probability=probability,
        value=names[min(value, count - 1)],
        low=names[low],
        high=names[max(low, high)],
    )


def levels_of(study: ReportedSurvey, question: Question) -> QuestionShares:
    """The shares of the levels of a scale or number.

    Raises:
        NotIdentified: its answers have no order, its mechanism identifies only
            the mean, or there is no report yet.
    """
    if question.scale is Scale.NOMINAL:
        raise NotIdentified(
            f"question {question.id!r} ({question.type}) has no order, so it has no quantiles; "
            "they are for a scale or a number"
        )
    blocks = [block for block in study.survey.blocks if question in block.questions]
    if isinstance(blocks[0].mechanism, Piecewise):
        return _levels_of_number(study, question, blocks[0], blocks[0].mechanism)
    return closed_shares(study, question)


def _levels_of_number(
    study: ReportedSurvey, question: Question, block: Block, mechanism: Piecewise
) -> QuestionShares:
    if mechanism.rounds:
        raise NotIdentified(
            f"question {question.id!r} was published for its mean: answers are rounded by chance "
            f"to {mechanism.steps + 1} positions of {mechanism.cells}, so it has no quantiles "
            "and no distribution; to estimate these, publish it with target: shares"
        )
    counts = study.count([block]).blocks[block.id]
    if not counts.report_count:
        raise nothing_reported(study, question)
    outputs = range(mechanism.outputs)
    tally = counts.of(outputs)
    channel = block_likelihood(block, np.array(outputs))
    reports = counts.report_count
    shares, covariances = inverted_shares(tally, channel)

    def shares_if(tested: Floats) -> LinearShares:
        return LinearShares.of_total(
            *inverted_shares(reports * (channel @ tested), channel), reports
        )

    found = Contributions(channel_inverse(channel).T, np.asarray(tally, np.float64), 1)
    return QuestionShares(
        question=question,
        shares=LinearShares.of_total(shares, covariances, reports),
        covariances=covariances,
        shares_if=shares_if,
        watched=lambda rule, sums, among: watched_ends(found, sums, rule, among),
        valid=likeliest_shares(tally, mechanism),
        reports=reports,
        epsilon=block.epsilon,
    )
