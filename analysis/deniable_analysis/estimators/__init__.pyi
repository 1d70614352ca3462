from .channel import manipulation_margin
from .sanity import project_to_simplex, valid_counts
from .shares import covariance_matrix, mechanism_variance, sampling_variance, total_variance
from .weights import WeightedShares

# fmt: off
__all__ = [
    "WeightedShares", "covariance_matrix", "manipulation_margin", "mechanism_variance",
    "project_to_simplex", "sampling_variance", "total_variance", "valid_counts",
]
# fmt: on
