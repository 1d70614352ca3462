"""Designs: the matrix, what it is in words, and what it costs in privacy."""

import math
from fractions import Fraction

import numpy as np
import pytest

from deniable_analysis.designs import (
    Design,
    crosswise,
    direct,
    disguised,
    forced_choice,
    forced_response,
    from_matrix,
    from_mechanism,
    kuk,
    mangat,
    triangular,
    unrelated_question,
    warner,
)
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights

F = Fraction


SIXTH = F(1, 6)


FORCED = forced_response(yes=SIXTH, no=SIXTH)


# Each design with its P(yes | true no) and P(yes | true yes).
BINARY = {
    "warner": (warner(0.7), F(3, 10), F(7, 10)),
    "forced response": (FORCED, SIXTH, F(5, 6)),
    "uneven forced response": (forced_response(yes=0.1, no=0.3), F(1, 10), F(7, 10)),
    "unrelated question": (
        unrelated_question(sensitive=0.7, prevalence=0.3),
        F(9, 100),
        F(79, 100),
    ),
    "crosswise": (crosswise(0.25), F(3, 4), F(1, 4)),
    "triangular": (triangular(0.25), F(1, 4), F(1)),
    "mangat": (mangat(0.7), F(3, 10), F(1)),
    "disguised": (disguised(0.8), F(1, 5), F(4, 5)),
    "kuk": (kuk(yes=0.8, no=0.3), F(3, 10), F(4, 5)),
    "direct": (direct(), F(0), F(1)),
}


@pytest.mark.parametrize(("design", "flip", "keep"), BINARY.values(), ids=BINARY)
def test_the_matrix_of_every_design(design: Design, flip: Fraction, keep: Fraction) -> None:
    """Each design of a yes-or-no question has its exact matrix, no before yes."""
    assert design.matrix == ((1 - flip, 1 - keep), (flip, keep))
    assert design.true == ("no", "yes")
    assert design.is_identified
    assert design.probabilities.tolist() == [[float(x) for x in row] for row in design.matrix]


# Source: the closed forms of Warner 1965, Boruch 1971 and Greenberg et al. 1969.
EPSILONS = [
    (warner(0.75), math.log(3)),
    (forced_response(yes=0.25, no=0.25), math.log(3)),
    (FORCED, 1.6094),
    (forced_response(yes=SIXTH, no=F(2, 6)), 1.3863),
    (forced_response(yes=0.1, no=0.3), 1.9459),
    (unrelated_question(sensitive=0.5, prevalence=0.5), math.log(3)),
    (unrelated_question(sensitive=0.7, prevalence=0.5), 1.7346),
    (unrelated_question(sensitive=0.5, prevalence=0.25), 1.6094),
    (unrelated_question(sensitive=F(2, 3), prevalence=F(1, 12)), 3.2189),
    (crosswise(0.25), math.log(3)),
    (triangular(0.25), math.inf),
    (mangat(0.7), math.inf),
    (direct(), math.inf),
    (warner(0.5), 0.0),
]


@pytest.mark.parametrize(("design", "epsilon"), EPSILONS, ids=[d.name for d, _ in EPSILONS])
def test_epsilon_of_every_design(design: Design, epsilon: float) -> None:
    """Epsilon is the largest log ratio within a row, infinite where one entry is 0."""
    assert design.epsilon == pytest.approx(epsilon, abs=5e-5)


def test_a_design_says_what_it_is_in_words() -> None:
    """A printed design gives every probability with its direction."""
    text = str(FORCED)
    assert "P(yes | true yes) = 5/6" in text
    assert "P(yes | true no) = 1/6" in text
    assert "epsilon 1.609" in text
    assert "observed in a table: no, yes (or 0, 1)" in text
    assert repr(FORCED) == text == FORCED.describe()


def test_probabilities_that_are_no_small_fractions_are_shown_as_decimals() -> None:
    """A fraction nobody could read is written with six digits."""
    assert "P(yes | true yes) = 0.731059" in str(warner(0.7310585786300049))


@pytest.mark.parametrize(
    "design", [crosswise(0.25), unrelated_question(sensitive=0.5, prevalence=0.5)]
)
def test_designs_that_rest_on_a_fact_say_so(design: Design) -> None:
    """Where epsilon needs a fact that nobody knows, the design warns of it."""
    assert "epsilon is valid only if nobody can know the innocuous fact" in str(design)
    assert "epsilon is infinite" in design.caveat


def test_what_rules_out_a_truth_is_said_to_have_no_epsilon() -> None:
    """An infinite epsilon is explained."""
    assert "epsilon infinite (some answer rules out a true category)" in str(triangular(0.3))


def test_a_large_design_is_not_printed_to_the_end() -> None:
    """Of many probabilities the first are printed, and where the rest are."""
    text = str(forced_choice({str(option): 0.001 for option in range(100)}))
    assert "and so on for 99 more true categories: see .matrix" in text


def test_decimals_become_exact_fractions() -> None:
    """A probability is what was written, not the binary number nearest to it."""
    assert warner(0.7).matrix[1][1] == F(7, 10)
    assert from_matrix([[0.9, np.float64(0.2)], [0.1, F(4, 5)]]).matrix[0] == (F(9, 10), F(1, 5))


def test_columns_rounded_to_decimals_are_made_to_sum_to_1() -> None:
    """A column that sums to 1 up to rounding is accepted, and then sums to 1 exactly."""
    third = 0.333333333333
    found = from_matrix([[third, 0.2, 0.1], [third, 0.6, 0.1], [third, 0.2, 0.8]])
    assert [sum(column) for column in zip(*found.matrix, strict=True)] == [1, 1, 1]


def test_forced_choice_adds_the_truth_to_what_is_forced() -> None:
    """Each option is forced with its probability, and otherwise the truth."""
    found = forced_choice({"never": 0.1, "once": 0.2, "often": 0.3})
    assert found.observed == found.true == ("never", "once", "often")
    assert found.matrix[0] == (F(1, 2), F(1, 10), F(1, 10))
    assert found.matrix[2] == (F(3, 10), F(3, 10), F(7, 10))


def test_kuks_design_counts_red_cards() -> None:
    """With several cards the observed categories are how many of them are red."""
    found = kuk(yes=0.7, no=0.4, draws=2)
    assert found.observed == ("0", "1", "2")
    assert [row[1] for row in found.matrix] == [F(9, 100), F(42, 100), F(49, 100)]


def test_our_own_mechanisms_are_designs() -> None:
    """A mechanism's exact channel is a design, with the same epsilon."""
    weights = Weights(3, 1)
    single = from_mechanism(Subset(4, 1, weights), true=["a", "b", "c", "d"])
    assert single.observed == ("a", "b", "c", "d")
    assert single.matrix[0] == (F(1, 2), SIXTH, SIXTH, SIXTH)
    several = from_mechanism(Subset(4, 2, weights))
    assert several.observed[0] == "[0,1]"
    assert several.true == ("0", "1", "2", "3")
    for design in (single, several):
        assert design.epsilon == pytest.approx(math.log(3))
        assert design.is_identified


def test_categories_can_be_renamed() -> None:
    """Other names leave the probabilities where they are."""
    found = FORCED.renamed(observed=["nein", "ja"], true=["without", "with"])
    assert found.observed == ("nein", "ja")
    assert found.true == ("without", "with")
    assert found.matrix == FORCED.matrix
    assert FORCED.renamed().true == FORCED.true
