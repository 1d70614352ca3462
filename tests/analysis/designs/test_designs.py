"""Designs: the matrix, what it is in words, and what it costs in privacy."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from deniable_analysis import (
    ByGroup,
    Design,
    InvalidDesign,
    InvalidTable,
    UnknownDesign,
    UnsupportedMechanism,
    cheating_detection,
    cheating_detection_symmetric,
    crosswise,
    direct,
    disguised,
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
    unrelated_question_unknown,
    warner,
)
from deniable_sdk.mechanisms import Sign, Subset
from deniable_sdk.mechanisms.domains import OneOf
from deniable_sdk.weights import Weights

F = Fraction
SIXTH = F(1, 6)
FORCED = forced_response(yes=SIXTH, no=SIXTH)
DETECTOR = stochastic_lie_detector({1: SIXTH, 2: 1 - SIXTH})

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
    assert "epsilon holds only if nobody can know the innocuous fact" in str(design)
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


def test_a_singular_design_says_why_it_is_not_identified() -> None:
    """A design that cannot be undone names the categories that look alike."""
    coin = warner(0.5)
    assert not coin.is_identified
    assert "not identified: true no and true yes give every answer equally often" in str(coin)
    mixed = from_matrix(
        [[0.8, 0.2, 0.5], [0.2, 0.8, 0.5]], observed=["no", "yes"], true=["a", "b", "c"]
    )
    assert "3 true categories are mixtures of one another (rank 2)" in mixed.why_not_identified


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


@pytest.mark.parametrize(
    "values",
    [
        ["no", "yes", "yes"],
        [0, 1, 1],
        [0.0, 1.0, True],
        np.array([0, 1, 1]),
        np.array([False, True, True]),
        pd.Series([0.0, 1.0, 1.0]),
        pd.Series(["no", "yes", "yes"], dtype="category"),
        pd.Series([0, 1, 1], dtype="Int64"),
        ("no", 1, "yes"),
    ],
    ids=lambda values: type(values).__name__,
)
def test_likelihoods_of_values(values: Any) -> None:
    """Names and, of two categories, 0 and 1 give each value's row of the matrix."""
    found = FORCED.likelihood(values)
    assert found == pytest.approx(FORCED.probabilities[[0, 1, 1]])


def test_numbers_of_more_categories_are_never_guessed() -> None:
    """Three categories with names do not take numbers, which might count from 0 or 1."""
    design = forced_choice({"a": 0.1, "b": 0.1, "c": 0.1})
    with pytest.raises(InvalidTable, match="2 of 3 rows hold something that is no category"):
        design.likelihood(["a", 1, 2])
    numbered = forced_choice({"1": 0.1, "2": 0.1, "3": 0.1})
    assert numbered.places([1, 2.0, "3"]).tolist() == [0, 1, 2]


def test_missing_values_have_the_place_of_none() -> None:
    """None, NaN and missing values of pandas are found, and never take part in likelihoods."""
    assert FORCED.places(["yes", None, math.nan, pd.NA]).tolist() == [1, -1, -1, -1]
    with pytest.raises(InvalidTable, match="1 of 2 values are missing; leave these rows out"):
        FORCED.likelihood(["yes", None])


def test_messages_about_values_do_not_show_them() -> None:
    """What stands in a table may be an answer, so no message repeats it."""
    with pytest.raises(InvalidTable) as caught:
        FORCED.likelihood(["yes", "gonorrhoea"])
    assert "gonorrhoea" not in str(caught.value)
    assert "allowed are no, yes (or 0, 1), or nothing" in str(caught.value)
    assert caught.value.__cause__ is None


def test_likelihoods_by_group() -> None:
    """Rows take the matrix of their own group's design, whatever it calls its categories."""
    table = {"answer": ["yes", "same", "no", 1], "mode": ["a", "b", "a", "b"]}
    design = ByGroup("mode", {"a": warner(0.7), "b": crosswise(0.2)})
    found = likelihoods(table, "answer", design)
    assert found.true == ("no", "yes")
    assert found.matrix == pytest.approx(
        np.array([[0.3, 0.7], [0.8, 0.2], [0.7, 0.3], [0.8, 0.2]])
    )
    single = likelihoods(pd.DataFrame(table).iloc[[0, 2]], "answer", warner(0.7))
    assert single.matrix == pytest.approx(np.array([[0.3, 0.7], [0.7, 0.3]]))


def test_likelihoods_of_a_group_design_without_unknowns() -> None:
    """Cheating detection gives likelihoods of three true categories by group."""
    design = ByGroup("group", cheating_detection({1: 0.1, 2: 0.6}))
    found = likelihoods({"a": [1, 0], "group": [1, 2]}, "a", design)
    assert found.matrix == pytest.approx(np.array([[0.1, 1, 0], [0.4, 0, 1]]))


def test_the_matrices_of_the_lie_detector() -> None:
    """Its matrices and their derivatives are those of its definition."""
    found = DETECTOR.matrices([0.6])
    expected = [[[1 / 6, 0.4], [5 / 6, 0.6]], [[5 / 6, 0.4], [1 / 6, 0.6]]]
    assert found == pytest.approx(np.array(expected))
    assert DETECTOR.derivatives([0.6]).tolist() == [[[[0, -1], [0, 1]]] * 2]
    assert DETECTOR.designs([F(3, 5)])[2].matrix == ((F(5, 6), F(2, 5)), (SIXTH, F(3, 5)))


def test_group_designs_in_words() -> None:
    """A design with an unknown parameter prints where it stands, and what it is."""
    text = str(DETECTOR)
    assert "P(yes | true yes) = t, P(no | true yes) = 1 - t" in text
    assert "unknown: t, the probability that those with the trait say so" in text
    unrelated = repr(unrelated_question_unknown({1: 0.7, 2: 0.3}))
    assert "P(yes | true yes) = 7/10 + 3/10·prevalence" in unrelated


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        (
            unrelated_question_unknown({1: 0.7, 2: 0.3}),
            [[[0.835, 0.135], [0.165, 0.865]], [[0.615, 0.315], [0.385, 0.685]]],
        ),
        (
            cheating_detection({1: 0.1, 2: 0.6}),
            [[[0.9, 0, 1], [0.1, 1, 0]], [[0.4, 0, 1], [0.6, 1, 0]]],
        ),
        (
            cheating_detection_symmetric({1: (0.1, 0.2), 2: (0.5, 0.1)}),
            [[[0.9, 0.2, 1], [0.1, 0.8, 0]], [[0.5, 0.1, 1], [0.5, 0.9, 0]]],
        ),
    ],
    ids=["unrelated question", "cheating", "symmetric cheating"],
)
def test_matrices_of_group_designs(design: UnknownDesign, expected: Any) -> None:
    """The matrices of the other designs of two groups are those of their papers."""
    found = design.matrices([0.55] * len(design.unknown))
    assert found == pytest.approx(np.array(expected))


def test_a_direct_group_joins_a_group_design() -> None:
    """A group asked openly has the identity, and the others stay as they are."""
    found = DETECTOR.with_direct(0)
    assert found.groups == (0, 1, 2)
    assert found.matrices([0.6])[0].tolist() == [[1, 0], [0, 1]]
    assert found.matrices([0.6])[1:] == pytest.approx(DETECTOR.matrices([0.6]))
    assert not found.derivatives([0.6])[0, 0].any()


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
    (lambda: direct("no"), "categories: got something of the type str, or one that holds"),
    (lambda: direct(["a", "a"]), "got the categories a, a; allowed are two or more"),
    (lambda: forced_choice({"a": 0.5, "b": 0.5}), "probabilities that sum to 1; they must sum"),
    (
        lambda: from_matrix([[0.9, 0.1], [0.2, 0.8]]),
        (
            "columns that do not sum to 1 (true 0: 1.1, true 1: 0.9); rows are observed "
            "categories, columns true ones, and each column sums to 1; its rows do: it is "
            "probably to be transposed"
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
        "column 'a': the design has the unknown parameters t; give their values by .designs",
    ),
    (
        lambda: likelihoods({"a": [1], "g": [1]}, "a", DETECTOR),  # type: ignore[arg-type]
        "column 'a': got something of the type UnknownDesign; allowed is a Design, or ByGroup",
    ),
]


@pytest.mark.parametrize(("make", "message"), BROKEN, ids=[message[:40] for _, message in BROKEN])
def test_broken_designs_are_refused(make: Any, message: str) -> None:
    """A design that contradicts itself is refused with what to change."""
    with pytest.raises(InvalidDesign) as caught:
        make()
    assert message in str(caught.value)


def test_huge_mechanisms_are_refused() -> None:
    """A mechanism whose outputs nobody could list is refused before listing them."""
    with pytest.raises(UnsupportedMechanism, match="155117520 outputs; allowed are 10000"):
        from_mechanism(Subset(30, 15, Weights(3, 1)))


def test_rows_that_are_missing_have_no_likelihood() -> None:
    """A missing answer or group is refused where likelihoods are asked for."""
    design = ByGroup("g", {1: warner(0.7), 2: warner(0.8)})
    with pytest.raises(InvalidTable, match="column 'a': 1 of 1 rows are missing"):
        likelihoods({"a": [None, 1], "g": [1, 2]}, "a", design)
    with pytest.raises(InvalidTable, match="column 'g': 1 of 2 rows are missing"):
        likelihoods({"a": [0, 1], "g": [1, None]}, "a", design)


def test_values_that_cannot_be_compared_are_refused() -> None:
    """Lists in a column are refused with what is allowed."""
    with pytest.raises(InvalidTable, match="cannot be compared, like lists; allowed are texts"):
        FORCED.likelihood([["no"], ["yes"]])


def test_a_single_bit_of_a_scale_is_not_identified() -> None:
    """The sign of an answer on a scale cannot tell the shares of its levels."""
    found = from_mechanism(Sign(OneOf(5), Weights(3, 1)))
    assert "5 true categories are mixtures of one another (rank 2)" in found.why_not_identified
