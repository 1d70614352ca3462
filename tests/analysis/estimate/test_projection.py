"""The projection onto valid shares."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import optimize

from analysis.known.numbers import KnownNumber, known
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.results import project_to_simplex

SHARES = st.lists(st.floats(-3, 3), min_size=1, max_size=30)


@pytest.mark.parametrize("number", known("norm_sub_example"))
def test_known_projection(number: KnownNumber) -> None:
    """The projection of given shares is the known one."""
    found = project_to_simplex(number.inputs["v"])
    assert found.tolist() == pytest.approx(number.expected, abs=number.tolerance)


@given(SHARES)
def test_projection_is_valid_and_moves_every_share_alike(shares: list[float]) -> None:
    """All shares that stay positive move by one amount, and no other would stay above 0."""
    found = project_to_simplex(shares)
    assert np.all(found >= 0)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    moves = (found - np.array(shares))[found > 0]
    assert np.ptp(moves) <= 1e-12
    # The Karush-Kuhn-Tucker conditions of the nearest point, so it is the one.
    assert np.all(np.array(shares)[found == 0] + moves[0] <= 1e-12)


@given(SHARES)
def test_projection_of_valid_shares_changes_nothing(shares: list[float]) -> None:
    """Projecting twice is projecting once."""
    once = project_to_simplex(shares)
    assert project_to_simplex(once) == pytest.approx(once, abs=1e-12)


@given(SHARES, st.floats(-1e6, 1e6))
def test_projection_ignores_a_shift(shares: list[float], shift: float) -> None:
    """Adding the same to every share does not change the nearest valid shares."""
    shifted = project_to_simplex([share + shift for share in shares])
    assert shifted == pytest.approx(project_to_simplex(shares), abs=1e-8)


@pytest.mark.parametrize("shares", [[0.9, 0.4, -0.1], [-0.2, 0.3, 0.1, 0.5], [1.3, -0.3]])
def test_projection_is_what_a_solver_finds(shares: list[float]) -> None:
    """A general solver of the quadratic problem ends at the same shares."""
    size = len(shares)

    def distance(point: NDArray[np.float64]) -> float:
        return float(np.sum((point - np.array(shares)) ** 2))

    solved = optimize.minimize(
        distance,
        [1 / size] * size,
        method="SLSQP",
        bounds=[(0, 2)] * size,
        constraints=optimize.LinearConstraint(np.ones(size), 1, 1),
        tol=1e-15,
    )
    assert project_to_simplex(shares) == pytest.approx(solved.x, abs=1e-6)


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ([], r"allowed is a list of at least one finite share"),
        ([[0.5, 0.5]], r"got shares of shape \(1, 2\); allowed is a list of at least one"),
        ([0.5, float("nan")], "^shares: got something of the type list, or one that contains"),
        ([float("inf")], "something other than finite numbers; allowed is a list or array"),
    ],
)
def test_shares_that_are_none_are_refused(shares: list[float], message: str) -> None:
    """No share, a share that is no number and a table are refused."""
    with pytest.raises(InvalidArgument, match=message):
        project_to_simplex(shares)
