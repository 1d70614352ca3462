"""Errors that editions have in common because the same people answered them.

Reports cannot be matched, so nobody can estimate how much they have in common;
what a survey allows is counted as if everybody had made use of it. Of a fixed
question the very same report may be in every edition; waves of a panel have
reports of their own by the same people.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Floats
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_sdk.survey.questions import Question


@dataclass(frozen=True, slots=True)
class Repeated:
    """What editions of a question may have in common.

    Args:
        reports: the same reports, with what the mechanism added to them.
        people: the same people, with what choosing them caused.
    """

    reports: bool
    people: bool


def repeated(studies: Sequence[ReportedSurvey], question: Question) -> Repeated:
    """What these editions of a question may have in common."""
    is_fixed = question.fixed and len(studies) > 1
    is_panel = sum(study.survey.waves > 1 for study in studies) > 1
    return Repeated(reports=is_fixed, people=is_fixed or is_panel)


def variance_of_sum(weights: Floats, variances: ArrayLike, *, is_common: bool) -> Floats:
    """The variance of a weighted sum of editions.

    Args:
        weights: (editions, ...) of each.
        variances: (editions, ...) of what is summed. An estimate outside 0 to 1
            has a sampling part below 0, which stays one.
        is_common: whether the errors may be the same in all editions, so that
            they add up: the most that it can be.
    Returns:
        (...) variances.
    """
    parts = np.asarray(variances, dtype=np.float64)
    if not is_common:
        return np.asarray((weights**2 * parts).sum(axis=0))
    errors = (weights * np.sign(parts) * np.sqrt(np.abs(parts))).sum(axis=0)
    return np.asarray(errors * np.abs(errors))
