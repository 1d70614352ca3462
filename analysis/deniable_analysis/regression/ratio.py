"""Likelihood-ratio tests, also of every coefficient of a regression."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy import special

from deniable_analysis.errors import InvalidArgument
from deniable_analysis.forms import Documented
from deniable_analysis.parts import Column, ColumnKind, Line, Part, Table, text_column
from deniable_analysis.presentation import Presented
from deniable_analysis.regression.assembly import Assembly
from deniable_analysis.regression.boundary import maximum_or_boundary
from deniable_analysis.regression.fit import Fit
from deniable_analysis.regression.outcomes import LOG_SPREAD


@dataclass(frozen=True, slots=True)
class RatioTest(Documented):
    """The result of a likelihood-ratio test.

    Args:
        name: name of the term or terms that are left out.
        statistic: twice the difference of the log likelihoods.
        degrees: degrees of freedom: the number of parameters left out.
        p_value: chi-squared p-value of the statistic.
    """

    name: str
    statistic: float
    degrees: int
    p_value: float

    @classmethod
    def of(cls, name: str, statistic: float, degrees: int) -> "RatioTest":
        """The test with its chi-squared p-value."""
        positive = max(0.0, statistic)
        return cls(name, positive, degrees, float(special.chdtrc(degrees, positive)))


@dataclass(frozen=True, slots=True, repr=False)
class RatioTests(Presented):
    """Likelihood-ratio tests of the same regression or regressions."""

    tests: tuple[RatioTest, ...]

    @property
    def statistic(self) -> float:
        """The statistic of the only test."""
        return self._only.statistic

    @property
    def degrees(self) -> int:
        """The degrees of freedom of the only test."""
        return self._only.degrees

    @property
    def p_value(self) -> float:
        """The p-value of the only test."""
        return self._only.p_value

    @property
    def _only(self) -> RatioTest:
        if len(self.tests) != 1:
            raise InvalidArgument(
                f"got {len(self.tests)} tests where one is needed; choose one of .tests"
            )
        return self.tests[0]

    def parts(self) -> Iterable[Part]:
        """The tests as a table."""
        yield Line("likelihood-ratio tests")
        numbers = (
            text_column("name", "left out"),
            Column("statistic", "chi-square"),
            Column("degrees", "df", ColumnKind.COUNT),
            Column("p_value", "p", ColumnKind.CHANCE),
        )
        yield Table.of((), numbers, [(each,) for each in self.tests])


def check_likelihood(log_likelihood: float | None, *, is_weighted: bool) -> float:
    """The log likelihood, if it is a likelihood and not a pseudo-likelihood.

    Raises:
        InvalidArgument: rows have weights, or there is no log likelihood.
    """
    if log_likelihood is None:
        raise InvalidArgument(
            "likelihood ratio: got a regression by moments, which has no likelihood; its "
            "coefficients have Wald tests"
        )
    if is_weighted:
        raise InvalidArgument(
            "likelihood ratio: got a weighted regression, whose likelihood is not that of its "
            "respondents; compare its coefficients with their standard errors"
        )
    return log_likelihood


def ratio_of_each(assembly: Assembly, fit: Fit, highest: float) -> RatioTests:
    """The test of each coefficient of the outcome against 0."""
    model, tests = assembly.model, []
    for index, name in enumerate(model.names[: model.outcome_size]):
        if name == LOG_SPREAD:
            continue
        free = np.arange(model.size) != index
        below = maximum_or_boundary(model, free, fit.parameters).maximum.evaluation
        tests.append(RatioTest.of(name, 2 * (highest - below.log_likelihood), 1))
    return RatioTests(tuple(tests))
