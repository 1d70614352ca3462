"""Margins and respondents by how results are looked at: once at the end, or at every moment.

Forecasts, plans of questionnaires and results take every margin and every number of respondents
from here, so that they are the same before, during and after fieldwork.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.estimate.anytime import prior_for
from deniable_analysis.estimate.choice import critical_value
from deniable_analysis.planning.blocks import PlannedEstimate
from deniable_analysis.planning.goal import least_whole
from deniable_analysis.planning.sample_size import margin_of_reports, reports_for_margin


@dataclass(frozen=True, slots=True)
class Looks:
    """How results are looked at, and what is computed for it.

    Args:
        at_every: whether intervals hold at every look; if not, for one look after an end that no
            result decided.
        respondents: those that the survey expects, for which intervals at every look are
            narrowest; None if it expects no number.
        confidence: confidence of the intervals.
    """

    at_every: bool = False
    respondents: int | None = None
    confidence: float = DEFAULT_CONFIDENCE

    def margin(self, planned: PlannedEstimate, reports: float | Fraction, part: Fraction) -> float:
        """Half the width of an interval, for a mean as a part of its range.

        Args:
            planned: the estimate, at its hardest truth.
            reports: number of reports of its block, above 0.
            part: how likely a respondent is asked the block.
        Raises:
            InvalidArgument: the number of reports is not above 0.
        """
        margin = margin_of_reports(planned.unit_variance, reports, self.confidence)
        return margin * self.times(planned, reports, part)

    def respondents_for(self, planned: PlannedEstimate, margin: Fraction, part: Fraction) -> int:
        """The respondents of the whole survey for a margin; for a mean, a part of its range.

        Raises:
            Infeasible: more people are needed than there are.
        """
        once = math.ceil(reports_for_margin(planned.unit_variance, margin, self.confidence) / part)
        if not self.at_every:
            return once

        def is_enough(count: int) -> bool:
            return self.margin(planned, count * part, part) <= margin

        most = once
        while not is_enough(most):
            most *= 2
        return least_whole(is_enough, most, once)

    def times(self, planned: PlannedEstimate, reports: float | Fraction, part: Fraction) -> float:
        """How many times as wide as for one look these intervals are; 1 for one look.

        Source: the normal mixture of Robbins 1970, which the intervals of estimate.anytime
            approach; tests/analysis/planning/test_looks.py compares with them.
        """
        if not self.at_every:
            return 1.0
        # Only some reports say something about an option of a multiple choice.
        saying = float(planned.informative)
        expected = None if self.respondents is None else self.respondents * float(part) * saying
        ratio = float(reports) * saying / prior_for(expected)
        reach = critical_value(self.confidence, 1)
        missed = 2 * math.log(1 / (1 - self.confidence))
        return math.sqrt((1 + 1 / ratio) * (math.log1p(ratio) + missed)) / reach
