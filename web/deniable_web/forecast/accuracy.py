"""Warnings about accuracy: what so many respondents cannot tell."""

from collections.abc import Iterator, Sequence

from deniable_analysis.words import counted
from deniable_sdk.mechanisms import SomeOf
from deniable_sdk.survey.definition import PlannedBlock
from deniable_web.forecast.advice import Advice, Caution
from deniable_web.forecast.remedies import Aim, Plan, goal
from deniable_web.forecast.thresholds import BLIND_MARGIN, MANY_OPTIONS, USEFUL_MARGIN

# What a result is shown as, to say what it may truly be.
_EXAMPLE = 0.4


def advise_on_accuracy(plan: Plan) -> Iterator[Advice]:
    """At most one warning for each block, the gravest that is true of it."""
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


def _caution(plan: Plan, block: PlannedBlock) -> Caution | None:
    margin = plan.margin(block, Aim.USEFUL)
    if margin >= BLIND_MARGIN:
        return Caution.BLIND
    if plan.has_average_option(block) and _excess(plan, block) > 1:
        return Caution.TOO_MANY_OPTIONS
    return Caution.FEW_RESPONDENTS if margin > USEFUL_MARGIN else None


def _excess(plan: Plan, block: PlannedBlock) -> float:
    """How many times too wide the margin of an average option is."""
    return plan.margin(block, Aim.VISIBLE) / float(goal(block, Aim.VISIBLE))


def _about_margins(
    plan: Plan, caution: Caution, blocks: Sequence[PlannedBlock], is_mean: bool
) -> Advice:
    margin = max(plan.margin(block, Aim.USEFUL) for block in blocks)
    says = _mean_in_words(margin) if is_mean else _share_in_words(caution, margin)
    remedy = _fewer(blocks) + _remedy(plan, blocks, Aim.USEFUL)
    respondents = counted(plan.respondents, "respondent", commas=True)
    message = f"{respondents} {'gives' if plan.respondents == 1 else 'give'} {says}; {remedy}"
    return Advice.about(caution, blocks, message)


def _fewer(blocks: Sequence[PlannedBlock]) -> str:
    """What to do first where any of several may be chosen, and there are many."""
    sizes = [block.domain.options for block in blocks if isinstance(block.domain, SomeOf)]
    return "offer fewer options, or " if max(sizes, default=0) > MANY_OPTIONS else ""


def _mean_in_words(margin: float) -> str:
    if margin >= BLIND_MARGIN:
        return f"the mean to ±{margin:.2f} of its range, so it could lie anywhere"
    return f"the mean to ±{margin:.2f} of its range"


def _share_in_words(caution: Caution, margin: float) -> str:
    if caution is Caution.FEW_RESPONDENTS:
        low, high = _EXAMPLE - margin, _EXAMPLE + margin
        return (
            f"a margin of ±{margin:.2f}, so a result of {_EXAMPLE:.0%} may truly be "
            f"{max(0.0, low):.0%} or {high:.0%}"
        )
    if margin >= 1:
        return f"a margin of ±{margin:.2f}, so nothing can be seen at all"
    return (
        f"a margin of ±{margin:.2f}, so an option that fewer than {margin:.0%} choose looks like "
        "one that nobody chose"
    )


def _about_options(plan: Plan, blocks: Sequence[PlannedBlock]) -> Advice:
    worst = max(blocks, key=lambda block: _excess(plan, block))
    is_cell = len(worst.questions) > 1
    together = "put options together or cross fewer questions" if is_cell else "put some together"
    message = (
        f"with {counted(plan.respondents, 'respondent', commas=True)} "
        f"{'a cell' if is_cell else 'an option'} as common as the others, 1 in "
        f"{worst.domain.size}, has a margin of ±{plan.margin(worst, Aim.VISIBLE):.2f}; "
        f"{together}, or {_remedy(plan, blocks, Aim.VISIBLE)}"
    )
    return Advice.about(Caution.TOO_MANY_OPTIONS, blocks, message)


def _remedy(plan: Plan, blocks: Sequence[PlannedBlock], aim: Aim) -> str:
    epsilon = plan.epsilon_for(blocks, aim)
    other = f" or set epsilon to {float(epsilon):g}" if epsilon else ""
    return f"ask {counted(plan.respondents_for(blocks, aim), 'respondent', commas=True)}{other}"
