"""The SDK reproduces the numbers that the theory computed independently."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk.compiler import best_without_joining
from deniable_sdk.mechanisms import Subset
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.survey.definition import Definition
from deniable_sdk.theory.subset import best_subset, worst_total_error
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import choice, definition
from tape import Tape

ANCHORS = json.loads((Path(__file__).parent / "anchors.json").read_text())


def _rows(name: str) -> list[dict[str, Any]]:
    return list(ANCHORS[name]["rows"])


def _best(row: dict[str, Any]) -> Subset:
    return best_subset(row["domain_size"], integer_weights(Fraction(row["epsilon"])))


def test_anchors_are_all_there() -> None:
    """The tables that the tests below walk through are not empty."""
    counts = {name: len(table["rows"]) for name, table in ANCHORS.items() if name != "about"}
    assert counts == {
        "integer_weights": 6,
        "best_size": 36,
        "worst_total_error": 36,
        "crossover_table": 162,
        "asked": 12,
        "draws": 4,
    }


def test_integer_weights() -> None:
    """The high weight is the theory's, to the last digit."""
    for row in _rows("integer_weights"):
        assert integer_weights(Fraction(row["epsilon"])) == Weights(row["favoured"], 2**32)


def test_best_size() -> None:
    """The best size is the one an exhaustive search found."""
    for row in _rows("best_size"):
        assert _best(row).size == row["size"], row["id"]


def test_worst_total_error() -> None:
    """The worst-case error is the theory's, for the best size and for size 1."""
    table = ANCHORS["worst_total_error"]
    for row in _rows("worst_total_error"):
        best = _best(row)
        size_1 = Subset(best.domain_size, 1, best.weights)
        for mechanism, key in ((best, "best"), (size_1, "size_1")):
            expected = pytest.approx(row[key], rel=table["tolerance"])
            assert float(worst_total_error(mechanism)) == expected, row["id"]


def test_crossover_table() -> None:
    """The best size and its error agree for 18 domain sizes at 9 epsilons."""
    tolerance = ANCHORS["crossover_table"]["tolerance"]
    for row in _rows("crossover_table"):
        best = _best(row)
        error = worst_total_error(best)
        over = worst_total_error(Subset(best.domain_size, 1, best.weights)) / error
        where = f"{row['domain_size']} options at epsilon {row['epsilon']}"
        assert best.size == row["size"], where
        assert float(error) == pytest.approx(row["best"], rel=tolerance), where
        assert float(over) == pytest.approx(row["size_1_over_best"], rel=tolerance), where


def test_asked() -> None:
    """Of ten equal and separate questions the compiler asks as many as the theory says."""
    for row in _rows("asked"):
        questions = [
            choice(f"q{number}", row["domain_size"], required=True)
            for number in range(row["questions"])
        ]
        read = Definition.from_document(definition(*questions, epsilon=row["epsilon"]))
        assert best_without_joining(read).asked == row["asked"], row["id"]


def test_draws() -> None:
    """The theory's tapes give the theory's reports, and no byte is left."""
    for row in _rows("draws"):
        mechanism = Subset(row["domain_size"], row["size"], Weights(*row["weights"]))
        data = bytes.fromhex(row["bytes"])
        tape = Tape(data)
        value = mechanism.randomize(row["answer"], RandomIntegers(tape))
        assert (value if isinstance(value, list) else [value]) == row["value"], row["id"]
        tape.assert_all_read()
        assert len(data) == row["used"]
