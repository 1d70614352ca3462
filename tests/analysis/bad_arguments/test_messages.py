"""What odd arguments are told: what was got, what is allowed, what to do."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from deniable_analysis import (
    Channel,
    IntervalRule,
    count_values,
    debias,
    share_interval,
    weighted_shares,
)
from deniable_analysis.arguments import LARGEST_COUNT, shown
from deniable_analysis.designs import (
    cheating_detection_symmetric,
    forced_choice,
    from_matrix,
    from_mechanism,
    kuk,
    prevalence,
    stochastic_lie_detector,
    warner,
)
from deniable_analysis.errors import (
    ColumnNotFound,
    InvalidArgument,
    NameNotFound,
    UnsupportedMechanism,
)
from deniable_analysis.estimate import covariance_matrix, manipulation_margin, sampling_variance
from deniable_analysis.presentation import Named
from deniable_analysis.results import valid_counts
from deniable_sdk import DeniableError

NOTHING: Any = None
HUGE = 10**400
WARNER = Channel(0.75, 0.25)

Case = tuple[Callable[[], object], type[DeniableError], str]

ESTIMATORS: list[Case] = [
    (lambda: Channel("a", 0), InvalidArgument, "got keep something of the type str and flip 0; a"),  # type: ignore[arg-type]
    (lambda: Channel(HUGE, 0.1), InvalidArgument, "got keep a huge number and flip 0.1; allowed"),
    (
        lambda: Channel.of(NOTHING),
        InvalidArgument,
        "mechanism: got something of the type NoneType",
    ),
    (
        lambda: debias([1], 3, NOTHING),
        InvalidArgument,
        "channel: got something of the type NoneType; allowed is a Channel(keep, flip), such as",
    ),
    (
        lambda: debias([1], 1.5, WARNER),  # type: ignore[arg-type]
        InvalidArgument,
        "got 1.5 reports; an estimate needs at le",
    ),
    (lambda: debias([1], HUGE, WARNER), InvalidArgument, "got a huge number reports; an estimate"),
    (
        lambda: debias(["x"], 3, WARNER),
        InvalidArgument,
        "support: got something of the type list, or one that contains something other than",
    ),
    (lambda: debias([[1], [1, 2]], 3, WARNER), InvalidArgument, "support: got something of the"),
    (lambda: sampling_variance([0.5], 0), InvalidArgument, "got 0 reports; a variance needs at l"),
    (
        lambda: covariance_matrix([1], 1, NOTHING),
        InvalidArgument,
        "mechanism: got something of the",
    ),
    (
        lambda: manipulation_margin(WARNER, options=0),
        InvalidArgument,
        "got 0 options, of which a report supports 1; allowed are whole numbers",
    ),
    (
        lambda: manipulation_margin(WARNER, share=float("nan")),
        InvalidArgument,
        "share: got nan; allowed is a finite number",
    ),
    (
        lambda: manipulation_margin(WARNER, NOTHING),
        InvalidArgument,
        "got something of the type No",
    ),
    (
        lambda: valid_counts([0.5, 0.5], 1.5),  # type: ignore[arg-type]
        InvalidArgument,
        "got 1.5 reports to distribute; allowed is a whole number from 0",
    ),
    (lambda: weighted_shares([[1]], [1], WARNER, NOTHING), InvalidArgument, "rule: got something"),
    (
        lambda: share_interval([1], 3, WARNER, 0.9),  # type: ignore[arg-type]
        InvalidArgument,
        "rule: got something of the type float; allowed is an IntervalRule, such",
    ),
    (
        lambda: weighted_shares([["x"], ["y"]], [1, 2], WARNER),
        InvalidArgument,
        "got support that is neither 0 nor 1 somewhere; allowed is 1 (or True)",
    ),
    (lambda: weighted_shares([[1]], ["x"], WARNER), InvalidArgument, "weights: got something of"),
]
RULES: list[Case] = [
    (lambda: IntervalRule(comparisons=0), InvalidArgument, "comparisons: got 0; allowed is a w"),
    (lambda: IntervalRule(comparisons=1.5), InvalidArgument, "comparisons: got 1.5; allowed is"),  # type: ignore[arg-type]
    (lambda: IntervalRule(population=0), InvalidArgument, "got a population of 0; allowed is a w"),
    (lambda: IntervalRule(confidence=HUGE), InvalidArgument, "confidence: got a huge numbe"),
    (
        lambda: IntervalRule(confidence=Fraction(HUGE - 1, HUGE)),  # type: ignore[arg-type]
        InvalidArgument,
        "confidence: got 1; allowed is a number between 0 and 1",
    ),
    (lambda: IntervalRule("wald"), InvalidArgument, "interval: got 'wald'; allowed: wilson"),  # type: ignore[arg-type]
    (lambda: IntervalRule(NOTHING), InvalidArgument, "interval: got something of the type No"),
]
DESIGNS: list[Case] = [
    (
        lambda: from_matrix(5),
        InvalidArgument,
        "matrix: got something of the type int, or one whose rows are not lists; allowed is",
    ),
    (
        lambda: from_matrix([1, 2]),
        InvalidArgument,
        "matrix: got something of the type list, or on",
    ),
    (
        lambda: from_matrix(np.eye(2), observed=NOTHING, true=5),  # type: ignore[arg-type]
        InvalidArgument,
        "true: got something",
    ),
    (
        lambda: cheating_detection_symmetric({1: 0.2, 2: 0.3}),
        InvalidArgument,
        "forced: got something of the type float for a group, or not two of them; allowed are two",
    ),
    (
        lambda: cheating_detection_symmetric(5),
        InvalidArgument,
        "forced: got something of the type",
    ),
    (
        lambda: stochastic_lie_detector(NOTHING),
        InvalidArgument,
        "no: got something of the type No",
    ),
    (
        lambda: forced_choice(["yes", "no"]),  # type: ignore[arg-type]
        InvalidArgument,
        "forced: got something of the type list; allowed is a mapping from each option to the pr",
    ),
    (lambda: warner(HUGE), InvalidArgument, "truth: got a huge number; allowed is a probability"),
    (
        lambda: kuk(yes=0.2, no=0.6, draws=HUGE),
        InvalidArgument,
        "draws: got a huge number; allowed",
    ),
    (
        lambda: from_mechanism(NOTHING),
        UnsupportedMechanism,
        "mechanism: got something of the type NoneType; allowed is the mechanism of a block",
    ),
    (
        lambda: count_values(warner(0.7), np.array([1])),  # type: ignore[arg-type]
        UnsupportedMechanism,
        "mechanism: got something of the type Design; allowed is the mechanism of a block",
    ),
]
TABLE = pd.DataFrame({"answer": ["yes", "no", "no", "yes"]})
TABLES: list[Case] = [
    (
        lambda: prevalence(TABLE, 5, design=warner(0.7)),  # type: ignore[arg-type]
        ColumnNotFound,
        "got something of the type int for the name of a column; the table has: answer",
    ),
    (
        lambda: prevalence(TABLE, "answer", design=warner(0.7), weights=[1, 1, 1, 1j]),
        InvalidArgument,
        "weights: got values that are not numbers; allowed are numbers of at least 0",
    ),
    (
        lambda: prevalence(TABLE, "answer", design=warner(0.7), weights=[1, 1, 1, HUGE]),
        InvalidArgument,
        "weights: got values that are not numbers",
    ),
    (
        lambda: prevalence(TABLE, "answer", design=warner(0.7), weights=[1, 1, 1, 1e-300]),
        InvalidArgument,
        "weights: got some that are not even 1e-100 of the largest; allowed are numbers that can",
    ),
    (
        lambda: prevalence([HUGE, 1], design=warner(0.7)),
        InvalidArgument,
        "got counts that are not",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), [*ESTIMATORS, *RULES, *DESIGNS, *TABLES])
def test_odd_arguments_are_told_what_is_allowed(
    call: Callable[[], object], error: type[DeniableError], message: str
) -> None:
    """Each is refused by an error of its own kind that begins with what was got."""
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).startswith(message)
    assert caught.value.__context__ is None or caught.value.__suppress_context__


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_the_size_of_a_tables_weights_does_not_matter(size: float) -> None:
    """Weights of any size give what weights of 1 give."""
    plain = prevalence(TABLE, "answer", design=warner(0.7), weights=[1, 1, 1, 1])
    found = prevalence(TABLE, "answer", design=warner(0.7), weights=[size] * 4)
    assert found == plain


class Habits(Named[int]):
    """A result with parts of these names."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def _named(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self.names)}


def test_a_name_that_is_not_there_is_answered_with_near_ones() -> None:
    """The error is a KeyError too, and its text is a sentence, not a key in quotes."""
    habits = Habits("always", "sometimes", "never")
    assert habits["never"] == 2
    assert "nevr" not in habits
    with pytest.raises(KeyError) as caught:
        habits["nevr"]
    assert isinstance(caught.value, NameNotFound)
    assert str(caught.value) == (
        "got the name 'nevr'; did you mean never? there is: always, sometimes, never"
    )
    with pytest.raises(NameNotFound, match=r"^got the name something of the type set; there is:"):
        habits[{1}]
    with pytest.raises(NameNotFound, match=r"^got the name 'x'; there is none$"):
        Habits()["x"]


def test_numbers_are_shown_and_nothing_else() -> None:
    """A text is never shown where a number belongs, and a huge number is called so."""
    assert [shown(value) for value in (0.25, HUGE, True, "secret", None)] == [
        "0.25",
        "a huge number",
        "something of the type bool",
        "something of the type str",
        "something of the type NoneType",
    ]
    assert LARGEST_COUNT == float(LARGEST_COUNT) < float(LARGEST_COUNT) + 1
