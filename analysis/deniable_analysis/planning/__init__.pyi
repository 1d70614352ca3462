from .anytime import AnytimeMargin
from .asking import AskingPlan, plan_asking
from .blocks import Estimated, PlannedEstimate, planned_estimates
from .declared import GroupedPlan, plan_groups
from .designs import Share, design_effect, plan_mechanism, unit_variance, worst_share
from .goal import Goal
from .mean import MeanMargin, MeanStandardError, mean_unit_variance, plan_mean
from .power import Alternative, Detection, TwoGroups
from .sample_size import Margin, StandardError, margin_of_reports, reports_for_margin
from .several_shares import Order, expected_absolute_error, merged_unit_variance

# fmt: off
__all__ = [
    "Alternative", "AnytimeMargin", "AskingPlan", "Detection", "Estimated", "Goal",
    "GroupedPlan", "Margin", "MeanMargin", "MeanStandardError", "Order", "PlannedEstimate",
    "Share", "StandardError", "TwoGroups", "design_effect", "expected_absolute_error",
    "margin_of_reports", "mean_unit_variance", "merged_unit_variance", "plan_asking",
    "plan_groups", "plan_mean", "plan_mechanism", "planned_estimates", "reports_for_margin",
    "unit_variance", "worst_share",
]
# fmt: on
