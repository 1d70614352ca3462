"""Unbiased shares: the observed rates, mapped by the inverse of the design."""

from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.designs.answers import AnsweredGroups
from deniable_analysis.designs.checks import why_not_identified
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.ratio import quotients


@dataclass(frozen=True, slots=True)
class Solution:
    """Estimated shares and unknown parameters, with their covariances.

    Args:
        shares: (true,) shares of the true categories.
        parameters: (unknown,) values of the unknown parameters.
        covariance: (true + unknown, true + unknown) covariances of all; NaN if
            a value is on a bound.
        mechanism: (true, true) part of the covariance that the randomization
            causes.
        kind: how the covariance was computed.
        boundary: (true + unknown,) True for values on a bound.
    """

    shares: Floats
    parameters: Floats
    covariance: Floats
    mechanism: Floats
    kind: str
    boundary: Bools

    @property
    def point(self) -> Floats:
        """The shares, then the parameters."""
        return np.concatenate((self.shares, self.parameters))


def solve_moments(answered: AnsweredGroups) -> Solution:
    """The unbiased estimate that is linear in the observed rates.

    It is least squares, weighted by the variances of the rates under equal
    shares, so that the weights do not depend on the answers. With one square
    matrix it is the inverse. An unknown parameter is a ratio of two such
    estimates; its standard error is by the delta method.

    Raises:
        NotIdentified: the answers of these groups do not identify the shares.
        InvalidArgument: a group has a single answer.
    Source: Chaudhuri and Mukerjee 1988; van den Hout and van der Heijden 2002
        (International Statistical Review 70).
    """
    answered.check_sizes()
    size = len(answered.true)
    members = slope_members(answered)
    back = linear_estimator(answered, members)
    rates = [answers.rates for answers in answered.answers]
    values = np.sum([way @ rate for way, rate in zip(back, rates, strict=True)], axis=0)
    shares, products = values[:size], values[size:]
    holders = members @ shares
    if np.any(np.abs(holders) < 1e-12):
        raise NotIdentified(
            f"the estimated share of those on whom {', '.join(answered.unknown)} depends is 0, "
            "so it cannot be estimated; more answers are needed"
        )
    parameters = products / holders
    # The Jacobian of shares and parameters by shares and products.
    chain = np.eye(len(values))
    chain[size:, :size] = -parameters[:, None] * members / holders[:, None]
    chain[size:, size:] = np.diag(1 / holders)
    spreads = _covariances(answered, shares)
    linear = np.sum([way @ each @ way.T for way, each in zip(back, spreads, strict=True)], axis=0)
    return Solution(
        shares=shares,
        parameters=parameters,
        covariance=chain @ linear @ chain.T,
        mechanism=_mechanism_part(answered, [way[:size] for way in back], shares, parameters),
        kind="linearized" if answered.is_weighted else "unbiased",
        boundary=np.zeros(size + len(parameters), dtype=np.bool_),
    )


def slope_members(answered: AnsweredGroups) -> Bools:
    """The true categories that each unknown parameter is about.

    Raises:
        NotIdentified: the slopes of a parameter differ between its categories,
            so it is not a ratio of sums.
    """
    size = len(answered.true)
    found = np.zeros((len(answered.unknown), size), dtype=np.bool_)
    for index, name in enumerate(answered.unknown):
        stacked = np.concatenate([group.slopes[index] for group in answered.groups])
        found[index] = np.any(stacked != 0, axis=0)
        columns = stacked[:, found[index]]
        if not columns.size or np.any(columns != columns[:, :1]):
            raise NotIdentified(
                f"only the likelihood can estimate {name!r} in {answered.name}; use "
                "method='likelihood', or include the groups that were left out"
                if columns.size
                else _without_groups(answered, f"{name} plays no part in the groups with answers")
            )
    return found


def linear_estimator(answered: AnsweredGroups, members: Bools) -> list[Floats]:
    """The weight of each observed rate of each group in each estimate."""
    size = len(answered.true)
    if answered.estimator is not None:
        return [answered.estimator]
    # A matrix has a further column for each product of a parameter and its shares.
    widened = [
        np.column_stack([group.constant, *(each[:, kept][:, 0] for each, kept in pairs)])
        for group in answered.groups
        for pairs in [zip(group.slopes, members, strict=True)]
    ]
    equal = np.full(size, 1 / size)
    middle = np.concatenate((equal, members @ equal / 2))
    scaled = [
        each.T * (answers.effective * quotients(1.0, each @ middle))
        for each, answers in zip(widened, answered.answers, strict=True)
    ]
    check_identified(answered, np.concatenate(widened))
    normal = np.sum([way @ each for way, each in zip(scaled, widened, strict=True)], axis=0)
    return [np.linalg.solve(normal, way) for way in scaled]


def check_identified(answered: AnsweredGroups, stacked: Floats) -> None:
    """Raise NotIdentified unless the groups with answers identify all parameters."""
    names = [*answered.true, *(f"by {name}" for name in answered.unknown)]
    reason = why_not_identified(stacked, names)
    if reason:
        raise NotIdentified(
            _without_groups(answered, f"{answered.name} is not identified: {reason}")
        )


def _without_groups(answered: AnsweredGroups, reason: str) -> str:
    absent = ", ".join(map(repr, answered.absent))
    return f"{reason}; the groups {absent} have no answer, but are needed" if absent else reason


def _covariances(answered: AnsweredGroups, shares: Floats) -> list[Floats]:
    """The covariances of each group's rates.

    If a design has its own estimator, its rates are computed from the estimated
    shares, if these are valid: it has more rates than shares.
    """
    if answered.estimator is None or answered.is_weighted or shares.min() < 0:
        return [answers.covariance() for answers in answered.answers]
    rates = answered.groups[0].constant @ shares
    spread = np.diag(rates) - np.outer(rates, rates)
    return [np.asarray(spread / (answered.answers[0].rows - 1))]


def _mechanism_part(
    answered: AnsweredGroups, back: list[Floats], shares: Floats, parameters: Floats
) -> Floats:
    """The covariance that remains if respondents and groups are fixed."""
    found = np.zeros((len(shares), len(shares)))
    for way, group, answers in zip(back, answered.groups, answered.answers, strict=True):
        matrix = group.matrix(parameters)
        noise = np.diag(matrix @ shares) - (matrix * shares) @ matrix.T
        found += way @ noise @ way.T / answers.effective
    return found
