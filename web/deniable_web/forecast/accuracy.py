"""Warnings about accuracy: estimates that need more respondents."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis.forms import counted
from deniable_sdk.mechanisms import SomeOf
from deniable_sdk.survey.definition import PlannedBlock
from deniable_web.forecast.advice import Advice, Caution
from deniable_web.forecast.remedies import Aim, FieldingPlan, goal
from deniable_web.forecast.thresholds import BLIND_MARGIN, MANY_OPTIONS, USEFUL_MARGIN

# The example of a shown result, for stating its possible true values.
_EXAMPLE = 0.4


def advise_on_accuracy(plan: FieldingPlan) -> Iterator[Advice]:
    """At most one warning for each block: the gravest that applies to it."""
    grouped: dict[tuple[Caution, bool], list[PlannedBlock]] = {}
    for block in plan.definition.blocks:
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
    says = _mean_in_words(margin) if is_mean else _share_in_words(caution, margin)
    remedy = _Remedy.of(plan, blocks, Aim.USEFUL)
    respondents = counted(plan.respondents, "respondent", commas=True)
    message = f"with {respondents} {says}; {remedy.in_words()}"
    return Advice.about(caution, blocks, message, remedy.numbers())


def _mean_in_words(margin: float) -> str:
    if margin >= BLIND_MARGIN:
        return f"the mean has a margin of ±{margin:.2f} of its range, so it could lie anywhere"
    return f"the mean has a margin of ±{margin:.2f} of its range"


def _share_in_words(caution: Caution, margin: float) -> str:
    if caution is Caution.FEW_RESPONDENTS:
        low, high = _EXAMPLE - margin, _EXAMPLE + margin
        return (
            f"a share has a margin of ±{margin:.2f}, so a result of {_EXAMPLE:.0%} may truly be "
            f"{max(0.0, low):.0%} or {high:.0%}"
        )
    if margin >= 1:
        return f"a share has a margin of ±{margin:.2f}, so nothing can be detected"
    return (
        f"a share has a margin of ±{margin:.2f}, so an option that fewer than {margin:.0%} choose "
        "looks like one that nobody chose"
    )


def _about_options(plan: FieldingPlan, blocks: Sequence[PlannedBlock]) -> Advice:
    worst = max(blocks, key=lambda block: _excess(plan, block))
    is_cell = len(worst.questions) > 1
    together = "put options together or cross fewer questions" if is_cell else "put some together"
    remedy = _Remedy.of(plan, blocks, Aim.VISIBLE)
    message = (
        f"with {counted(plan.respondents, 'respondent', commas=True)} "
        f"{'a cell' if is_cell else 'an option'} as common as the others, 1 in "
        f"{worst.domain.size}, has a margin of ±{plan.margin(worst, Aim.VISIBLE):.2f}; "
        f"{together}, or {remedy.in_words()}"
    )
    return Advice.about(Caution.TOO_MANY_OPTIONS, blocks, message, remedy.numbers())


@dataclass(frozen=True, slots=True)
class _Remedy:
    """The change that ends a warning.

    Args:
        respondents: the number of respondents that would be enough.
        epsilon: the epsilon that would be enough instead; None if no epsilon that still
            protects is enough.
        options: the number of options of a set, if fewer options would help most.
    """

    respondents: int
    epsilon: Fraction | None
    options: int | None

    @classmethod
    def of(cls, plan: FieldingPlan, blocks: Sequence[PlannedBlock], aim: Aim) -> "_Remedy":
        """The change with which all these blocks reach the goal."""
        sizes = [block.domain.options for block in blocks if isinstance(block.domain, SomeOf)]
        most = max(sizes, default=0)
        return cls(
            plan.respondents_for(blocks, aim),
            plan.epsilon_for(blocks, aim),
            most if most > MANY_OPTIONS else None,
        )

    def in_words(self) -> str:
        """The change in English, after "or" or on its own."""
        fewer = "offer fewer options, or " if self.options else ""
        other = f" or set epsilon to {float(self.epsilon):g}" if self.epsilon else ""
        return f"{fewer}ask {counted(self.respondents, 'respondent', commas=True)}{other}"

    def numbers(self) -> dict[str, float | None]:
        """The numbers of the change, by name."""
        return {
            "respondents": self.respondents,
            "epsilon": float(self.epsilon) if self.epsilon else None,
            "options": self.options,
        }
