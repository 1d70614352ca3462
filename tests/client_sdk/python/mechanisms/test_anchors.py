"""The mechanisms reproduce the numbers that the theory computed independently."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import theory
from deniable_sdk.mechanisms import OneOf, Piecewise, PrivSet, SampledBits, SomeOf, Subset
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.theory.piecewise import MOST_STEPS_FOR_MEAN, best_for_mean
from deniable_sdk.theory.piecewise_mean import Shape, least_worst, mean_table
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
        "sampled_bits_at_share_0.2": 9,
        "privset_at_share_0.2": 18,
        "square_wave_mean_uniform": 3,
        "piecewise_variance_at_each_position": 5,
        "piecewise_one_window": 4,
        "piecewise_best": 9,
        "rivals": 9,
        "piecewise_on_11_cells": 3,
        "piecewise_laws": 5,
        "piecewise_windows": 7,
    }


def _square_wave(row: dict[str, Any]) -> Piecewise:
    """The square wave of a reach: all steps of the grid, and an odd window."""
    return Piecewise(OneOf(row["cells"]), row["cells"] - 1, 2 * row["reach"] + 1, _weights(row))


def test_square_wave() -> None:
    """With an odd window and no rounding, outputs and likelihoods are those of square waves."""
    table = "square_wave"
    for row in _rows(table):
        mechanism = _square_wave(row)
        assert mechanism.outputs == row["outputs"]
        likelihoods = {
            share for entries in theory.channel(mechanism).values() for share in entries
        }
        assert float(max(likelihoods)) == _near(table, row["favoured"])
        assert float(min(likelihoods)) == _near(table, row["base"])


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
    """One step has the worst-case variance of Duchi, Jordan and Wainwright, on -1 to 1."""
    table = "sign_on_minus_1_to_1"
    for row in _rows(table):
        error = theory.error(Piecewise(OneOf(5), 1, 1, _weights(row)), Target.MEAN)
        assert float(4 * error) == _near(table, row["variance"]), row["id"]


def test_square_wave_mean() -> None:
    """The variance of the mean at a uniform population is the theory's for square waves."""
    table = "square_wave_mean_uniform"
    for row in _rows(table):
        mechanism = _square_wave(row)
        numbers, cells = mean_table(mechanism), row["cells"]
        uniform = [sum(entries) / cells for entries in theory.channel(mechanism).values()]
        mean = sum((a * b for a, b in zip(numbers, uniform, strict=True)), Fraction())
        square = sum((a**2 * b for a, b in zip(numbers, uniform, strict=True)), Fraction())
        assert mean == 0
        assert float(square * (cells - 1) ** 2) == _near(table, row["variance"]), row["id"]


def test_piecewise_laws() -> None:
    """The channel is the one enumerated over all draws, as fractions."""
    for row in _rows("piecewise_laws"):
        mechanism = Piecewise(
            OneOf(row["cells"], row["no_answer"]),
            row["steps"],
            row["window"],
            Weights(*row["weights"]),
        )
        law = [entries[row["answer"]] for entries in theory.channel(mechanism).values()]
        assert law == [Fraction(text) for text in row["law"]], row["id"]


def _variances(mechanism: Piecewise, slope: Fraction) -> list[Fraction]:
    """Of the table with a slope, at each place; what it expects is checked."""
    last, table = mechanism.cells - 1, mean_table(mechanism, slope)
    found = []
    for index in range(mechanism.cells):
        law = [entries[index] for entries in theory.channel(mechanism).values()]
        mean = sum((a * b for a, b in zip(table, law, strict=True)), Fraction())
        assert mean == Fraction(2 * index - last, 2 * last)
        square = sum((a**2 * b for a, b in zip(table, law, strict=True)), Fraction())
        found.append(square - mean**2)
    return found


def test_piecewise_variance_at_each_position() -> None:
    """For a given slope the variance is the enumerated one, as a fraction."""
    for row in _rows("piecewise_variance_at_each_position"):
        steps = row["m"] * row["w"]
        mechanism = Piecewise(OneOf(steps + 1), steps, row["w"], Weights(*row["weights"]))
        found = _variances(mechanism, Fraction(row["delta"]))
        assert found == [Fraction(text) for text in row["variances"]], row["id"]


def test_piecewise_between_positions() -> None:
    """Where answers are rounded, too."""
    table = "piecewise_on_11_cells"
    for row in _rows(table):
        steps = row["parts"] * row["window"]
        mechanism = Piecewise(OneOf(11), steps, row["window"], _weights(row))
        found = _variances(mechanism, Fraction(row["slope"]))[row["place"]]
        assert float(found) == _near(table, row["variance"]), row["id"]


def test_piecewise_of_one_window() -> None:
    """With one window the best slope is one over the steps, and the worst case a closed form."""
    table = "piecewise_one_window"
    for row in _rows(table):
        for steps, variance in zip(row["steps"], row["variances"], strict=True):
            # Places halfway between positions are there, so the worst case is met.
            weights = _weights(row)
            mechanism = Piecewise(OneOf(2 * steps + 1), steps, steps, weights)
            shape = Shape(2 * steps + 1, steps, steps, weights.high / weights.low, False)
            assert least_worst(shape).slope == pytest.approx(1 / steps, abs=1e-9)
            # Weights of 40 bits fall short of epsilon by less than 1e-12.
            assert float(theory.error(mechanism, Target.MEAN)) == pytest.approx(
                variance, rel=1e-10
            )


def test_the_best_shapes_for_a_mean() -> None:
    """Steps, window, slope and worst variance are those found by searching all shapes."""
    table, cells = "piecewise_best", 48 * 25 + 1
    for row in _rows(table):
        weights = integer_weights(Fraction(row["epsilon"]))
        shape = best_for_mean(OneOf(cells), weights)
        assert shape == (row["parts"] * row["window"], row["window"]), row["id"]
        found = least_worst(Shape(cells, *shape, weights.high / weights.low, False))
        # Theirs is for every real number, ours for those of the grid.
        assert found.slope == pytest.approx(row["slope"], abs=5e-6), row["id"]
        error = float(theory.error(Piecewise(OneOf(cells), *shape, weights), Target.MEAN))
        assert error == _near(table, row["variance"]), row["id"]
        assert found.variance == pytest.approx(error, rel=1e-9)


def test_no_rival_is_better_for_a_mean() -> None:
    """The worst variance is below those of Duchi, PM, hybrid and square wave, at every epsilon."""
    best = {row["epsilon"]: row["variance"] for row in _rows("piecewise_best")}
    for row in _rows("rivals"):
        epsilon = row["epsilon"]
        weights = integer_weights(Fraction(epsilon))
        shape = best_for_mean(OneOf(1001), weights)
        assert shape
        error = float(theory.error(Piecewise(OneOf(1001), *shape, weights), Target.MEAN))
        rivals = [value for name, value in row.items() if name not in ("id", "epsilon")]
        assert error < min(rivals), epsilon
        assert error == pytest.approx(best[epsilon], rel=3e-5)


def test_where_more_windows_become_best() -> None:
    """On a fine grid the number of windows changes at the epsilons of the theory."""
    for row in _rows("piecewise_windows"):
        least, ends = [], [Fraction(row["epsilon"]) + side * Fraction(1, 1000) for side in (-1, 1)]
        for epsilon in ends:
            ratio = float(integer_weights(epsilon).ratio)
            one, other = (
                least_worst(Shape(4801, parts * window, window, ratio, False)).variance
                for parts in (row["parts"], row["next"])
                for window in [MOST_STEPS_FOR_MEAN // parts]
            )
            least.append(one < other)
        assert least == [True, False], row["id"]


def test_subset_mean() -> None:
    """The variance of a mean score, for a given population, is the theory's."""
    (row,) = _rows("subset_mean_scores_1_to_7")
    mechanism = Subset(row["domain_size"], row["size"], _weights(row))
    mean = square = Fraction()
    for output, entries in theory.channel(mechanism).items():
        score = sum(option + 1 for option in json.loads(output))
        shares = map(Fraction, row["shares"])
        likelihood = sum((a * b for a, b in zip(entries, shares, strict=True)), Fraction())
        mean, square = mean + score * likelihood, square + score**2 * likelihood
    variance = (square - mean**2) / (mechanism.keep - mechanism.flip) ** 2
    assert float(variance) == _near("subset_mean_scores_1_to_7", row["variance"])
