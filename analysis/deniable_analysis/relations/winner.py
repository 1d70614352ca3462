"""The option with a plurality, the probability that it is not ahead, and which others may be."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, owens_t

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.choice import critical_value
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
    covariances = found.shares.covariances[:count, :count]
    wrong = wrong_winner(shares, covariances)
    variances = covariances[wrong.leader, wrong.leader] + np.diag(covariances)
    errors = np.sqrt(variances - 2 * covariances[wrong.leader])
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
                standard_error=float(errors[index]),
                probability_ahead=float(wrong.rivals[index]),
            )
            for index in rivals
        ),
    )


@dataclass(frozen=True, slots=True)
class WrongWinner:
    """The option with the largest share, and the probability that another one is ahead.

    The probabilities are posterior: they are about the truth given these
    reports, with a flat prior on the differences of shares. They are not the
    error rate of such surveys, which in a close race is higher.

    Args:
        leader: index of the option with the largest share.
        rivals: (options,) probability of each to be ahead of the leader; 0 for itself.
        probability: close upper bound of the probability that any of them is ahead.
    """

    leader: int
    rivals: Floats
    probability: float


def wrong_winner(shares: ArrayLike, covariances: ArrayLike) -> WrongWinner:
    """The probability that the leader is only ahead because of noise.

    The noise is normal. The probability that any rival is ahead is at most the
    sum over all rivals, minus the joint probabilities of each with the
    strongest rival.

    Args:
        shares: (options,) of at least two options.
        covariances: (options, options) of the shares.
    Raises:
        NotIdentified: the noise has no variance, as with a single report.
    Source: Hunter 1976 (Journal of Applied Probability 13), with a star as
        its tree.
    """
    values, noise = (np.asarray(each, np.float64) for each in (shares, covariances))
    leader = int(np.argmax(values))
    others, slopes, spread = _against(leader, noise)
    errors = np.sqrt(np.diag(spread))
    behind = slopes @ values / errors
    ahead = ndtr(behind)
    strongest = int(np.argmax(ahead))
    correlations = spread[strongest] / (errors[strongest] * errors)
    shared = sum(
        _both(float(behind[strongest]), float(each), float(correlation))
        for index, (each, correlation) in enumerate(zip(behind, correlations, strict=True))
        if index != strongest
    )
    rivals = np.zeros(len(values))
    rivals[others] = ahead
    bound = max(float(ahead.max()), float(ahead.sum()) - shared)
    return WrongWinner(leader, rivals, min(1.0, bound))


def possible_winners(
    shares: ArrayLike, covariances: ArrayLike, confidence: float
) -> tuple[int, ...]:
    """The indexes of a confidence set for the largest option, the largest share first.

    The set excludes an option if another is ahead of it by more than the normal
    quantile of tail probability (1 - confidence) / (options - 1). No option is
    ahead of the largest in truth, so by Bonferroni's inequality the set
    excludes it with probability at most 1 - confidence, however close the race
    is.

    Arguments and errors are those of wrong_winner, and the least probability
    that the set contains the largest.

    Source: Hsu 1996, Multiple Comparisons, chapter 4 (comparison with the best).
    """
    values, noise = (np.asarray(each, np.float64) for each in (shares, covariances))
    # Never below 0, so that the leader stays.
    critical = max(0.0, float(ndtri(1 - (1 - confidence) / (len(values) - 1))))
    found = []
    for index in np.argsort(-values, kind="stable").tolist():
        _, slopes, spread = _against(index, noise)
        if float((slopes @ values / np.sqrt(np.diag(spread))).max()) <= critical:
            found.append(index)
    return tuple(found)


def _against(index: int, noise: Floats) -> tuple[list[int], Floats, Floats]:
    """The other options, contrasts with the given one, and the contrasts' covariances."""
    options = len(noise)
    others = [each for each in range(options) if each != index]
    slopes = np.eye(options)[others] - np.eye(options)[index]
    spread = slopes @ noise @ slopes.T
    if not np.all(np.diag(spread) > 0):
        raise NotIdentified(
            "the reports do not vary enough to say how sure a winner is; wait for more reports"
        )
    return others, slopes, spread


def _both(first: float, second: float, correlation: float) -> float:
    """The probability that two standard normal numbers are below these, both at most 0.

    Source: Owen 1956 (Annals of Mathematical Statistics 27), equation 2.1.
    """
    if correlation > 1 - 1e-9:
        return float(ndtr(min(first, second)))
    if correlation < 1e-9 - 1:
        return 0.0
    # Owen's T takes the slopes' limit at 0, where both sides stay continuous.
    one, other = (min(each, -1e-12) for each in (first, second))
    root = math.sqrt((1 - correlation) * (1 + correlation))
    towards = owens_t(one, (other / one - correlation) / root)
    across = owens_t(other, (one / other - correlation) / root)
    return float((ndtr(one) + ndtr(other)) / 2 - towards - across)
