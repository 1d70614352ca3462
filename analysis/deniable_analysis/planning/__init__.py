"""Planning: respondents, margins, epsilon and power, before fielding."""

from deniable_analysis.planning.asking import AskingPlan, plan_asking
from deniable_analysis.planning.blocks import Estimated, PlannedEstimate, planned_estimates
from deniable_analysis.planning.designs import (
    Share,
    design_effect,
    plan_mechanism,
    unit_variance,
    worst_share,
)
from deniable_analysis.planning.epsilon import epsilon_for_margin
from deniable_analysis.planning.groups import power_for_respondents, respondents_for_difference
from deniable_analysis.planning.mean import respondents_for_mean
from deniable_analysis.planning.mean_variance import mean_unit_variance
from deniable_analysis.planning.merged import merged_unit_variance
from deniable_analysis.planning.order import respondents_for_order
from deniable_analysis.planning.precision import margin_of_reports, reports_for_margin
from deniable_analysis.planning.sample_size import (
    margin_for_respondents,
    respondents_for_margin,
    respondents_for_sd,
)
from deniable_analysis.planning.total_error import expected_absolute_error

__all__ = [
    "AskingPlan",
    "Estimated",
    "PlannedEstimate",
    "Share",
    "design_effect",
    "epsilon_for_margin",
    "expected_absolute_error",
    "margin_for_respondents",
    "margin_of_reports",
    "mean_unit_variance",
    "merged_unit_variance",
    "plan_asking",
    "plan_mechanism",
    "planned_estimates",
    "power_for_respondents",
    "reports_for_margin",
    "respondents_for_difference",
    "respondents_for_margin",
    "respondents_for_mean",
    "respondents_for_order",
    "respondents_for_sd",
    "unit_variance",
    "worst_share",
]
