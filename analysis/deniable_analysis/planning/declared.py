"""Planning for declared designs: with two true categories, or with several groups.

The stochastic lie detector, the unrelated question with unknown prevalence and
cheating detection have several groups, which together identify the unknown
probabilities. The variance of the shares depends on these probabilities, so a
plan needs guesses of them, and the sizes of the groups.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from deniable_analysis.arguments import Number, check_kind, read_positive, read_share
from deniable_analysis.arrays import Floats
from deniable_analysis.designs.answers import AnsweredGroups
from deniable_analysis.designs.design import Design
from deniable_analysis.designs.groups import Answers, group_models
from deniable_analysis.designs.moment import linear_estimator, slope_members
from deniable_analysis.designs.unknown import UnknownDesign
from deniable_analysis.errors import InvalidArgument


def design_unit_variance(design: Design, share: Fraction) -> Fraction:
    """The total variance of the estimated share, times the respondents.

    Args:
        design: design with two true categories; the variance of a direct
            question has no mechanism part.
        share: share of the second true category ("yes").
    Raises:
        InvalidArgument: the design does not have two true categories, or does not
            distinguish them.
    Source: the variance of a weighted multinomial; the weights are the unbiased
    estimator's contributions of each answer.
    """
    constant, slope = _of_squares(design)
    return constant + slope * share - share**2


def design_worst_share(design: Design) -> Fraction:
    """The share of the second true category that is hardest to estimate.

    Raises:
        InvalidArgument: as for design_unit_variance.
    """
    _, slope = _of_squares(design)
    return max(Fraction(0), min(Fraction(1), slope / 2))


def _of_squares(design: Design) -> tuple[Fraction, Fraction]:
    """The second moment of one answer's contribution at a share of 0, and its slope."""
    if len(design.true) != 2:
        raise InvalidArgument(
            f"design: got {design.name}, with {len(design.true)} true categories; allowed are "
            "two, so plan for one category against the others"
        )
    if not design.is_identified:
        raise InvalidArgument(
            f"design: got {design.name}, which no number of respondents can estimate: "
            f"{design.why_not_identified}"
        )
    squares = tuple(part**2 for part in _parts(design))
    first, second = (_product(squares, column) for column in zip(*design.matrix, strict=True))
    return first, second - first


def _parts(design: Design) -> tuple[Fraction, ...]:
    """The contribution of each observed category to the share; its expectation is the truth."""
    if design.estimator is not None:
        return design.estimator[1]
    # Least squares: the second row of (A'A)^-1 A', for the two columns of A.
    first, second = zip(*design.matrix, strict=True)
    square, other = _product(first, first), _product(first, second)
    determinant = square * _product(second, second) - other**2
    return tuple(
        (square * b - other * a) / determinant for a, b in zip(first, second, strict=True)
    )


def _product(one: tuple[Fraction, ...], other: tuple[Fraction, ...]) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction())


@dataclass(frozen=True, slots=True)
class GroupedPlan:
    """A design of several groups, with the guesses of a plan.

    Create it with plan_groups, which checks the guesses.

    Args:
        design: design of all groups.
        category: true category whose share is planned.
        parameters: guesses of the design's unknown probabilities.
        others: guesses of the shares of true categories; 0 for the first, whose
            share is the rest, and for the planned one.
        parts: part of the respondents in each group.
    """

    design: UnknownDesign
    category: str
    parameters: tuple[Fraction, ...]
    others: tuple[Fraction, ...]
    parts: tuple[Fraction, ...]

    @property
    def most(self) -> Fraction:
        """The largest share of the planned category that is possible with the guesses."""
        return 1 - sum(self.others, Fraction(0))

    def unit_variance(self, share: Fraction) -> Fraction:
        """The total variance of the estimated share, times all respondents.

        Source: the multinomial variance of each group's rates under the
        weights of the unbiased estimate; see designs.moment.
        """
        index = self.design.true.index(self.category)
        shares = np.array(self.others, dtype=np.float64)
        shares[0], shares[index] = float(self.most - share), float(share)
        matrices = self.design.matrices(np.array(self.parameters, dtype=np.float64))
        rates = matrices @ shares
        total = 0.0
        for way, rate, part in zip(self._weights(), rates, self.parts, strict=True):
            scores = way[index]
            total += (rate @ scores**2 - (rate @ scores) ** 2) / float(part)
        # Without rounding, errors of floats would add one respondent too many.
        return Fraction(f"{max(total, 0.0):.12g}")

    def worst_share(self) -> Fraction:
        """The share of the planned category that is hardest to estimate.

        The variance is a concave quadratic function of this share.
        """
        half = self.most / 2
        low, middle, high = (self.unit_variance(at) for at in (Fraction(0), half, self.most))
        bend = 2 * middle - low - high
        if bend <= 0:
            return self.most if high > low else Fraction(0)
        return max(Fraction(0), min(self.most, half + half * (high - low) / (2 * bend)))

    def _weights(self) -> list[Floats]:
        """The weight of each observed rate of each group in each share."""
        models = group_models(self.design)
        # Rows in proportion to the planned groups: only their sizes matter.
        answers = tuple(
            Answers(rows, rows, rows)
            for model, part in zip(models, self.parts, strict=True)
            for rows in [np.full(len(model.observed), float(part) / len(model.observed))]
        )
        answered = AnsweredGroups(
            name=self.design.name,
            true=self.design.true,
            unknown=self.design.unknown,
            groups=models,
            answers=answers,
            absent=(),
            missing=0,
            is_weighted=False,
            estimator=None,
        )
        return linear_estimator(answered, slope_members(answered))


def plan_groups(
    design: UnknownDesign,
    guesses: Mapping[str, Number],
    *,
    category: str = "yes",
    parts: Mapping[Any, Number] | None = None,
) -> GroupedPlan:
    """A design of several groups with guesses, for the planning functions.

    Args:
        design: design such as stochastic_lie_detector({1: 1/6, 2: 5/6}).
        guesses: guess of each unknown probability by its name, like {"t": 0.8};
            and of the share of every true category except the first and the
            planned one, like {"cheating": 0.1}.
        category: true category whose share is planned.
        parts: sizes of the groups by their names, in any unit; by default
            equal.
    Raises:
        InvalidArgument: the names are not those of the design, or a number is out
            of range.
        NotIdentified: the groups do not identify the shares.
    """
    allowed = "a design of several groups, like stochastic_lie_detector({1: 0.2, 2: 0.8})"
    check_kind("design", design, UnknownDesign, allowed)
    wanted: object = category
    if not isinstance(wanted, str) or wanted not in design.true[1:]:
        raise InvalidArgument(
            f"category: allowed are {', '.join(map(repr, design.true[1:]))} of {design.name}"
        )
    others = [name for name in design.true[1:] if name != category]
    known = _read_guesses(guesses, (*design.unknown, *others), design.name)
    shares = tuple(known[name] if name in others else Fraction(0) for name in design.true)
    if sum(shares) >= 1:
        raise InvalidArgument(
            f"guesses: got shares of {', '.join(others)} that sum to 1 or more; they must leave "
            f"something to {category}"
        )
    parameters = tuple(known[name] for name in design.unknown)
    plan = GroupedPlan(design, category, parameters, shares, _read_parts(parts, design.groups))
    plan.unit_variance(plan.most / 2)
    return plan


def _read_guesses(given: Any, names: tuple[str, ...], design: str) -> dict[str, Fraction]:
    if not isinstance(given, Mapping) or set(given) != set(names):
        wanted = ", ".join(f"{name!r}: ..." for name in names)
        raise InvalidArgument(f"guesses: allowed is one for each name of {design}: {{{wanted}}}")
    return {name: read_share(f"guesses[{name!r}]", given[name]) for name in names}


def _read_parts(given: Any, groups: tuple[Hashable, ...]) -> tuple[Fraction, ...]:
    if given is None:
        return (Fraction(1, len(groups)),) * len(groups)
    if not isinstance(given, Mapping) or set(given) != set(groups):
        raise InvalidArgument(
            f"parts: allowed is a number for each of the groups {', '.join(map(repr, groups))}"
        )
    sizes = [read_positive(f"parts[{group!r}]", given[group]) for group in groups]
    return tuple(size / sum(sizes) for size in sizes)
