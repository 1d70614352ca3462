"""The exact checks reject mechanisms that are wrong in the ways mechanisms go wrong."""

from collections.abc import Callable

import pytest

from channel_checks import (
    assert_accepts_exactly_the_outputs,
    assert_draws_do_not_tell,
    assert_law_is_channel,
    assert_lengths_do_not_tell,
    assert_refuses_strangers,
    assert_rows_sum_to_one,
    spent_ratio,
    worst_ratio,
)
from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import (
    Answer,
    Mechanism,
    OneOf,
    Piecewise,
    PrivSet,
    SampledBits,
    SomeOf,
    ValueForm,
)
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.weights import Weights

WEIGHTS = Weights(3, 1)
THREE = SomeOf(3, 2)


class KeptFirst(PrivSet):
    """Gives the kept options before the others."""

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        chosen = self.pad(self.domain.check(answer))
        value = super().randomize(answer, integers)
        assert isinstance(value, list)
        return sorted(value, key=lambda index: (index not in chosen, index))


class OneWay(SampledBits):
    """Never turns a no into a yes."""

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        chosen = self.domain.check(answer)
        value = super().randomize(chosen, integers)
        assert isinstance(value, list)
        return [[pair[0], pair[1] * (pair[0] in chosen)] for pair in value]  # type: ignore[index,operator]  # pairs of indexes


class LastBitFixed(SampledBits):
    """Gives the last bit as it is."""

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        chosen = self.domain.check(answer)
        value = super().randomize(chosen, integers)
        assert isinstance(value, list)
        last = value[-1]
        assert isinstance(last, list)
        return [*value[:-1], [last[0], int(last[0] in chosen)]]


class Unpadded(PrivSet):
    """Leaves the dummies out, so that the length tells how many were chosen."""

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        value = super().randomize(answer, integers)
        assert isinstance(value, list)
        return [index for index in value if isinstance(index, int) and index < self.domain.options]


class Unchecked(Piecewise):
    """Takes any number for a place."""

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        assert isinstance(answer, int)
        return super().randomize(min(max(0, answer), self.domain.options - 1), integers)


class Lazy(SampledBits):
    """Draws nothing where nothing was chosen."""

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        if answer == ():
            return [[option, 0] for option in range(self.sampled)]
        return super().randomize(answer, integers)


class Narrow(Piecewise):
    """Counts no answer as one place in the total, where it has a window."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.derive("total_weight", self.total_weight - (self.window - 1) * self.weights.low)


class Rounded(Piecewise):
    """Rounds to the nearest position, where chance should."""

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        assert isinstance(answer, int)
        last = self.cells - 1
        nearest = (2 * answer * self.steps + last) // (2 * last) * last // self.steps
        return super().randomize(nearest if answer < self.cells else answer, integers)


class Candid(Piecewise):
    """Draws only once where no answer is given."""

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        if answer == self.cells:
            return self.places
        return super().randomize(answer, integers)


class Generous(Piecewise):
    """Accepts one output too many."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.derive("form", ValueForm(self.outputs + 1))


def _assert_spends_what_it_says(mechanism: Mechanism) -> None:
    assert worst_ratio(mechanism) == spent_ratio(mechanism)


class Overspending(PrivSet):
    """Says that it spends less than it does."""

    @property
    def spends(self) -> tuple[Weights, ...]:
        return (Weights(2, 1),)


BROKEN: list[tuple[Mechanism, Callable[[Mechanism], None]]] = [
    (KeptFirst(THREE, 2, WEIGHTS), assert_law_is_channel),
    (OneWay(THREE, 2, WEIGHTS), assert_law_is_channel),
    (LastBitFixed(THREE, 2, WEIGHTS), assert_law_is_channel),
    (Unpadded(THREE, 2, WEIGHTS), assert_lengths_do_not_tell),
    (Lazy(THREE, 2, WEIGHTS), assert_draws_do_not_tell),
    (Narrow(OneOf(4, offers_no_answer=True), 3, 2, WEIGHTS), assert_rows_sum_to_one),
    (Rounded(OneOf(5), 2, 1, WEIGHTS), assert_law_is_channel),
    (Candid(OneOf(4, offers_no_answer=True), 2, 1, WEIGHTS), assert_draws_do_not_tell),
    (Generous(OneOf(4), 3, 2, WEIGHTS), assert_accepts_exactly_the_outputs),
    (Overspending(THREE, 1, WEIGHTS), _assert_spends_what_it_says),
]


@pytest.mark.parametrize(
    ("mechanism", "check"), BROKEN, ids=[type(mechanism).__name__ for mechanism, _ in BROKEN]
)
def test_a_broken_twin_is_rejected(
    mechanism: Mechanism, check: Callable[[Mechanism], None]
) -> None:
    """The check that its fault is for fails on it, and passes on the mechanism it spoils."""
    sound = type(mechanism).__mro__[1](*mechanism._values())
    check(sound)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check(mechanism)


def test_an_unchecked_domain_is_rejected() -> None:
    """A mechanism that randomizes what is no answer fails the check for strangers."""
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        assert_refuses_strangers(Unchecked(OneOf(4), 1, 1, WEIGHTS))
