"""Subset selection, enumerated: the channel is what it says, and randomize draws from it."""

import itertools
import json
from collections import Counter
from fractions import Fraction

import pytest

from channel_checks import WalkedIntegers
from deniable_sdk import canonical, theory
from deniable_sdk.mechanisms import InvalidParameters, InvalidValue, Subset
from deniable_sdk.randomness import DRAW_RANGE, RandomIntegers
from deniable_sdk.theory.subset import best_subset, worst_total_error
from deniable_sdk.weights import LOW_WEIGHT, Weights, integer_weights
from sampled_params import sampled_params
from tape import Tape

EPSILONS = [Fraction(1, 100), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(5), Fraction(10)]
SIZES = [(domain_size, size) for domain_size in range(2, 8) for size in range(1, domain_size)]
GRID = [
    Subset(domain_size, size, weights)
    for domain_size, size in SIZES
    for weights in (*map(integer_weights, EPSILONS), Weights(3, 1))
    if size * weights.high + (domain_size - size) * weights.low <= DRAW_RANGE
]
# Small totals, so that every path of draws can be walked.
WALKED = [
    Subset(domain_size, size, weights)
    for domain_size, size in SIZES
    for weights in (Weights(3, 1), Weights(5, 2))
    if domain_size <= 5
]


def _name(mechanism: Subset) -> str:
    weights = mechanism.weights
    return f"{mechanism.domain_size}-{mechanism.size}-{weights.high}:{weights.low}"


def _support(output: str) -> list[int]:
    value = json.loads(output)
    return [value] if isinstance(value, int) else value


def _inclusion(mechanism: Subset) -> list[list[Fraction]]:
    """Entry [answer][option]: how likely the reported set holds the option."""
    size = mechanism.domain_size
    table = [[Fraction(0)] * size for _ in range(size)]
    for output, row in theory.channel(mechanism).items():
        for answer, option in itertools.product(range(size), _support(output)):
            table[answer][option] += row[answer]
    return table


def _walk(mechanism: Subset, answer: int) -> tuple[dict[str, Fraction], set[tuple[int, ...]]]:
    """The exact law of what randomize gives, and every sequence of bounds it asks for."""
    law: Counter[str] = Counter()
    bounds_seen: set[tuple[int, ...]] = set()
    path: list[int] = []
    while True:
        integers = WalkedIntegers(path)
        value = mechanism.randomize(answer, integers)
        bounds = tuple(integers.bounds)
        bounds_seen.add(bounds)
        law[canonical.encode(value).decode()] += 1
        while path and path[-1] == bounds[len(path) - 1] - 1:
            path.pop()
        if not path:
            break
        path[-1] += 1
    paths = law.total()
    return {output: Fraction(count, paths) for output, count in law.items()}, bounds_seen


@pytest.mark.parametrize("mechanism", sampled_params(GRID, 3), ids=_name)
def test_channel_spends_exactly_its_weights(mechanism: Subset) -> None:
    """Likelihoods sum to exactly 1, and their worst ratio is exactly high / low."""
    channel = theory.channel(mechanism)
    for answer in range(mechanism.domain_size):
        assert sum(row[answer] for row in channel.values()) == 1
    worst = max(max(row) / min(row) for row in channel.values())
    assert worst == mechanism.weights.ratio


@pytest.mark.parametrize("mechanism", sampled_params(GRID, 3), ids=_name)
def test_keep_and_flip_are_the_enumerated_probabilities(mechanism: Subset) -> None:
    """The set holds the answer with probability keep, and any other option with flip."""
    inclusion = _inclusion(mechanism)
    for answer, option in itertools.product(range(mechanism.domain_size), repeat=2):
        expected = mechanism.keep if answer == option else mechanism.flip
        assert inclusion[answer][option] == expected


@pytest.mark.parametrize("mechanism", sampled_params(GRID, 3), ids=_name)
def test_debias_undoes_the_channel(mechanism: Subset) -> None:
    """(support - flip) / (keep - flip) has the expectation 1 for the answer and 0 elsewhere."""
    keep, flip = mechanism.keep, mechanism.flip
    for answer, row in enumerate(_inclusion(mechanism)):
        debiased = [(included - flip) / (keep - flip) for included in row]
        assert debiased == [int(option == answer) for option in range(mechanism.domain_size)]


def _total_error(mechanism: Subset, shares: tuple[Fraction, ...]) -> Fraction:
    """N times the summed variance of the debiased shares, from the enumerated channel."""
    inclusion = _inclusion(mechanism)
    supported = [
        sum(
            (share * row[option] for share, row in zip(shares, inclusion, strict=True)), Fraction()
        )
        for option in range(mechanism.domain_size)
    ]
    spread = inclusion[0][0] - inclusion[0][1]
    return sum((s * (1 - s) for s in supported), Fraction()) / spread**2


@pytest.mark.parametrize("mechanism", sampled_params(GRID, 3), ids=_name)
def test_worst_total_error_is_the_enumerated_one_at_equal_shares(mechanism: Subset) -> None:
    """The closed form is the enumerated error where all options are equally common."""
    size = mechanism.domain_size
    equal = (Fraction(1, size),) * size
    assert worst_total_error(mechanism) == _total_error(mechanism, equal)


@pytest.mark.parametrize(("domain_size", "size"), [(2, 1), (3, 1), (3, 2), (4, 2)])
def test_no_shares_have_a_larger_error_than_equal_ones(domain_size: int, size: int) -> None:
    """No population in steps of one twelfth has a larger error than the worst stated."""
    mechanism = Subset(domain_size, size, integer_weights(Fraction(1)))
    worst = worst_total_error(mechanism)
    errors = [
        _total_error(mechanism, tuple(Fraction(part, 12) for part in parts))
        for parts in itertools.product(range(13), repeat=domain_size)
        if sum(parts) == 12
    ]
    assert max(errors) == worst


@pytest.mark.parametrize("mechanism", WALKED, ids=_name)
def test_randomize_draws_exactly_from_the_channel(mechanism: Subset) -> None:
    """Walking every path of draws gives the channel's row for each answer, as fractions."""
    channel = theory.channel(mechanism)
    for answer in range(mechanism.domain_size):
        law, _ = _walk(mechanism, answer)
        assert law == {output: row[answer] for output, row in channel.items()}


@pytest.mark.parametrize("mechanism", WALKED, ids=_name)
def test_draws_do_not_depend_on_the_answer(mechanism: Subset) -> None:
    """Every answer and every path asks for the same bounds: one draw, then one per member."""
    others = mechanism.domain_size - 1
    expected = (mechanism.total_weight, *(others - index for index in range(mechanism.size)))
    for answer in range(mechanism.domain_size):
        assert _walk(mechanism, answer)[1] == {expected}


def test_the_answer_takes_the_last_place() -> None:
    """By the wire format an included answer replaces the option that was drawn last."""
    mechanism = Subset(4, 2, Weights(3, 1))
    tape = Tape(bytes(18))  # three draws of 0: include, then options 0 and 1
    assert mechanism.randomize(3, RandomIntegers(tape)) == [0, 3]
    tape.assert_all_read()


@pytest.mark.parametrize("mechanism", WALKED, ids=_name)
def test_the_form_accepts_exactly_the_outputs(mechanism: Subset) -> None:
    """Of all small values, exactly those in the channel are accepted."""
    outputs = theory.channel(mechanism).keys()
    members = [*range(-1, mechanism.domain_size + 1)]
    values: list[canonical.JSON] = [None, True, "0", {}, [], *members]
    for length in (1, 2, 3, 4):
        values.extend(list(value) for value in itertools.product(members, repeat=length))
    accepted = set()
    for value in values:
        try:
            mechanism.form.check(value)
        except InvalidValue:
            continue
        accepted.add(canonical.encode(value).decode())
    assert accepted == outputs


def test_messages_about_values_name_the_kind_only() -> None:
    """A refused value is described by its kind and what is allowed."""
    single = Subset(3, 1, Weights(3, 1))
    pair = Subset(4, 2, Weights(3, 1))
    cases: list[tuple[Subset, canonical.JSON, str]] = [
        (single, 7, "got a whole number that is no output; allowed is a whole number from 0 to 2"),
        (single, True, "got true or false that is no output; allowed is a whole number from 0 to"),
        (pair, 2, "got a whole number; allowed is a list of 2 options"),
        (pair, [1, 2, 3], "got a list; allowed is a list of 2 options"),
        (pair, [1, "2"], "got a list with a member that is no option; allowed are whole numbers"),
        (pair, [1, True], "got a list with a member that is no option; allowed are whole numbers"),
        (pair, [2, 1], "got a list that is not strictly ascending"),
        (pair, [1, 1], "got a list that is not strictly ascending"),
    ]
    for mechanism, value, message in cases:
        with pytest.raises(InvalidValue) as caught:
            mechanism.form.check(value)
        assert message in str(caught.value)


def test_illegal_sizes_and_weights_are_refused() -> None:
    """A set must leave an option out, and the total weight must fit one draw."""
    for size in (0, 4):
        message = f"size: got {size}; allowed are 1 to 3"
        with pytest.raises(InvalidParameters, match=message):
            Subset(4, size, Weights(3, 1))
    beyond = r"weights: their total is beyond 2\^48, the range of one draw; take a smaller"
    with pytest.raises(InvalidParameters, match=beyond):
        Subset(2, 1, Weights(DRAW_RANGE, 1))
    with pytest.raises(InvalidParameters, match=beyond):
        best_subset(2, Weights(DRAW_RANGE, 1))
    assert best_subset(3, Weights(DRAW_RANGE - 2, 1)).size == 1


def test_every_legal_epsilon_fits_one_draw() -> None:
    """At the largest epsilon and the largest domain a best size exists."""
    for domain_size in (2, 31, 1000):
        for epsilon in EPSILONS:
            mechanism = best_subset(domain_size, integer_weights(epsilon))
            assert mechanism.total_weight <= DRAW_RANGE
            assert mechanism.weights.low == LOW_WEIGHT
