"""Regressions with randomized outcomes and predictors."""

from deniable_analysis.regression.coefficients import Coefficient
from deniable_analysis.regression.effects import AverageEffects
from deniable_analysis.regression.nested import likelihood_ratio
from deniable_analysis.regression.predictions import Predictions
from deniable_analysis.regression.ratio import RatioTest, RatioTests
from deniable_analysis.regression.regress import regress
from deniable_analysis.regression.results import Regression

__all__ = [
    "AverageEffects",
    "Coefficient",
    "Predictions",
    "RatioTest",
    "RatioTests",
    "Regression",
    "likelihood_ratio",
    "regress",
]
