"""The errors that editions have in common because the same people answered them.

Reports of different editions cannot be matched, so nobody can estimate how many
people answered several. The worst case that the survey allows is assumed. For a
fixed question, the same report may be in every edition. Waves of a panel have
different reports of the same people.
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
    """The errors that editions of a question may have in common.

    Args:
        reports: whether they may share reports, and so the mechanism's errors.
        people: whether they may share people, and so the sampling errors.
    """

    reports: bool
    people: bool


def repeated(studies: Sequence[ReportedSurvey], question: Question) -> Repeated:
    """The errors that these editions of a question may have in common."""
    is_fixed = question.fixed and len(studies) > 1
    is_panel = sum(study.survey.waves > 1 for study in studies) > 1
    return Repeated(reports=is_fixed, people=is_fixed or is_panel)


def variance_of_sum(weights: Floats, variances: ArrayLike, *, is_common: bool) -> Floats:
    """The variance of a weighted sum of editions.

    Args:
        weights: (editions, ...) weights.
        variances: (editions, ...) variances of the terms. An estimate outside 0
            to 1 has a negative sampling part, which stays negative.
        is_common: whether the errors may be the same in all editions. The
            result is then the largest possible variance.
    Returns:
        (...) variances.
    """
    parts = np.asarray(variances, dtype=np.float64)
    if not is_common:
        return np.asarray((weights**2 * parts).sum(axis=0))
    errors = (weights * np.sign(parts) * np.sqrt(np.abs(parts))).sum(axis=0)
    return np.asarray(errors * np.abs(errors))
