"""The estimators: numbers in, numbers out, one idea in each file."""

from deniable_analysis.estimators.channel import Channel
from deniable_analysis.estimators.confidence import normal_ends, normal_interval, shows_variance
from deniable_analysis.estimators.difference import Correction
from deniable_analysis.estimators.finite import sampling_scale
from deniable_analysis.estimators.intervals import (
    Interval,
    IntervalRule,
    share_interval,
)
from deniable_analysis.estimators.manipulation import manipulation_margin
from deniable_analysis.estimators.outputs import likeliest_shares, output_shares
from deniable_analysis.estimators.projection import project_to_simplex, valid_counts
from deniable_analysis.estimators.ratio import fieller_interval, ratio_of_means
from deniable_analysis.estimators.shares import (
    covariance_matrix,
    debias,
    mechanism_variance,
    sampling_variance,
    total_variance,
)
from deniable_analysis.estimators.weights import WeightedShares, pool, weighted_shares

__all__ = [
    "Channel",
    "Correction",
    "Interval",
    "IntervalRule",
    "WeightedShares",
    "covariance_matrix",
    "debias",
    "fieller_interval",
    "likeliest_shares",
    "manipulation_margin",
    "mechanism_variance",
    "normal_ends",
    "normal_interval",
    "output_shares",
    "pool",
    "project_to_simplex",
    "ratio_of_means",
    "sampling_scale",
    "sampling_variance",
    "share_interval",
    "shows_variance",
    "total_variance",
    "valid_counts",
    "weighted_shares",
]
