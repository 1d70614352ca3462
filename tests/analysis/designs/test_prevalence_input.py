"""Tables and counts of every kind."""

import numpy as np
import pandas as pd
import pytest

from deniable_analysis.designs import ByGroup, direct, prevalence, warner
from prevalence_table import DETECTOR, TABLE


def test_rows_without_an_answer_are_left_out_and_counted() -> None:
    """Missing answers are not estimated from, and the result says how many they are."""
    found = prevalence(TABLE, "answer", design=warner(0.8))
    assert (found.rows, found.missing) == (5, 1)
    assert "5 rows, 1 left out" in str(found)


def test_rows_without_a_group_are_left_out_and_counted() -> None:
    """A row whose group is missing could be of any design, so it is left out."""
    design = ByGroup("group", {1: warner(0.8), 2: warner(0.9)})
    found = prevalence(TABLE, "answer", design=design)
    assert (found.rows, found.missing) == (4, 2)


def test_a_weight_is_needed_only_where_there_is_an_answer() -> None:
    """A missing weight beside a missing answer does no harm."""
    found = prevalence(TABLE, "answer", design=warner(0.8), weights="weight")
    assert found.rows == 5
    assert found.effective == pytest.approx(36 / 8)
    assert "as good as 4 alike" in str(found)


def test_weights_of_zero_leave_rows_out_of_the_estimate() -> None:
    """Rows with weight 0 change neither the estimate nor its error."""
    answers, weights = ["yes", "no", "no"] * 10, [1, 1, 0] * 10
    found = prevalence({"a": answers}, "a", design=warner(0.8), weights=weights)
    only = prevalence({"a": ["yes", "no"] * 10}, "a", design=warner(0.8))
    assert found["yes"].share == pytest.approx(only["yes"].share)
    error = only["yes"].standard_error
    assert found["yes"].standard_error == pytest.approx(error)
    assert found.rows == 20


def test_counts_by_name_are_those_in_order() -> None:
    """Counts may be given by category, and by group, in any order."""
    first = prevalence([30, 20], design=warner(0.7))
    assert prevalence({"yes": 20, "no": 30}, design=warner(0.7)) == first
    by_group = prevalence({2: [40, 10], 1: {"yes": 20, "no": 30}}, design=DETECTOR)
    assert by_group == prevalence([[30, 20], [40, 10]], design=DETECTOR)
    assert by_group == prevalence(np.array([[30, 20], [40, 10]]), design=DETECTOR)
    assert by_group == prevalence([[30, 20], [40, 10]], design=ByGroup("g", DETECTOR))


def test_a_table_gives_what_its_counts_give() -> None:
    """A pandas table, a mapping of columns and the counts all give the same shares."""
    rows = ["no"] * 30 + ["yes"] * 20
    expected = prevalence([30, 20], design=warner(0.7)).options
    for table in (
        {"a": rows},
        pd.DataFrame({"a": rows}),
        pd.DataFrame({"a": [0] * 30 + [1] * 20}),
    ):
        assert prevalence(table, "a", design=warner(0.7)).options == expected


def test_groups_with_categories_of_their_own_names() -> None:
    """Designs by group may call their observed categories differently."""
    design = ByGroup("mode", {"a": warner(0.7), "b": direct().renamed(observed=["nein", "ja"])})
    table = {"x": ["no", "yes", "nein", "ja"] * 9, "mode": ["a", "a", "b", "b"] * 9}
    found = prevalence(table, "x", design=design)
    assert found["yes"].share == pytest.approx(0.5)
