"""The simulation draws from the channels of the mechanisms, every one of them."""

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.mechanisms import ANALYSES
from deniable_analysis.estimate.mechanisms.base import Answers
from deniable_analysis.simulation import simulate_block, simulate_values
from deniable_analysis.simulation.answers import CHUNK_CELLS
from deniable_sdk import theory
from deniable_sdk.canonical import encode
from deniable_sdk.mechanisms import (
    MECHANISMS,
    Answer,
    Mechanism,
    OneOf,
    Piecewise,
    PrivSet,
    SampledBits,
    SomeOf,
    Subset,
)
from deniable_sdk.weights import Weights, integer_weights
from deniable_storage.counts import Integers
from mechanism_grid import GRID, WALKED, name
from sampled_params import sampled_params
from sampling_checks import SampleRejected, check_binomial, check_outputs

SUBSETS = [Subset(k, size, Weights(5, 2)) for k in range(2, 6) for size in range(1, k)]
SMALL: list[Mechanism] = [*SUBSETS, *WALKED]
LAW = Weights(3, 1)
EACH_KIND: list[Mechanism] = [
    Subset(5, 1, LAW),
    Subset(6, 2, LAW),
    SampledBits(SomeOf(5, 3), 2, LAW),
    PrivSet(SomeOf(5, 2), 3, LAW),
    Piecewise(OneOf(7, offers_no_answer=True), 6, 5, LAW),
    Piecewise(OneOf(7, offers_no_answer=True), 1, 1, LAW),
]


def as_rows(mechanism: Mechanism, answers: list[Answer]) -> Answers:
    """The answers as the simulation takes them, one in each row."""
    if isinstance(mechanism.domain, OneOf):
        return np.array(answers, dtype=np.int64)
    marks = np.zeros((len(answers), mechanism.domain.options), dtype=np.bool_)
    for row, answer in enumerate(answers):
        assert isinstance(answer, tuple)
        marks[row, list(answer)] = True
    return marks


def bounds_of(mechanism: Mechanism, answer: Answer) -> list[int]:
    """What the simulation of one answer asks for."""
    bounds: list[int] = []

    def draw(bound: int) -> Integers:
        bounds.append(bound)
        return np.zeros(1, dtype=np.int64)

    ANALYSES[mechanism.name].simulate(mechanism, as_rows(mechanism, [answer]), draw)
    return bounds


def law(mechanism: Mechanism, answer: Answer) -> dict[str, Fraction]:
    """The exact law of the simulated values of an answer, from all its draws at once."""
    bounds = bounds_of(mechanism, answer)
    paths = np.arange(math.prod(bounds))
    columns = []
    for bound in bounds:
        columns.append(paths % bound)
        paths //= bound
    left = list(zip(bounds, columns, strict=True))

    def draw(bound: int) -> Integers:
        stated, column = left.pop(0)
        assert bound == stated
        return column

    rows = as_rows(mechanism, [answer] * len(paths))
    values = ANALYSES[mechanism.name].simulate(mechanism, rows, draw)
    assert not left
    counts = Counter(encode(value).decode() for value in values.tolist())
    return {value: Fraction(count, len(paths)) for value, count in counts.items()}


def assert_law_is_channel(mechanism: Mechanism, declared: Mechanism) -> None:
    """All draws together give the declared channel's row of each answer."""
    channel = theory.channel(declared)
    answers: list[Answer] = list(mechanism.domain.answers())
    for index, answer in enumerate(answers):
        assert law(mechanism, answer) == {output: row[index] for output, row in channel.items()}


def test_every_mechanism_can_be_simulated() -> None:
    """None is left out."""
    assert ANALYSES.keys() == MECHANISMS.keys()


@pytest.mark.sweep
@pytest.mark.parametrize("kind", list(ANALYSES))
def test_law_is_the_channel(kind: str) -> None:
    """Enumerating every draw gives exactly the channel, for all small parameters."""
    checked = [mechanism for mechanism in SMALL if mechanism.name == kind]
    assert len(checked) > 9
    for mechanism in checked:
        assert_law_is_channel(mechanism, mechanism)


@pytest.mark.parametrize("mechanism", EACH_KIND, ids=name)
def test_another_law_is_rejected(mechanism: Any) -> None:
    """The same enumeration rejects the law of other weights."""
    with pytest.raises(AssertionError, match=r"assert .* == "):
        assert_law_is_channel(mechanism, mechanism.replace(weights=Weights(4, 1)))


@pytest.mark.parametrize("mechanism", EACH_KIND, ids=name)
def test_draws_do_not_depend_on_answers(mechanism: Mechanism) -> None:
    """Every answer asks for the same bounds, so that whole columns can be drawn."""
    answers: list[Answer] = list(mechanism.domain.answers())
    assert len({tuple(bounds_of(mechanism, answer)) for answer in answers}) == 1


def drawn_answers(
    mechanism: Mechanism, respondents: int, generator: np.random.Generator
) -> Answers:
    """Answers of many respondents, each answer as likely as another."""
    answers: list[Answer] = list(mechanism.domain.answers())
    return as_rows(mechanism, answers)[generator.integers(len(answers), size=respondents)]


@pytest.mark.parametrize("mechanism", EACH_KIND, ids=name)
def test_values_are_legal(mechanism: Mechanism) -> None:
    """As lists the values are what a report of the mechanism may carry."""
    generator = np.random.default_rng(1)
    answers = drawn_answers(mechanism, 1000, generator)
    values = simulate_values(mechanism, answers, generator)
    assert len(values) == 1000
    for value in values.tolist():
        mechanism.form.check(value)


def counted(mechanism: Mechanism, answer: Answer, respondents: int, seed: int) -> Counter[str]:
    """How often each value was drawn for an answer."""
    rows = as_rows(mechanism, [answer] * respondents)
    values = simulate_values(mechanism, rows, np.random.default_rng(seed))
    return Counter(encode(value).decode() for value in values.tolist())


@pytest.mark.sweep
@pytest.mark.parametrize("mechanism", EACH_KIND, ids=name)
def test_drawn_values_follow_the_channel(mechanism: Mechanism, random_source: Random) -> None:
    """Numpy's draws give the channel's row of each answer, by chi-square tests."""
    channel = theory.channel(mechanism)
    answers: list[Answer] = list(mechanism.domain.answers())
    for place in {0, len(answers) // 2, len(answers) - 1}:
        counts = counted(mechanism, answers[place], 20_000, random_source.getrandbits(64))
        check_outputs(counts, {output: row[place] for output, row in channel.items()})


def test_drawn_values_of_other_weights_are_rejected() -> None:
    """The same test rejects values that were drawn with slightly other weights."""
    declared = theory.channel(Subset(5, 1, Weights(33, 10)))
    counts = counted(Subset(5, 1, LAW), 0, 20_000, 1)
    with pytest.raises(SampleRejected):
        check_outputs(counts, {output: row[0] for output, row in declared.items()})


@pytest.mark.parametrize("mechanism", EACH_KIND, ids=name)
def test_counts_are_those_of_the_values(mechanism: Mechanism) -> None:
    """Counting chunk by chunk gives what all values of the same seed say."""
    answers = drawn_answers(mechanism, 500, np.random.default_rng(2))
    values = simulate_values(mechanism, answers, np.random.default_rng(3)).tolist()
    counts = simulate_block(mechanism, answers, np.random.default_rng(3))
    said: Counter[object] = Counter()
    for value in values:
        for member in value if isinstance(value, list) else [value]:
            said[tuple(member) if isinstance(member, list) else member] += 1
    assert counts.report_count == 500
    assert counts.support == said


def test_many_answers_are_simulated_in_chunks(random_source: Random) -> None:
    """Beyond one chunk each respondent still has a value, drawn with the same law."""
    mechanism = Subset(1000, 2, integer_weights(Fraction(8)))
    respondents = 3 * (CHUNK_CELLS // 1000) + 1
    answers = np.arange(respondents) % 1000
    generator = np.random.default_rng(random_source.getrandbits(64))
    values = simulate_values(mechanism, answers, generator)
    assert values.shape == (respondents, 2)
    held = int((values == answers[:, np.newaxis]).any(axis=1).sum())
    check_binomial(held, respondents, mechanism.keep)


@pytest.mark.parametrize("mechanism", sampled_params(GRID[:: len(GRID) // 40]), ids=name)
def test_large_weights_do_not_overflow(mechanism: Mechanism) -> None:
    """At the largest draws of all, values are still legal and those of the device."""
    channel = theory.channel(mechanism)
    answers: list[Answer] = list(mechanism.domain.answers())
    for index, answer in enumerate(answers):
        rows = as_rows(mechanism, [answer])
        values = ANALYSES[mechanism.name].simulate(
            mechanism, rows, lambda bound: np.array([bound - 1])
        )
        (value,) = values.tolist()
        assert channel[encode(value).decode()][index] > 0


@pytest.mark.parametrize("mechanism", EACH_KIND, ids=name)
def test_nobody_is_simulated_too(mechanism: Mechanism) -> None:
    """Without respondents there are no values and no counts."""
    answers = as_rows(mechanism, [])
    generator = np.random.default_rng(1)
    assert len(simulate_values(mechanism, answers, generator)) == 0
    counts = simulate_block(mechanism, answers, generator)
    assert (counts.report_count, dict(counts.support)) == (0, {})


def test_narrow_integers_are_taken() -> None:
    """Answers in single bytes give what the same answers in full width give."""
    mechanism = Piecewise(OneOf(200, offers_no_answer=True), 199, 81, integer_weights(Fraction(1)))
    answers = np.arange(201)
    wide, narrow = (
        simulate_values(mechanism, answers.astype(width), np.random.default_rng(4)).tolist()
        for width in (np.int64, np.uint8)
    )
    assert wide == narrow


ONE, SOME = Subset(4, 1, LAW), SampledBits(SomeOf(3, 1), 1, LAW)
WRONG: list[tuple[Mechanism, object]] = [
    (ONE, [0, 4]),
    (ONE, [-1, 0]),
    (ONE, [0.5]),
    (ONE, [True, False]),
    (ONE, [[0]]),
    (ONE, "o1"),
    (ONE, []),
    (SOME, [[True, True, False]]),
    (SOME, [[1, 0, 0]]),
    (SOME, [[True, False]]),
    (SOME, [True, False, False]),
]


@pytest.mark.parametrize(("mechanism", "answers"), WRONG)
@pytest.mark.parametrize("simulate", [simulate_values, simulate_block])
def test_wrong_answers_are_refused(
    mechanism: Mechanism, answers: Any, simulate: Callable[..., object]
) -> None:
    """What the mechanism does not take is refused, with what is allowed and no answer."""
    with pytest.raises(InvalidArgument) as caught:
        simulate(mechanism, answers, np.random.default_rng(1))
    message = str(caught.value)
    assert message.startswith(f"answers to {mechanism.name}: got an array of ")
    if mechanism is ONE:
        assert message.endswith("allowed are whole numbers from 0 to 3, one for each respondent")
    else:
        assert message.endswith(
            "allowed are truth values, a row for each respondent and a column for each of 3 "
            "options, at most 1 of them true in a row"
        )
