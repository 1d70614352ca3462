"""Warnings about accuracy: estimates that need more respondents."""

from collections.abc import Iterator, Sequence

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
