"""The share of each true category, from randomized answers in a table."""

from enum import StrEnum
from itertools import compress
from typing import Any

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import DEFAULT_CONFIDENCE, DEFAULT_INTERVAL, Interval
from deniable_analysis.designs.answers import (
    AnsweredGroups,
    AnyKnown,
    answers_of_counts,
    answers_of_table,
)
from deniable_analysis.designs.goodness_of_fit import goodness_of_fit
from deniable_analysis.designs.maximum_likelihood import LogLikelihood, solve_likelihood
from deniable_analysis.designs.moment import (
    Solution,
    linear_estimator,
    slope_members,
    solve_moments,
)
from deniable_analysis.designs.result import ParameterEstimate, Prevalence
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.estimate.alarms import largest_by_chance
from deniable_analysis.estimate.choice import (
    IntervalRule,
    check_simultaneous,
    comparisons_among,
    critical_value,
    read_interval,
)
from deniable_analysis.estimate.intervals import normal_interval, rate_interval
from deniable_analysis.forms import finite_or_none
from deniable_analysis.results.shares import OptionEstimate
from deniable_analysis.results.valid import project_to_simplex

WALD = "wald"


class Method(StrEnum):
    """The method by which shares are estimated.

    MOMENT is unbiased, and its shares may be outside 0 to 1. LIKELIHOOD stays
    between 0 and 1, and is biased at a bound.
    """

    MOMENT = "moment"
    LIKELIHOOD = "likelihood"


def prevalence(  # noqa: PLR0913 - the data are one thing, keywords say how to estimate
    data: Any,
    column: str | None = None,
    *,
    design: AnyKnown,
    method: Method | str = Method.MOMENT,
    weights: Any = None,
    confidence: float = DEFAULT_CONFIDENCE,
    interval: Interval | str = DEFAULT_INTERVAL,
    simultaneous: bool = False,
) -> Prevalence:
    """The share of each true category behind randomized answers.

    With two observed and two true categories, the intervals are binomial
    intervals, mapped through the design. With more categories, or with groups,
    they are normal.

    Args:
        data: a pandas table or a mapping from names to columns; or counts of
            the observed categories, in the design's order or by name (for a
            design of groups: of each group).
        column: randomized column of a table; None for counts.
        design: how it was randomized: a Design or ByGroup; for counts also a
            design of several groups.
        method: "moment" (unbiased) or "likelihood" (within 0 to 1).
        weights: name of a column, or a number for each row, at least 0. They
            must not depend on the answers.
        confidence: nominal coverage of an interval, between 0 and 1.
        interval: which binomial interval, if the intervals are binomial.
        simultaneous: whether the confidence is that of all intervals together
            (Bonferroni).
    Raises:
        ColumnNotFound: the table does not have a column.
        InvalidArgument: the data do not fit; an argument is invalid.
        NotIdentified: such answers do not identify the shares.
    """
    answered = read_answers(data, column, design, weights)
    chosen = read_method(method)
    check_simultaneous(simultaneous)
    comparisons = comparisons_among(len(answered.true)) if simultaneous else 1
    rule = IntervalRule(read_interval(interval), confidence, comparisons)
    found = solve(answered, chosen)
    ends, kind = _intervals(answered, found, rule)
    if chosen is Method.LIKELIHOOD:
        ends = _within(ends)
    fit = goodness_of_fit(answered)
    return Prevalence(
        column=column,
        design=answered.name,
        method=chosen.value,
        standard_errors=found.kind,
        interval=kind,
        confidence=confidence,
        rows=answered.rows,
        missing=answered.missing,
        effective=answered.effective,
        options=_options(answered, found, ends),
        parameters=_parameters(answered, found, rule),
        covariance=tuple(tuple(row) for row in found.covariance.tolist()),
        log_likelihood=finite_or_none(LogLikelihood.of(answered).at(found.point)),
        boundary=tuple(compress(answered.names, found.boundary)),
        fit=fit,
        warnings=(*_warnings(answered), *(fit.warnings if fit else ())),
    )


def read_answers(data: Any, column: str | None, design: AnyKnown, weights: Any) -> AnsweredGroups:
    """The answers of a table's column, or of counts.

    Raises:
        ColumnNotFound, InvalidArgument: they do
            not fit the design.
    """
    if column is not None:
        return answers_of_table(data, column, design, weights)
    if hasattr(data, "columns"):
        raise InvalidArgument("got a table and no column; name the randomized column: column=...")
    if weights is not None:
        raise InvalidArgument("got weights with counts; allowed are weights with a table's column")
    return answers_of_counts(data, design)


def read_method(value: Method | str) -> Method:
    """The method of this name.

    Raises:
        InvalidArgument: there is no such method.
    """
    try:
        return Method(value)
    except ValueError:
        raise InvalidArgument(f"got the method {value!r}; allowed: {', '.join(Method)}") from None


def solve(answered: AnsweredGroups, method: Method) -> Solution:
    """The estimates by a method.

    Raises:
        NotIdentified: such answers do not identify the shares.
        InvalidArgument: a group has a single answer.
    """
    return (solve_moments if method is Method.MOMENT else solve_likelihood)(answered)


def _options(
    answered: AnsweredGroups, found: Solution, ends: tuple[Floats, Floats]
) -> tuple[OptionEstimate, ...]:
    mechanism = np.diag(found.mechanism)
    total = np.diag(found.covariance)[: len(found.shares)]
    valid = project_to_simplex(found.shares)
    return tuple(
        OptionEstimate(
            option=name,
            share=float(found.shares[index]),
            low=finite_or_none(ends[0][index]),
            high=finite_or_none(ends[1][index]),
            valid_share=float(valid[index]),
            mechanism_variance=finite_or_none(mechanism[index]),
            sampling_variance=finite_or_none(total[index] - mechanism[index]),
            reports=answered.rows,
        )
        for index, name in enumerate(answered.true)
    )


def _parameters(
    answered: AnsweredGroups, found: Solution, rule: IntervalRule
) -> tuple[ParameterEstimate, ...]:
    reach = critical_value(rule.confidence)
    variances = np.diag(found.covariance)[len(found.shares) :]
    ends = np.transpose(normal_interval(found.parameters, variances, reach))
    return tuple(
        ParameterEstimate(
            name=name,
            value=float(value),
            standard_error=finite_or_none(np.sqrt(np.maximum(0.0, variance))),
            low=finite_or_none(low),
            high=finite_or_none(high),
        )
        for name, value, variance, (low, high) in zip(
            answered.unknown, found.parameters, variances, ends, strict=True
        )
    )


def _intervals(
    answered: AnsweredGroups, found: Solution, rule: IntervalRule
) -> tuple[tuple[Floats, Floats], str]:
    """The ends of all shares' intervals, and the kind of interval."""
    matrix = answered.groups[0].constant
    if len(answered.groups) == 1 and not answered.unknown and matrix.shape == (2, 2):
        flip, keep = matrix[1].tolist()
        spread = keep - flip
        answers, between = answered.answers[0], (min(flip, keep), max(flip, keep))
        low, high = rate_interval(answers.rates[1:], answers.effective, rule, between)
        ends = sorted(((low[0] - flip) / spread, (high[0] - flip) / spread))
        return (np.array([1 - ends[1], ends[0]]), np.array([1 - ends[0], ends[1]])), (
            rule.interval.value
        )
    reach = critical_value(rule.confidence, rule.comparisons)
    variances = np.diag(found.covariance)[: len(found.shares)]
    return normal_interval(found.shares, variances, reach), WALD


def _within(ends: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The part of each interval between 0 and 1; NaN if there is none.

    The truth is between 0 and 1, so the coverage stays the same.
    """
    low, high = np.maximum(ends[0], 0.0), np.minimum(ends[1], 1.0)
    is_empty = ~(low <= high)
    return np.where(is_empty, np.nan, low), np.where(is_empty, np.nan, high)


def _warnings(answered: AnsweredGroups) -> tuple[str, ...]:
    """A sentence for each unbiased share or parameter further outside 0 to 1 than chance explains.

    A rate is a mean of numbers within a range, whatever the answers are, the weights and
    the unknown parameters. A parameter is outside if one of two such sums is negative:
    its product with a share, and the rest of this share.

    Source: Hoeffding 1963 (Journal of the American Statistical Association 58),
        theorem 2.
    """
    try:
        raw = solve_moments(answered)
        members = slope_members(answered)
        back = linear_estimator(answered, members)
    except NotIdentified:  # only the likelihood identifies them, and it has no raw shares
        return ()
    size = len(answered.true)
    to_holders = np.column_stack([members, -np.eye(len(members))])
    below = np.eye(size + len(members))
    above = np.vstack([-np.eye(size, size + len(members)), to_holders])
    at_one = np.append(np.ones(size), np.zeros(len(members)))
    values = np.append(raw.shares, raw.parameters * (members @ raw.shares))
    limit = largest_by_chance(len(values))
    is_below, is_above = (
        -(at + ways @ values) > limit * _largest_deviation(answered, back, ways)
        for at, ways in ((0.0, below), (at_one, above))
    )
    return tuple(
        f"the unbiased estimate of {name!r} is {value:z.4f}, further "
        f"{'below 0' if low else 'above 1'} than chance alone explains; is the design specified "
        "the right way round, and did people follow it?"
        for name, value, low, high in zip(
            answered.names, raw.point.tolist(), is_below, is_above, strict=True
        )
        if low or high
    )


def _largest_deviation(answered: AnsweredGroups, back: list[Floats], ways: Floats) -> Floats:
    """The largest standard deviation that sums of estimates can have, with these weights."""
    variances = [
        np.ptp(ways @ each, axis=1) ** 2 / (4 * answers.effective)
        for each, answers in zip(back, answered.answers, strict=True)
    ]
    return np.asarray(np.sqrt(np.sum(variances, axis=0)))
