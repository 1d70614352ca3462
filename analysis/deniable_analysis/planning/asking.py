"""The design of a questionnaire, and what it costs or saves."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis.arguments import check_kind
from deniable_sdk.compiler import SurveyDesign, best_design, best_without_joining, design_survey
from deniable_sdk.compiler.margins import block_variance
from deniable_sdk.survey.definition import Definition, PlannedBlock
from deniable_sdk.survey.questions import Question
from deniable_sdk.weights import MIN_EPSILON


@dataclass(frozen=True, slots=True)
class AskingPlan:
    """The design of a questionnaire, compared with the best one and with no joint blocks.

    Args:
        design: blocks of the survey, and how many each respondent is asked.
        alone: the best design without joint blocks, all drawn equally often.
        factor: times the respondents of the best design that this one needs for the
            same margin of the least certain question.
        optional: times the respondents that are needed because closed questions may be
            left empty.
        capped: times the respondents that are needed because questions have an epsilon of
            their own.
        dearest: ids of the questions of the block that costs the most; none if it is the
            only one.
        dearest_factor: times the respondents that are needed because they are asked.
        halved: times the respondents of this design that half the epsilon needs; None if
            that is less than a survey may have.
    """

    design: SurveyDesign
    alone: SurveyDesign
    factor: float
    optional: float
    capped: float
    dearest: tuple[str, ...]
    dearest_factor: float
    halved: float | None

    @property
    def asked(self) -> int:
        """The number of blocks that each respondent is asked."""
        return self.design.asked

    @property
    def blocks(self) -> int:
        """The number of blocks of the survey."""
        return len(self.design.blocks)

    @property
    def saving(self) -> float:
        """The times the respondents of this design that `alone` needs."""
        return self.alone.variance / self.design.variance

    @property
    def optional_questions(self) -> tuple[str, ...]:
        """The ids of the questions that `optional` is about."""
        return tuple(
            question.id
            for block in self.design.blocks
            for question in block.planned.questions
            if _is_optional(question)
        )

    @property
    def is_best(self) -> bool:
        """Whether no other design needs fewer respondents."""
        return self.factor <= 1


def plan_asking(definition: Definition) -> AskingPlan:
    """The design that a definition compiles to, and what it costs or saves.

    Raises:
        InvalidArgument: definition is not a Definition.
    Source: sampling instead of splitting, N. Wang et al. 2019 (ICDE); a block that is asked of
    a part of the respondents has its variance divided by this part.
    """
    allowed = "a survey's definition, as the compiler reads it"
    check_kind("definition", definition, Definition, allowed)
    design = design_survey(definition)
    best = design if definition.ask == "auto" else best_design(definition)
    alone = best_without_joining(definition)
    dearest = _dearest(definition, alone)
    return AskingPlan(
        design=design,
        alone=alone,
        factor=design.variance / best.variance,
        optional=_times(design, definition, _required),
        capped=_times(design, definition, _uncapped),
        dearest=tuple(question.id for block in dearest for question in block.questions),
        dearest_factor=_without(design, definition, dearest),
        halved=_halved(design, definition),
    )


def _dearest(definition: Definition, alone: SurveyDesign) -> tuple[PlannedBlock, ...]:
    """The block with the largest variance of its own; none if it is the only one."""
    if len(definition.blocks) < 2:
        return ()
    return (
        max(alone.blocks, key=lambda each: block_variance(each.planned, each.mechanism)).planned,
    )


def _without(
    design: SurveyDesign, definition: Definition, left_out: tuple[PlannedBlock, ...]
) -> float:
    """The times the respondents that are needed because these blocks are asked, too."""
    if not left_out:
        return 1.0
    blocks = tuple(each for each in definition.blocks if each not in left_out)
    ask = definition.ask if isinstance(definition.ask, str) else min(definition.ask, len(blocks))
    return design.variance / design_survey(definition.replace(blocks=blocks, ask=ask)).variance


def _halved(design: SurveyDesign, definition: Definition) -> float | None:
    half = definition.whole_epsilon / 2
    if half / definition.waves < Fraction(MIN_EPSILON):
        return None
    return design_survey(definition.replace(whole_epsilon=half)).variance / design.variance


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
        each.replace(required=True) if _is_optional(each) else each for each in block.questions
    )
    return block.replace(questions=tuple(questions))


def _is_optional(question: Question) -> bool:
    is_plain = question.is_closed and not question.items and not question.show_if
    return is_plain and question.offers_no_answer


def _uncapped(block: PlannedBlock) -> PlannedBlock:
    return block.replace(preferences=block.preferences.replace(epsilon=None))
