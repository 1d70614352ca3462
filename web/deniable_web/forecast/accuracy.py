"""Warnings about accuracy: estimates that need more respondents, or another epsilon."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction

from deniable_analysis.planning import (
    Estimated,
    PlannedEstimate,
    Share,
    planned_estimates,
    unit_variance,
)
from deniable_analysis.planning.looks import Looks
from deniable_sdk import Block
from deniable_sdk.compiler import SurveyDesign
from deniable_sdk.compiler.mechanisms import choose_mechanism
from deniable_sdk.mechanisms import Mechanism, OneOf, SomeOf, Subset
from deniable_sdk.survey.definition import Definition, PlannedBlock
from deniable_sdk.wording import counted
from deniable_web.forecast.advice import (
    BLIND_MARGIN,
    LARGE_EPSILON,
    MANY_OPTIONS,
    USEFUL_MARGIN,
    VISIBLE_TIMES,
    Advice,
    Caution,
)

_STEPS = 10  # an epsilon is stated in tenths

# The example of a shown result, for stating its possible true values.
_EXAMPLE = 0.4


class Aim(Enum):
    """The accuracy that a block's estimates should reach."""

    USEFUL = auto()  # the wanted estimate within USEFUL_MARGIN, at its hardest truth
    VISIBLE = auto()  # an option as common as the others, see VISIBLE_TIMES


@dataclass(frozen=True, slots=True)
class FieldingPlan:
    """A definition with its design, and the number of respondents who will be asked.

    Args:
        definition: the author's definition.
        design: its blocks, and how often each is drawn.
        respondents: those of the whole survey.
    """

    definition: Definition
    design: SurveyDesign
    respondents: int

    @property
    def blocks(self) -> tuple[PlannedBlock, ...]:
        """The blocks of the design."""
        return tuple(each.planned for each in self.design.blocks)

    def part(self, block: PlannedBlock) -> Fraction:
        """How likely a respondent is asked a block."""
        return next(self.design.part(each) for each in self.design.blocks if each.planned == block)

    def reports(self, block: PlannedBlock) -> Fraction:
        """The expected reports of a block."""
        return self.respondents * self.part(block)

    def gives_mean(self, block: PlannedBlock) -> bool:
        """Whether the block's first estimate is a mean."""
        return self._wanted(block, self.definition.epsilon).estimated is Estimated.MEAN

    def has_average_option(self, block: PlannedBlock) -> bool:
        """Whether results have an option of which each respondent has one; not so for sets."""
        is_shown = len(block.questions) == 1 or block.is_crosstab
        return is_shown and isinstance(block.domain, OneOf) and not self.gives_mean(block)

    def margin(self, block: PlannedBlock, aim: Aim) -> float:
        """The expected margin of the estimate that the aim is about."""
        return self._margin(block, aim, self.definition.epsilon)

    def respondents_for(self, blocks: Sequence[PlannedBlock], aim: Aim) -> int:
        """The respondents with whom all these blocks reach the aim."""
        epsilon = self.definition.epsilon
        return max(
            Looks().respondents_for(
                self._planned(block, aim, epsilon), goal(block, aim), self.part(block)
            )
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
        return all(self._margin(block, aim, epsilon) <= goal(block, aim) for block in blocks)

    def _margin(self, block: PlannedBlock, aim: Aim, epsilon: Fraction) -> float:
        planned = self._planned(block, aim, epsilon)
        return Looks().margin(planned, self.reports(block), self.part(block))

    def _planned(self, block: PlannedBlock, aim: Aim, epsilon: Fraction) -> PlannedEstimate:
        if aim is Aim.USEFUL:
            return self._wanted(block, epsilon)
        mechanism = self._mechanism(block, epsilon)
        assert isinstance(mechanism, Subset)  # noqa: S101 - see has_average_option
        return PlannedEstimate(Estimated.OPTION, None, unit_variance(mechanism, Share.EQUAL))

    def _mechanism(self, block: PlannedBlock, epsilon: Fraction) -> Mechanism:
        blocks, asked = self.blocks, self.design.asked
        return choose_mechanism(self.definition, blocks, block, epsilon, asked)

    def _wanted(self, block: PlannedBlock, epsilon: Fraction) -> PlannedEstimate:
        """The estimate that its author wants most; for several questions, the hardest."""
        mechanism = self._mechanism(block, epsilon)
        published = Block(block.id, block.questions, mechanism, block.is_crosstab)
        estimates = planned_estimates(published, block.preferences.target)
        if len(block.questions) > 1:
            return max(estimates, key=lambda estimate: estimate.unit_variance)
        return estimates[0]


def goal(block: PlannedBlock, aim: Aim) -> Fraction:
    """The margin that is good enough; for a mean, a part of its range."""
    return USEFUL_MARGIN if aim is Aim.USEFUL else Fraction(VISIBLE_TIMES, block.domain.size)


def advise_on_accuracy(plan: FieldingPlan) -> Iterator[Advice]:
    """At most one warning for each block: the gravest that applies to it."""
    grouped: dict[tuple[Caution, bool], list[PlannedBlock]] = {}
    for block in plan.blocks:
        caution = _caution(plan, block)
        if caution is not None:
            grouped.setdefault((caution, plan.gives_mean(block)), []).append(block)
    for (caution, is_mean), blocks in grouped.items():
        if caution is Caution.TOO_MANY_OPTIONS:
            yield _about_options(plan, blocks)
        else:
            yield _about_margins(plan, caution, blocks, is_mean)


def _caution(plan: FieldingPlan, block: PlannedBlock) -> Caution | None:
    margin = plan.margin(block, Aim.USEFUL)
    if margin >= BLIND_MARGIN:
        return Caution.BLIND
    if plan.has_average_option(block) and _excess(plan, block) > 1:
        return Caution.TOO_MANY_OPTIONS
    return Caution.FEW_RESPONDENTS if margin > USEFUL_MARGIN else None


def _excess(plan: FieldingPlan, block: PlannedBlock) -> float:
    """How many times wider than allowed the margin of an average option is."""
    return plan.margin(block, Aim.VISIBLE) / float(goal(block, Aim.VISIBLE))


def _about_margins(
    plan: FieldingPlan, caution: Caution, blocks: Sequence[PlannedBlock], is_mean: bool
) -> Advice:
    margin = max(plan.margin(block, Aim.USEFUL) for block in blocks)
    if is_mean:
        anywhere = ", so it could lie anywhere" if margin >= BLIND_MARGIN else ""
        says = f"the mean has a margin of ±{margin:.2f} of its range{anywhere}"
    else:
        says = _share_in_words(caution, margin)
    remedy, numbers = _remedy(plan, blocks, Aim.USEFUL)
    respondents = counted(plan.respondents, "respondent", commas=True)
    return Advice.about(caution, blocks, f"with {respondents} {says}; {remedy}", numbers)


def _share_in_words(caution: Caution, margin: float) -> str:
    if caution is Caution.FEW_RESPONDENTS:
        low, high = max(0.0, _EXAMPLE - margin), _EXAMPLE + margin
        so = f"a result of {_EXAMPLE:.0%} may truly be {low:.0%} or {high:.0%}"
    elif margin >= 1:
        so = "nothing can be detected"
    else:
        so = f"an option that fewer than {margin:.0%} choose looks like one that nobody chose"
    return f"a share has a margin of ±{margin:.2f}, so {so}"


def _about_options(plan: FieldingPlan, blocks: Sequence[PlannedBlock]) -> Advice:
    worst = max(blocks, key=lambda block: _excess(plan, block))
    is_cell = len(worst.questions) > 1
    together = "put options together or cross fewer questions" if is_cell else "put some together"
    remedy, numbers = _remedy(plan, blocks, Aim.VISIBLE)
    message = (
        f"with {counted(plan.respondents, 'respondent', commas=True)} "
        f"{'a cell' if is_cell else 'an option'} as common as the others, 1 in "
        f"{worst.domain.size}, has a margin of ±{plan.margin(worst, Aim.VISIBLE):.2f}; "
        f"{together}, or {remedy}"
    )
    return Advice.about(Caution.TOO_MANY_OPTIONS, blocks, message, numbers)


def _remedy(
    plan: FieldingPlan, blocks: Sequence[PlannedBlock], aim: Aim
) -> tuple[str, dict[str, float | None]]:
    """The change with which all these blocks reach the goal, in English and as numbers.

    The epsilon is None if none that still protects is enough; the number of options is that
    of a set for which fewer options would help most.
    """
    sizes = [block.domain.options for block in blocks if isinstance(block.domain, SomeOf)]
    many = max((size for size in sizes if size > MANY_OPTIONS), default=None)
    respondents, epsilon = plan.respondents_for(blocks, aim), plan.epsilon_for(blocks, aim)
    fewer = "offer fewer options, or " if many else ""
    other = f" or set epsilon to {float(epsilon):g}" if epsilon else ""
    return (
        f"{fewer}ask {counted(respondents, 'respondent', commas=True)}{other}",
        {
            "respondents": respondents,
            "epsilon": float(epsilon) if epsilon else None,
            "options": many,
        },
    )
