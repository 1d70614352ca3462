"""How many respondents, or which epsilon, an accuracy needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction

from deniable_analysis import (
    Estimated,
    PlannedEstimate,
    Share,
    margin_of_reports,
    planned_estimates,
    reports_for_margin,
    unit_variance,
)
from deniable_sdk import Block
from deniable_sdk.compiler import choose_mechanism
from deniable_sdk.mechanisms import Mechanism, OneOf, Subset
from deniable_sdk.survey.definition import Definition, PlannedBlock
from deniable_web.forecast.estimates import respondents_for
from deniable_web.forecast.thresholds import LARGE_EPSILON, USEFUL_MARGIN, VISIBLE_TIMES

_STEPS = 10  # an epsilon is stated in tenths


class Aim(Enum):
    """The accuracy that a block's estimates should reach."""

    USEFUL = auto()  # the wanted estimate within USEFUL_MARGIN, at its hardest truth
    VISIBLE = auto()  # an option as common as the others, see VISIBLE_TIMES


@dataclass(frozen=True, slots=True)
class FieldingPlan:
    """A definition, and the number of respondents who will be asked.

    Args:
        definition: the author's definition.
        asked: how many blocks each respondent is asked.
        respondents: those of the whole survey.
    """

    definition: Definition
    asked: int
    respondents: int

    @property
    def part(self) -> Fraction:
        """How likely a respondent is asked a given block."""
        return Fraction(self.asked, len(self.definition.blocks))

    @property
    def reports(self) -> Fraction:
        """The expected reports of a block."""
        return self.respondents * self.part

    def gives_mean(self, block: PlannedBlock) -> bool:
        """Whether the block's first estimate is a mean."""
        return self._wanted(block, self.definition.epsilon).estimated is Estimated.MEAN

    def has_average_option(self, block: PlannedBlock) -> bool:
        """Whether each respondent has exactly one of the block's options; not so for sets."""
        return isinstance(block.domain, OneOf) and not self.gives_mean(block)

    def margin(self, block: PlannedBlock, aim: Aim) -> float:
        """The expected margin of the estimate that the aim is about."""
        return margin_of_reports(self._variance(block, aim, self.definition.epsilon), self.reports)

    def respondents_for(self, blocks: Sequence[PlannedBlock], aim: Aim) -> int:
        """The respondents with whom all these blocks reach the aim."""
        epsilon = self.definition.epsilon
        return max(
            respondents_for(self._variance(block, aim, epsilon), goal(block, aim), self.part)
            for block in blocks
        )

    def epsilon_for(self, blocks: Sequence[PlannedBlock], aim: Aim) -> Fraction | None:
        """An epsilon with which all these blocks reach the aim, in tenths for each wave.

        It is the epsilon of the definition, for all waves together, with as many blocks
        asked as now. It is None if only an epsilon too large to protect would be enough.
        Where a margin grows a little with epsilon, halving may miss the least such epsilon,
        but the result is always enough.
        """
        waves = self.definition.waves
        low, high = int(self.definition.epsilon * _STEPS), int(LARGE_EPSILON * _STEPS / waves)
        if low >= high or not self._is_enough(blocks, aim, high):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._is_enough(blocks, aim, middle) else (middle, high)
        return waves * Fraction(high, _STEPS)

    def _is_enough(self, blocks: Sequence[PlannedBlock], aim: Aim, step: int) -> bool:
        epsilon = Fraction(step, _STEPS)
        return all(
            reports_for_margin(self._variance(block, aim, epsilon), goal(block, aim))
            <= self.reports
            for block in blocks
        )

    def _variance(self, block: PlannedBlock, aim: Aim, epsilon: Fraction) -> Fraction:
        if aim is Aim.USEFUL:
            return self._wanted(block, epsilon).unit_variance
        mechanism = self._mechanism(block, epsilon)
        assert isinstance(mechanism, Subset)  # noqa: S101 - see has_average_option
        return unit_variance(mechanism, Share.EQUAL)

    def _mechanism(self, block: PlannedBlock, epsilon: Fraction) -> Mechanism:
        return choose_mechanism(self.definition, block, epsilon, self.asked)

    def _wanted(self, block: PlannedBlock, epsilon: Fraction) -> PlannedEstimate:
        """The estimate that its author wants most; for a crosstab, its hardest estimate."""
        mechanism = self._mechanism(block, epsilon)
        published = Block(block.id, block.questions, mechanism)
        estimates = planned_estimates(published, block.preferences.target)
        if len(block.questions) > 1:
            return max(estimates, key=lambda estimate: estimate.unit_variance)
        return estimates[0]


def goal(block: PlannedBlock, aim: Aim) -> Fraction:
    """The margin that is good enough; for a mean, a part of its range."""
    return USEFUL_MARGIN if aim is Aim.USEFUL else Fraction(VISIBLE_TIMES, block.domain.size)
