"""The mechanisms reproduce the numbers that the theory computed independently."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk.mechanisms import OneOf, PrivSet, SampledBits, Sign, SomeOf, SquareWave, Subset
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.mechanisms.square_wave import best_reach
from deniable_sdk.weights import Weights, integer_weights

ANCHORS = json.loads((Path(__file__).parent / "anchors.json").read_text())
FIFTH = Fraction(1, 5)


def _rows(table: str) -> list[dict[str, Any]]:
    rows = list(ANCHORS[table]["rows"])
    assert rows, f"{table} has no row: whoever walks through them would check nothing"
    return rows


def _near(table: str, value: float) -> object:
    return pytest.approx(value, abs=ANCHORS[table]["tolerance"])


def _weights(row: dict[str, Any]) -> Weights:
    return integer_weights(Fraction(row["epsilon"]), 8)


def _variance(mechanism: SampledBits | PrivSet, share: Fraction) -> Fraction:
    """Of one option's share, in reports that speak of it."""
    spread = mechanism.keep - mechanism.flip
    rate = mechanism.flip + share * spread
    return rate * (1 - rate) / spread**2


def test_anchors_are_all_there() -> None:
    """The tables that the tests below walk through are not empty."""
    counts = {name: len(table["rows"]) for name, table in ANCHORS.items() if name != "about"}
    assert counts == {
        "subset_mean_scores_1_to_7": 1,
        "square_wave": 4,
        "sign_on_minus_1_to_1": 7,
        "square_wave_continuous_reach": 5,
        "sampled_bits_at_share_0.2": 9,
        "privset_at_share_0.2": 18,
        "square_wave_mean_uniform": 4,
    }


def test_square_wave() -> None:
    """The best reach, the outputs and both likelihoods are the theory's."""
    table = "square_wave"
    for row in _rows(table):
        weights = _weights(row)
        mechanism = SquareWave(OneOf(row["cells"]), best_reach(row["cells"], weights), weights)
        assert (mechanism.reach, mechanism.output_count) == (row["reach"], row["outputs"])
        likelihoods = {share for entries in mechanism.channel().values() for share in entries}
        assert float(max(likelihoods)) == _near(table, row["favoured"])
        assert float(min(likelihoods)) == _near(table, row["base"])


def test_reach_of_the_continuous_square_wave() -> None:
    """On a grid fine enough the reach is the continuous one, rounded down."""
    for row in _rows("square_wave_continuous_reach"):
        assert best_reach(10**8, _weights(row)) == pytest.approx(10**8 * row["reach"], abs=1.1)


def test_sampled_bits() -> None:
    """One drawn option has the theory's variance at a share of one fifth."""
    table = "sampled_bits_at_share_0.2"
    for row in _rows(table):
        mechanism = SampledBits(SomeOf(row["options"], row["options"]), 1, _weights(row))
        # The theory also counts which option was drawn as given.
        variance = row["options"] * _variance(mechanism, FIFTH)
        assert float(variance) == _near(table, row["variance"]), row["id"]


def test_privset() -> None:
    """The size that is best at a share of one fifth, and its variance, are the theory's."""
    table = "privset_at_share_0.2"
    for row in _rows(table):
        domain = SomeOf(row["options"], row["at_most"])
        weights = integer_weights(Fraction(row["epsilon"]))
        sizes = range(1, min(row["options"], 4))
        best = min(
            (PrivSet(domain, size, weights) for size in sizes),
            key=lambda mechanism: _variance(mechanism, FIFTH),
        )
        assert best.size == row["size"], row["id"]
        assert float(_variance(best, FIFTH)) == _near(table, row["variance"]), row["id"]


def test_sign() -> None:
    """On -1 to 1 the worst-case variance is that of Duchi, Jordan and Wainwright."""
    table = "sign_on_minus_1_to_1"
    for row in _rows(table):
        error = Sign(OneOf(5), _weights(row)).error(Target.MEAN)
        assert float(4 * error) == _near(table, row["variance"]), row["id"]


def test_square_wave_mean() -> None:
    """Offset, slope and variance at a uniform population are the theory's."""
    table = "square_wave_mean_uniform"
    for row in _rows(table):
        mechanism = SquareWave(OneOf(row["cells"]), row["reach"], _weights(row))
        channel = mechanism.channel().items()
        places = {output: int(output) - mechanism.reach for output, _ in channel}
        first = sum((places[output] * entries[0] for output, entries in channel), Fraction())
        uniform = {output: sum(entries) / row["cells"] for output, entries in channel}
        mean = sum((places[output] * share for output, share in uniform.items()), Fraction())
        square = sum(
            (places[output] ** 2 * share for output, share in uniform.items()), Fraction()
        )
        assert float(first) == _near(table, row["offset"])
        assert float(mechanism.slope) == _near(table, row["slope"])
        variance = (square - mean**2) / mechanism.slope**2
        assert float(variance) == _near(table, row["variance"]), row["id"]


def test_subset_mean() -> None:
    """The variance of a mean score, for a given population, is the theory's."""
    (row,) = _rows("subset_mean_scores_1_to_7")
    mechanism = Subset(row["domain_size"], row["size"], _weights(row))
    mean = square = Fraction()
    for output, entries in mechanism.channel().items():
        score = sum(option + 1 for option in json.loads(output))
        shares = map(Fraction, row["shares"])
        likelihood = sum((a * b for a, b in zip(entries, shares, strict=True)), Fraction())
        mean, square = mean + score * likelihood, square + score**2 * likelihood
    variance = (square - mean**2) / (mechanism.keep - mechanism.flip) ** 2
    assert float(variance) == _near("subset_mean_scores_1_to_7", row["variance"])
