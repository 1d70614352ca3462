"""Random effects have metafor's numbers; the test and the interval hold what they say."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.heterogeneity import (
    RandomEffects,
    common_variances,
    random_effects,
)

SUPPORT = np.array([75, 120, 30, 215, 320, 90])
REPORTS = np.array([200, 350, 150, 500, 800, 260])
EPSILONS = np.array([1.0, 2.0, 3.0, 1.5, 0.75, 2.5])
STUDIES = 4_000


def warner(epsilons: ArrayLike) -> tuple[Floats, Floats]:
    """The probabilities of support of both answers."""
    keep = 1 / (1 + np.exp(-np.asarray(epsilons)))
    return keep, 1 - keep


def test_numbers_are_those_of_metafor() -> None:
    """Six sites with six epsilons, each with its own variance; rma of metafor 3.8, DL and knha."""
    keep, flip = warner(EPSILONS)
    rates = SUPPORT / REPORTS
    shares = (rates - flip) / (keep - flip)
    own = rates * (1 - rates) / (REPORTS * (keep - flip) ** 2)
    found = random_effects(shares, own, 0.95)
    assert found.q == pytest.approx(22.7640068114, rel=1e-9)
    assert found.degrees_of_freedom == 5
    assert found.p_value == pytest.approx(0.000374493799435, rel=1e-9)
    assert found.i_squared == pytest.approx(0.780355012128, rel=1e-9)
    assert found.tau**2 == pytest.approx(0.00560230117033, rel=1e-9)
    assert found.mean == pytest.approx(0.274623187099, rel=1e-9)
    # metafor's Hartung-Knapp error is 0.0333, below the usual one.
    assert found.standard_error == pytest.approx(0.0352794091089, rel=1e-9)
    half = 2.570581835636 * 0.0352794091089
    assert (found.low, found.high) == pytest.approx((found.mean - half, found.mean + half))


def test_equal_sites_do_not_differ() -> None:
    """Q is 0, and so are the parts between sites."""
    found = random_effects([0.25, 0.25, 0.25], [0.01, 0.02, 0.03], 0.9)
    assert (found.q, found.p_value, found.i_squared, found.tau) == (0, 1, 0, 0)
    assert found.mean == pytest.approx(0.25)
    assert found.standard_error == pytest.approx(1 / math.sqrt(100 + 50 + 100 / 3))


def test_what_cannot_be_compared_is_refused() -> None:
    """A single site, and a site whose reports are all the same."""
    with pytest.raises(NotIdentified, match="fewer than two sites"):
        random_effects([0.2], [0.01], 0.95)
    with pytest.raises(NotIdentified, match="no variance"):
        random_effects([0.2, 0.3], [0.01, 0.0], 0.95)
    keep, flip = warner([1, 1])
    assert (common_variances([0, 0], [50, 90], keep, flip) == 0).all()


@pytest.mark.parametrize("support", [0, 1])
def test_sites_whose_reports_are_all_the_same_have_no_variance(support: int) -> None:
    """Not that of a rounding error, for any epsilon: Q of such sites would be anything."""
    for epsilon in np.linspace(0.01, 8, 400):
        keep, flip = warner([epsilon] * 3)
        reports = np.array([1, 7, 50])
        assert (common_variances(support * reports, reports, keep, flip) == 0).all()


def test_a_site_may_be_far_more_exact_than_the_others() -> None:
    """Its weight is the sum of weights, to the last bit; the scale of the moments is 2."""
    found = random_effects([0.0, 3.0], [1e-20, 1.0], 0.95)
    assert found.q == pytest.approx(9)
    assert found.tau**2 == pytest.approx((9 - 1) / 2)


def studies(sites: int, tau: float, epsilons: Sequence[float], seed: int) -> list[RandomEffects]:
    """The analyses of many studies with a mean share of 0.3."""
    generator = np.random.default_rng(seed)
    reports = np.geomspace(100, 1_000, sites).round()
    keep, flip = warner(np.resize(epsilons, sites))
    found = []
    for _ in range(STUDIES):
        truth = np.clip(0.3 + tau * generator.standard_normal(sites), 0, 1)
        support = generator.binomial(reports.astype(int), flip + truth * (keep - flip))
        shares = (support / reports - flip) / (keep - flip)
        variances = common_variances(support, reports, keep, flip)
        found.append(random_effects(shares, variances, 0.95))
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("epsilons", [(1,), (1, 2, 4)])
@pytest.mark.parametrize("sites", [3, 5, 10])
def test_equal_sites_are_rejected_as_often_as_said(sites: int, epsilons: Sequence[float]) -> None:
    """In 5 % of studies, within four standard errors and the 0.3 points of small sites."""
    rejected = np.mean([each.p_value < 0.05 for each in studies(sites, 0, epsilons, 1)])
    assert abs(rejected - 0.05) < 4 * math.sqrt(0.05 * 0.95 / STUDIES) + 0.003


@pytest.mark.sweep
@pytest.mark.parametrize("epsilons", [(1,), (1, 2, 4)])
@pytest.mark.parametrize("sites", [3, 5, 10])
def test_the_interval_contains_the_mean_of_sites_that_differ(
    sites: int, epsilons: Sequence[float]
) -> None:
    """In 94 % of studies at least, where sites differ by 5 points."""
    found = studies(sites, 0.05, epsilons, 2)
    covered = np.mean([each.low <= 0.3 <= each.high for each in found])
    assert covered > 0.94 - 4 * math.sqrt(0.94 * 0.06 / STUDIES)
    # The usual interval, with a quantile of the normal distribution, is too short.
    usual = np.mean([abs(each.mean - 0.3) <= 1.96 * each.standard_error for each in found])
    assert usual < covered
