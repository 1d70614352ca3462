"""The estimators: numbers in, numbers out, one idea in each file."""

from deniable_analysis.estimators.channel import Channel
from deniable_analysis.estimators.confidence import normal_ends, normal_interval, shows_variance
from deniable_analysis.estimators.difference import Correction
from deniable_analysis.estimators.finite import check_population, sampling_scale
from deniable_analysis.estimators.intervals import (
    Interval,
    IntervalRule,
    read_interval,
    share_interval,
)
from deniable_analysis.estimators.manipulation import FORGED, manipulation_margin
from deniable_analysis.estimators.outputs import likeliest_shares, output_shares
from deniable_analysis.estimators.projection import project_to_simplex, valid_counts
from deniable_analysis.estimators.ratio import Ratio, fieller_interval, ratio_of_means
from deniable_analysis.estimators.sanity import (
    FALSE_ALARM_RATE,
    boundary_deviation,
    errors_beyond,
    is_beyond_chance,
    largest_by_chance,
)
from deniable_analysis.estimators.shares import (
    both_supported,
    covariance_matrix,
    debias,
    mechanism_variance,
    sampling_variance,
    support_rates,
    total_variance,
)
from deniable_analysis.estimators.weights import WeightedShares, pool, weighted_shares

__all__ = [
    "FALSE_ALARM_RATE",
    "FORGED",
    "Channel",
    "Correction",
    "Interval",
    "IntervalRule",
    "Ratio",
    "WeightedShares",
    "both_supported",
    "boundary_deviation",
    "check_population",
    "covariance_matrix",
    "debias",
    "errors_beyond",
    "fieller_interval",
    "is_beyond_chance",
    "largest_by_chance",
    "likeliest_shares",
    "manipulation_margin",
    "mechanism_variance",
    "normal_ends",
    "normal_interval",
    "output_shares",
    "pool",
    "project_to_simplex",
    "ratio_of_means",
    "read_interval",
    "sampling_scale",
    "sampling_variance",
    "share_interval",
    "shows_variance",
    "support_rates",
    "total_variance",
    "valid_counts",
    "weighted_shares",
]
