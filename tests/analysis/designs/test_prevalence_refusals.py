"""What randomized answers cannot tell, and tables that cannot be read."""

import math
from typing import Any

import pandas as pd
import pytest

from deniable_analysis.designs import ByGroup, prevalence, warner
from deniable_analysis.errors import ColumnNotFound, InvalidArgument
from prevalence_table import DETECTOR, TABLE

TABLE_ERRORS: list[tuple[dict[str, Any], type[Exception], str]] = [
    (
        {"column": "anwser"},
        ColumnNotFound,
        "got the column 'anwser', which the table does not have; did you mean answer?",
    ),
    ({"column": "qqq"}, ColumnNotFound, "which the table does not have; it has: answer, group"),
    (
        {"column": "words"},
        InvalidArgument,
        "column 'words': got 6 rows of 6 with something that is not a category of the design",
    ),
    (
        {"column": "nothing"},
        InvalidArgument,
        "column 'nothing': got 6 rows without an answer; there is nothing to estimate",
    ),
    ({"column": None}, InvalidArgument, "got a table and no column; name the randomized column"),
    ({"weights": "wieght"}, ColumnNotFound, "did you mean weight?"),
    (
        {"weights": "negative"},
        InvalidArgument,
        "weights 'negative': 1 of 5 are negative, infinite or missing; allowed are numbers",
    ),
    ({"weights": "broken"}, InvalidArgument, "weights 'broken': 2 of 5 are negative, infinite"),
    ({"weights": "words"}, InvalidArgument, "weights 'words': got values that are not numbers"),
    ({"weights": "zero"}, InvalidArgument, "weights 'zero': all are 0; allowed are some above 0"),
    ({"weights": [1.0]}, InvalidArgument, "weights: got 1 for 6 rows; allowed is one for each"),
    (
        {"design": ByGroup("gruop", {1: warner(0.8), 2: warner(0.9)})},
        ColumnNotFound,
        "got the column 'gruop', which the table does not have; did you mean group?",
    ),
    (
        {"design": ByGroup("group", {1: warner(0.8)})},
        InvalidArgument,
        "column 'group': got 2 rows of 6 in no group of the design; its groups are 1; leave",
    ),
    (
        {"design": DETECTOR},
        InvalidArgument,
        "say which column holds the groups 1, 2: ByGroup(column, design)",
    ),
    ({"design": "warner"}, InvalidArgument, "design: got something of the type str; allowed"),
    ({"method": "bayes"}, InvalidArgument, "got the method 'bayes'; allowed: moment, likelihood"),
    ({"interval": "wild"}, InvalidArgument, "interval: got 'wild'; allowed: wilson"),
    ({"confidence": 0}, InvalidArgument, "confidence: got 0; allowed is a number between"),
    ({"confidence": 1}, InvalidArgument, "confidence: got 1; allowed is a number between"),
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
    ([10, "x"], warner(0.7), "got counts that are not numbers; allowed are whole numbers"),
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
        with pytest.raises(InvalidArgument) as caught:
            prevalence(counts, design=design, method=method)
        assert message in str(caught.value)


def test_weights_need_a_table() -> None:
    """Counts have lost their weights, so weights beside them are refused."""
    with pytest.raises(InvalidArgument, match="got weights with counts; allowed are weights with"):
        prevalence([1, 2], design=warner(0.7), weights=[1, 2])


def test_something_that_is_no_table_is_refused() -> None:
    """A list where a table should be is refused."""
    with pytest.raises(
        InvalidArgument, match="got something of the type list; allowed is a pandas"
    ):
        prevalence([1, 2], "answer", design=warner(0.7))


@pytest.mark.parametrize(
    ("table", "column", "message"),
    [
        (pd.DataFrame([["no"] * 2] * 3, columns=["a", "a"]), "a", "2 columns 'a'; rename all"),
        ({"a": ["no"] * 3, "mode": [1]}, "a", "columns of different lengths"),
        ({"a": 1}, "a", "something that is not a column"),
    ],
)
def test_tables_with_unclear_columns_are_refused(table: Any, column: str, message: str) -> None:
    """Two columns of one name, or columns that are not as long, are no table."""
    with pytest.raises(InvalidArgument, match=message):
        prevalence(table, column, design=warner(0.75))


def test_a_confidence_that_is_no_number_is_refused() -> None:
    """A text is not read as a number."""
    with pytest.raises(
        InvalidArgument, match=r"^confidence: got something of the type str; allowed"
    ):
        prevalence([6, 4], design=warner(0.75), confidence="0.95")  # type: ignore[arg-type]
