from .asking import AskingPlan, plan_asking
from .blocks import Estimated, PlannedEstimate, planned_estimates
from .declared import GroupedPlan, plan_groups
from .designs import Share, design_effect, plan_mechanism, unit_variance, worst_share
from .mean import (
    margin_for_mean,
    mean_unit_variance,
    plan_mean,
    respondents_for_mean,
    respondents_for_mean_sd,
    sd_for_mean,
)
from .power import (
    Alternative,
    power_for_detection,
    power_for_respondents,
    respondents_for_detection,
    respondents_for_difference,
)
from .sample_size import (
    margin_for_respondents,
    margin_of_reports,
    reports_for_margin,
    respondents_for_margin,
    respondents_for_sd,
    sd_for_respondents,
)
from .several_shares import (
    expected_absolute_error,
    merged_unit_variance,
    probability_of_order,
    respondents_for_order,
)
from .watched import (
    margin_for_watched_respondents,
    respondents_for_watched_margin,
    respondents_in_nine_of_ten,
)

# fmt: off
__all__ = [
    "Alternative", "AskingPlan", "Estimated", "GroupedPlan", "PlannedEstimate", "Share",
    "design_effect", "expected_absolute_error", "margin_for_mean", "margin_for_respondents",
    "margin_for_watched_respondents", "margin_of_reports", "mean_unit_variance",
    "merged_unit_variance", "plan_asking", "plan_groups", "plan_mean", "plan_mechanism",
    "planned_estimates", "power_for_detection", "power_for_respondents", "probability_of_order",
    "reports_for_margin", "respondents_for_detection", "respondents_for_difference",
    "respondents_for_margin", "respondents_for_mean", "respondents_for_mean_sd",
    "respondents_for_order", "respondents_for_sd", "respondents_for_watched_margin",
    "respondents_in_nine_of_ten", "sd_for_mean", "sd_for_respondents", "unit_variance",
    "worst_share",
]
# fmt: on
