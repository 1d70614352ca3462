"""The estimates from a table of randomized answers, and their output formats."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from deniable_analysis.charts import Chart
from deniable_analysis.designs.goodness_of_fit import GoodnessOfFit
from deniable_analysis.forms import Documented, document_of, finite_or_none
from deniable_analysis.parts import Column, Line, Part, Table, text_column, warning_lines
from deniable_analysis.presentation import Named, Presented
from deniable_analysis.results.shares import ENDS, REPORTS, SHARES, STANDARD_ERROR, OptionEstimate
from deniable_sdk.wording import counted

_REPORTS = replace(REPORTS, head=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterEstimate(Documented):
    """An estimated parameter of a design.

    The error and the interval are None if the value is on a bound.

    Args:
        name: name of the parameter in the design.
        value: raw estimate; by the moment method it may be outside 0 to 1.
        standard_error: standard error, of the kind in
            Prevalence.standard_errors.
        low: lower end of its normal interval.
        high: upper end of its normal interval.
    """

    name: str
    value: float
    standard_error: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Prevalence(Presented, Named[OptionEstimate]):
    """The shares of the true categories behind randomized answers.

    Args:
        column: column of the table; None if the data were counts.
        design: name of the design.
        method: "moment" (unbiased, may be outside 0 to 1) or "likelihood".
        standard_errors: kind of the standard errors: "unbiased", "linearized"
            (design weights), "observed" (information) or "sandwich".
        interval: "wilson", "clopper-pearson" or "wald".
        confidence: nominal coverage of an interval.
        rows: number of rows with an answer.
        missing: number of rows left out because the answer or the group is
            missing.
        effective: effective number of rows: the rows over the design effect.
        options: estimated shares, in the order of the true categories.
        parameters: estimates of the design's unknown parameters.
        covariance: (true + unknown, true + unknown) covariances of the shares,
            then the parameters; NaN on a bound.
        log_likelihood: log likelihood at the estimates, without constants; None
            if the answers are impossible under them.
        boundary: categories and parameters on a bound.
        fit: test whether the answers follow the design; None with weights, or if the
            design has no more rates than shares and parameters, which then fit any answers.
        warnings: sentences about signs that answers and design do not fit.
    """

    column: str | None
    design: str
    method: str
    standard_errors: str
    interval: str
    confidence: float
    rows: int
    missing: int
    effective: float
    options: tuple[OptionEstimate, ...]
    parameters: tuple[ParameterEstimate, ...]
    covariance: tuple[tuple[float, ...], ...]
    log_likelihood: float | None
    boundary: tuple[str, ...] = ()
    fit: GoodnessOfFit | None = None
    warnings: tuple[str, ...] = ()

    def _named(self) -> Mapping[str, OptionEstimate]:
        return {each.option: each for each in self.options}

    def to_document(self) -> dict[str, Any]:
        """The estimates as plain JSON values; no NaN."""
        covariance = [[finite_or_none(entry) for entry in row] for row in self.covariance]
        return {**document_of(self), "covariance": covariance}

    def table(self) -> Table:
        """A row for each true category."""
        names = (text_column("category", "category"), text_column("column"))
        error = Column("standard_error", "se")
        numbers = (*(each for each in SHARES if each is not STANDARD_ERROR), error, _REPORTS)
        rows = ((each.option, self.column, each) for each in self.options)
        return Table.of(names, numbers, rows)

    @property
    def title(self) -> str:
        """The title of the result, with the number of rows."""
        left = f", {self.missing} left out" if self.missing else ""
        is_weighted = not math.isclose(self.effective, self.rows)
        weighted = f", as good as {self.effective:.0f} alike" if is_weighted else ""
        rows = counted(self.rows, "row")
        return f"{self.column or 'counts'} ({self.design}): {rows}{weighted}{left}"

    def parts(self) -> Iterable[Part]:
        """The shares, the parameters and the warnings."""
        yield Line(self.title)
        yield Line(
            f"{self.method}; standard errors: {self.standard_errors}; {self.confidence:.6g} "
            f"{self.interval} intervals"
        )
        yield self.table()
        if self.parameters:
            error = Column("standard_error", "se")
            numbers = (text_column("name", "parameter"), Column("value", "value"), error, *ENDS)
            yield Table.of((), numbers, [(each,) for each in self.parameters])
        if self.boundary:
            yield Line(f"on a bound: {', '.join(self.boundary)}; no standard error there")
        if self.fit:
            yield Line(self.fit.line)
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The shares with their intervals."""
        yield Chart(self.title, "share", self.table().marks("share"))
