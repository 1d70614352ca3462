"""Regressions with randomized outcomes and predictors."""
