"""How many respondents a whole questionnaire needs for a margin, and the reverse."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.forms import Documented
from deniable_analysis.planning import AskingPlan, PlannedEstimate, planned_estimates
from deniable_analysis.planning.looks import Looks
from deniable_sdk.compiler import SurveyDesign
from deniable_sdk.compiler.design import DesignedBlock

# For sentences about a survey of which nobody wants a certain margin.
TOLD_MARGIN = Fraction(1, 20)


@dataclass(frozen=True, slots=True)
class WantedEstimate:
    """An estimate that the author wants of a questionnaire.

    Args:
        block: the block that it comes from.
        planned: the estimate.
        part: how likely a respondent is asked the block.
    """

    block: DesignedBlock
    planned: PlannedEstimate
    part: Fraction

    def respondents(self, margin: Fraction, confidence: float = DEFAULT_CONFIDENCE) -> int:
        """The respondents of the survey for a margin; for a mean, a part of its range.

        Raises:
            Infeasible: more people are needed than there are.
        """
        looks = Looks(confidence=confidence)
        return looks.respondents_for(self.planned, margin, self.part)

    def margin(self, respondents: int, confidence: float = DEFAULT_CONFIDENCE) -> float:
        """The margin with so many respondents of the survey; for a mean, a part of its range."""
        looks = Looks(confidence=confidence)
        return looks.margin(self.planned, respondents * self.part, self.part)


def wanted_estimates(design: SurveyDesign) -> Iterator[WantedEstimate]:
    """The first choice of each question's author, and the cells of declared crosstabs."""
    for block in design.blocks:
        planned = block.planned
        estimates = planned_estimates(block.published, planned.preferences.target)
        chosen = estimates if len(planned.questions) > 1 else estimates[:1]
        part = design.part(block)
        yield from (WantedEstimate(block, each, part) for each in chosen)


def respondents_needed(
    design: SurveyDesign, margin: Fraction, confidence: float = DEFAULT_CONFIDENCE
) -> int:
    """The respondents with whom every wanted estimate has at most this margin.

    Raises:
        Infeasible: more people are needed than there are.
    """
    return max(each.respondents(margin, confidence) for each in wanted_estimates(design))


def margin_reached(
    design: SurveyDesign, respondents: int, confidence: float = DEFAULT_CONFIDENCE
) -> float:
    """The largest margin of a wanted estimate; for a mean, a part of its range."""
    return max(each.margin(respondents, confidence) for each in wanted_estimates(design))


@dataclass(frozen=True, slots=True)
class Needs(Documented):
    """The respondents with whom every wanted estimate of a survey has at most a margin.

    Args:
        margin: the margin; for a mean, a part of its range.
        respondents: those of the survey's design.
        alone: those of the best design without joint blocks, all drawn equally often.
    """

    margin: float
    respondents: int
    alone: int

    @classmethod
    def of(
        cls, asking: AskingPlan, margin: Fraction, confidence: float = DEFAULT_CONFIDENCE
    ) -> "Needs":
        """The needs of a questionnaire.

        Raises:
            Infeasible: more people are needed than there are.
        """
        designs = asking.design, asking.alone
        counts = (respondents_needed(design, margin, confidence) for design in designs)
        return cls(float(margin), *counts)
