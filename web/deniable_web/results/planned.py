"""The accuracy with more respondents, for each estimate in its hardest case."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from deniable_analysis import (
    Estimated,
    Infeasible,
    PlannedEstimate,
    margin_of_reports,
    planned_estimates,
    reports_for_margin,
)
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.survey.block import Block

# For a share in points, for a mean in percent of its range.
GOALS = (Fraction(5, 100), Fraction(3, 100), Fraction(1, 100))
TIMES = (1, 2, 4)
# More than there are.
_PEOPLE = 10**10


@dataclass(frozen=True, slots=True)
class Planned:
    """One kind of estimate of a survey, and the margin that it allows.

    Args:
        block: the block that it is computed from.
        estimate: the planned estimate.
        part: how likely a respondent is asked the block.
    """

    block: Block
    estimate: PlannedEstimate
    part: Fraction

    @property
    def is_mean(self) -> bool:
        """Whether it is a mean, which has its own unit."""
        return self.estimate.estimated is Estimated.MEAN

    def margin(self, reports: float, confidence: float) -> float | None:
        """The largest margin with this number of the block's reports; None without any."""
        if reports <= 0:
            return None
        found = margin_of_reports(self.estimate.unit_variance, reports, confidence)
        return found * float(self.estimate.length)

    def respondents(self, goal: Fraction, confidence: float) -> int | None:
        """The respondents of the whole survey for a margin; for a mean, a part of its range.

        None if there are not so many people.
        """
        try:
            reports = reports_for_margin(self.estimate.unit_variance, goal, confidence)
        except Infeasible:
            return None
        needed = math.ceil(reports / self.part)
        return needed if needed <= _PEOPLE else None


@lru_cache(maxsize=64)
def planned(document: bytes) -> tuple[Planned, ...]:
    """All estimates of a survey, in the order of its blocks.

    Args:
        document: the published bytes, which identify the survey.
    """
    survey = PublishedSurvey.from_bytes(document)
    part = Fraction(survey.asked, len(survey.blocks))
    return tuple(
        Planned(block, estimate, part)
        for block in survey.blocks
        for estimate in planned_estimates(block, Target.SHARES)
    )
