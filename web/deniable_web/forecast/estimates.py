"""How accurate one estimate of a block will be."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable_analysis import Estimated, PlannedEstimate, margin_of_reports, reports_for_margin
from deniable_analysis.forms import document_of
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.text import in_language

SHARE = "share"
LEVELS = "levels"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The author's parameters of a forecast.

    Args:
        respondents: those of the whole survey; each is asked only some blocks.
        margin: the wanted margin; for a mean, a part of its range.
        part: how likely a respondent is asked a given block.
    """

    respondents: int | None
    margin: Fraction | None
    part: Fraction

    @property
    def reports(self) -> Fraction | None:
        """The expected reports of a block."""
        return None if self.respondents is None else self.respondents * self.part


@dataclass(frozen=True, slots=True)
class EstimateForecast:
    """The accuracy of one kind of estimate, at its hardest truth.

    Args:
        estimated: the kind of estimate: the share of an option, of a cell or of one
            question of a crosstab, a mean, or the share at or above a cut-off of a score.
        question: its id; None for the cells of a crosstab.
        unit: "share", or the unit of a mean; "" if the author gave none.
        margin: half the width of the 95 % interval, in the unit.
        wanted_margin: the wanted margin, in the unit.
        respondents_for_margin: the respondents of the whole survey for the wanted margin.
    """

    estimated: Estimated
    question: str | None
    unit: str
    margin: float | None
    wanted_margin: float | None
    respondents_for_margin: int | None

    @classmethod
    def of(
        cls, planned: PlannedEstimate, question: Question | None, wanted: Wanted
    ) -> "EstimateForecast":
        """The forecast of a planned estimate."""
        variance, margin, wanted_margin, needed = planned.unit_variance, None, None, None
        if wanted.reports is not None:
            margin = margin_of_reports(variance, wanted.reports) * float(planned.length)
        if wanted.margin is not None:
            wanted_margin = float(wanted.margin * planned.length)
            needed = respondents_for(variance, wanted.margin, wanted.part)
        unit = _unit(planned.estimated, question)
        return cls(planned.estimated, planned.question, unit, margin, wanted_margin, needed)

    def to_document(self) -> dict[str, Any]:
        """The estimate as plain JSON values."""
        return {"estimate": self.estimated.value, **document_of(self, "estimated")}


def respondents_for(unit_variance: Fraction, margin: Fraction, part: Fraction) -> int:
    """The respondents of the whole survey for a margin of one block's estimate."""
    return math.ceil(reports_for_margin(unit_variance, margin) / part)


def _unit(estimated: Estimated, question: Question | None) -> str:
    if estimated is not Estimated.MEAN:
        return SHARE
    if question and question.scale is Scale.NUMERIC:
        # In the first of its languages: any text shows people the unit.
        return in_language(question.unit, "") if question.unit else ""
    return LEVELS
