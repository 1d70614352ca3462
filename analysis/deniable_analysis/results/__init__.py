"""The results of an analysis: immutable, with their output formats."""

from deniable_analysis.results.asked import AmongAsked, Untold
from deniable_analysis.results.by_group import (
    GroupDifference,
    GroupedEstimates,
    GroupedQuestion,
)
from deniable_analysis.results.by_site import (
    SiteDifferences,
    SiteEstimate,
    SiteEstimates,
    SiteQuestion,
)
from deniable_analysis.results.comparison import Comparison, Difference
from deniable_analysis.results.crosstab import Crosstab, CrosstabEstimate
from deniable_analysis.results.estimates import Estimates
from deniable_analysis.results.independence import Departure, IndependenceTest
from deniable_analysis.results.numbers import DistributionEstimate, MeanEstimate
from deniable_analysis.results.pooled import PooledEstimates, PooledQuestion
from deniable_analysis.results.quantiles import Quantile, Quantiles, SurvivalCurve
from deniable_analysis.results.questions import QuestionEstimate
from deniable_analysis.results.response import ResponseRate
from deniable_analysis.results.screening import (
    NormComparison,
    Rate,
    ScreenedPrevalence,
    SummedShare,
)
from deniable_analysis.results.shares import CellEstimate, OptionEstimate, ShareEstimate
from deniable_analysis.results.trend import OptionTrend, Trend, TrendPoint
from deniable_analysis.results.winner import Rival, Winner

__all__ = [
    "AmongAsked",
    "CellEstimate",
    "Comparison",
    "Crosstab",
    "CrosstabEstimate",
    "Departure",
    "Difference",
    "DistributionEstimate",
    "Estimates",
    "GroupDifference",
    "GroupedEstimates",
    "GroupedQuestion",
    "IndependenceTest",
    "MeanEstimate",
    "NormComparison",
    "OptionEstimate",
    "OptionTrend",
    "PooledEstimates",
    "PooledQuestion",
    "Quantile",
    "Quantiles",
    "QuestionEstimate",
    "Rate",
    "ResponseRate",
    "Rival",
    "ScreenedPrevalence",
    "ShareEstimate",
    "SiteDifferences",
    "SiteEstimate",
    "SiteEstimates",
    "SiteQuestion",
    "SummedShare",
    "SurvivalCurve",
    "Trend",
    "TrendPoint",
    "Untold",
    "Winner",
]
