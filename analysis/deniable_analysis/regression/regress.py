"""The front door: a regression from a formula and a table."""

from collections.abc import Mapping
from typing import Any

from deniable_analysis.arguments import kind_of
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.designs import AnyDesign
from deniable_analysis.designs.tables import column_names, column_of
from deniable_analysis.errors import InvalidDesign
from deniable_analysis.regression.assembly import assemble
from deniable_analysis.regression.choices import Choices, Progress, no_progress
from deniable_analysis.regression.fit import fit_likelihood
from deniable_analysis.regression.formula import Formula, read_formula
from deniable_analysis.regression.moments import fit_moments, wants_moments
from deniable_analysis.regression.observations import Observations, Wanted, observe
from deniable_analysis.regression.reading import read_fit
from deniable_analysis.regression.results import Regression


def regress(  # noqa: PLR0913 - each is one choice of a regression, all but two by name
    formula: str,
    table: Any,
    *,
    designs: Mapping[str, AnyDesign] | None = None,
    link: str | None = None,
    reference: str | None = None,
    predictors: str | None = None,
    method: str | None = None,
    se: str | None = None,
    weights: Any = None,
    cluster: str | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    interval: str | None = None,
    on_progress: Progress = no_progress,
) -> Regression:
    """A regression whose outcome or predictors were randomized.

    Args:
        formula: like "outcome ~ age + C(group)".
        table: a pandas table, or a mapping from names to columns.
        designs: how the randomized columns were randomized.
        link: logit (also of several categories), probit, cloglog, ordered or
            identity; logit of categories and identity of numbers if left out.
        reference: the outcome's category that others are compared with.
        predictors: how randomized predictors depend on the others: "formula"
            by a multinomial logit, which is what there is if left out, or
            "saturated": not at all.
        method: likelihood or moments, which is for randomized numbers.
        se: observed, expected, sandwich or cluster.
        weights: sampling weights, by a column's name or as numbers.
        cluster: the column that says which rows belong together.
        confidence: how often an interval contains the true value.
        interval: wald, which is normal, or profile: by profile likelihood,
            which takes longer. If left out wald where it covers, and else
            profile as far as bounded work goes.
        on_progress: called with how many intervals by profile likelihood are
            done, and how many are wanted.
    Raises:
        InvalidFormula: the formula cannot be read or computed.
        ColumnNotFound: a column is not in the table.
        InvalidDesign: designs are no mapping, or one is no design.
        InvalidRegression: a choice does not fit the data.
        InvalidTable: a column does not contain what its design gives.
        InvalidWeights: a weight is negative or no number.
        NotIdentified: such reports do not identify the coefficients.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    choices = Choices(link, reference, predictors, method, se, confidence, interval, on_progress)
    read = read_formula(formula, column_names(table))
    given = {} if designs is None else designs
    if not isinstance(given, Mapping):
        raise InvalidDesign(
            f"designs: got {kind_of(designs)}; allowed is a mapping from columns to "
            f"their designs, like {{{read.outcome!r}: warner(0.7)}}"
        )
    for name in given:
        column_of(table, name)
    named = (read.outcome, *read.variables)
    seen = observe(
        table,
        Wanted(
            clear=tuple(name for name in named if name not in given),
            randomized={name: given[name] for name in named if name in given},
            weights=weights,
            cluster=cluster,
        ),
    )
    return regress_observed(read, seen, choices, is_weighted=weights is not None)


def regress_observed(
    formula: Formula, seen: Observations, choices: Choices, *, is_weighted: bool = False
) -> Regression:
    """A regression of what was observed, by the method that fits it."""
    if wants_moments(formula, seen, choices):
        assembly, fit = fit_moments(formula, seen, choices)
    else:
        assembly = assemble(formula, seen, choices)
        fit = fit_likelihood(assembly, choices, is_weighted)
    return read_fit(assembly, fit, choices, is_weighted=is_weighted)
