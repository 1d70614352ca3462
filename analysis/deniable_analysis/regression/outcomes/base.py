"""The base of outcomes: how likely each category is, under predictors."""

from dataclasses import dataclass
from typing import Protocol

from deniable_analysis.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class LogDensity:
    """The log density of an outcome and its derivatives by the predictors.

    Shapes may have a 1 where nothing differs.

    Args:
        value: (categories, rows, cells).
        first: (predictors, categories, rows, cells).
        second: (predictors, predictors, categories, rows, cells).
    """

    value: Floats
    first: Floats
    second: Floats


class Outcome(Protocol):
    """An outcome given linear predictors, each with coefficients of its own."""

    @property
    def categories(self) -> tuple[str, ...]:
        """Its categories, the reference first; a number has a single nameless one."""
        ...

    def designs(self, matrix: Floats, terms: tuple[str, ...]) -> tuple["Predictor", ...]:
        """The linear predictors, from the formula's matrix.

        Args:
            matrix: (rows, cells, terms).
            terms: what the columns are called.
        """
        ...

    def density(self, predictors: Floats, rows: slice) -> LogDensity:
        """The log density where the predictors are (predictors, rows, cells)."""
        ...

    def start(self, predictors: tuple["Predictor", ...], cells: Floats) -> Floats:
        """Coefficients to begin with, of all predictors together.

        Args:
            predictors: what designs gave.
            cells: (rows, cells) how likely each cell seems from the report.
        """
        ...

    def means(self, predictors: Floats) -> tuple[Floats, Floats]:
        """The expectation: each category's probability, or the mean.

        Returns:
            The (shown, rows, cells) means and, (predictors, shown, rows,
            cells), their derivatives.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Predictor:
    """One linear predictor.

    Args:
        names: what its coefficients are called.
        matrix: (rows, cells, coefficients); 1 where nothing differs.
    """

    names: tuple[str, ...]
    matrix: Floats
