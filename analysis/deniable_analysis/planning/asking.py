"""The best number of blocks to ask each respondent, and the cost of another number."""

from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis.arguments import check_kind
from deniable_analysis.errors import InvalidPlan
from deniable_sdk.compiler import best_asked, choose_asked, plan_error
from deniable_sdk.survey.definition import Definition


@dataclass(frozen=True, slots=True)
class AskingPlan:
    """A number of asked blocks, compared with the best one.

    Args:
        asked: number of blocks that each respondent is asked.
        blocks: number of blocks of the survey.
        best: number of asked blocks with the smallest error.
        factor: error with `asked` blocks divided by the error with `best`.
            Errors are variances, so the needed respondents grow by the same
            factor.
    """

    asked: int
    blocks: int
    best: int
    factor: Fraction

    @property
    def is_best(self) -> bool:
        """Whether no other number of blocks has a smaller error."""
        return self.factor <= 1


def plan_asking(definition: Definition) -> AskingPlan:
    """The definition's number of asked blocks, and its cost.

    Raises:
        InvalidPlan: definition is not a Definition.
    Source: sampling instead of splitting, N. Wang et al. 2019 (ICDE); the
    error of asking s of d is d / s times the blocks' error at epsilon / s.
    """
    allowed = "a survey's definition, as the compiler reads it"
    check_kind("definition", definition, Definition, allowed, InvalidPlan)
    asked, best = choose_asked(definition), best_asked(definition)
    factor = plan_error(definition, asked) / plan_error(definition, best)
    return AskingPlan(asked, len(definition.blocks), best, factor)
