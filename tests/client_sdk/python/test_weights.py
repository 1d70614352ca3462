"""Epsilon as integers: the floor is a floor, and the budget is never exceeded."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable_sdk.weights import (
    LOW_WEIGHT,
    MAX_EPSILON,
    MIN_EPSILON,
    Weights,
    closest_weights,
    exponential_floor,
    format_epsilon,
    integer_weights,
    is_within,
    read_epsilon,
)

EPSILONS = [Fraction(step, 100) for step in range(1, 1001, 7)] + [
    Fraction(1, 3),
    Fraction(2, 7),
    Fraction(1, 2000),  # 0.1 over 200 questions
    Fraction(10),
]
epsilons = st.decimals(min_value="0.01", max_value="10", places=30).map(Fraction)

REFUSED: list[tuple[object, str]] = [
    (0, "0"),
    (-1, "-1"),
    (0.0, "0.0"),
    (0.00999, "0.00999"),
    (10.0000001, "10.0000001"),
    (11, "11"),
    (10**5000, "a huge number"),
    (1e-300, "1e-300"),
    (float("nan"), "nan"),
    (float("inf"), "inf"),
    (True, "true"),
    (None, "null"),
    ([], "[]"),
    ({"epsilon": 1}, "{'epsilon': 1}"),
    (Fraction(1), "Fraction(1, 1)"),
    ("", "''"),
    ("NaN", "'NaN'"),
    ("inf", "'inf'"),
    ("∞", "'∞'"),
    ("1e999999999", "'1e999999999'"),
    ("1e0", "'1e0'"),
    ("2 ", "'2 '"),
    ("2\n", "'2\\n'"),
    ("1_0", "'1_0'"),
    ("+2", "'+2'"),
    ("2.", "'2.'"),
    (".5", "'.5'"),
    ("٢", "'٢'"),
    ("1/2", "'1/2'"),
    ("0.009", "'0.009'"),
    ("0." + "1" * 31, "'0." + "1" * 31 + "'"),
    ("9" * 5000, "'" + "9" * 56 + "..."),
]


def _exponential(exponent: Fraction) -> Decimal:
    """e^exponent to 80 digits, by another method than the package's."""
    with localcontext() as context:
        context.prec = 80
        return (Decimal(exponent.numerator) / Decimal(exponent.denominator)).exp()


@pytest.mark.parametrize("extra_bits", [0, 1, 6])
def test_the_high_weight_is_the_floor(extra_bits: int) -> None:
    """The high weight is the largest integer that stays within e^epsilon times the base."""
    low = LOW_WEIGHT << extra_bits
    for epsilon in EPSILONS:
        weights = integer_weights(epsilon, extra_bits)
        with localcontext() as context:
            context.prec = 80
            exact = _exponential(epsilon) * low
        assert weights == Weights(math.floor(exact), low)


def test_shortfall_is_as_documented() -> None:
    """The ratio's logarithm is below epsilon by less than 2.4e-10 over 2^extra_bits."""
    for extra_bits in (0, 3):
        for epsilon in EPSILONS:
            weights = integer_weights(epsilon, extra_bits)
            with localcontext() as context:
                context.prec = 80
                reached = (Decimal(weights.high) / Decimal(weights.low)).ln()
                short = Decimal(epsilon.numerator) / Decimal(epsilon.denominator) - reached
            assert 0 < short < Decimal("2.4e-10") / 2**extra_bits


def test_closest_weights_are_the_closest() -> None:
    """Of all fractions with small bases not above e^epsilon, the largest is found."""
    for epsilon in EPSILONS:
        exact = Fraction(exponential_floor(epsilon), 1 << 256)
        for most_low in (1, 2, 3, 7, 50, 64):
            candidates = (Fraction(math.floor(exact * low), low) for low in range(1, most_low + 1))
            best = max(candidates)
            found = closest_weights(epsilon, most_low)
            assert (found.high, found.low) == (best.numerator, best.denominator)


def test_closest_weights_are_never_less_close() -> None:
    """They stay within epsilon, and reach what the largest low itself reaches."""
    for epsilon in EPSILONS:
        floor = integer_weights(epsilon)
        closest = closest_weights(epsilon, LOW_WEIGHT)
        assert closest.low <= LOW_WEIGHT
        assert floor.ratio <= closest.ratio
        assert is_within([closest], epsilon)


def test_exponential_floor_is_a_close_lower_bound() -> None:
    """The lower bound of e^x is below it, by less than 2^-240 of it."""
    for epsilon in EPSILONS:
        with localcontext() as context:
            context.prec = 80
            exact = _exponential(epsilon) * 2**256
            assert exponential_floor(epsilon) < exact
            assert exact - exponential_floor(epsilon) < exact / 2**240


def test_is_within_is_exact_at_the_boundary() -> None:
    """The high weight is within epsilon, and one more is not."""
    for epsilon in EPSILONS:
        weights = integer_weights(epsilon)
        assert is_within([weights], epsilon)
        assert not is_within([Weights(weights.high + 1, weights.low)], epsilon)


@pytest.mark.parametrize("asked", [2, 3, 7, 20])
def test_is_within_adds_up_blocks(asked: int) -> None:
    """Several blocks are judged by the product of their ratios, exactly on both sides."""
    for epsilon in EPSILONS:
        part = integer_weights(epsilon / asked)
        rest = [part] * (asked - 1)
        assert is_within([*rest, part], epsilon)
        # The largest high weight that the last block may still have.
        used = Fraction(part.high, part.low) ** (asked - 1)
        with localcontext() as context:
            context.prec = 80
            left = _exponential(epsilon) * used.denominator / used.numerator * part.low
            largest = math.floor(left)
        assert is_within([*rest, Weights(largest, part.low)], epsilon)
        assert not is_within([*rest, Weights(largest + 1, part.low)], epsilon)


def test_weights_are_readable_as_epsilon() -> None:
    """The ratio is exact and its logarithm is close to epsilon."""
    assert Weights(3, 1).ratio == 3
    assert Weights(3, 1).epsilon == pytest.approx(math.log(3), rel=1e-15)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, "1"),
        (10, "10"),
        (0.01, "0.01"),
        (0.1 + 0.2, "0.30000000000000004"),
        (2.0, "2"),
        ("2", "2"),
        ("2.50", "2.5"),
        ("0.01", "0.01"),
        ("10.000", "10"),
        ("0." + "1" * 30, "0." + "1" * 30),
    ],
)
def test_read_epsilon_takes_plain_decimals(value: object, expected: str) -> None:
    """A number or a decimal text is read exactly, as it is written."""
    epsilon = read_epsilon(value)
    assert epsilon == Fraction(expected)
    assert format_epsilon(epsilon) == expected


def test_read_epsilon_refuses_everything_else() -> None:
    """What is no plain decimal in the range is refused, and the message shows it."""
    for value, shown in REFUSED:
        with pytest.raises(ValueError, match="allowed is a number") as caught:
            read_epsilon(value)
        assert str(caught.value) == (
            f"got {shown}; allowed is a number from 0.01 to 10, with at most 30 decimals"
        )


@given(epsilons)
def test_epsilon_text_round_trips(epsilon: Fraction) -> None:
    """The text of an epsilon reads back as the same fraction and is the shortest."""
    text = format_epsilon(epsilon)
    assert Fraction(MIN_EPSILON) <= epsilon <= MAX_EPSILON
    assert read_epsilon(text) == epsilon
    assert format_epsilon(read_epsilon(text)) == text
    assert not ("." in text and text.endswith("0"))
