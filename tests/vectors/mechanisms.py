"""Mechanisms replayed from bytes, and everything that they refuse."""

import random
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from deniable_sdk.mechanisms import (
    Answer,
    InvalidParameters,
    InvalidValue,
    Mechanism,
    OneOf,
    Piecewise,
    PrivSet,
    SampledBits,
    SomeOf,
    Subset,
)
from deniable_sdk.randomness import DRAW_RANGE, RandomIntegers
from deniable_sdk.weights import Weights, integer_weights
from vectors.spelling import Case, Recorder

STARTS = (b"", bytes(6), b"\xff" * 12)
EPSILONS = [integer_weights(Fraction(text)) for text in ("0.01", "1", "4")]
AT_ONE = Weights(11674931554, 1 << 32)
# Computed elsewhere: answer, the two numbers drawn, value.
THEORY_PIECEWISE = [
    (3, 0, 0, 0),
    (3, 2, 7, 2),
    (3, 9, 12, 2),
    (10, 0, 26, 8),
    (11, 4, 29, 9),
    (5, 4, 11, 4),
]
ODD: list[Any] = [None, True, "0", 1.5, {}, [], [[]], -1, 2**53 - 1]
SELECTIONS = [SomeOf(2, 1), SomeOf(3, 3), SomeOf(7, 2), SomeOf(12, 12), SomeOf(40, 5)]
GRIDS = [OneOf(2), OneOf(2, True), OneOf(5, True), OneOf(31), OneOf(101, True), OneOf(5000)]


def sampled_bits() -> list[Case]:
    """Sampled bits of some selections."""
    found = [
        SampledBits(domain, sampled, weights)
        for domain in SELECTIONS
        for sampled in sorted({1, 2, min(domain.options, 10)})
        for weights in EPSILONS
    ]
    edits: list[dict[str, Any]] = [
        {"sampled": 0},
        {"sampled": 3},
        {"options": 12, "sampled": 11},
        {"weights": [2**48, 1]},
        {"weights": [2**48 - 1, 1]},
    ]
    values: list[Any] = [[[0, 1], [1]], [[0, 1], 1], [[2, 0], [0, 0]], [[0, 0], [0, 1]]]
    values += [[[0, 0], [2, 0]], [[0, 0], [1, 2]], [[0, True], [1, 0]], [[0, 0], [1, 0]]]
    example = SampledBits(SomeOf(2, 1), 2, Weights(3, 1))
    return _cases(found, example, [*edits, *_selection_edits()], values)


def privsets() -> list[Case]:
    """PrivSet over some selections, its totals up to 2^48."""
    found = [
        PrivSet(domain, size, weights)
        for domain in SELECTIONS
        for size in sorted({1, 2, 3} & set(range(1, domain.options)))
        for weights in (Weights(3, 1), Weights(200_000_001, 100_000_000))
    ]
    found.append(PrivSet(SomeOf(2, 2), 1, Weights(2**47 - 1, 1)))  # the total is 2^48 at most
    edits: list[dict[str, Any]] = [
        {"size": 0},
        {"size": 4},
        {"weights": [2**46, 1]},
        {"weights": [2**53 - 1, 1]},
    ]
    edits += [{"options": 1000, "at_most": 1000, "size": size} for size in (50, 500, 999)]
    values: list[Any] = [[0, 1], [4, 5], [5, 6], [1, 1], [1, 0], [0], [0, 1, 2], [0, True]]
    example = PrivSet(SomeOf(4, 2), 2, Weights(3, 1))
    return _cases(found, example, [*edits, *_selection_edits()], values)


def piecewises() -> list[Case]:
    """Piecewise over some grids; the first cases come from the theory."""
    theirs = Piecewise(OneOf(11, True), 6, 3, Weights(7, 1))
    cases: list[Case] = []
    for answer, rounding, walking, value in THEORY_PIECEWISE:
        tape = b"".join(draw.to_bytes(6, "big") for draw in (rounding, walking))
        case = _replayed(theirs, answer, Recorder("", tape))
        assert (case["value"], case["tape"]) == (value, tape.hex())
        cases.append(case)
    found = [
        Piecewise(domain, *shape, weights)
        for domain in GRIDS
        for shape in _shapes(domain.options)
        for weights in (Weights(3, 1), AT_ONE, EPSILONS[0], EPSILONS[2])
        if shape[1] * weights.high < DRAW_RANGE // 2
    ]
    # As close to the bound of a draw as can be: the last output, and its last draw.
    found.append(Piecewise(OneOf(5000), 4999, 1, Weights(2**48 - 4999, 1)))
    edits: list[dict[str, Any]] = [{"steps": value} for value in (*ODD, 0, 5)]
    edits += [{"window": value} for value in (*ODD, 0, 5, 5000)]
    edits += [{"steps": 3, "window": 4}, {"steps": 4, "window": 4}, {"cells": 4}]
    edits += [{"cells": 5000, "steps": 5000, "window": 1}, {"cells": 5000, "steps": 4999}]
    edits += [{"cells": 5000, "steps": 4999, "window": 5000}]
    edits += [{"weights": [2**47, 1]}, {"weights": [2**47 - 3, 1]}, {"weights": [2**47 - 2, 1]}]
    values: list[Any] = [0, 5, 6, 7]
    example = Piecewise(OneOf(5, True), 4, 2, Weights(3, 1))
    edits = [edit for edit in edits if not any(type(value) is float for value in edit.values())]
    return cases + _cases(found, example, [*edits, *_grid_edits()], values)


def outputs() -> list[Case]:
    """How many outputs some mechanisms have, the theory's first; null is beyond 2^48."""
    weights = Weights(3, 1)
    found: list[tuple[Mechanism, int | None]] = [
        (Subset(10, 3, weights), 120),
        (Subset(20, 5, weights), 15_504),
        (Subset(5, 1, weights), 5),
        (SampledBits(SomeOf(8, 8), 1, weights), 16),
        (SampledBits(SomeOf(8, 8), 2, weights), 112),
        (PrivSet(SomeOf(8, 2), 2, weights), 45),
        (Piecewise(OneOf(20, True), 19, 11, weights), 31),
        (Piecewise(OneOf(20, True), 1, 1, weights), 3),
        (Piecewise(OneOf(100, True), 24, 12, weights), 37),
        (Subset(100, 25, weights), None),
        (Subset(1000, 999, weights), 1000),
    ]
    found += [(Piecewise(domain, 1, 1, weights), 2 + domain.offers_no_answer) for domain in GRIDS]
    return [
        {"mechanism": mechanism.to_document(), "outputs": _checked(mechanism, count)}
        for mechanism, count in found
    ]


def _checked(mechanism: Mechanism, count: int | None) -> int | None:
    assert mechanism.outputs == count or (count is None and mechanism.outputs > 2**48)
    return count


def _shapes(cells: int) -> list[tuple[int, int]]:
    """Steps and windows: one step, the grid's own, and some between."""
    last = cells - 1
    some = {(1, 1), (last, 1), (last, (last + 1) // 2), (last, last)}
    some |= {(steps, window) for steps, window in ((24, 8), (22, 11), (7, 3)) if steps <= last}
    return sorted(some)


def _selection_edits() -> list[dict[str, Any]]:
    edits = [{"options": value} for value in (*ODD, 1, 1001) if type(value) is not float]
    return [*edits, {"at_most": 0}, {"at_most": 1001}, {"at_most": None}, *_weight_edits()]


def _grid_edits() -> list[dict[str, Any]]:
    edits = [{"cells": value} for value in (*ODD, 1, 5001) if type(value) is not float]
    return [*edits, {"no_answer": 0}, {"no_answer": None}, *_weight_edits()]


def _weight_edits() -> list[dict[str, Any]]:
    pairs: list[Any] = [[1, 1], [3, 0], [3], [3, 1, 1], ["3", 1], None]
    return [{"x": 1}, *({"weights": pair} for pair in pairs)]


def _cases(
    found: Iterable[Mechanism],
    example: Mechanism,
    edits: Iterable[Mapping[str, Any]],
    values: Iterable[object],
) -> list[Case]:
    cases: list[Case] = []
    for mechanism in found:
        for answer in _some_answers(mechanism):
            for start in STARTS:
                seed = f"{mechanism.to_document()} {answer}"
                cases.append(_replayed(mechanism, answer, Recorder(seed, start)))
    document = example.to_document()
    cases += [
        {"mechanism": document, "answer": odd, "error": "InvalidAnswer"}
        for odd in _no_answers(example)
    ]
    for value in (*ODD, *values):
        message = _message(InvalidValue, example.form.check, value)
        cases.append({"mechanism": document, "reported": value, "message": message})
    for edit in edits:
        edited = {**document, **edit}
        message = _message(InvalidParameters, type(example).from_document, edited)
        cases.append({"mechanism": edited, "message": message})
    return cases


def _some_answers(mechanism: Mechanism) -> list[Answer]:
    domain = mechanism.domain
    rng = random.Random(str(mechanism.to_document()))
    if isinstance(domain, OneOf):
        return sorted({0, domain.options - 1, domain.size - 1, rng.randrange(domain.size)})
    count = rng.randint(1, domain.at_most)
    chosen = tuple(sorted(rng.sample(range(domain.options), count)))
    return [(), chosen, tuple(range(domain.at_most))]


def _no_answers(example: Mechanism) -> list[Any]:
    domain = example.domain
    if isinstance(domain, OneOf):
        return [*ODD, domain.size, [0]]
    too_many = list(range(domain.at_most + 1))
    lists = [too_many, [domain.options], [-1], [True], ["0"], [None]]
    doubled = [[0, 0], [1, 0]] if domain.at_most > 1 else []
    return [*(odd for odd in ODD if odd != []), 0, *lists, *doubled]


def _replayed(mechanism: Mechanism, answer: Answer, recorder: Recorder) -> Case:
    value = mechanism.randomize(answer, RandomIntegers(recorder))
    return {
        "mechanism": mechanism.to_document(),
        "answer": answer,
        "tape": recorder.data.hex(),
        "value": value,
    }


def _message(
    refusal: type[Exception], check: Callable[[Any], object], given: object
) -> str | None:
    try:
        check(given)
    except refusal as error:
        return str(error)
    return None
