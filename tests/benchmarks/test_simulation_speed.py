"""How fast a million answers are randomized at once: printed, never asserted."""

import time
import tracemalloc
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from deniable_analysis.simulation import simulate_block
from deniable_sdk.mechanisms import (
    Answer,
    Mechanism,
    OneOf,
    Piecewise,
    PrivSet,
    SampledBits,
    SomeOf,
)
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.theory.subset import best_subset
from deniable_sdk.weights import integer_weights

pytestmark = pytest.mark.bench

RESPONDENTS = 1_000_000
ONE_BY_ONE = 5_000
ONE = integer_weights(Fraction(1))
MECHANISMS: list[Mechanism] = [
    best_subset(4, ONE),
    best_subset(20, ONE),
    best_subset(100, ONE),
    SampledBits(SomeOf(20, 20), 2, ONE),
    PrivSet(SomeOf(20, 3), 5, ONE),
    Piecewise(OneOf(100, offers_no_answer=True), 99, 33, ONE),
    Piecewise(OneOf(100, offers_no_answer=True), 24, 24, ONE),
]


def _seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def _one_by_one(mechanism: Mechanism, answer: Answer) -> None:
    for _ in range(ONE_BY_ONE):
        mechanism.randomize(answer, RandomIntegers(draws=mechanism.draws))


def test_simulation_speed(capsys: pytest.CaptureFixture[str]) -> None:
    """Seconds and memory for a million answers, beside devices one by one."""
    lines = ["", "a million answers at once     seconds   times a device's speed   peak MB"]
    for mechanism in MECHANISMS:
        generator = np.random.default_rng(1)
        one: Answer = 0
        answers = np.zeros(RESPONDENTS, dtype=np.int64)
        if isinstance(mechanism.domain, SomeOf):
            one = (0,)
            answers = np.zeros((RESPONDENTS, mechanism.domain.options), dtype=np.bool_)
            answers[:, 0] = True
        taken = _seconds(lambda: simulate_block(mechanism, answers, generator))  # noqa: B023 - run at once
        single = _seconds(lambda: _one_by_one(mechanism, one)) / ONE_BY_ONE  # noqa: B023 - as above
        tracemalloc.start()
        simulate_block(mechanism, answers, generator)
        peak = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        label = f"{mechanism.name} of {mechanism.domain.describe()}"
        lines.append(
            f"  {label:44} {taken:6.2f} {single * RESPONDENTS / taken:10.0f} {peak:12.0f}"
        )
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result
