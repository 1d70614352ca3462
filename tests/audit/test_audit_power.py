"""How much the audit sees: its limits, its power, and its silence on chance alone."""

import dataclasses
import math
import os
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from audit.auditor import LIMIT_ALPHA, Overspent, audit, lower_bound
from audit.devices import Samples, collect, shipped
from audit.pairs import PAIRS, Pair
from audit.power import detection_power, smallest_seen
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import integer_weights
from sampling_checks import ALPHA

COUNT = 1_000
# Samples of each side for a power of 0.9 at alpha 0.01, by options and by what
# is spent over the claim of 1; worked out apart from this code.
KNOWN = [(2, 1.1, 6750), (2, 1.25, 1143), (2, 1.5, 315), (2, 2, 96)]
KNOWN += [(5, 1.1, 16_100), (5, 1.25, 2550), (5, 1.5, 637), (5, 2, 162)]


def test_limits_are_those_of_clopper_and_pearson() -> None:
    """The bound is the logarithm of scipy's exact limits, also where a count is 0 or full."""
    for hits, other in ((0, 0), (0, 7), (60, 20), (100, 0), (100, 100)):
        shown = lower_bound(np.array([hits]), 100, np.array([other]), 100)[0]
        low, high = (
            stats.binomtest(count, 100).proportion_ci(1 - 2 * LIMIT_ALPHA, method="exact")
            for count in (hits, other)
        )
        expected = math.log(low.low / high.high) if hits else -math.inf
        assert shown == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("options", "times", "tested"), KNOWN)
def test_power_is_the_known_one(options: int, times: float, tested: int) -> None:
    """Known sample sizes have the power they were worked out for, and 4 % fewer have not."""
    assert detection_power(tested, times, 1, options, alpha=0.005) >= 0.9
    assert detection_power(int(tested * 0.96), times, 1, options, alpha=0.005) < 0.9


@pytest.mark.parametrize("name", ["warner", "one of four"])
def test_an_overspend_of_the_stated_size_is_found_out(name: str) -> None:
    """A device that spends just what the power promises to see is rejected."""
    pair = PAIRS[name]
    block = pair.survey.blocks[0]
    assert isinstance(block.mechanism, Subset)
    spent = smallest_seen(COUNT // 2, pair.claim, 1 - ALPHA, block.mechanism.domain_size)
    weights = integer_weights(Fraction(spent).limit_denominator(10**6))
    wrong = block.replace(mechanism=block.mechanism.replace(weights=weights))
    samples = _both_sides(pair, pair.survey.replace(blocks=(wrong,)))
    with pytest.raises(Overspent, match=r"epsilon is at least \d\.\d+ where 1\.000 is claimed"):
        audit(*samples, pair.claim)


def test_chance_alone_shows_nothing(random_source: random.Random) -> None:
    """Noise that no answer has a part in shows no epsilon at all, again and again."""
    for _ in range(40):
        first, second = (
            [(random_source.randbytes(2).hex().encode(),) for _ in range(400)] for _ in range(2)
        )
        assert audit(first, second, 0).epsilon == 0


def test_bytes_that_are_no_json_are_seen_too() -> None:
    """A leak in bytes that cannot be read as JSON is found by their length and end."""
    first = [(b"{" + os.urandom(8),) for _ in range(COUNT)]
    second = [(b"{" + os.urandom(9),) for _ in range(COUNT)]
    with pytest.raises(Overspent, match=r"'length' is one of (9|10)"):
        audit(first, second, 1)


def _both_sides(pair: Pair, survey: PublishedSurvey) -> tuple[Samples, Samples]:
    """Samples of the shipped device for a survey that is not the pair's."""
    other = dataclasses.replace(pair, survey=survey)
    first, second = (
        collect(shipped, other, answers, COUNT) for (answers,) in (pair.first, pair.second)
    )
    return first, second
