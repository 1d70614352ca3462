"""Exact checks of a mechanism: its channel, its draws and what it refuses, enumerated."""

import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

import pytest

from deniable_sdk import canonical, theory
from deniable_sdk.canonical import JSON
from deniable_sdk.errors import InvalidAnswer
from deniable_sdk.mechanisms import Answer, InvalidValue, Mechanism
from deniable_sdk.randomness import RandomIntegers
from tape import Tape

Law = dict[str, Fraction]
# Answers that belong to no domain of the tests, and whose texts no message may hold.
STRANGERS: list[object] = [99, -1, True, None, "7", 1.5, [0], (99,), (1, 0), (0, 0), (True,)]


class WalkedIntegers(RandomIntegers):
    """Gives the draws of one path, then zeros, and notes every bound."""

    __slots__ = ("bounds", "path")

    def __init__(self, path: list[int]) -> None:
        super().__init__(Tape(b""))
        self.path = path
        self.bounds: list[int] = []

    def below_each(self, bounds: Sequence[int]) -> list[int]:
        """The next draws of the path."""
        return [self.below(bound) for bound in bounds]

    def below(self, bound: int) -> int:
        """The next draw of the path, 0 beyond its end."""
        self.bounds.append(bound)
        if len(self.bounds) > len(self.path):
            self.path.append(0)
        return self.path[len(self.bounds) - 1]


@cache
def walk(mechanism: Mechanism, answer: Answer) -> tuple[Law, dict[tuple[int, ...], Fraction]]:
    """The exact law of what randomize gives, and of the bounds it asks for."""
    reached: Counter[tuple[str, tuple[int, ...]]] = Counter()
    path: list[int] = []
    while True:
        integers = WalkedIntegers(path)
        value = mechanism.randomize(answer, integers)
        bounds = tuple(integers.bounds)
        reached[canonical.encode(value).decode(), bounds] += 1
        while path and path[-1] == bounds[len(path) - 1] - 1:
            path.pop()
        if not path:
            break
        path[-1] += 1
    law: defaultdict[str, Fraction] = defaultdict(Fraction)
    asked: defaultdict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for (text, bounds), count in reached.items():
        # All paths with these bounds are equally likely.
        likelihood = Fraction(count, math.prod(bounds))
        law[text] += likelihood
        asked[bounds] += likelihood
    return dict(law), dict(asked)


def assert_rows_sum_to_one(mechanism: Mechanism) -> None:
    """The outputs' likelihoods sum to exactly 1 under each answer."""
    for row in zip(*theory.channel(mechanism).values(), strict=True):
        assert sum(row) == 1


def worst_ratio(mechanism: Mechanism) -> Fraction:
    """The largest likelihood ratio of an output between two answers."""
    return max(max(row) / min(row) for row in theory.channel(mechanism).values())


def spent_ratio(mechanism: Mechanism) -> Fraction:
    """The ratio that the mechanism says it spends."""
    return math.prod((weights.ratio for weights in mechanism.spends), start=Fraction(1))


def assert_law_is_channel(mechanism: Mechanism) -> None:
    """Walking every path of draws gives the channel's row of each answer."""
    channel = theory.channel(mechanism)
    answers: list[Answer] = list(mechanism.domain.answers())
    for index, answer in enumerate(answers):
        law, _ = walk(mechanism, answer)
        assert law == {output: row[index] for output, row in channel.items()}


def assert_draws_do_not_tell(mechanism: Mechanism) -> None:
    """As many draws as stated on every path, with bounds of one law for all answers."""
    answers: list[Answer] = list(mechanism.domain.answers())
    laws = [walk(mechanism, answer)[1] for answer in answers]
    assert all(law == laws[0] for law in laws)
    assert {len(bounds) for bounds in laws[0]} == {mechanism.draws}


def assert_lengths_do_not_tell(mechanism: Mechanism) -> None:
    """Every path of every answer gives a value of the same number of members."""
    answers: list[Answer] = list(mechanism.domain.answers())
    outputs = {output for answer in answers for output in walk(mechanism, answer)[0]}
    values = [json.loads(output) for output in outputs]
    lengths = {len(value) if isinstance(value, list) else 0 for value in values}
    assert len(lengths) == 1


def assert_refuses_strangers(mechanism: Mechanism) -> None:
    """What is no answer of the domain is refused before a draw, and not repeated."""
    answers = set(mechanism.domain.answers())
    for stranger in STRANGERS:
        is_answer = type(stranger) in (int, tuple) and stranger in answers
        if is_answer and "True" not in repr(stranger):
            continue
        integers = WalkedIntegers([])
        with pytest.raises(InvalidAnswer) as caught:
            mechanism.randomize(stranger, integers)  # type: ignore[arg-type]  # wrong on purpose
        message = str(caught.value)
        assert "the one given is not, and was not used" in message
        assert repr(stranger) not in message
        assert integers.bounds == []


def near_misses(value: JSON) -> list[JSON]:
    """Values that differ from a legal one in a single step."""
    if isinstance(value, bool) or not isinstance(value, int | list):
        return []
    if isinstance(value, int):
        return [value - 1, value + 1, bool(value), str(value), [value], None, {}, value + 1000]
    changed = [
        [*value[:index], other, *value[index + 1 :]]
        for index in range(len(value))
        for other in near_misses(value[index])
    ]
    dropped: list[JSON] = [value[:index] + value[index + 1 :] for index in range(len(value))]
    moved: list[JSON] = [list(order) for order in itertools.permutations(value[:3])]
    longer: list[JSON] = [[*value, *value[-1:]], [*value, 0], [*value, [0, 0]]]
    return [*changed, *dropped, *moved, *longer, [], None, True, "", {}, {"0": value}, 0, -1]


def assert_accepts_exactly_the_outputs(mechanism: Mechanism) -> None:
    """Outputs are accepted; near misses are not, with messages that do not repeat them."""
    outputs = theory.channel(mechanism).keys()
    for output in outputs:
        mechanism.form.check(json.loads(output))
        for value in near_misses(json.loads(output)):
            text = canonical.encode(value).decode()
            if text not in outputs:
                _assert_refused(mechanism.form.check, value)


def _assert_refused(check: Callable[[JSON], None], value: JSON) -> None:
    with pytest.raises(InvalidValue) as caught:
        check(value)
    message = str(caught.value)
    assert message.startswith("got ")
    assert not (isinstance(value, list) and value) or repr(value) not in message
    assert not (type(value) is int and value > 99) or str(value) not in message
