"""Designs of several groups, with probabilities that are not known."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from deniable_analysis.designs import (
    UnknownDesign,
    cheating_detection,
    cheating_detection_symmetric,
    stochastic_lie_detector,
    unrelated_question_unknown,
)

F = Fraction


SIXTH = F(1, 6)


DETECTOR = stochastic_lie_detector({1: SIXTH, 2: 1 - SIXTH})


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
