"""Margins at other epsilons: privacy against accuracy."""

from fractions import Fraction
from typing import Any, Final

from deniable_analysis.planning import margin_of_reports, planned_estimates
from deniable_sdk.compiler import choose_asked, publish
from deniable_sdk.survey.definition import Definition
from deniable_sdk.weights import MIN_EPSILON

# From strong to weak, each about twice as much.
EPSILONS: Final = tuple(map(Fraction, ("0.5", "1", "2", "4")))


def trade_off(definition: Definition, respondents: int) -> list[dict[str, Any]]:
    """The margin of each block with each epsilon, including the draft's own.

    An epsilon is the one that the author would write: for a panel, that of all waves.
    Margins are those of one wave, at the truth that is hardest to estimate: shares of 1, or
    for a mean, parts of its range. They shrink with the root of the number of respondents.
    """
    waves = definition.waves
    written = sorted({*EPSILONS, definition.whole_epsilon})
    return [
        {"epsilon": float(epsilon), "margins": _margins(definition, epsilon / waves, respondents)}
        for epsilon in written
        if epsilon / waves >= Fraction(MIN_EPSILON)
    ]


def _margins(definition: Definition, epsilon: Fraction, respondents: int) -> dict[str, float]:
    # The epsilon of one wave: that of all waves of a panel may exceed the limit.
    other = definition.replace(whole_epsilon=epsilon, waves=1, wave=1)
    asked = choose_asked(other)
    reports = Fraction(respondents * asked, len(other.blocks))
    targets = {block.id: block.preferences.target for block in other.blocks}
    return {
        block.id: margin_of_reports(
            planned_estimates(block, targets[block.id])[0].unit_variance, reports
        )
        for block in publish(other, asked).blocks
    }
