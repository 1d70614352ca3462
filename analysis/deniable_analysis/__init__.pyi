from . import designs, errors, estimate, planning, privacy, regression, results
from .defaults import Interval
from .editions import open_editions, open_sites, open_study, open_table
from .estimate.channel import Channel, debias
from .estimate.choice import IntervalRule
from .estimate.intervals import Correction, share_interval
from .estimate.weights import weighted_shares
from .export import export_parts, export_release, export_study
from .regression.nested import likelihood_ratio
from .regression.regress import regress
from .regression.results import Regression
from .relations.comparison import compare
from .relations.cutoffs import share_above, share_below
from .relations.pooling import pool_studies
from .relations.screening import compare_with_norm, screened_prevalence
from .relations.trend import trend
from .reports import count_values
from .results.estimates import Estimates
from .study import Study

# fmt: off
__all__ = [
    "Channel", "Correction", "Estimates", "Interval", "IntervalRule", "Regression", "Study",
    "compare", "compare_with_norm", "count_values", "debias", "designs", "errors", "estimate",
    "export_parts", "export_release", "export_study", "likelihood_ratio", "open_editions",
    "open_sites", "open_study", "open_table", "planning", "pool_studies", "privacy", "regress",
    "regression", "results", "screened_prevalence", "share_above", "share_below",
    "share_interval", "trend", "weighted_shares",
]
# fmt: on
