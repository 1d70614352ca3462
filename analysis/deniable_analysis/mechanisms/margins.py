"""The shares of one closed question, pooled over the blocks that contain it."""

from collections.abc import Iterable, Sequence

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.mechanisms.basis import Margin
from deniable_analysis.mechanisms.linear import LinearShares
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import SurveyCounts


def reported_margins(
    question: Question, blocks: Iterable[Block], counts: SurveyCounts
) -> list[Margin]:
    """The margins of a question in those of its blocks that have reports."""
    margins = (Margin.of(question, block, counts.blocks[block.id]) for block in blocks)
    return [margin for margin in margins if margin.reports]


def pool_margins(
    margins: Sequence[Margin], asked_both: float, shares: Floats | None = None
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
    return LinearShares(
        weights @ np.array([part.shares for part in parts]),
        np.tensordot(weights**2, mechanism_parts, axes=1),
        float(weights @ (both / np.outer(reports, reports)) @ weights),
    )


def block_weights(margins: Sequence[Margin]) -> Floats:
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
