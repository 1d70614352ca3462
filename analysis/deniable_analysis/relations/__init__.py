"""Relations between questions, studies and editions."""

from deniable_analysis.relations.comparison import compare
from deniable_analysis.relations.cutoffs import share_above, share_below
from deniable_analysis.relations.pooling import pool_studies
from deniable_analysis.relations.screening import compare_with_norm, screened_prevalence
from deniable_analysis.relations.trend import trend

__all__ = [
    "compare",
    "compare_with_norm",
    "pool_studies",
    "screened_prevalence",
    "share_above",
    "share_below",
    "trend",
]
