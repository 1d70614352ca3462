"""How far raw shares lie beyond 0 and 1."""

import numpy as np
import pytest
from scipy import stats

from analysis.channels import real_channel
from deniable_analysis import Channel, InvalidCounts
from deniable_analysis.estimators import MAX_DEVIATION, boundary_deviation


def test_shares_within_do_not_deviate() -> None:
    """Shares of 0, 1 and between lie beyond neither boundary."""
    assert boundary_deviation([25, 50, 75], 100, Channel(0.75, 0.25)).tolist() == [0, 0, 0]


def test_deviation_counts_standard_errors_at_the_boundary() -> None:
    """Ten reports beyond a boundary with a standard error of 4 reports are 2.5 of these."""
    found = boundary_deviation([10, 90], 100, Channel(0.8, 0.2))
    assert found.tolist() == pytest.approx([-2.5, 2.5])


@pytest.mark.parametrize("epsilon", [0.1, 1, 4])
@pytest.mark.parametrize("report_count", [10, 300, 10_000])
def test_a_true_share_of_zero_hardly_ever_warns(epsilon: float, report_count: int) -> None:
    """Summed over every count, a true share of 0 lies that far below 0 less than 1 in 10,000."""
    channel = real_channel(epsilon)
    counts = np.arange(report_count + 1)
    deviations = boundary_deviation(counts, report_count, channel)
    chances = stats.binom.pmf(counts, report_count, float(channel.flip))
    assert chances[deviations < -MAX_DEVIATION].sum() < 1e-4


def test_deviation_needs_reports() -> None:
    """Without reports there is nothing to check."""
    with pytest.raises(InvalidCounts, match=r"got 0 reports"):
        boundary_deviation([0], 0, Channel(0.75, 0.25))
