"""A design: the probability of each observed category under each true one."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

import numpy as np

from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.designs.checks import (
    Matrix,
    checked_matrix,
    checked_names,
    why_not_identified,
)
from deniable_analysis.designs.tables import MISSING, indexes_of, written
from deniable_analysis.errors import InvalidArgument
from deniable_sdk.wording import counted

# With a larger denominator a fraction is harder to read than a decimal number.
_LARGEST_DENOMINATOR = 1000


def in_words(probability: Fraction) -> str:
    """A probability as its author would write it: 1/6, or 0.268941."""
    if probability.denominator <= _LARGEST_DENOMINATOR:
        return str(probability)
    return f"{float(probability):.6g}"


# Up to this number, a design's description lists every probability.
_MOST_SHOWN = 64


@dataclass(frozen=True, slots=True, repr=False)
class Design:
    """How answers were randomized, as the full matrix of probabilities.

    Args:
        name: name of the design, for people.
        observed: categories that a table contains.
        true: categories whose shares are estimated.
        matrix: (observed, true) probabilities P(observed | true); every column
            sums to 1. Numbers become exact fractions: 0.7 is seven tenths.
        caveat: assumption under which epsilon is correct.
        estimator: (true, observed) contribution of an answer to each share, if
            the design has its own unbiased estimator. None for least squares,
            which is the inverse if the matrix is square.
    Raises:
        InvalidArgument: the entries are not probabilities, or a column does not
            sum to 1.
    """

    name: str
    observed: tuple[str, ...]
    true: tuple[str, ...]
    matrix: Matrix
    caveat: str = ""
    estimator: Matrix | None = None

    def __post_init__(self) -> None:
        observed, true = checked_names(self.observed, "observed"), checked_names(self.true, "true")
        object.__setattr__(self, "observed", observed)
        object.__setattr__(self, "true", true)
        object.__setattr__(self, "matrix", checked_matrix(self.matrix, observed, true))

    @property
    def probabilities(self) -> Floats:
        """The (observed, true) matrix in floats."""
        return np.array(self.matrix, dtype=np.float64)

    @property
    def epsilon(self) -> float:
        """The privacy loss of one answer: the largest log ratio within a row.

        It is infinite where an answer rules out a true category.
        """
        return max(_log_ratio(row) for row in self.matrix)

    @property
    def is_direct(self) -> bool:
        """Whether answers are not randomized."""
        return [list(row) for row in self.matrix] == np.eye(len(self.true)).tolist()

    @property
    def is_identified(self) -> bool:
        """Whether the answers identify the share of every true category."""
        return not self.why_not_identified

    @property
    def why_not_identified(self) -> str:
        """Why the shares are not identified, in words; empty if they are."""
        return why_not_identified(self.probabilities, self.true)

    def likelihood(self, values: Any) -> Floats:
        """The probability of each value under every true category.

        Args:
            values: one for each row: names of categories, or 0 and 1 for the
                first and the second of two.
        Returns:
            (rows, true) probabilities.
        Raises:
            InvalidArgument: a value is missing, or is not an observed category.
        """
        indexes = self.indexes(values)
        missing = int(np.count_nonzero(indexes == MISSING))
        if missing:
            raise InvalidArgument(
                f"got {missing} missing among {counted(len(indexes), 'value')}; leave these "
                "rows out first"
            )
        return self.probabilities[indexes]

    def indexes(self, values: Any, what: str = "values") -> Indexes:
        """The index of each value among the observed categories, -1 where it is missing.

        Raises:
            InvalidArgument: a value is not an observed category.
        """
        return indexes_of(values, self.observed, what)

    def renamed(
        self, *, observed: Sequence[str] | None = None, true: Sequence[str] | None = None
    ) -> Self:
        """The same design with other names for its categories, in the same order.

        Raises:
            InvalidArgument: the number of names differs, or two are equal.
        """
        return replace(
            self,
            observed=self.observed if observed is None else tuple(observed),
            true=self.true if true is None else tuple(true),
        )

    def describe(self) -> str:
        """The design in words: every probability, epsilon and its assumption."""
        infinite = "infinite (some answer rules out a true category)"
        epsilon = infinite if math.isinf(self.epsilon) else f"{self.epsilon:.4g}"
        return "\n".join((f"{self.name}: epsilon {epsilon}", *self._lines()))

    def _lines(self) -> Iterable[str]:
        rows = [*zip(self.observed, self.matrix, strict=True)]
        shown = self.true[: _MOST_SHOWN // len(rows) or 1]
        for column, true in enumerate(shown):
            sentences = (
                f"P({seen} | true {true}) = {in_words(row[column])}" for seen, row in rows[::-1]
            )
            yield "  " + ", ".join(sentences)
        if len(shown) < len(self.true):
            left = len(self.true) - len(shown)
            yield f"  and so on for {left} more true categories: see .matrix"
        yield f"  observed in a table: {written(self.observed)}"
        if self.why_not_identified:
            yield f"  not identified: {self.why_not_identified}"
        if self.caveat:
            yield f"  caution: {self.caveat}"

    __repr__ = describe


def _log_ratio(row: Sequence[Fraction]) -> float:
    if min(row) == 0:
        return math.inf
    # As a difference: the ratio of two huge integers overflows a float.
    return math.log(max(row)) - math.log(min(row))
