"""Debiasing undoes the channel, and the stated errors are the enumerated ones."""

import itertools
import json
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction

import pytest

from deniable_sdk import theory
from deniable_sdk.mechanisms import Mechanism, OneOf, Piecewise, PrivSet, SampledBits, Subset
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.theory.piecewise import likelihood
from deniable_sdk.theory.piecewise_mean import best_slope, mean_table
from mechanism_grid import LARGE, SMALL, name, piecewises, privsets, sampled_bits
from sampled_params import sampled_params

WEIGHTS = [*LARGE, SMALL[0]]
SETS: list[SampledBits | PrivSet] = [*sampled_bits(4, WEIGHTS), *privsets(4, WEIGHTS)]
MEANS: list[Piecewise] = piecewises(5, WEIGHTS)
SUBSETS = [
    Subset(domain_size, size, weights)
    for domain_size in range(2, 8)
    for size in range(1, domain_size)
    for weights in (*LARGE[:3], SMALL[0])
]


def _rates(mechanism: SampledBits | PrivSet) -> list[list[Fraction]]:
    """Entry [answer][option]: how likely a report that speaks of the option supports it."""
    options, answers = mechanism.domain.options, mechanism.domain.size
    supported = [[Fraction(0)] * options for _ in range(answers)]
    spoken: defaultdict[int, Fraction] = defaultdict(Fraction)
    for output, row in theory.channel(mechanism).items():
        for member in json.loads(output):
            option, bit = member if isinstance(member, list) else (member, 1)
            if option < options:
                spoken[option] += row[0]
                for answer in range(answers):
                    supported[answer][option] += bit * row[answer]
    if isinstance(mechanism, PrivSet):
        return supported
    assert set(spoken.values()) == {Fraction(mechanism.sampled, options)}
    return [[share / spoken[option] for option, share in enumerate(row)] for row in supported]


@pytest.mark.parametrize("mechanism", sampled_params(SETS, 3), ids=name)
def test_keep_and_flip_recover_each_option(mechanism: SampledBits | PrivSet) -> None:
    """(support - flip) / (keep - flip) expects 1 for a chosen option and 0 for another."""
    keep, flip = mechanism.keep, mechanism.flip
    for answer, rates in zip(mechanism.domain.answers(), _rates(mechanism), strict=True):
        debiased = [(rate - flip) / (keep - flip) for rate in rates]
        assert debiased == [int(option in answer) for option in range(mechanism.domain.options)]


@pytest.mark.parametrize("mechanism", sampled_params(SETS, 3), ids=name)
def test_the_error_of_shares_is_the_worst_enumerated_one(mechanism: SampledBits | PrivSet) -> None:
    """No mixture of empty and full choices has a larger summed variance; the stated one is met."""
    rates, spread = _rates(mechanism), mechanism.keep - mechanism.flip
    options, at_most = mechanism.domain.options, mechanism.domain.at_most
    sampled = mechanism.sampled if isinstance(mechanism, SampledBits) else options

    def total(share_full: Fraction) -> Fraction:
        """Of options equally common: all respondents choose at_most options, or none."""
        answers = list(mechanism.domain.answers())
        full = [row for answer, row in zip(answers, rates, strict=True) if len(answer) == at_most]
        supported = [
            share_full * sum(row[option] for row in full) / len(full)
            + (1 - share_full) * rates[0][option]
            for option in range(options)
        ]
        variance = sum((rate * (1 - rate) for rate in supported), Fraction()) / spread**2
        return variance * Fraction(options, sampled)

    even = (Fraction(1, 2) - mechanism.flip) / spread * Fraction(options, at_most)
    worst = total(max(Fraction(0), min(Fraction(1), even)))
    stated = theory.error(mechanism, Target.SHARES)
    assert stated == worst
    assert all(total(Fraction(step, 12)) <= stated for step in range(13))


@pytest.mark.parametrize(
    "mechanism",
    [SETS[0], SETS[37], SETS[-1], SETS[-40]],
    ids=name,
)
def test_unequal_shares_have_no_larger_error(mechanism: SampledBits | PrivSet) -> None:
    """No two answers mixed in twelfths have a larger summed variance than stated."""
    rates, spread = _rates(mechanism), mechanism.keep - mechanism.flip
    options = mechanism.domain.options
    sampled = mechanism.sampled if isinstance(mechanism, SampledBits) else options
    for one, other in itertools.combinations(rates, 2):
        for step in range(13):
            part = Fraction(step, 12)
            mixed = [part * a + (1 - part) * b for a, b in zip(one, other, strict=True)]
            variance = sum((rate * (1 - rate) for rate in mixed), Fraction()) / spread**2
            assert variance * Fraction(options, sampled) <= theory.error(mechanism, Target.SHARES)


def _truths(mechanism: Piecewise) -> list[Fraction]:
    """Answers on a range of length 1 around 0; no answer is the middle."""
    last = mechanism.domain.options - 1
    truths = [Fraction(2 * index - last, 2 * last) for index in range(last + 1)]
    return [*truths, Fraction(0)][: mechanism.domain.size]


def _moment(mechanism: Mechanism, answer: int, of: Callable[[int], Fraction]) -> Fraction:
    rows = theory.channel(mechanism).items()
    return sum((of(int(output)) * row[answer] for output, row in rows), Fraction())


@pytest.mark.parametrize("mechanism", sampled_params(MEANS, 3), ids=name)
def test_the_table_recovers_the_answer(mechanism: Piecewise) -> None:
    """What outputs add is on average the answer, for the best slope and for any other."""
    for slope in (None, Fraction(0), Fraction(2, 7), Fraction(-3)):
        table = mean_table(mechanism, slope)
        for answer, truth in enumerate(_truths(mechanism)):
            assert _moment(mechanism, answer, table.__getitem__) == truth


@pytest.mark.parametrize("mechanism", sampled_params(MEANS, 3), ids=name)
def test_the_share_of_no_answer_is_recovered(mechanism: Piecewise) -> None:
    """The last output has the stated probabilities, and none where there is no such answer."""
    keep, flip = mechanism.no_answer_keep, mechanism.no_answer_flip
    if not mechanism.domain.offers_no_answer:
        assert keep == flip == 0
        return
    *others, last = list(theory.channel(mechanism).values())[-1]
    assert last == keep > flip
    assert set(others) == {flip}


@pytest.mark.parametrize("mechanism", sampled_params(MEANS, 3), ids=name)
def test_the_error_of_a_mean_is_the_worst_enumerated_one(mechanism: Piecewise) -> None:
    """On a range of length 1, the worst answer's variance is the stated one."""
    table, truths = mean_table(mechanism), _truths(mechanism)
    variances = [
        _moment(mechanism, answer, lambda output: table[output] ** 2) - truth**2
        for answer, truth in enumerate(truths)
    ]
    assert (
        theory.error(mechanism, Target.MEAN)
        == theory.error(mechanism, Target.SHARES)
        == max(variances)
    )


@pytest.mark.parametrize("mechanism", sampled_params(MEANS, 9), ids=name)
def test_no_other_slope_is_better(mechanism: Piecewise) -> None:
    """A slope a little or much larger or smaller has no smaller worst variance."""
    truths, best = _truths(mechanism), best_slope(mechanism)
    for change in (Fraction(1, 1000), Fraction(1, 30), Fraction(1)):
        for slope in (best - change, best + change):
            table = mean_table(mechanism, slope)
            variances = [
                _moment(mechanism, answer, lambda output, table=table: table[output] ** 2)  # type: ignore[misc]  # bound here
                - truth**2
                for answer, truth in enumerate(truths)
            ]
            # Its part of a window of one output is nothing.
            assert max(variances) >= theory.error(mechanism, Target.MEAN)


@pytest.mark.parametrize(
    ("mechanism", "no_answer"),
    [(one, no_answer) for one in SUBSETS for no_answer in (False, True)[: one.domain_size - 1]],
    ids=str,
)
def test_the_mean_of_a_subset_is_recovered_with_the_stated_error(
    mechanism: Subset, no_answer: bool
) -> None:
    """Summed scores of the set over keep - flip expect the score, with at worst that variance.

    "No answer" counts as the middle.
    """
    levels = mechanism.domain_size - no_answer
    scores = [Fraction(index, levels - 1) - Fraction(1, 2) for index in range(levels)]
    scores += [Fraction(0)] * no_answer
    spread = mechanism.keep - mechanism.flip
    variances = []
    for answer, score in enumerate(scores):
        mean = square = Fraction(0)
        for output, row in theory.channel(mechanism).items():
            held = json.loads(output)
            total = sum(
                (scores[i] for i in ([held] if isinstance(held, int) else held)), Fraction()
            )
            mean += total * row[answer] / spread
            square += total**2 * row[answer] / spread**2
        assert mean == score
        variances.append(square - mean**2)
    domain = OneOf(levels, no_answer)
    assert mechanism.fits(domain)
    assert theory.error(mechanism, Target.MEAN, domain) == max(variances)
    if not no_answer:
        assert theory.error(mechanism, Target.MEAN) == max(variances)


def test_errors_of_what_is_not_estimated_are_refused() -> None:
    """Sets have no mean."""
    for mechanism, target, message in (
        (SETS[0], Target.MEAN, "sampled bits estimate shares, not a mean"),
        (SETS[-1], Target.MEAN, "PrivSet estimates shares, not a mean"),
    ):
        with pytest.raises(ValueError, match=message):
            theory.error(mechanism, target)


@pytest.mark.parametrize("mechanism", sampled_params(MEANS, 9), ids=name)
def test_near_an_output_are_the_likeliest_places(mechanism: Piecewise) -> None:
    """They are all between the two places; without rounding no others are."""
    for output in range(mechanism.places):
        chances = [likelihood(mechanism, output, index) for index in range(mechanism.cells)]
        likeliest = [index for index, chance in enumerate(chances) if chance == max(chances)]
        low, high = mechanism.support(output).answers
        assert 0 <= low <= likeliest[0] <= likeliest[-1] <= high < mechanism.cells
        if not mechanism.rounds:
            assert [low, high] == [likeliest[0], likeliest[-1]]
