from .designs import (
    ByGroup,
    Design,
    DirectComparison,
    GoodnessOfFit,
    Likelihoods,
    ParameterEstimate,
    Prevalence,
    ShareDifference,
    UnknownDesign,
    cheating_detection,
    cheating_detection_symmetric,
    compare_with_direct,
    crosswise,
    direct,
    disguised,
    forced_choice,
    forced_response,
    from_matrix,
    from_mechanism,
    kuk,
    likelihoods,
    mangat,
    prevalence,
    stochastic_lie_detector,
    triangular,
    unrelated_question,
    unrelated_question_unknown,
    warner,
)
from .editions import open_editions, open_study
from .errors import (
    AnalysisMissing,
    ColumnNotFound,
    DifferentQuestions,
    ExportExists,
    ExportTooLarge,
    GroupNotFound,
    IbisMissing,
    Infeasible,
    InvalidAnswers,
    InvalidChannel,
    InvalidConfidence,
    InvalidCounts,
    InvalidDesign,
    InvalidFormula,
    InvalidInterval,
    InvalidMethod,
    InvalidPlan,
    InvalidRegression,
    InvalidSites,
    InvalidTable,
    InvalidWeights,
    LanguageNotFound,
    MatplotlibMissing,
    NameNotFound,
    NoGroups,
    NotAskedTogether,
    NotAStudy,
    NothingToPlot,
    NotIdentified,
    OpendpMissing,
    PsycopgMissing,
    PyarrowMissing,
    PyreadstatMissing,
    QuestionNotFound,
    ReleasedCounts,
    StudyNotFound,
    StudyRefused,
    StudyUnavailable,
    SurveyNotClosed,
    SurveyNotFound,
    UnreadableStudy,
    UnsafeAddress,
    UnsupportedMechanism,
    XlsxwriterMissing,
)
from .estimators.channel import Channel, manipulation_margin
from .estimators.intervals import Correction, Interval, IntervalRule, share_interval
from .estimators.sanity import project_to_simplex, valid_counts
from .estimators.shares import (
    covariance_matrix,
    debias,
    mechanism_variance,
    sampling_variance,
    total_variance,
)
from .estimators.weights import WeightedShares, weighted_shares
from .export import export_parts, export_release, export_study
from .planning.asking import AskingPlan, plan_asking
from .planning.blocks import Estimated, PlannedEstimate, planned_estimates
from .planning.declared import GroupedPlan, plan_groups
from .planning.designs import Share, design_effect, plan_mechanism, unit_variance, worst_share
from .planning.goal import Goal
from .planning.mean import (
    margin_for_mean,
    mean_unit_variance,
    plan_mean,
    respondents_for_mean,
    respondents_for_mean_sd,
    sd_for_mean,
)
from .planning.power import (
    Alternative,
    power_for_detection,
    power_for_respondents,
    respondents_for_detection,
    respondents_for_difference,
)
from .planning.sample_size import (
    margin_for_respondents,
    margin_of_reports,
    reports_for_margin,
    respondents_for_margin,
    respondents_for_sd,
    sd_for_respondents,
)
from .planning.several_shares import (
    expected_absolute_error,
    merged_unit_variance,
    probability_of_order,
    respondents_for_order,
)
from .planning.watched import (
    margin_for_watched_respondents,
    respondents_for_watched_margin,
    respondents_in_nine_of_ten,
)
from .privacy import (
    Belief,
    belief_bounds,
    compose,
    guess_with_report,
    guess_without_report,
    most_detected,
    tell_apart_error,
)
from .privacy.shuffling import FilePrivacy, shuffled_epsilon
from .regression.coefficients import Coefficient
from .regression.effects import AverageEffects
from .regression.nested import likelihood_ratio
from .regression.predictions import Predictions
from .regression.ratio import RatioTest, RatioTests
from .regression.regress import regress
from .regression.results import Regression
from .relations.comparison import compare
from .relations.cutoffs import share_above, share_below
from .relations.pooling import pool_studies
from .relations.screening import compare_with_norm, screened_prevalence
from .relations.trend import trend
from .reports import count_values
from .results.by_group import GroupDifference, GroupedEstimates, GroupedQuestion
from .results.by_site import SiteDifferences, SiteEstimate, SiteEstimates, SiteQuestion
from .results.comparison import Comparison, Difference
from .results.crosstab import Crosstab, CrosstabEstimate, Departure, IndependenceTest
from .results.editions import OptionTrend, PooledEstimates, PooledQuestion, Trend, TrendPoint
from .results.estimates import Estimates
from .results.numbers import DistributionEstimate, MeanEstimate, Quantile, Quantiles, SurvivalCurve
from .results.questions import AmongAsked, QuestionEstimate
from .results.responses import ResponseRate
from .results.screening import NormComparison, Rate, ScreenedPrevalence, SummedShare
from .results.shares import CellEstimate, OptionEstimate, ShareEstimate
from .results.winner import Rival, Winner
from .study import Study

# Several names on each line, or the file would be longer than a room.
# fmt: off
__all__ = [
    "Alternative", "AmongAsked", "AnalysisMissing", "AskingPlan", "AverageEffects", "Belief",
    "ByGroup", "CellEstimate", "Channel", "Coefficient", "ColumnNotFound", "Comparison",
    "Correction", "Crosstab", "CrosstabEstimate", "Departure", "Design", "Difference",
    "DifferentQuestions", "DirectComparison", "DistributionEstimate", "Estimated", "Estimates",
    "ExportExists", "ExportTooLarge", "FilePrivacy",
    "Goal", "GoodnessOfFit", "GroupDifference", "GroupNotFound",
    "GroupedEstimates", "GroupedPlan", "GroupedQuestion", "IbisMissing", "IndependenceTest",
    "Infeasible", "Interval", "IntervalRule", "InvalidAnswers", "InvalidChannel",
    "InvalidConfidence", "InvalidCounts", "InvalidDesign", "InvalidFormula", "InvalidInterval",
    "InvalidMethod", "InvalidPlan", "InvalidRegression", "InvalidSites", "InvalidTable",
    "InvalidWeights", "LanguageNotFound", "Likelihoods", "MatplotlibMissing", "MeanEstimate",
    "NameNotFound", "NoGroups", "NormComparison", "NotAStudy", "NotAskedTogether", "NotIdentified",
    "NothingToPlot", "OpendpMissing", "OptionEstimate", "OptionTrend", "ParameterEstimate",
    "PlannedEstimate", "PooledEstimates", "PooledQuestion", "Predictions", "Prevalence",
    "PsycopgMissing", "PyarrowMissing", "PyreadstatMissing", "Quantile", "Quantiles",
    "QuestionEstimate", "QuestionNotFound", "Rate", "RatioTest", "RatioTests", "Regression",
    "ReleasedCounts", "ResponseRate", "Rival", "ScreenedPrevalence", "Share", "ShareDifference",
    "ShareEstimate", "SiteDifferences", "SiteEstimate", "SiteEstimates", "SiteQuestion", "Study",
    "StudyNotFound", "StudyRefused", "StudyUnavailable", "SummedShare", "SurveyNotClosed",
    "SurveyNotFound", "SurvivalCurve", "Trend", "TrendPoint", "UnknownDesign", "UnreadableStudy",
    "UnsafeAddress", "UnsupportedMechanism", "WeightedShares", "Winner", "XlsxwriterMissing",
    "belief_bounds", "cheating_detection", "cheating_detection_symmetric", "compare",
    "compare_with_direct", "compare_with_norm", "compose",
    "count_values", "covariance_matrix", "crosswise",
    "debias", "design_effect", "direct", "disguised", "expected_absolute_error", "export_parts",
    "export_release", "export_study", "forced_choice", "forced_response", "from_matrix",
    "from_mechanism", "guess_with_report", "guess_without_report", "kuk", "likelihood_ratio",
    "likelihoods", "mangat", "manipulation_margin", "margin_for_mean", "margin_for_respondents",
    "margin_for_watched_respondents", "margin_of_reports", "mean_unit_variance",
    "mechanism_variance", "merged_unit_variance", "most_detected", "open_editions", "open_study",
    "plan_asking", "plan_groups", "plan_mean", "plan_mechanism", "planned_estimates",
    "pool_studies", "power_for_detection", "power_for_respondents", "prevalence",
    "probability_of_order", "project_to_simplex", "regress", "reports_for_margin",
    "respondents_for_detection", "respondents_for_difference", "respondents_for_margin",
    "respondents_for_mean", "respondents_for_mean_sd", "respondents_for_order",
    "respondents_for_sd", "respondents_for_watched_margin", "respondents_in_nine_of_ten",
    "sampling_variance", "screened_prevalence", "sd_for_mean", "sd_for_respondents", "share_above",
    "share_below", "share_interval", "shuffled_epsilon",
    "stochastic_lie_detector", "tell_apart_error",
    "total_variance", "trend", "triangular", "unit_variance", "unrelated_question",
    "unrelated_question_unknown", "valid_counts", "warner", "weighted_shares", "worst_share",
]
