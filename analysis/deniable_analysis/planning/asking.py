"""The design of a questionnaire, and what it costs or saves."""

from collections.abc import Callable
from dataclasses import dataclass

from deniable_analysis.arguments import check_kind
from deniable_analysis.errors import InvalidPlan
from deniable_sdk.compiler import (
    SurveyDesign,
    best_design,
    best_without_joining,
    design_survey,
)
from deniable_sdk.survey.definition import Definition, PlannedBlock


@dataclass(frozen=True, slots=True)
class AskingPlan:
    """The design of a questionnaire, compared with the best one and with no joint blocks.

    Args:
        design: blocks of the survey, and how many each respondent is asked.
        factor: times the respondents of the best design that this one needs for the
            same margin of the least certain question.
        saving: times the respondents of this design that the best one without joint
            blocks, all drawn equally often, needs.
        optional: times the respondents that are needed because closed questions may be
            left empty.
        capped: times the respondents that are needed because questions have an epsilon of
            their own.
    """

    design: SurveyDesign
    factor: float
    saving: float
    optional: float
    capped: float

    @property
    def asked(self) -> int:
        """The number of blocks that each respondent is asked."""
        return self.design.asked

    @property
    def blocks(self) -> int:
        """The number of blocks of the survey."""
        return len(self.design.blocks)

    @property
    def is_best(self) -> bool:
        """Whether no other design needs fewer respondents."""
        return self.factor <= 1


def plan_asking(definition: Definition) -> AskingPlan:
    """The design that a definition compiles to, and what it costs or saves.

    Raises:
        InvalidPlan: definition is not a Definition.
    Source: sampling instead of splitting, N. Wang et al. 2019 (ICDE); a block that is asked of
    a part of the respondents has its variance divided by this part.
    """
    allowed = "a survey's definition, as the compiler reads it"
    check_kind("definition", definition, Definition, allowed, InvalidPlan)
    design = design_survey(definition)
    best = design if definition.ask == "auto" else best_design(definition)
    alone = best_without_joining(definition)
    return AskingPlan(
        design,
        design.variance / best.variance,
        alone.variance / design.variance,
        _times(design, definition, _required),
        _times(design, definition, _uncapped),
    )


def _times(
    design: SurveyDesign, definition: Definition, change: Callable[[PlannedBlock], PlannedBlock]
) -> float:
    """The times the respondents that the blocks need as they are, beside the changed ones."""
    blocks = tuple(map(change, definition.blocks))
    if blocks == definition.blocks:
        return 1.0
    return design.variance / design_survey(definition.replace(blocks=blocks)).variance


def _required(block: PlannedBlock) -> PlannedBlock:
    """The block, if each of its closed questions that everybody reaches had to be answered."""
    questions = (
        each.replace(required=True)
        if each.is_closed and not each.items and not each.show_if
        else each
        for each in block.questions
    )
    return block.replace(questions=tuple(questions))


def _uncapped(block: PlannedBlock) -> PlannedBlock:
    return block.replace(preferences=block.preferences.replace(epsilon=None))
