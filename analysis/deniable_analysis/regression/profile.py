"""Intervals by profile likelihood, for parameters whose normal intervals are unreliable."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.choice import critical_value
from deniable_analysis.regression.boundary import Boundary, Soundness
from deniable_analysis.regression.choices import Choices, CoefficientInterval
from deniable_analysis.regression.evaluation import log_likelihood, work_of
from deniable_analysis.regression.maximize import Maximum, maximize, predictor_steps
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.starts import pulled_in

# The largest value of a parameter that is searched, as the change of a predictor from a low to a
# high respondent. An interval that reaches it is unbounded: odds of exp(25) do not occur in
# practice.
_FARTHEST = 25.0
# The first step from a parameter further out than this ends here.
_NEAREST = 6.0
_SHORTEST, _LONGEST = 1e-9, 4.0
# The range of the ratio of a step to the one before; an extrapolation of the limit selects it.
_LEAST_GROWTH, _MOST_GROWTH = 1.6, 3.0
# The precision of a limit in standard errors, and of twice a log likelihood.
_EXACT = 1e-4
_ENOUGH = 1e-7
# A log likelihood this much above that of a limit is not checked again.
_MARGIN = 0.1
# Values closer to each other than this part of a predictor's step count as equal.
_SAME = 1e-6
# The most work for intervals that the caller did not choose: about 10 seconds.
_MOST_WORK = 3e8
# Intervals for the spread of hidden predictors are computed while less work than this was done.
_WORK_ON_SPREAD = 5e7
# The least work of an evaluation, however small the model is.
_LEAST_WORK = 2e4


@dataclass(slots=True, eq=False)
class Profile:
    """The profile likelihood of a parameter: its maximum over all others.

    Args:
        model: model with its rows.
        maximum: maximum of its likelihood.
        covariance: covariance of all parameters; infinite entries are not used.
        most_work: allowed work, in numbers that are processed; more ends the search.
        work: work so far.
    """

    model: Model
    maximum: Maximum
    covariance: Floats
    most_work: float = math.inf
    work: float = 0.0

    def limits(self, index: int, critical: float, open_to: float = 0.0) -> tuple[float, float]:
        """The values at which the signed root of the likelihood ratio is the critical value.

        It is a quantile of the normal distribution. `open_to` is 1 or -1 if the
        estimate is plus or minus infinity.

        Returns:
            Both limits; infinite if the likelihood never decreases so far.
        Raises:
            OutOfWork: the allowed work was done before the limits were found.

        Source: Venzon and Moolgavkar 1988, Applied Statistics 37.
        """
        low, high = (
            side * math.inf if side == open_to else self._limit(index, critical, side)
            for side in (-1.0, 1.0)
        )
        return low, high

    def _limit(self, index: int, critical: float, side: float) -> float:
        unit = 1 / predictor_steps(self.model, self.maximum.parameters)[index]
        root, variance = self.root(index, critical), float(self.covariance[index, index])
        step = critical * math.sqrt(variance) / unit if np.isfinite(variance) else 1.0
        step = float(min(max(step, _SHORTEST), _LONGEST) * unit)
        begun = float(self.maximum.parameters[index])
        near, value = (begun, -critical), begun + side * step
        # Far out, the likelihood of an infinite parameter stays the same: the first step is long.
        nearest = -side * _NEAREST * unit
        if (nearest - begun) * side > 0:
            begun = value = nearest
        try:
            while abs(near[0]) < _FARTHEST * unit or near[0] * side < 0:
                far = (value, root(value) - critical)
                if far[1] >= 0:
                    return _between(lambda each: root(each) - critical, near, far, _SAME * unit)
                if value != begun:
                    growth = critical / max(far[1] + critical, critical / _MOST_GROWTH)
                    step *= max(growth, _LEAST_GROWTH)
                near, value = far, begun + side * step
        except NotIdentified:
            # Without a maximum there, the likelihood further out is unknown, so the limit is
            # infinite.
            return side * math.inf
        return side * math.inf

    def root(self, index: int, critical: float = 0.0) -> Callable[[float], float]:
        """The signed root of the likelihood ratio; below `critical` it need not be exact."""
        highest = self.maximum.evaluation.log_likelihood
        near = [self.maximum.parameters]
        slopes = [self._along(index)]

        def of_value(value: float) -> float:
            found = self._highest(index, value, (near, slopes), highest - critical**2 / 2)
            moved = found.parameters - near[-1]
            if moved[index]:
                slopes[1:] = [moved / moved[index]]
            near[1:] = [found.parameters]
            lost = 2 * (highest - found.evaluation.log_likelihood)
            return math.copysign(math.sqrt(abs(lost)), lost)

        return of_value

    def _highest(
        self, index: int, value: float, path: tuple[list[Floats], list[Floats]], enough: float
    ) -> Maximum:
        """The maximum with one parameter fixed, from the likeliest of some starts.

        The other parameters start at their maximum for the last value, at the
        estimates, or at the estimates moved along with the fixed parameter. Far
        out the likelihood is flat, so a search that starts there ends there,
        even if the maximum is nearer. So if the result is below `enough`, the
        search is repeated with distant parameters moved closer.
        """
        near, slopes = path
        begun = [each + slope * (value - each[index]) for each in near for slope in slopes]
        begun += [each.copy() for each in near]
        for each in begun:
            each[index] = value
        free = np.arange(self.model.size) != index
        found = self._maximize(self._likeliest(begun), free)
        if found.evaluation.log_likelihood > enough + _MARGIN:
            return found
        back = [np.where(free, pulled_in(self.model, each), each) for each in begun]
        if all(map(np.array_equal, back, begun)):
            return found
        again = self._maximize(self._likeliest(back), free)
        return max(found, again, key=lambda each: each.evaluation.log_likelihood)

    def _likeliest(self, begun: list[Floats]) -> Floats:
        return max(begun, key=lambda each: log_likelihood(self.model, each))

    def _maximize(self, begun: Floats, free: Bools) -> Maximum:
        if self.work >= self.most_work:
            raise OutOfWork
        found = maximize(self.model, begun, free, _ENOUGH)
        self.work += (found.steps + 1) * max(work_of(self.model), _LEAST_WORK)
        return found

    def _along(self, index: int) -> Floats:
        """The approximate change of the other parameters with this one."""
        column, alone = self.covariance[:, index], np.zeros(self.model.size)
        alone[index] = 1.0
        is_held = np.isfinite(column) & (column[index] > 0)
        return np.where(is_held, column / column[index], 0.0) if is_held[index] else alone


class OutOfWork(Exception):
    """The allowed work was done."""


def profile_limits(
    profile: Profile, boundary: Boundary, choices: Choices, sound: Soundness
) -> Floats:
    """The (parameters, 2) limits of the wanted intervals; NaN for the others.

    With interval="profile", these are the intervals of all parameters except
    the spread of hidden predictors. By default they are the intervals of
    parameters whose normal interval is unreliable, the least certain first,
    until the allowed work is done. The spread then comes last, with only a part
    of the allowed work.
    """
    model, critical = profile.model, critical_value(choices.confidence)
    found = np.full((model.size, 2), np.nan)
    indexes = _wanted(profile, choices, sound)
    for count, index in enumerate(indexes):
        if choices.interval is None:
            profile.most_work = _WORK_ON_SPREAD if model.is_spread[index] else _MOST_WORK
        towards = float(np.sign(profile.maximum.parameters[index]))
        try:
            open_to = towards * boundary.is_infinite[index]
            found[index] = profile.limits(index, critical, open_to)
        except OutOfWork:
            break
        choices.on_progress(count + 1, len(indexes))
    return found


def _wanted(profile: Profile, choices: Choices, sound: Soundness) -> list[int]:
    """The indexes of the parameters whose limits are wanted, the most urgent first."""
    model = profile.model
    shown = np.flatnonzero(~model.is_spread).tolist()
    if choices.interval == CoefficientInterval.WALD:
        return []
    if choices.interval == CoefficientInterval.PROFILE:
        return shown
    variances = np.diag(profile.covariance)
    order = sorted(shown, key=lambda index: -float(variances[index]))
    spread = np.flatnonzero(model.is_spread).tolist()
    return [index for index in (*order, *spread) if not sound.is_normal[index]]


def _between(
    function: Callable[[float], float],
    one: tuple[float, float],
    other: tuple[float, float],
    same: float,
) -> float:
    """The approximate root of a function between two points with different signs.

    Source: Brent 1973, Algorithms for Minimization without Derivatives, by scipy.
    """
    from scipy import optimize  # noqa: PLC0415 - it takes longer to load than estimates take

    known = dict((one, other))

    def rounded(point: float) -> float:
        value = known[point] if point in known else function(point)
        return 0.0 if abs(value) < _EXACT else value

    return float(optimize.brentq(rounded, one[0], other[0], xtol=same, disp=False))
