"""What every mechanism promises, enumerated for many parameters."""

import pytest

from channel_checks import (
    assert_accepts_exactly_the_outputs,
    assert_draws_do_not_tell,
    assert_law_is_channel,
    assert_lengths_do_not_tell,
    assert_refuses_strangers,
    assert_rows_sum_to_one,
    spent_ratio,
    worst_ratio,
)
from deniable_sdk import theory
from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import InvalidParameters, Mechanism, OneOf, SomeOf, Subset
from deniable_sdk.weights import Weights
from mechanism_grid import GRID, WALKED, name
from sampled_params import sampled_params

EACH_KIND = list({type(mechanism): mechanism for mechanism in GRID}.values())


@pytest.mark.parametrize("mechanism", sampled_params(GRID, 3), ids=name)
def test_rows_sum_to_one(mechanism: Mechanism) -> None:
    """The outputs' likelihoods sum to exactly 1 under each answer."""
    assert_rows_sum_to_one(mechanism)


@pytest.mark.parametrize("mechanism", sampled_params(GRID, 3), ids=name)
def test_the_worst_ratio_is_what_it_spends(mechanism: Mechanism) -> None:
    """No output tells two answers apart by more than is spent, and one does by all of it."""
    assert worst_ratio(mechanism) == spent_ratio(mechanism)


@pytest.mark.parametrize("mechanism", WALKED, ids=name)
def test_randomize_draws_exactly_from_the_channel(mechanism: Mechanism) -> None:
    """Walking every path of draws gives the channel's row of each answer, as fractions."""
    assert_law_is_channel(mechanism)


@pytest.mark.parametrize("mechanism", WALKED, ids=name)
def test_draws_and_lengths_do_not_tell(mechanism: Mechanism) -> None:
    """The number of draws is as stated, and neither it nor a value's length depends on answers."""
    assert_draws_do_not_tell(mechanism)
    assert_lengths_do_not_tell(mechanism)


@pytest.mark.parametrize("mechanism", WALKED, ids=name)
def test_exactly_the_outputs_are_accepted(mechanism: Mechanism) -> None:
    """Outputs are accepted; near misses are refused with messages that never repeat them."""
    assert_accepts_exactly_the_outputs(mechanism)


@pytest.mark.parametrize("mechanism", sampled_params(GRID, 3), ids=name)
def test_outputs_are_counted(mechanism: Mechanism) -> None:
    """The number of outputs is that of the channel's rows."""
    assert mechanism.outputs == len(theory.channel(mechanism))


def test_outputs_of_subsets_are_counted() -> None:
    """Subset selection has as many outputs as there are sets, however many."""
    assert Subset(10, 3, Weights(3, 1)).outputs == 120
    assert Subset(20, 5, Weights(3, 1)).outputs == 15_504
    assert (
        Subset(5, 1, Weights(3, 1)).outputs
        == len(theory.channel(Subset(5, 1, Weights(3, 1))))
        == 5
    )


@pytest.mark.parametrize("mechanism", sampled_params(GRID, 3), ids=name)
def test_strangers_are_refused(mechanism: Mechanism) -> None:
    """An answer of another domain is refused, before a draw, by a message without it."""
    assert_refuses_strangers(mechanism)


@pytest.mark.parametrize("mechanism", sampled_params(GRID, 3), ids=name)
def test_documents_say_all_of_a_mechanism(mechanism: Mechanism) -> None:
    """Reading what was written gives the same mechanism, which fits its domain only."""
    assert type(mechanism).from_document(mechanism.to_document()) == mechanism
    assert mechanism.fits(mechanism.domain)
    assert not mechanism.fits(OneOf(77))
    assert not mechanism.fits(SomeOf(77, 2))


@pytest.mark.parametrize("mechanism", EACH_KIND, ids=name)
def test_missing_and_unknown_parameters_are_named(mechanism: Mechanism) -> None:
    """A parameter left out, of another kind or unheard of is named."""
    document = mechanism.to_document()
    for key in document.keys() - {"name"}:
        rest = {other: value for other, value in document.items() if other != key}
        with pytest.raises(InvalidParameters, match=f"^{key}: got nothing; allowed is "):
            type(mechanism).from_document(rest)
        wrong: tuple[tuple[JSON, str], ...] = (("1", "a text"), (None, "null"), ({}, "an object"))
        for value, kind in wrong:
            with pytest.raises(InvalidParameters, match=f"^{key}: got {kind}; allowed is "):
                type(mechanism).from_document({**document, key: value})
    with pytest.raises(InvalidParameters, match=f"^colour: not a parameter of {mechanism.name}$"):
        type(mechanism).from_document({**document, "colour": 1})


@pytest.mark.parametrize("mechanism", EACH_KIND, ids=name)
def test_illegal_weights_are_refused(mechanism: Mechanism) -> None:
    """The first weight is above the second, both positive whole numbers, within one draw."""
    document = mechanism.to_document()
    illegal: list[tuple[list[JSON], str]] = [
        ([1, 1], r"weights: got \[1, 1\]; the first must be above the second, the second at"),
        ([3, 0], r"weights: got \[3, 0\]; the first must be above the second, the second at"),
        ([3, True], "weights: got a list; allowed is a list of two whole numbers"),
        ([3, 2, 1], "weights: got a list; allowed is a list of two whole numbers"),
        ([2**48, 1], r"weights: their (total|sum) is beyond 2\^48, the range of one draw"),
    ]
    for weights, message in illegal:
        with pytest.raises(InvalidParameters, match=message):
            type(mechanism).from_document({**document, "weights": weights})
