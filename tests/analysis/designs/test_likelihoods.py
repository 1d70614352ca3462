"""What reported values say of the truth: rows of P(observed | true)."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from deniable_analysis.designs import (
    ByGroup,
    cheating_detection,
    crosswise,
    forced_choice,
    forced_response,
    likelihoods,
    warner,
)
from deniable_analysis.errors import InvalidArgument

F = Fraction


SIXTH = F(1, 6)


FORCED = forced_response(yes=SIXTH, no=SIXTH)


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
    with pytest.raises(InvalidArgument, match="got 2 rows of 3 with something that is not a cat"):
        design.likelihood(["a", 1, 2])
    numbered = forced_choice({"1": 0.1, "2": 0.1, "3": 0.1})
    assert numbered.indexes([1, 2.0, "3"]).tolist() == [0, 1, 2]


def test_missing_values_have_the_place_of_none() -> None:
    """None, NaN and missing values of pandas are found, and never take part in likelihoods."""
    assert FORCED.indexes(["yes", None, math.nan, pd.NA]).tolist() == [1, -1, -1, -1]
    with pytest.raises(
        InvalidArgument, match="got 1 missing among 2 values; leave these rows out"
    ):
        FORCED.likelihood(["yes", None])


def test_messages_about_values_do_not_show_them() -> None:
    """What stands in a table may be an answer, so no message repeats it."""
    with pytest.raises(InvalidArgument) as caught:
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


def test_rows_that_are_missing_have_no_likelihood() -> None:
    """A missing answer or group is refused where likelihoods are asked for."""
    design = ByGroup("g", {1: warner(0.7), 2: warner(0.8)})
    with pytest.raises(InvalidArgument, match="column 'a': got 1 missing among 1 row; leave"):
        likelihoods({"a": [None, 1], "g": [1, 2]}, "a", design)
    with pytest.raises(InvalidArgument, match="column 'g': got 1 missing among 2 rows; leave"):
        likelihoods({"a": [0, 1], "g": [1, None]}, "a", design)


def test_values_that_cannot_be_compared_are_refused() -> None:
    """Lists in a column are refused with what is allowed."""
    with pytest.raises(InvalidArgument, match="cannot be compared, like lists; allowed are texts"):
        FORCED.likelihood([["no"], ["yes"]])
