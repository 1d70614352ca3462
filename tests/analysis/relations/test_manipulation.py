"""What forged reports could do to a share."""

from fractions import Fraction

import numpy as np
import pytest

from analysis.enumerated import multiple, with_mechanism
from analysis.known.numbers import INTEGER_WEIGHTS, KnownNumber, known
from analysis.related import MUST, counted_study
from deniable_analysis import Channel
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate import manipulation_margin
from deniable_sdk.mechanisms import SampledBits, SomeOf, Subset
from deniable_sdk.theory.subset import best_subset
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import choice, yes_no


def channel_of(epsilon: float, options: int, size: int) -> Channel:
    """Subset selection at this epsilon."""
    return Channel.of(Subset(options, size, integer_weights(Fraction(str(epsilon)))))


@pytest.mark.parametrize("number", known("warner_max_skew_per_unit_fake_share_f0"))
def test_a_yes_no_share_moves_by_what_is_known(number: KnownNumber) -> None:
    """For each part of forged reports a share at 0 moves by (1 - q)/(p - q)."""
    found = manipulation_margin(channel_of(number.epsilon, 2, 1), 1.0)
    assert found == pytest.approx(number.expected, rel=INTEGER_WEIGHTS)


@pytest.mark.parametrize("number", known("MGA_gain"))
def test_the_gain_of_several_targets_is_that_of_the_attack(number: KnownNumber) -> None:
    """Single options and best sets gain what the literature's attack does."""
    inputs, options = number.inputs, number.domain_size
    best = best_subset(options, integer_weights(Fraction(str(inputs["eps"]))))
    for name, size in (("GRR", 1), ("SS", best.size)):
        found = manipulation_margin(
            channel_of(inputs["eps"], options, size),
            inputs["beta"],
            options=inputs["r"],
            supported=min(size, inputs["r"]),
            share=inputs["f_T"],
        )
        assert found == pytest.approx(number.expected[name], rel=INTEGER_WEIGHTS)


@pytest.mark.parametrize("size", [1, 2])
def test_forging_one_report_in_a_hundred_moves_a_share_by_its_margin(size: int) -> None:
    """The margin is what the estimate does when 1 % of the reports are replaced."""
    published = with_mechanism(Subset(4, size, Weights(3, 1)), choice(options=4, **MUST))
    channel = Channel.of(Subset(4, size, Weights(3, 1))).rounded()
    n, flip = 100_000, float(channel.flip)
    honest = np.array([0.0, 0.5, 0.3, 0.2]) * float(channel.spread) + flip
    forged = np.array([1.0, *[(size - 1) / 3] * 3])
    counts = np.rint(n * (0.99 * honest + 0.01 * forged)).astype(int).tolist()
    (question,) = counted_study(published, region=counts).estimate().questions
    assert question.options[0].share == pytest.approx(
        question.options[0].manipulation_margin, abs=1e-4
    )
    assert f"may be off by {question.options[0].manipulation_margin:.4f}" in str(question)


@pytest.mark.parametrize("size", [1, 3])
def test_the_margin_of_a_crosstabs_question_counts_all_its_cells(size: int) -> None:
    """A forged set can hold several cells of one option."""
    mechanism = Subset(4, size, Weights(3, 1))
    published = with_mechanism(mechanism, yes_no(**MUST), yes_no("limited", **MUST))
    study = counted_study(published, asthma_x_limited=[size * 25] * 4)
    margin = study.estimate().questions[0].options[0].manipulation_margin
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    assert margin == pytest.approx(0.01 * (min(size, 2) - 2 * flip) / (keep - flip))


def test_forgers_of_sampled_bits_claim_the_same_option() -> None:
    """An option that few drew is easier to move: forgers all say they drew it."""
    mechanism = SampledBits(SomeOf(4, 3), 1, Weights(3, 1))
    published = with_mechanism(mechanism, multiple(3))
    said = {(index, bit): 25 for index in range(4) for bit in (0, 1)}
    (question,) = counted_study(published, conditions=said).estimate().questions
    forged = 0.01 / (0.01 + 0.99 / 4)
    assert question.options[0].manipulation_margin == pytest.approx(forged * 1.5)


def test_a_part_of_the_reports_is_between_none_and_all() -> None:
    """Parts below 0 and above 1 are refused."""
    with pytest.raises(InvalidArgument, match=r"got 1.5 as the forged share of the reports"):
        manipulation_margin(channel_of(1, 2, 1), 1.5)
