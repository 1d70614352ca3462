"""Piecewise: a step near the true place on the scale, or anywhere on the line.

For scales and numbers on an evenly spaced grid. The answer is rounded by
chance to one of `steps` + 1 positions from end to end, so that the expected
position is the answer. Under each position the `window` of outputs that
begins there has the high weight. Where there is "no answer", one more output
has the high weight under it; it counts as many times as a window, which keeps
every row's total the same.

For a mean few steps with a wide window are best; for the distribution as many
steps as the grid has, which rounds nothing.

Guarantee: epsilon = ln(high / low) exactly, between any two answers of
one respondent, no answer among them: rounding mixes rows of the channel, and
a mixture of rows is within the same ratio. Edge cases: one step with window 1
is the mechanism of Duchi, Jordan and Wainwright 2018; cells - 1 steps with
window 1 are k-ary randomized response, with an odd window the square wave of
Li et al. 2020, made discrete.

Two draws, whatever the answer.

Source: own derivation; Zhao et al. 2021 (IEEE IoT J. 8) round in the same
way, with windows of other lengths.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms.base import Mechanism
from deniable_sdk.mechanisms.domains import Answer, OneOf
from deniable_sdk.mechanisms.parameters import check_range, check_total_weight, read_grid
from deniable_sdk.mechanisms.values import Support, SupportKind, ValueForm
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.records import derived
from deniable_sdk.weights import Weights


class Piecewise(Mechanism):
    """Outputs 0..steps + window - 1, in all `places`, then one for no answer.

    Under position j the outputs from j to j + window - 1 have the high weight.
    The second draw is from `total_weight`, which is the same for every answer.
    """

    name: ClassVar[str] = "piecewise"
    has_shares: ClassVar[bool] = False
    keys: ClassVar[tuple[str, ...]] = ("cells", "no_answer", "steps", "window")
    read_domain = staticmethod(read_grid)

    domain: OneOf  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    steps: int
    window: int
    weights: Weights  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    cells: int = derived()
    places: int = derived()
    outputs: int = derived()  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here

    def __post_init__(self) -> None:
        self.derive("cells", self.domain.options)
        self.derive("places", self.steps + self.window)
        self.derive("outputs", self.places + self.domain.offers_no_answer)
        self.derive("form", ValueForm(self.outputs))
        self.derive("draws", 2)
        others = self.steps + self.window * self.domain.offers_no_answer
        total = self.window * self.weights.high + others * self.weights.low
        self.derive("total_weight", total)
        check_range("steps", self.steps, 1, self.cells - 1)
        check_range("window", self.window, 1, self.steps)
        check_total_weight(self.total_weight, "take a smaller epsilon or a smaller window")

    @property
    def rounds(self) -> bool:
        """Whether answers are rounded, so that their distribution cannot be estimated."""
        return self.steps < self.cells - 1

    @property
    def no_answer_keep(self) -> Fraction:
        """P(no answer is reported) if it is the answer; 0 where there is none."""
        copies = self.window * self.domain.offers_no_answer
        return Fraction(copies * self.weights.high, self.total_weight)

    @property
    def no_answer_flip(self) -> Fraction:
        """P(no answer is reported) if it is not; 0 where there is none."""
        copies = self.window * self.domain.offers_no_answer
        return Fraction(copies * self.weights.low, self.total_weight)

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """One output: rounded first, then by walking the outputs in ascending order."""
        index = self.domain.check(answer)
        position, beyond = divmod(index * self.steps, self.cells - 1)
        rounded = position + (integers.below(self.cells - 1) < beyond)
        start = self.places if index == self.cells else rounded
        draw = integers.below(self.total_weight)
        high, low = self.weights.high, self.weights.low
        before, inside = start * low, self.window * high
        if draw < before:
            return draw // low
        if index == self.cells:
            return self.places
        if draw < before + inside:
            return start + (draw - before) // high
        return min(self.places, start + self.window + (draw - before - inside) // low)

    def support(self, value: Any) -> Support:
        """From the first to the last place around the positions that favour an output."""
        if value == self.places:
            return Support(SupportKind.ONE_OF, (self.cells,))
        first, last = max(0, value - self.window + 1), min(self.steps, value)
        length = self.cells - 1
        ends = first * length // self.steps, -(-last * length // self.steps)
        return Support(SupportKind.RANGE, ends)
