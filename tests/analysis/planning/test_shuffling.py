"""What the file of a closed survey says about one person, against enumerated files."""

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest

from analysis.known.numbers import KnownNumber, known
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.privacy import FilePrivacy, shuffled_epsilon
from deniable_sdk import theory
from deniable_sdk.mechanisms import Mechanism
from mechanism_grid import piecewises, privsets, sampled_bits
from planning_channels import WEIGHTS, subsets
from sampled_params import sampled_params

Law = Sequence[Fraction]
File = dict[tuple[int, ...], Fraction]

DELTAS = (0.05, 0.001)
REPORTS = 4


def file_of(laws: Sequence[Law]) -> File:
    """The probability of each file: how often it has each output."""
    files: File = {(0,) * len(laws[0]): Fraction(1)}
    for law in laws:
        longer: File = {}
        for counts, chance in files.items():
            for output, part in enumerate(law):
                if part:
                    key = (*counts[:output], counts[output] + 1, *counts[output + 1 :])
                    longer[key] = longer.get(key, Fraction()) + chance * part
        files = longer
    return files


def failure(one: File, other: File, epsilon: float) -> Fraction:
    """Delta at epsilon: what is likelier under one law than epsilon allows."""
    most = Fraction(math.exp(epsilon))
    return sum((max(Fraction(), one[key] - most * other.get(key, 0)) for key in one), Fraction())


def largest_failure(laws: Sequence[Law], reports: int, epsilon: float) -> Fraction:
    """The largest delta for two answers of one person, whatever the others answer."""
    return max(
        failure(file_of([one, *others]), file_of([other, *others]), epsilon)
        for others in itertools.combinations_with_replacement(laws, reports - 1)
        for one, other in itertools.permutations(laws, 2)
    )


def ratio_of(laws: Sequence[Law]) -> Fraction:
    """The largest likelihood ratio of an output."""
    ratios: Iterator[Fraction] = (
        one / other for column in zip(*laws, strict=True) for one in column for other in column
    )
    return max(ratios)


def laws_of(mechanism: Mechanism) -> Sequence[Law]:
    """The law of the outputs for each answer, up to three of them."""
    rows = theory.channel(mechanism).values()
    return [list(law) for law in zip(*rows, strict=True)][:3]


def any_laws(seed: int) -> list[Law]:
    """Three answers of four outputs, with no structure."""
    draw = random.Random(seed)
    rows = [[Fraction(draw.randint(1, 9)) for _ in range(4)] for _ in range(3)]
    return [[part / sum(row) for part in row] for row in rows]


SMALL = [
    each
    for each in (
        *subsets(3),
        *sampled_bits(2, WEIGHTS),
        *privsets(2, WEIGHTS),
        *piecewises(3, WEIGHTS),
    )
    if len(theory.channel(each)) <= 5
]


@pytest.mark.parametrize(
    "laws", [*sampled_params(map(laws_of, SMALL), 12), *sampled_params(map(any_laws, range(12)))]
)
def test_no_file_says_more(laws: Sequence[Law]) -> None:
    """The exact delta of every small file, at the epsilon of the bound, is at most delta."""
    for delta in DELTAS:
        epsilon = shuffled_epsilon(ratio_of(laws), REPORTS, delta)
        assert largest_failure(laws, REPORTS, epsilon) <= delta


@pytest.mark.parametrize("ratio", [Fraction(3), Fraction(15, 2), Fraction(50)])
@pytest.mark.parametrize("part", [0.2, 0.5, 0.8])
def test_the_bound_is_that_of_the_worst_file(ratio: Fraction, part: float) -> None:
    """It is the epsilon of a file of Warner's reports whose others tell what cloned nothing."""
    one = [ratio / (ratio + 1), 1 / (ratio + 1), Fraction(0)]
    others = [[1 / (ratio + 1), 1 / (ratio + 1), (ratio - 1) / (ratio + 1)]] * 7
    epsilon = part * math.log(ratio)
    files = file_of([one, *others]), file_of([[one[1], one[0], one[2]], *others])
    found = shuffled_epsilon(ratio, 8, failure(*files, epsilon))
    assert found == pytest.approx(epsilon, rel=1e-5)
    assert found >= epsilon * (1 - 1e-12)


@pytest.mark.parametrize("reports", [3, 8])
def test_warners_file_nearly_attains_the_bound(reports: int) -> None:
    """The exact epsilon of files of yes and no is close to the bound."""
    laws = [[Fraction(7, 8), Fraction(1, 8)], [Fraction(1, 8), Fraction(7, 8)]]
    epsilon = 0.7 * math.log(7)
    delta = largest_failure(laws, reports, epsilon)
    assert shuffled_epsilon(Fraction(7), reports, delta) == pytest.approx(epsilon, rel=0.01)


@pytest.mark.parametrize("number", known("shuffle"))
def test_known_figures(number: KnownNumber) -> None:
    """The known epsilon of files, some of whose respondents tell what they reported."""
    given = number.inputs
    reports = given["n"] - given.get("colluding", 0)
    found = shuffled_epsilon(Fraction(math.exp(given["eps0"])), reports, given["delta"])
    assert found == pytest.approx(number.expected, abs=number.tolerance)


def test_more_of_anything_moves_the_bound_one_way() -> None:
    """More reports and a larger delta lower it, and a larger ratio raises it."""
    by_reports = [
        shuffled_epsilon(Fraction(7), reports, 1e-6)
        for reports in (1, 2, 5, 20, 100, 1000, 30_000, 10**12)
    ]
    by_ratio = [
        shuffled_epsilon(ratio, 500, 1e-6)
        for ratio in (
            Fraction(1),
            Fraction(1001, 1000),
            Fraction(2),
            Fraction(50),
            Fraction(10**6),
        )
    ]
    by_delta = [shuffled_epsilon(Fraction(7), 500, delta) for delta in (1e-12, 1e-6, 0.01, 0.9)]
    assert by_reports == sorted(by_reports, reverse=True)
    assert by_ratio == sorted(by_ratio)
    assert by_delta == sorted(by_delta, reverse=True)
    assert (by_ratio[0], by_delta[-1]) == (0, 0)
    assert by_reports[0] <= math.log(7)


@pytest.mark.parametrize(("reports", "delta"), [(1, 1e-6), (10_000, 1e-6), (100_000, 1e-7)])
def test_delta_follows_from_the_reports(reports: int, delta: float) -> None:
    """One in a million, and a hundredth of one in all reports where that is less."""
    assert FilePrivacy.of(Fraction(3), reports).delta == pytest.approx(delta)


@pytest.mark.parametrize("reports", [40, 1000, 123_456])
def test_the_figure_is_rounded_up(reports: int) -> None:
    """It has three digits, and is never below the bound."""
    figure = FilePrivacy.of(Fraction(3), reports)
    bound = shuffled_epsilon(Fraction(3), reports, figure.delta)
    assert figure.epsilon is not None
    assert bound <= figure.epsilon <= bound * 1.01
    assert float(f"{figure.epsilon:.3g}") == figure.epsilon


@pytest.mark.parametrize(
    ("ratio", "reports"), [(Fraction(3), 1), (Fraction(3), 2), (Fraction(1), 9)]
)
def test_a_file_may_have_no_gain(ratio: Fraction, reports: int) -> None:
    """Where the bound is that of the report, there is no figure."""
    assert FilePrivacy.of(ratio, reports).epsilon is None


def test_what_is_no_file_is_refused() -> None:
    """A ratio below 1, no reports and a delta of 1 are refused."""
    with pytest.raises(InvalidArgument, match=r"^ratio: got .*; allowed is e\^epsilon"):
        FilePrivacy.of(Fraction(1, 2), 10)
    with pytest.raises(InvalidArgument, match=r"^got 0 reports; a file needs at least 1"):
        FilePrivacy.of(Fraction(3), 0)
    with pytest.raises(
        InvalidArgument, match=r"^delta: got 1; allowed is a number between 0 and 1"
    ):
        shuffled_epsilon(Fraction(3), 10, 1)
