from .channel import manipulation_margin, mechanism_variance, sampling_variance, total_variance
from .covariance import covariance_matrix
from .weights import WeightedShares

# fmt: off
__all__ = [
    "WeightedShares", "covariance_matrix", "manipulation_margin", "mechanism_variance",
    "sampling_variance", "total_variance",
]
# fmt: on
