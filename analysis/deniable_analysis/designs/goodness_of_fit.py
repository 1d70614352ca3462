"""Whether the answers fit their design: the test of the rates that it leaves no room for."""

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, xlogy

from deniable_analysis.designs.answers import AnsweredGroups
from deniable_analysis.designs.maximum_likelihood import LogLikelihood, solve_likelihood, tangent
from deniable_analysis.forms import Documented

_SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodnessOfFit(Documented):
    """The likelihood-ratio test of the hypothesis that the answers follow the design.

    Args:
        g_squared: 2 (log L of the observed rates - log L of the likeliest shares).
        degrees_of_freedom: number of free rates, less that of free shares and parameters;
            those on a bound are not free.
        p_value: by the chi-squared distribution, so it needs several answers of each kind.
    """

    g_squared: float
    degrees_of_freedom: int
    p_value: float

    @property
    def line(self) -> str:
        """The test in one line."""
        return (
            f"goodness of fit: G-squared {self.g_squared:.4f} on {self.degrees_of_freedom} df, "
            f"p = {self.p_value:.3g}"
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence if the test is significant."""
        if self.p_value >= _SIGNIFICANT:
            return ()
        sentence = (
            f"the answers do not fit the design (G-squared {self.g_squared:.2f} on "
            f"{self.degrees_of_freedom} df, p = {self.p_value:.2g}): did everybody follow the "
            "instructions, are the probabilities the right ones, and did chance decide who was "
            "in which group?"
        )
        return (sentence,)


def goodness_of_fit(answered: AnsweredGroups) -> GoodnessOfFit | None:
    """The test of the design; None with weights, or if some shares fit any answers.

    A share on a bound adds a degree of freedom: the distribution is then that of the
    estimates which are on this bound.

    Source: Heck, Hoffmann and Moshagen 2018 (Behavior Research Methods 50), for two groups
        with complementary probabilities; Kudo 1963 (Biometrika 50) for bounds.
    """
    rates = sum(len(group.observed) - 1 for group in answered.groups)
    unknown = len(answered.true) - 1 + len(answered.unknown)
    if answered.is_weighted or rates <= unknown:
        return None
    likelihood, found = LogLikelihood.of(answered), solve_likelihood(answered)
    moves = likelihood.slopes_at(found.point) @ tangent(likelihood.size, ~found.boundary)
    freedom = rates - int(np.linalg.matrix_rank(moves))
    counts = likelihood.weights
    highest = float(np.sum(xlogy(counts, counts / likelihood.totals)))
    g_squared = max(0.0, 2 * (highest - likelihood.at(found.point)))
    return GoodnessOfFit(
        g_squared=g_squared,
        degrees_of_freedom=freedom,
        p_value=float(chdtrc(freedom, g_squared)),
    )
