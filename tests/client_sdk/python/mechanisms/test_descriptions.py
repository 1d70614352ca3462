"""What mechanisms say of themselves, and which parameters they refuse."""

import itertools
from collections.abc import Callable

import pytest

from channel_checks import WalkedIntegers
from deniable_sdk import theory
from deniable_sdk.mechanisms import (
    InvalidParameters,
    Mechanism,
    OneOf,
    Piecewise,
    PrivSet,
    SampledBits,
    SomeOf,
    Subset,
)
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.weights import Weights
from tape import Tape

PAIR = Weights(3, 1)
LONG = Weights(1 << 46, 1)


def test_descriptions() -> None:
    """Each mechanism is told in words, with its probabilities."""
    told: list[tuple[Mechanism, str]] = [
        (Subset(2, 1, PAIR), "reports the true answer with probability 75.0%, else the other one"),
        (
            Subset(3, 1, PAIR),
            "reports the true answer with probability 60.0%, else one of the 2 o",
        ),
        (
            Subset(4, 2, PAIR),
            "reports 2 of 4 answers, the true one among them with probability 75",
        ),
        (SampledBits(SomeOf(4, 4), 1, PAIR), "draws one option of 4 and says of each whether it "),
        (SampledBits(SomeOf(4, 4), 2, PAIR), "draws 2 options of 4 and says of each whether it w"),
        (
            PrivSet(SomeOf(4, 2), 1, PAIR),
            "reports 1 of 4 options and 2 blanks; a chosen option is",
        ),
        (PrivSet(SomeOf(4, 1), 1, PAIR), "of 4 options and 1 blank; a chosen option is among"),
        (Piecewise(OneOf(5), 4, 1, PAIR), "reports its place with probability 42.9%, else anot"),
        (Piecewise(OneOf(5), 4, 3, PAIR), "reports one of the 3 places around it with probabil"),
        (Piecewise(OneOf(5), 4, 3, PAIR), "probability 69.2%, else another one of 7"),
        (
            Piecewise(OneOf(9), 2, 2, PAIR),
            "rounds the answer by chance to one of 3 positions, and reports one of the 2 places",
        ),
    ]
    for mechanism, words in told:
        assert words in theory.describe(mechanism)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: SampledBits(SomeOf(4, 2), 5, PAIR),
            "sampled: got 5; allowed are 1 to 4",
        ),
        (
            lambda: PrivSet(SomeOf(4, 2), 4, PAIR),
            "size: got 4; allowed are 1 to 3",
        ),
        (
            lambda: Piecewise(OneOf(4), 4, 3, PAIR),
            "steps: got 4; allowed are 1 to 3",
        ),
        (
            lambda: Piecewise(OneOf(4), 2, 3, PAIR),
            "window: got 3; allowed are 1 to 2",
        ),
        (
            lambda: PrivSet(SomeOf(9, 8), 1, LONG),
            "weights: their total is beyond .*; take a smaller epsilon, a smaller size or fewer o",
        ),
        (
            lambda: Piecewise(OneOf(9), 8, 5, LONG),
            "weights: their total is beyond .*; take a smaller epsilon or a smaller window",
        ),
    ],
)
def test_illegal_parameters_are_refused(make: Callable[[], Mechanism], message: str) -> None:
    """A parameter out of its range is named with what is allowed."""
    with pytest.raises(InvalidParameters, match=message):
        make()


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"options": 1, "at_most": 1}, "options: got 1; allowed are 2 to 1000"),
        ({"options": 1001, "at_most": 1}, "options: got 1001; allowed are 2 to 1000"),
        ({"options": 4, "at_most": 0}, "at_most: got 0; allowed are 1 to 4"),
        ({"options": 4, "at_most": 5}, "at_most: got 5; allowed are 1 to 4"),
    ],
)
def test_illegal_selections_are_refused(document: dict[str, int], message: str) -> None:
    """The options and how many of them may be chosen have a range each."""
    for kind, key in ((SampledBits, "sampled"), (PrivSet, "size")):
        with pytest.raises(InvalidParameters, match=message):
            kind.from_document({"name": kind.name, key: 1, "weights": [3, 1], **document})


def test_illegal_grids_are_refused() -> None:
    """A grid has 2 to 5000 cells."""
    for cells in (1, 5001):
        message = f"cells: got {cells}; allowed are 2 to 5000"
        with pytest.raises(InvalidParameters, match=message):
            Piecewise.from_document(
                {
                    "name": "piecewise",
                    "cells": cells,
                    "no_answer": True,
                    "steps": 1,
                    "window": 1,
                    "weights": [3, 1],
                }
            )


def test_a_sample_is_the_first_places_of_a_shuffle() -> None:
    """Draw i is added to place i, and what stood there moves to where it came from."""
    tape = Tape(b"".join(draw.to_bytes(6, "big") for draw in (4, 3, 0, 1)))
    assert RandomIntegers(tape).sample(5, 4) == [4, 0, 2, 1]
    tape.assert_all_read()
    assert RandomIntegers(Tape(b"")).sample(5, 0) == []


@pytest.mark.parametrize(("size", "count"), [(1, 1), (3, 2), (4, 3), (4, 4)])
def test_every_sample_comes_from_one_path(size: int, count: int) -> None:
    """Of the paths of draws each gives another arrangement, so all are equally likely."""
    bounds = [range(size - index) for index in range(count)]
    samples = [
        tuple(WalkedIntegers(list(path)).sample(size, count))
        for path in itertools.product(*bounds)
    ]
    assert sorted(samples) == list(itertools.permutations(range(size), count))
