"""The result of a regression."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.charts import Chart
from deniable_analysis.forms import DataFrame, Series, document_of, finite_or_none
from deniable_analysis.parts import Line, Part, Table, warning_lines
from deniable_analysis.presentation import Named, Presented
from deniable_analysis.regression.assembly import Assembly
from deniable_analysis.regression.choices import Choices, FittingMethod
from deniable_analysis.regression.coefficients import (
    NO_INTERVAL,
    Coefficient,
    coefficient_table,
    design_coefficients,
    linear_coefficients,
    residual_coefficient,
)
from deniable_analysis.regression.effects import AverageEffects, average_effects
from deniable_analysis.regression.fit import Fit
from deniable_analysis.regression.outcomes import LOG_SPREAD
from deniable_analysis.regression.predictions import Predictions, predict
from deniable_analysis.regression.ratio import RatioTests, check_likelihood, ratio_of_each
from deniable_sdk.wording import counted


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Regression(Presented, Named[Coefficient]):
    """Estimated coefficients, with predictions, effects and tests.

    Args:
        formula: text of the formula.
        outcome: name of the outcome.
        link: link of the outcome.
        categories: categories of the outcome, the reference first; empty for a
            number.
        method: "likelihood" or "moments".
        rows: number of rows, or respondents.
        left_out: number of rows left out because a value is missing.
        epsilon: largest privacy loss of a row's reports together; None if a
            design does not state it, or nothing was randomized.
        standard_errors: kind of the standard errors, as in regress.
        confidence: nominal coverage of the intervals.
        interval: "wald" or "profile". Infinite coefficients have profile
            intervals whenever the rows have a likelihood.
        coefficients: coefficients of the outcome; with several categories, of
            each against the reference.
        predictor_coefficients: coefficients of the randomized predictors'
            distribution: log-odds of each joint answer against the first.
        design_parameters: estimates of the designs' unknown parameters.
        residual_sd: residual standard deviation; None for categories.
        log_likelihood: log likelihood at the estimates; None for moments.
        covariance: (coefficients, coefficients) covariance of the coefficients.
        is_weighted: whether rows have sampling weights.
        warnings: sentences about problems of the regression.
    """

    INTERNAL: ClassVar = Presented.INTERNAL | {"assembly", "fit", "parameter_count"}

    formula: str
    outcome: str
    link: str
    categories: tuple[str, ...]
    method: str
    rows: int
    left_out: int
    epsilon: float | None
    standard_errors: str
    confidence: float
    interval: str
    coefficients: tuple[Coefficient, ...]
    predictor_coefficients: tuple[Coefficient, ...]
    design_parameters: tuple[Coefficient, ...]
    residual_sd: Coefficient | None
    log_likelihood: float | None
    covariance: Floats
    is_weighted: bool
    warnings: tuple[str, ...]
    assembly: Assembly = field(repr=False)
    fit: Fit = field(repr=False)

    def _named(self) -> Mapping[str, Coefficient]:
        return {each.name: each for each in self.coefficients}

    @property
    def params(self) -> Series:
        """The estimates by the names of their terms; this and the next are as in statsmodels."""
        return self._by_name["estimate"]

    @property
    def bse(self) -> Series:
        """The standard errors."""
        return self._by_name["standard_error"]

    @property
    def pvalues(self) -> Series:
        """The two-sided Wald p-values; NaN where a standard error is not reliable."""
        return self._by_name["p_value"]

    def conf_int(self) -> DataFrame:
        """The lower and upper ends of the intervals, in the columns 0 and 1."""
        return self._by_name[["low", "high"]].set_axis([0, 1], axis="columns")

    @property
    def _by_name(self) -> DataFrame:
        return self.to_frame().set_index("name").rename_axis(None)

    @property
    def parameter_count(self) -> int:
        """The number of estimated parameters."""
        return len(self.fit.parameters)

    @property
    def aic(self) -> float | None:
        """Akaike's information criterion; None for moments."""
        known = self.log_likelihood
        return None if known is None else 2 * self.parameter_count - 2 * known

    def predict(self, table: Any = None, *, confidence: float | None = None) -> Predictions:
        """Predicted probabilities or means, with intervals.

        Args:
            table: rows to predict for, with true answers in randomized columns.
                If a randomized column is missing, predictions are averaged over
                it. The default is the regression's own rows.
            confidence: nominal coverage of the intervals; by default that of
                the regression.
        Raises:
            ColumnNotFound: the table does not have a column of the formula.
            InvalidArgument: its rows cannot be read; confidence is not between 0 and 1.
        """
        wanted = self.confidence if confidence is None else confidence
        return predict(self.assembly, self.fit, table, wanted)

    def average_marginal_effects(self, *, confidence: float | None = None) -> AverageEffects:
        """The average effects of one unit more of each predictor, or of another category."""
        wanted = self.confidence if confidence is None else confidence
        return average_effects(self.assembly, self.fit, wanted)

    def likelihood_ratios(self) -> RatioTests:
        """The likelihood-ratio test of each coefficient against 0.

        Raises:
            InvalidArgument: the regression is by moments or weighted.
        """
        highest = check_likelihood(self.log_likelihood, is_weighted=self.is_weighted)
        return ratio_of_each(self.assembly, self.fit, highest)

    def table(self) -> Table:
        """A row for each coefficient of the outcome."""
        return coefficient_table("coefficient", self.coefficients, self.interval)

    def to_document(self) -> dict[str, Any]:
        """The results as plain JSON values; None for infinite numbers."""
        # JSON has no infinity.
        epsilon = None if self.epsilon is None else finite_or_none(self.epsilon)
        plain = document_of(self, "is_weighted", "covariance", "assembly", "fit")
        return {**plain, "epsilon": epsilon}

    @property
    def title(self) -> str:
        """The formula with the rows and epsilon."""
        spent = "" if self.epsilon is None else f", epsilon {self.epsilon:.4g}"
        return f"{self.formula}: {counted(self.rows, 'row')}{spent}"

    def parts(self) -> Iterable[Part]:
        """A description of the regression, then every table."""
        yield Line(self.title)
        yield Line(self._about)
        yield self.table()
        others = (
            ("randomized predictors", self.predictor_coefficients),
            ("design", self.design_parameters),
            ("", (self.residual_sd,) if self.residual_sd else ()),
        )
        for head, coefficients in others:
            if coefficients:
                yield coefficient_table(head, coefficients, self.interval)
        if self.log_likelihood is not None:
            yield Line(f"log likelihood {self.log_likelihood:z.4f}")
        yield from warning_lines(self.warnings)

    @property
    def _about(self) -> str:
        against = f" against {self.categories[0]}" if self.categories else ""
        shown = ", ".join(self.categories[1:])
        what = f" of {shown}{against}" if self.link != "ordered" and shown else ""
        left = (
            f"; {counted(self.left_out, 'row')} left out, with something missing"
            if self.left_out
            else ""
        )
        names = {"wald": "Wald", "profile": "profile-likelihood"}
        kinds = [names[each] for each in self.interval.split(" and ") if each in names]
        interval = (
            f"{self.confidence:.6g} {' and '.join(kinds)} intervals" if kinds else "no intervals"
        )
        return (
            f"{self.link}{what} by {self.method}; {self.standard_errors} standard errors, "
            f"{interval}{left}"
        )

    def charts(self) -> Iterable[Chart]:
        """The coefficients with their intervals."""
        marks = tuple(each.mark() for each in self.coefficients if each.is_held)
        if marks:
            yield Chart(self.title, f"coefficient ({self.link})", marks)


def read_fit(assembly: Assembly, fit: Fit, choices: Choices, *, is_weighted: bool) -> Regression:
    """The result of a regression, from its fit."""
    model, seen = assembly.model, assembly.seen
    linear = linear_coefficients(assembly, fit, choices)
    shown = [index for index in range(model.outcome_size) if model.names[index] != LOG_SPREAD]
    own, spread = [linear[index] for index in shown], linear[model.spread_slice]
    kinds = {each.interval for each in (*own, *spread)} - {NO_INTERVAL}
    spends = [each.epsilon for each in seen.reports]
    categories = model.outcome.categories
    method = FittingMethod.MOMENTS if fit.log_likelihood is None else FittingMethod.LIKELIHOOD
    return Regression(
        formula=assembly.formula.text,
        outcome=assembly.formula.outcome,
        link=assembly.link,
        categories=categories if len(categories) > 1 else (),
        method=method.value,
        rows=round(float(seen.counts.sum())),
        left_out=seen.left_out,
        # Answers that were not randomized have no epsilon; 0 would mean perfect privacy.
        epsilon=None if not spends or None in spends else float(sum(each or 0 for each in spends)),
        standard_errors=fit.kind.value,
        confidence=choices.confidence,
        interval=" and ".join(sorted(kinds)) or NO_INTERVAL,
        coefficients=tuple(own),
        predictor_coefficients=() if fit.log_likelihood is None else tuple(spread),
        design_parameters=design_coefficients(assembly, fit, choices),
        residual_sd=residual_coefficient(assembly, fit, choices),
        log_likelihood=fit.log_likelihood,
        covariance=fit.covariance[np.ix_(shown, shown)],
        is_weighted=is_weighted,
        warnings=fit.warnings,
        assembly=assembly,
        fit=fit,
    )
