"""Designs of randomized answers in a table, and the estimates from such answers."""

from deniable_analysis.designs.against_direct import (
    DirectComparison,
    ShareDifference,
    compare_with_direct,
)
from deniable_analysis.designs.design import Design
from deniable_analysis.designs.estimate import Method, prevalence
from deniable_analysis.designs.goodness_of_fit import GoodnessOfFit
from deniable_analysis.designs.groups import AnyDesign, ByGroup, Likelihoods, likelihoods
from deniable_analysis.designs.known import (
    crosswise,
    direct,
    disguised,
    forced_choice,
    forced_response,
    from_matrix,
    from_mechanism,
    kuk,
    mangat,
    triangular,
    unrelated_question,
    warner,
)
from deniable_analysis.designs.result import ParameterEstimate, Prevalence
from deniable_analysis.designs.unknown import (
    UnknownDesign,
    cheating_detection,
    cheating_detection_symmetric,
    stochastic_lie_detector,
    unrelated_question_unknown,
)

__all__ = [
    "AnyDesign",
    "ByGroup",
    "Design",
    "DirectComparison",
    "GoodnessOfFit",
    "Likelihoods",
    "Method",
    "ParameterEstimate",
    "Prevalence",
    "ShareDifference",
    "UnknownDesign",
    "cheating_detection",
    "cheating_detection_symmetric",
    "compare_with_direct",
    "crosswise",
    "direct",
    "disguised",
    "forced_choice",
    "forced_response",
    "from_matrix",
    "from_mechanism",
    "kuk",
    "likelihoods",
    "mangat",
    "prevalence",
    "stochastic_lie_detector",
    "triangular",
    "unrelated_question",
    "unrelated_question_unknown",
    "warner",
]
