"""The option with a plurality, with the probability that another option is ahead."""

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.estimators.winning import possible_winners, wrong_winner
from deniable_analysis.relations.questions import find_question
from deniable_analysis.relations.shares import closed_shares
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.winner import Rival, Winner


def winner(study: ReportedSurvey, question: str, confidence: float) -> Winner:
    """The option that the most people chose; "no answer" does not count.

    Errors are those of Study.winner.
    """
    critical_value(confidence)
    asked = find_question(study, question)
    found = closed_shares(study, asked)
    count = found.option_count
    shares = found.shares.shares[:count]
    covariances = found.covariances[:count, :count]
    wrong = wrong_winner(shares, covariances)
    rivals = [index for index in np.argsort(-shares, kind="stable") if index != wrong.leader]
    return Winner(
        question=question,
        option=asked.names[wrong.leader],
        share=float(shares[wrong.leader]),
        probability_wrong=wrong.probability,
        possible=tuple(
            asked.names[index] for index in possible_winners(shares, covariances, confidence)
        ),
        confidence=confidence,
        reports=found.reports,
        epsilon=found.epsilon,
        rivals=tuple(
            Rival(
                option=asked.names[index],
                share=float(shares[index]),
                behind=float(shares[wrong.leader] - shares[index]),
                standard_error=_error(covariances, wrong.leader, index),
                probability_ahead=float(wrong.rivals[index]),
            )
            for index in rivals
        ),
    )


def _error(covariances: Floats, leader: int, rival: int) -> float:
    both = covariances[leader, leader] + covariances[rival, rival]
    return float(np.sqrt(both - 2 * covariances[leader, rival]))
