"""How questions, studies and editions relate to each other."""

from deniable_analysis.relations.comparison import compare
from deniable_analysis.relations.pooling import pool_studies
from deniable_analysis.relations.trend import trend

__all__ = ["compare", "pool_studies", "trend"]
