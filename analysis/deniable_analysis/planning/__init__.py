"""Planning: respondents, margins, epsilon and power, before fielding."""

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
from deniable_analysis.planning.order import respondents_for_order
from deniable_analysis.planning.sample_size import (
    margin_for_respondents,
    respondents_for_margin,
    respondents_for_sd,
)
from deniable_analysis.planning.total_error import expected_absolute_error

__all__ = [
    "Share",
    "design_effect",
    "epsilon_for_margin",
    "expected_absolute_error",
    "margin_for_respondents",
    "plan_mechanism",
    "power_for_respondents",
    "respondents_for_difference",
    "respondents_for_margin",
    "respondents_for_mean",
    "respondents_for_order",
    "respondents_for_sd",
    "unit_variance",
    "worst_share",
]
