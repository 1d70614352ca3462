"""Tables and counts of every kind, and what is wrong with broken ones."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from deniable_analysis import (
    ByGroup,
    ColumnNotFound,
    InvalidConfidence,
    InvalidCounts,
    InvalidDesign,
    InvalidInterval,
    InvalidMethod,
    InvalidTable,
    InvalidWeights,
    NotIdentified,
    UnknownDesign,
    cheating_detection,
    compare_with_direct,
    direct,
    forced_choice,
    from_matrix,
    prevalence,
    stochastic_lie_detector,
    warner,
)

TABLE = pd.DataFrame(
    {
        "answer": ["yes", "no", "no", "yes", None, "no"],
        "group": [1, 2, 1, 2, 1, np.nan],
        "weight": [1.0, 2.0, 1.0, 1.0, math.nan, 1.0],
        "negative": [1.0, -2.0, 1.0, 1.0, 1.0, 1.0],
        "broken": [1.0, math.nan, 1.0, 1.0, 1.0, math.inf],
        "words": list("abcdef"),
        "nothing": [None] * 6,
        "zero": [0.0] * 6,
    }
)
DETECTOR = stochastic_lie_detector({1: 0.2, 2: 0.8})


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
    assert found.share("yes").share == pytest.approx(only.share("yes").share)
    error = only.share("yes").standard_error
    assert found.share("yes").standard_error == pytest.approx(error)
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
    assert found.share("yes").share == pytest.approx(0.5)


TABLE_ERRORS: list[tuple[dict[str, Any], type[Exception], str]] = [
    (
        {"column": "anwser"},
        ColumnNotFound,
        "got the column 'anwser', which the table does not have; did you mean answer?",
    ),
    ({"column": "qqq"}, ColumnNotFound, "which the table does not have; it has: answer, group"),
    (
        {"column": "words"},
        InvalidTable,
        "column 'words': 6 of 6 rows hold something that is no category of the design",
    ),
    (
        {"column": "nothing"},
        InvalidTable,
        "column 'nothing': none of its 6 rows has an answer; there is nothing to estimate",
    ),
    ({"column": None}, InvalidTable, "got a table and no column; name the randomized one"),
    ({"weights": "wieght"}, ColumnNotFound, "did you mean weight?"),
    (
        {"weights": "negative"},
        InvalidWeights,
        "weights 'negative': 1 of 5 are negative, infinite or missing; allowed are numbers",
    ),
    ({"weights": "broken"}, InvalidWeights, "weights 'broken': 2 of 5 are negative, infinite"),
    ({"weights": "words"}, InvalidWeights, "weights 'words': got values that are no numbers"),
    ({"weights": "zero"}, InvalidWeights, "weights 'zero': all are 0; allowed are some above 0"),
    ({"weights": [1.0]}, InvalidWeights, "weights: got 1 for 6 rows; allowed is one for each"),
    (
        {"design": ByGroup("gruop", {1: warner(0.8), 2: warner(0.9)})},
        ColumnNotFound,
        "got the column 'gruop', which the table does not have; did you mean group?",
    ),
    (
        {"design": ByGroup("group", {1: warner(0.8)})},
        InvalidTable,
        "column 'group': 2 of 6 rows are in no group of the design; its groups are 1; leave",
    ),
    (
        {"design": DETECTOR},
        InvalidDesign,
        "say which column holds the groups 1, 2: ByGroup(column, design)",
    ),
    ({"design": "warner"}, InvalidDesign, "design: got something of the type str; allowed"),
    ({"method": "bayes"}, InvalidMethod, "got the method 'bayes'; allowed: moment, likelihood"),
    ({"interval": "wild"}, InvalidInterval, "got the interval 'wild'; allowed: wilson"),
    ({"confidence": 0}, InvalidConfidence, "got the confidence 0; allowed is a number between"),
    ({"confidence": 1}, InvalidConfidence, "got the confidence 1; allowed is a number between"),
]


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    TABLE_ERRORS,
    ids=[message[:50] for *_, message in TABLE_ERRORS],
)
def test_broken_tables_are_refused(
    changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    """Each broken argument is refused with what to change."""
    arguments = {"data": TABLE, "column": "answer", "design": warner(0.8), **changes}
    with pytest.raises(error) as caught:
        prevalence(**arguments)
    assert message in str(caught.value)


COUNT_ERRORS: list[tuple[Any, Any, str]] = [
    ([10, -1], warner(0.7), "counts that are negative, broken or not finite"),
    ([10, math.nan], warner(0.7), "counts that are negative, broken or not finite"),
    ([10, 0.5], warner(0.7), "counts that are negative, broken or not finite"),
    ([10, "x"], warner(0.7), "got counts that are no numbers; allowed are whole numbers"),
    ([1, 2, 3], warner(0.7), "got 3 counts for the 2 observed categories 'no', 'yes'"),
    (7, warner(0.7), "got 0 counts for the 2 observed categories"),
    ({"no": 1}, warner(0.7), "got counts for 1 observed categories; allowed are exactly 'no'"),
    ([0, 0], warner(0.7), "got no answer at all; an estimate needs at least 2"),
    ([1, 0], warner(0.7), "got a group with a single answer; a standard error needs at least 2"),
    ([[1, 2]], DETECTOR, "got 1 counts for the 2 groups 1, 2"),
    ({1: [1, 2], 3: [1, 2]}, DETECTOR, "got counts for 2 groups; allowed are exactly 1, 2"),
]


@pytest.mark.parametrize(
    ("counts", "design", "message"),
    COUNT_ERRORS,
    ids=[message[:50] for *_, message in COUNT_ERRORS],
)
def test_broken_counts_are_refused(counts: Any, design: Any, message: str) -> None:
    """Counts that no set of answers can give are refused with what to change."""
    for method in ("moment", "likelihood"):
        with pytest.raises(InvalidCounts) as caught:
            prevalence(counts, design=design, method=method)
        assert message in str(caught.value)


def test_weights_need_a_table() -> None:
    """Counts have lost their weights, so weights beside them are refused."""
    with pytest.raises(InvalidCounts, match="got weights with counts; allowed are weights with"):
        prevalence([1, 2], design=warner(0.7), weights=[1, 2])


def test_something_that_is_no_table_is_refused() -> None:
    """A list where a table should be is refused."""
    with pytest.raises(InvalidTable, match="got something of the type list; allowed is a pandas"):
        prevalence([1, 2], "answer", design=warner(0.7))


UNTOLD: list[tuple[Any, Any, str]] = [
    ([5, 5], warner(0.5), "true no and true yes give every answer equally often"),
    (
        [5, 5],
        from_matrix([[0.8, 0.2, 0.5], [0.2, 0.8, 0.5]], true=["a", "b", "c"]),
        "the probabilities of 3 true categories are mixtures of one another",
    ),
    ([[5, 5], [0, 0]], DETECTOR, "the groups 2 have no answer, and are needed"),
    (
        [[5, 5], [0, 0]],
        cheating_detection({1: 0.1, 2: 0.6}),
        "the groups 2 have no answer, and are needed",
    ),
]


@pytest.mark.parametrize(
    ("counts", "design", "message"), UNTOLD, ids=[message[:40] for *_, message in UNTOLD]
)
def test_what_answers_cannot_tell_is_refused(counts: Any, design: Any, message: str) -> None:
    """A design, or groups, that cannot tell the shares are refused with the reason."""
    for method in ("moment", "likelihood"):
        with pytest.raises(NotIdentified) as caught:
            prevalence(counts, design=design, method=method)
        assert message in str(caught.value)


def test_a_parameter_of_people_who_are_not_there_is_refused() -> None:
    """Where nobody seems to have the trait, nothing tells whether they say so."""
    with pytest.raises(NotIdentified, match="those on whom t depends is 0, so nothing tells it"):
        prevalence([[20, 80], [80, 20]], design=DETECTOR)


def test_only_direct_answers_cannot_tell_a_parameter() -> None:
    """Where only the group asked openly answered, the parameter plays no part."""
    with pytest.raises(NotIdentified, match="t plays no part in the groups with answers; the gro"):
        prevalence([[5, 5], [0, 0], [0, 0]], design=DETECTOR.with_direct(0))


def test_a_parameter_that_only_the_likelihood_can_tell() -> None:
    """Where a parameter is no ratio of sums the moment method says which method is."""
    first = stochastic_lie_detector({1: 0.2, 2: 0.8})
    zero, one = (entry for entry in direct().matrix[1])
    crooked = (((zero, one), (zero, -one)), ((one, zero), (-one, zero)))
    design = UnknownDesign(
        "made up", first.groups, first.observed, first.true, ("s",), first.constants, (crooked,)
    )
    with pytest.raises(NotIdentified, match="nothing but the likelihood can tell 's' in made up"):
        prevalence([[50, 50], [40, 60]], design=design)


def test_a_comparison_needs_both_kinds_of_answers() -> None:
    """Without a direct or without a randomized group there is nothing to compare."""
    both = ByGroup("mode", {"openly": direct(), "die": warner(0.7)})
    with pytest.raises(InvalidDesign, match="got no direct group with answers; allowed is a des"):
        compare_with_direct({"openly": [0, 0], "die": [5, 5]}, design=both)
    with pytest.raises(InvalidDesign, match="got no randomized group with answers"):
        compare_with_direct({"openly": [5, 5], "die": [0, 0]}, design=both)
    with pytest.raises(InvalidConfidence, match="got the confidence 1;"):
        compare_with_direct({"openly": [5, 5], "die": [5, 5]}, design=both, confidence=1)


@pytest.mark.parametrize("method", ["moment", "likelihood"])
def test_extreme_answers_give_numbers(method: str) -> None:
    """An option that nobody chose and answers that are all alike are estimated without a crash."""
    of_three = forced_choice({"a": 0.1, "b": 0.1, "c": 0.1})
    for counts, design in (
        ([0, 100], warner(0.7)),
        ([100, 0], direct()),
        ([50, 0, 50], of_three),
        ([100, 0, 0], of_three),
        ([[100, 0], [100, 0]], DETECTOR),
        ([[0, 100], [0, 100]], DETECTOR),
    ):
        found = prevalence(counts, design=design, method=method)
        total = sum(option.share or 0.0 for option in found.options)
        assert total == pytest.approx(1)
        assert str(found)


def test_few_answers_that_are_alike_are_no_alarm() -> None:
    """Two answers that are the same prove nothing against a design; many do."""
    design = warner(0.75)
    assert prevalence([2, 0], design=design).warnings == ()
    assert len(prevalence([100, 0], design=design).warnings) == 2


@pytest.mark.parametrize(
    ("table", "column", "message"),
    [
        (pd.DataFrame([["no"] * 2] * 3, columns=["a", "a"]), "a", "2 columns 'a'; rename all"),
        ({"a": ["no"] * 3, "mode": [1]}, "a", "columns of different lengths"),
        ({"a": 1}, "a", "something that is no column"),
    ],
)
def test_tables_with_unclear_columns_are_refused(table: Any, column: str, message: str) -> None:
    """Two columns of one name, or columns that are not as long, are no table."""
    with pytest.raises(InvalidTable, match=message):
        prevalence(table, column, design=warner(0.75))


def test_a_confidence_that_is_no_number_is_refused() -> None:
    """A text is not read as a number."""
    with pytest.raises(InvalidConfidence, match=r"^got a confidence of the type str; allowed"):
        prevalence([6, 4], design=warner(0.75), confidence="0.95")  # type: ignore[arg-type]
