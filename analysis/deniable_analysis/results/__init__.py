"""The results: what an analyst gets, frozen, and the forms it can take."""

from deniable_analysis.results.crosstab import CrosstabEstimate
from deniable_analysis.results.estimates import Estimates
from deniable_analysis.results.numbers import DistributionEstimate, MeanEstimate
from deniable_analysis.results.question import QuestionEstimate
from deniable_analysis.results.shares import CellEstimate, OptionEstimate, ShareEstimate

__all__ = [
    "CellEstimate",
    "CrosstabEstimate",
    "DistributionEstimate",
    "Estimates",
    "MeanEstimate",
    "OptionEstimate",
    "QuestionEstimate",
    "ShareEstimate",
]
