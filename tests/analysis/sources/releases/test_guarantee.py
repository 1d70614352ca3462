"""What a release reveals, enumerated over all values of a report; and that its noise is exact."""

import itertools
import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest

from analysis.enumerated import surveys
from analysis.released import noise_chances
from deniable_analysis.sources.release_file import (
    noise_scale,
    privacy_loss,
    released_members,
    sensitivity,
)
from deniable_analysis.sources.releases import add_noise, import_opendp
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import ValueForm
from deniable_storage.counts import Member
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from sampling_checks import SampleRejected, check_chi_square

FORMS = [
    *(ValueForm(members) for members in (2, 3, 7)),
    *(ValueForm(members, (size,)) for members in (2, 3, 5, 6) for size in range(1, members)),
    *(
        ValueForm(options, (sampled, 2))
        for options in (1, 2, 4)
        for sampled in range(1, options + 1)
    ),
]
EPSILONS = [Fraction(1, 100), Fraction(1, 3), Fraction(1), Fraction("2.718281828"), Fraction(10)]
Value = frozenset[Member]


def values_of(form: ValueForm) -> list[Value]:
    """The members of every value of a form."""
    if not form.shape:
        return [frozenset([member]) for member in range(form.members)]
    chosen = list(combinations(range(form.members), form.shape[0]))
    if not form.are_pairs:
        return [frozenset(each) for each in chosen]
    return [
        frozenset(zip(options, bits, strict=True))
        for options in chosen
        for bits in product((0, 1), repeat=form.shape[0])
    ]


def drawn(form: ValueForm, value: Value) -> tuple[object, ...]:
    """What a device draws of a value without looking at the answer: whose bits these are."""
    if not form.are_pairs:
        return ()
    return tuple(sorted(member[0] for member in value if isinstance(member, tuple)))


def difference(form: ValueForm, first: Value, second: Value) -> int:
    """How much the released counts of two sets of reports differ that differ in this value."""
    return sum((each in first) != (each in second) for each in released_members(form))


def neighbours(form: ValueForm) -> list[tuple[Value, Value]]:
    """All pairs of values that one report can have in two neighbouring sets of reports."""
    pairs = itertools.product(values_of(form), repeat=2)
    return [(one, other) for one, other in pairs if drawn(form, one) == drawn(form, other)]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_the_sensitivity_is_the_largest_difference(form: ValueForm) -> None:
    """Enumerated: no pair of values changes the released counts more, and one as much."""
    found = [difference(form, *pair) for pair in neighbours(form)]
    assert max(found) == sensitivity(form)


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_all_counts_follow_from_those_that_are_released(form: ValueForm) -> None:
    """Two values with the same draws and the same released members are the same value."""
    for one, other in neighbours(form):
        assert (difference(form, one, other) == 0) == (one == other)


def some_surveys() -> dict[str, PublishedSurvey]:
    """Every kind of block alone, and surveys of several blocks, of which all or some are asked."""
    several = [yes_no(required=True), choice(options=4), multiple(options=5, at_most=2), scale()]
    return {
        **surveys(),
        "all of four": survey(*several, number(highest=3), ask=5),
        "two of four": survey(*several, ask=2),
    }


@pytest.mark.sweep
@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
@pytest.mark.parametrize("name", some_surveys())
def test_no_pair_of_reports_is_told_apart_by_more_than_epsilon(
    name: str, epsilon: Fraction
) -> None:
    """The exact exponent of the ratio of two probabilities of any release is at most epsilon.

    A noise z has a probability proportional to exp(-|z| / scale). So a release is at most
    exp(sum of |difference| / scale) times as likely with one report as with another.
    """
    published = some_surveys()[name]
    scales = {
        block.id: noise_scale(block.mechanism.form, epsilon, published.asked)
        for block in published.blocks
    }
    worst = {
        block.id: max(
            Fraction(difference(block.mechanism.form, *pair)) / scales[block.id]
            for pair in neighbours(block.mechanism.form)
        )
        for block in published.blocks
        if len(values_of(block.mechanism.form)) < 1000
    }
    assert len(worst) == len(published.blocks)
    told = [sum(worst[each] for each in chosen) for chosen in combinations(worst, published.asked)]
    assert max(told) <= epsilon
    # Nothing is wasted except by rounding the scales up.
    assert max(told) >= epsilon * (1 - Fraction(1, 100))
    forms = [(block.mechanism.form, scales[block.id]) for block in published.blocks]
    assert privacy_loss(forms, published.asked) == max(told)
    assert all(Fraction(float(each)) == each for each in scales.values())


def test_a_smaller_sensitivity_is_seen() -> None:
    """With half of the scale of a choice, as if its sensitivity were 1, epsilon is exceeded."""
    form, epsilon = ValueForm(3), Fraction(1)
    half = noise_scale(form, epsilon, 1) / 2
    assert max(difference(form, *pair) for pair in neighbours(form)) / half == 2 * epsilon


def check_noise(noises: tuple[int, ...], noise_of: float) -> None:
    """Accept numbers as discrete Laplace noise of this scale."""
    chances = noise_chances(noise_of, 2000)
    edge = math.ceil(6 * noise_of)
    cells = [*range(-edge, edge + 1)]
    found = Counter(min(max(each, -edge), edge) for each in noises)
    middle = chances[2000 - edge + 1 : 2000 + edge].tolist()
    end = (1 - sum(middle)) / 2
    check_chi_square([found[each] for each in cells], [end, *middle, end])


@pytest.mark.parametrize("noise_of", [Fraction(1, 2), Fraction(3), Fraction(1025, 1024)])
def test_the_noise_is_discrete_laplace(noise_of: Fraction) -> None:
    """Drawn by OpenDP, which accepts no seed; counts far below 0 are not clipped."""
    noisy = add_noise(import_opendp(), [-5] * 40_000, noise_of)
    noises = tuple(each + 5 for each in noisy)
    check_noise(noises, float(noise_of))
    with pytest.raises(SampleRejected):
        check_noise(noises, float(noise_of) * 0.8)


def test_opendp_knows_the_same_loss() -> None:
    """Its own privacy map, for the scale and the sensitivity of a choice, is epsilon."""
    opendp, form = import_opendp(), ValueForm(3)
    width = float(noise_scale(form, Fraction(1, 4), 2))
    space = (
        opendp.vector_domain(opendp.atom_domain(T=opendp.i64)),
        opendp.l1_distance(T=opendp.i64),
    )
    assert opendp.m.make_laplace(*space, scale=width).map(sensitivity(form)) == 1 / 8
