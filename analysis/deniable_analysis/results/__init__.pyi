from .by_group import GroupDifference, GroupedEstimates, GroupedQuestion
from .by_site import SiteDifferences, SiteEstimate, SiteEstimates, SiteQuestion
from .comparison import Comparison, Difference
from .crosstab import Crosstab, CrosstabEstimate, Departure, IndependenceTest
from .editions import OptionTrend, PooledEstimates, PooledQuestion, Trend, TrendPoint
from .numbers import DistributionEstimate, MeanEstimate, Quantile, Quantiles, SurvivalCurve
from .questions import AmongAsked, QuestionEstimate
from .responses import ResponseRate
from .screening import NormComparison, Rate, ScreenedPrevalence, SummedShare
from .shares import CellEstimate, OptionEstimate, ShareEstimate
from .valid import project_to_simplex, valid_counts
from .winner import Rival, Winner

# fmt: off
__all__ = [
    "AmongAsked",
    "CellEstimate",
    "Comparison",
    "Crosstab",
    "CrosstabEstimate",
    "Departure",
    "Difference",
    "DistributionEstimate",
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
    "Winner",
    "project_to_simplex",
    "valid_counts",
]
# fmt: on
