"""Normal intervals, and where there is none."""

import math

import numpy as np
import pytest

from deniable_analysis.estimate.intervals import normal_ends, normal_interval, shows_variance


def test_an_interval_reaches_so_many_standard_errors() -> None:
    """Each end is the reach times the root of the variance away."""
    low, high = normal_interval([3.0, -1.0], [1e-8, 4.0], 2.0)
    assert low == pytest.approx([2.9998, -5.0], rel=1e-12)
    assert high == pytest.approx([3.0002, 3.0], rel=1e-12)
    assert normal_ends(3.0, 1e-8, 2.0) == pytest.approx((2.9998, 3.0002), rel=1e-12)


@pytest.mark.parametrize("variance", [None, 0.0, 4e-15, -4e-15, math.inf, math.nan])
def test_without_a_variance_there_is_no_interval(variance: float | None) -> None:
    """Variances that are not there, rounding, or not finite give no ends."""
    assert normal_ends(3.0, variance, 1.96) == (None, None)
    spread = math.nan if variance is None else variance
    low, high = normal_interval([3.0, 3.0], [spread, 1.0], 1.96)
    assert np.isnan(low).tolist() == [True, False]
    assert np.isnan(high).tolist() == [True, False]


def test_what_is_rounding_depends_on_the_unit() -> None:
    """A mean of tiny numbers has an interval where one of shares would have none."""
    assert shows_variance([0.0, 0.0], [1e-16, 1e-16], [1.0, 1e-3]).tolist() == [False, True]
    assert shows_variance([1e6], [1e-16], 0.0).tolist() == [False]
    assert shows_variance([1e-9, 0.0], [1e-20, 0.0], 0.0).tolist() == [True, False]


def test_a_share_of_one_in_a_million_has_an_interval() -> None:
    """The variance of one report in a million is small, and not rounding."""
    reports = 1_000_000
    share = 1 / reports
    assert normal_ends(share, share * (1 - share) / reports, 1.96) != (None, None)
