"""Designs that are refused, with the reason."""

import math
from fractions import Fraction
from typing import Any

import pytest

from deniable_analysis.designs import (
    ByGroup,
    cheating_detection,
    cheating_detection_symmetric,
    direct,
    forced_choice,
    forced_response,
    from_matrix,
    from_mechanism,
    kuk,
    likelihoods,
    mangat,
    stochastic_lie_detector,
    triangular,
    unrelated_question,
    warner,
)
from deniable_analysis.errors import InvalidArgument, UnsupportedMechanism
from deniable_sdk.mechanisms import Piecewise, Subset
from deniable_sdk.mechanisms.domains import OneOf
from deniable_sdk.weights import Weights

F = Fraction


SIXTH = F(1, 6)


FORCED = forced_response(yes=SIXTH, no=SIXTH)


DETECTOR = stochastic_lie_detector({1: SIXTH, 2: 1 - SIXTH})


def test_a_singular_design_says_why_it_is_not_identified() -> None:
    """A design that cannot be undone names the categories that look alike."""
    coin = warner(0.5)
    assert not coin.is_identified
    assert "not identified: true no and true yes give every answer equally often" in str(coin)
    mixed = from_matrix(
        [[0.8, 0.2, 0.5], [0.2, 0.8, 0.5]], observed=["no", "yes"], true=["a", "b", "c"]
    )
    assert "3 true categories are mixtures of one another (rank 2)" in mixed.why_not_identified


BROKEN: list[tuple[Any, str]] = [
    (lambda: warner(1.5), "truth: got 1.5; allowed is a probability from 0 to 1"),
    (lambda: warner(math.nan), "truth: got nan; allowed is a probability"),
    (lambda: warner("0.7x"), "truth: got something of the type str"),  # type: ignore[arg-type]
    (lambda: warner(True), "truth: got something of the type bool"),
    (lambda: forced_response(yes=0.6, no=0.4), "got yes 3/5 and no 2/5; they must sum to less"),
    (lambda: unrelated_question(sensitive=0.5, prevalence=-1), "prevalence: got -1; allowed"),
    (lambda: triangular(1), "prevalence: got 1; allowed is a probability below 1"),
    (lambda: mangat(0), "truth: got 0; allowed is a probability above 0"),
    (lambda: kuk(yes=0.7, no=0.7), "got 7/10 red cards in both decks; they must differ"),
    (lambda: kuk(yes=1, no=0.7), "yes: got 1; allowed is a probability between 0 and 1"),
    (lambda: kuk(yes=0.7, no=0.4, draws=0), "draws: got 0; allowed is a whole number from 1 to"),
    (lambda: kuk(yes=0.7, no=0.4, draws=1.5), "draws: got 1.5; allowed is a whole number"),
    (lambda: direct(["one"]), "got the categories one; allowed are two or more"),
    (lambda: direct("no"), "categories: got something of the type str, or one that contains"),
    (lambda: direct(["a", "a"]), "got the categories a, a; allowed are two or more"),
    (lambda: forced_choice({"a": 0.5, "b": 0.5}), "probabilities that sum to 1; they must sum"),
    (
        lambda: from_matrix([[0.9, 0.1], [0.2, 0.8]]),
        (
            "columns that do not sum to 1 (true 0: 1.1, true 1: 0.9); rows are observed "
            "categories, columns true ones, and each column sums to 1; its rows do, so it "
            "probably needs to be transposed"
        ),
    ),
    (lambda: from_matrix([[0.5, 0.1], [0.2, 0.8]]), "columns that do not sum to 1 (true 0: 0.7"),
    (lambda: from_matrix([[1.1, 0.1], [-0.1, 0.9]]), "P(0 | true 0): got 1.1; allowed"),
    (
        lambda: from_matrix([[1, 1], [0, 0]]),
        "the observed categories 1, which no true category ever gives; leave them out",
    ),
    (
        lambda: from_matrix([[1, 0], [0]]),
        "rows of lengths [2, 1]; allowed is one row for each of 2 observed categories",
    ),
    (lambda: from_matrix([]), "got the categories none; allowed are two or more"),
    (lambda: FORCED.renamed(true=["a"]), "got the categories a; allowed are two or more"),
    (
        lambda: stochastic_lie_detector({1: 0.2}),
        "no: got 1 group; allowed are two groups with a probability each, like {1: 0.2, 2: 0.8}",
    ),
    (
        lambda: stochastic_lie_detector({1: 0.2, 2: 0.2}),
        "no: got 1/5 in both groups; only different probabilities reveal",
    ),
    (lambda: cheating_detection({1: 0, 2: 0.5}), "forced_yes: got 0; allowed is a probability"),
    (
        lambda: cheating_detection_symmetric({1: (0.5, 0.5), 2: (0.1, 0.1)}),
        "got yes 1/2 and no 1/2 of one group; they must sum to less than 1",
    ),
    (lambda: cheating_detection_symmetric({1: (0.5, 0.4)}), "forced: got 1 group; allowed are"),
    (lambda: DETECTOR.with_direct(1), "got two groups of the same name; allowed are different"),
    (
        lambda: cheating_detection({1: 0.1, 2: 0.6}).with_direct(0),
        "whose true categories no, yes, cheating are not those observed",
    ),
    (
        lambda: ByGroup("mode", {1: 0.5}),  # type: ignore[dict-item]
        "designs: allowed is a mapping from each value of the column to its Design",
    ),
    (
        lambda: ByGroup("mode", {1: warner(0.7), 2: direct(["a", "b"])}),
        "2 different lists of true categories; allowed is one or more designs that share one",
    ),
    (lambda: ByGroup("mode", {}), "0 different lists of true categories"),
    (
        lambda: likelihoods({"a": [1], "g": [1]}, "a", ByGroup("g", DETECTOR)),
        "column 'a': the design has the unknown parameters t; set their values with .designs",
    ),
    (
        lambda: likelihoods({"a": [1], "g": [1]}, "a", DETECTOR),  # type: ignore[arg-type]
        "column 'a': got something of the type UnknownDesign; allowed is a Design, or ByGroup",
    ),
]


@pytest.mark.parametrize(("make", "message"), BROKEN, ids=[message[:40] for _, message in BROKEN])
def test_broken_designs_are_refused(make: Any, message: str) -> None:
    """A design that contradicts itself is refused with what to change."""
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert message in str(caught.value)


def test_huge_mechanisms_are_refused() -> None:
    """A mechanism whose outputs nobody could list is refused before listing them."""
    with pytest.raises(UnsupportedMechanism, match="155117520 outputs; allowed are 10000"):
        from_mechanism(Subset(30, 15, Weights(3, 1)))


def test_a_single_bit_of_a_scale_is_not_identified() -> None:
    """The sign of an answer on a scale cannot tell the shares of its levels."""
    found = from_mechanism(Piecewise(OneOf(5), 1, 1, Weights(3, 1)))
    assert "5 true categories are mixtures of one another (rank 2)" in found.why_not_identified
