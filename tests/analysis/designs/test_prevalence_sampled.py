"""Intervals and tests from tables hold what they say, over many simulated studies."""

from random import Random
from typing import Any

import numpy as np
import pytest

from analysis.known.prevalences import KNOWN
from deniable_analysis.designs import (
    ByGroup,
    DirectComparison,
    Prevalence,
    cheating_detection,
    compare_with_direct,
    crosswise,
    direct,
    prevalence,
    stochastic_lie_detector,
    warner,
)
from sampling_checks import SampleRejected, check_binomial

STUDIES = 300
SIXTH = 1 / 6
DETECTOR = stochastic_lie_detector({1: SIXTH, 2: 1 - SIXTH})
THREE = KNOWN["a matrix of three"].design
MIXED = ByGroup("mode", {"a": warner(0.8), "b": crosswise(0.2), "c": direct()})

# What is estimated, its matrices by group, rows by group, and true shares.
STUDY = {
    "three categories": (THREE, [THREE.probabilities], [600], [0.5, 0.3, 0.2]),
    "lie detector": (DETECTOR, list(DETECTOR.matrices([0.65])), [900, 900], [0.4, 0.6]),
    "cheating": (
        cheating_detection({1: 0.1, 2: 0.6}),
        list(cheating_detection({1: 0.1, 2: 0.6}).matrices(())),
        [700, 900],
        [0.5, 0.3, 0.2],
    ),
    "several designs": (
        MIXED,
        [warner(0.8).probabilities, crosswise(0.2).probabilities, direct().probabilities],
        [400, 500, 60],
        [0.7, 0.3],
    ),
}


def _studies(
    matrices: list[Any], rows: list[int], shares: list[float], source: Random
) -> list[list[list[int]]]:
    """Counts of every group of every simulated study."""
    generator = np.random.default_rng(source.getrandbits(64))
    each = [
        generator.multinomial(n, matrix @ np.array(shares), size=STUDIES)
        for matrix, n in zip(matrices, rows, strict=True)
    ]
    counts: list[list[list[int]]] = np.stack(each, axis=1).tolist()
    return counts


def _estimates(name: str, source: Random, method: str) -> list[Prevalence]:
    design, matrices, rows, shares = STUDY[name]
    studies = _studies(matrices, rows, shares, source)
    is_single = len(matrices) == 1
    return [
        prevalence(counts[0] if is_single else counts, design=design, method=method)
        for counts in studies
    ]


def _held(results: list[Prevalence], shares: list[float], narrowed: float = 1.0) -> list[int]:
    """How often each share lies in its interval, made narrower around its middle."""
    found = []
    for index, share in enumerate(shares):
        ends = [(result.options[index].low, result.options[index].high) for result in results]
        low, high = np.array(ends, dtype=np.float64).T
        middle, reach = (low + high) / 2, (high - low) / 2
        found.append(int(np.sum(np.abs(share - middle) <= narrowed * reach)))
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("name", STUDY)
def test_intervals_hold_the_shares(name: str, random_source: Random) -> None:
    """Normal intervals of unbiased shares cover as often as they say; narrower ones do not."""
    results = _estimates(name, random_source, "moment")
    shares = STUDY[name][3]
    for hits, too_few in zip(
        _held(results, shares), _held(results, shares, narrowed=0.6), strict=True
    ):
        check_binomial(hits, STUDIES, 0.95)
        with pytest.raises(SampleRejected):
            check_binomial(too_few, STUDIES, 0.95)


@pytest.mark.deep
def test_intervals_hold_the_truthfulness(random_source: Random) -> None:
    """The interval of the lie detector's parameter covers as often as it says."""
    results = _estimates("lie detector", random_source, "likelihood")
    hits = 0
    for result in results:
        (truth,) = result.parameters
        assert truth.low is not None
        assert truth.high is not None
        hits += truth.low <= 0.65 <= truth.high
    check_binomial(hits, STUDIES, 0.95)


def _comparisons(die: float, source: Random) -> list[DirectComparison]:
    """Simulated comparisons, three in ten admitting it openly."""
    design = ByGroup("mode", {"openly": direct(), "die": warner(0.8)})
    generator = np.random.default_rng(source.getrandbits(64))
    direct_yes = generator.binomial(500, 0.3, STUDIES).tolist()
    die_yes = generator.binomial(900, 0.2 + 0.6 * die, STUDIES).tolist()
    return [
        compare_with_direct(
            {"openly": [500 - first, first], "die": [900 - second, second]}, design=design
        )
        for first, second in zip(direct_yes, die_yes, strict=True)
    ]


@pytest.mark.deep
def test_the_comparison_with_direct_answers_holds_its_level(random_source: Random) -> None:
    """Equal shares are called different in 5 % of studies, different ones far more often."""
    for die, is_right in ((0.3, True), (0.4, False)):
        found = _comparisons(die, random_source)
        chances = [each["yes"].p_value for each in found]
        by_z = [chance < 0.05 for chance in chances if chance is not None]
        assert len(by_z) == STUDIES
        by_ratio = [each.p_value < 0.05 for each in found]
        for hits in (sum(by_z), sum(by_ratio)):
            if is_right:
                check_binomial(hits, STUDIES, 0.05)
                continue
            with pytest.raises(SampleRejected):
                check_binomial(hits, STUDIES, 0.05)


@pytest.mark.deep
@pytest.mark.parametrize("name", STUDY)
@pytest.mark.parametrize("scale", [1, 3, 10])
def test_intervals_hold_the_shares_of_studies_of_every_size(
    name: str, scale: int, random_source: Random
) -> None:
    """From hundreds to thousands of rows normal intervals cover within 2 points of 95 %."""
    design, matrices, rows, shares = STUDY[name]
    studies = [
        counts
        for _ in range(8)
        for counts in _studies(matrices, [n * scale for n in rows], shares, random_source)
    ]
    is_single = len(matrices) == 1
    results = [prevalence(counts[0] if is_single else counts, design=design) for counts in studies]
    for hits in _held(results, shares):
        assert abs(hits / len(studies) - 0.95) < 0.02
