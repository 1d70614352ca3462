"""Planned variances are those of the exact channels, enumerated."""

import itertools
import json
from collections.abc import Iterator
from fractions import Fraction

import pytest

from deniable_analysis.errors import InvalidArgument
from deniable_analysis.planning import (
    Share,
    mean_unit_variance,
    merged_unit_variance,
    unit_variance,
)
from deniable_analysis.planning.designs import worst_share
from deniable_sdk import theory
from deniable_sdk.mechanisms import OneOf, Piecewise, PrivSet, SampledBits, Subset
from mechanism_grid import name, piecewises, privsets, sampled_bits
from planning_channels import WEIGHTS, mean_parts, scores, share_part, subsets, support, variance

SETS: list[SampledBits | PrivSet] = [*sampled_bits(3, WEIGHTS), *privsets(4, WEIGHTS[1:3])]
MEANS: list[tuple[Subset | Piecewise, OneOf]] = [
    *((one, one.domain) for one in piecewises(4, WEIGHTS[:3])),
    *(
        (one, OneOf(one.domain_size - offers_no_answer, offers_no_answer))
        for one in subsets(5)
        for offers_no_answer in (False, True)
        if one.domain_size - offers_no_answer >= 2
    ),
]
TWELFTHS = [Fraction(part, 12) for part in range(13)]


def _of_two(domain_size: int, one: int, other: int, part: Fraction) -> list[Fraction]:
    """One answer given by a part of the respondents and another by the rest."""
    truth = [Fraction(0)] * domain_size
    truth[one] += part
    truth[other] += 1 - part
    return truth


@pytest.mark.sweep
@pytest.mark.parametrize("mechanism", SETS, ids=name)
def test_a_share_among_sets(mechanism: SampledBits | PrivSet) -> None:
    """At any share of an option the variance is the enumerated one, at most the worst."""
    answers = list(mechanism.domain.answers())
    chosen, nothing = answers.index((0,)), answers.index(())
    for part in TWELFTHS:
        truth = _of_two(len(answers), chosen, nothing, part)
        values = _spoken(mechanism, part)
        assert unit_variance(mechanism, part) == variance(mechanism, values, truth)
        assert unit_variance(mechanism, part) <= unit_variance(mechanism)
    assert unit_variance(mechanism) == unit_variance(mechanism, worst_share(mechanism))


def _spoken(mechanism: SampledBits | PrivSet, share: Fraction) -> dict[str, Fraction]:
    """What a report adds to an estimate; nothing if it does not speak of the option."""
    values = support(mechanism, 0)
    if isinstance(mechanism, PrivSet):
        return values
    speaking = Fraction(mechanism.sampled, mechanism.domain.options)
    return {
        output: (value - share) / speaking if _speaks(output) else Fraction(0)
        for output, value in values.items()
    }


def _speaks(output: str) -> bool:
    return any(option == 0 for option, _ in json.loads(output))


@pytest.mark.sweep
@pytest.mark.parametrize("mechanism", subsets(6), ids=name)
def test_the_share_of_options_together(mechanism: Subset) -> None:
    """At any share the variance of a sum of options is the enumerated one, and none is larger."""
    for merged in range(1, mechanism.domain_size):
        values = {
            output: sum(
                (share_part(mechanism, json.loads(output), option) for option in range(merged)),
                Fraction(),
            )
            for output in theory.channel(mechanism)
        }
        worst = merged_unit_variance(mechanism, merged)
        for part in TWELFTHS[::3]:
            truth = _of_two(mechanism.domain_size, 0, merged, part)
            found = merged_unit_variance(mechanism, merged, part)
            assert found == variance(mechanism, values, truth) <= worst


def test_one_option_alone_is_a_sum_of_one() -> None:
    """The worst variance of one option is the same by both plans, and at equal shares too."""
    for mechanism in subsets(6):
        assert merged_unit_variance(mechanism, 1) == unit_variance(mechanism)
        equal = merged_unit_variance(mechanism, 1, Share.EQUAL)
        assert equal == unit_variance(mechanism, Share.EQUAL)


@pytest.mark.parametrize("merged", [0, 3])
def test_a_sum_leaves_something_out(merged: int) -> None:
    """Nothing, or all options, put together are no share to plan for."""
    with pytest.raises(
        InvalidArgument, match=rf"merged: got {merged}; allowed are 1 to 2, one less"
    ):
        merged_unit_variance(Subset(3, 1, WEIGHTS[1]), merged)
    with pytest.raises(InvalidArgument, match=r"share: got 2; allowed is a share from 0 to 1"):
        merged_unit_variance(Subset(3, 1, WEIGHTS[1]), 1, 2)


def _mean_variances(
    mechanism: Subset | Piecewise, domain: OneOf
) -> Iterator[tuple[bool, Fraction]]:
    """The variances of the mean at pairs of answers, and whether both are ends."""
    parts = {
        output: mean_parts(mechanism, domain, json.loads(output))
        for output in theory.channel(mechanism)
    }
    scored, last = scores(domain.options), domain.options - 1
    for one, other in itertools.combinations(range(domain.options), 2):
        for part in TWELFTHS[::3]:
            truth = _of_two(domain.size, one, other, part)
            mean = part * scored[one] + (1 - part) * scored[other]
            linear = {output: total - mean * count for output, (total, count) in parts.items()}
            yield (one, other) == (0, last), variance(mechanism, linear, truth)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("mechanism", "domain"), MEANS, ids=[f"{name(one)}-of-{domain}" for one, domain in MEANS]
)
def test_a_mean(mechanism: Subset | Piecewise, domain: OneOf) -> None:
    """No two answers mixed give the mean a larger variance than planned, and the ends give it."""
    planned = mean_unit_variance(mechanism, domain)
    found = list(_mean_variances(mechanism, domain))
    assert all(value <= planned for _, value in found)
    # Sets of more than half of the options are never published.
    if not (isinstance(mechanism, Subset) and 2 * mechanism.size > mechanism.domain_size):
        assert max(value for is_ends, value in found if is_ends) == planned


@pytest.mark.parametrize(
    ("mechanism", "domain"), MEANS[::7], ids=[f"{name(one)}-of-{d}" for one, d in MEANS[::7]]
)
def test_the_parts_of_a_mean_are_unbiased(mechanism: Subset | Piecewise, domain: OneOf) -> None:
    """What a report adds expects the answer's score and 1, and 0 and 0 if there is no answer."""
    expected = [
        *((score, Fraction(1)) for score in scores(domain.options)),
        (Fraction(), Fraction()),
    ]
    for answer in range(domain.size):
        rows = theory.channel(mechanism).items()
        parts = [(row[answer], *mean_parts(mechanism, domain, json.loads(y))) for y, row in rows]
        total = sum((likelihood * sum_part for likelihood, sum_part, _ in parts), Fraction())
        count = sum((likelihood * count_part for likelihood, _, count_part in parts), Fraction())
        assert (total, count) == expected[answer]
