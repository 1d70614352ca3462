"""Designs with unknown probabilities, which several groups identify."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arguments import Number, as_list, kind_of
from deniable_analysis.arrays import Floats
from deniable_analysis.designs.checks import (
    Matrix,
    check_shapes,
    checked_between,
    checked_groups,
    checked_names,
    checked_probability,
)
from deniable_analysis.designs.design import Design, in_words
from deniable_analysis.designs.known import NO_YES, direct
from deniable_analysis.errors import InvalidArgument


def affine_in_words(terms: Sequence[tuple[Fraction, str]]) -> str:
    """A sum of products of factors and names: 1 - t. The constant has no name."""
    text = ""
    for factor, name in terms:
        if not factor:
            continue
        number = "" if name and abs(factor) == 1 else in_words(abs(factor))
        joint = (" - " if factor < 0 else " + ") if text else ("-" if factor < 0 else "")
        text += joint + "·".join(part for part in (number, name) if part)
    return text or "0"


_FORCED = (
    "two groups, each with two probabilities: of being told to say yes, and of being told to say "
    "no, like {1: (0.2, 0.3), 2: (0.3, 0.2)}"
)

CHEATING = ("no", "yes", "cheating")


@dataclass(frozen=True, slots=True, repr=False)
class UnknownDesign:
    """A design of several groups that together identify unknown probabilities.

    The matrix of a group is constant + sum of parameter x slope.

    Args:
        name: name of the design, for people.
        groups: names of the groups in a table.
        observed: categories that a table contains.
        true: categories whose shares are estimated.
        unknown: names of the unknown parameters, each between 0 and 1.
        constants: for each group the matrix if all parameters are 0.
        slopes: for each parameter and group the derivative of the matrix.
        meanings: event whose probability each parameter is, in words.
    Raises:
        InvalidArgument: two groups have the same name, names are invalid, or the
            matrices do not fit them.
    """

    name: str
    groups: tuple[Hashable, ...]
    observed: tuple[str, ...]
    true: tuple[str, ...]
    unknown: tuple[str, ...]
    constants: tuple[Matrix, ...]
    slopes: tuple[tuple[Matrix, ...], ...]
    meanings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        observed, true = checked_names(self.observed, "observed"), checked_names(self.true, "true")
        shape = len(checked_groups(self.groups)), len(observed), len(true)
        check_shapes(self.constants, self.slopes, (len(as_list(self.unknown) or ()), *shape))

    def matrices(self, parameters: ArrayLike) -> Floats:
        """The matrices (groups, observed, true) at values of the parameters."""
        values = np.asarray(parameters, dtype=np.float64)
        constants = np.array(self.constants, dtype=np.float64)
        return constants + np.tensordot(values, self.derivatives(parameters), axes=1)

    def derivatives(self, parameters: ArrayLike) -> Floats:  # noqa: ARG002 - they are constant
        """The derivatives (unknown, groups, observed, true) of the matrices."""
        shape = (len(self.unknown), len(self.groups), len(self.observed), len(self.true))
        return np.array(self.slopes, dtype=np.float64).reshape(shape)

    def designs(self, parameters: Sequence[Number]) -> dict[Hashable, Design]:
        """The design of each group at given values of the parameters."""
        values = [checked_probability(value, "parameter") for value in parameters]
        matrices = np.array(self.constants, dtype=object)
        for value, slopes in zip(values, self.slopes, strict=True):
            matrices = matrices + value * np.array(slopes, dtype=object)
        return {
            group: Design(f"{self.name}, group {group}", self.observed, self.true, matrix)
            for group, matrix in zip(self.groups, matrices, strict=True)
        }

    def with_direct(self, group: Hashable) -> Self:
        """The same design with one more group, whose answers are not randomized.

        Raises:
            InvalidArgument: a group already has this name, or the true categories
                are not the observed ones.
        """
        if self.observed != self.true:
            raise InvalidArgument(
                f"got {self.name}, whose true categories {', '.join(self.true)} are not those "
                "observed; only designs whose true and observed categories agree can include a "
                "group asked directly"
            )
        identity = direct(self.observed).matrix
        nothing = tuple(tuple(Fraction(0) for _ in row) for row in identity)
        return replace(
            self,
            groups=(group, *self.groups),
            constants=(identity, *self.constants),
            slopes=tuple((nothing, *each) for each in self.slopes),
        )

    def describe(self) -> str:
        """The design in words: every probability of every group."""
        lines = [f"{self.name}:"]
        for index, group in enumerate(self.groups):
            lines.append(f"  group {group}")
            lines += [f"    {line}" for line in self._sentences(index)]
        lines += [
            f"  unknown: {name}, {meaning}"
            for name, meaning in zip(self.unknown, self.meanings, strict=False)
        ]
        return "\n".join(lines)

    def _sentences(self, group: int) -> list[str]:
        rows = [*enumerate(self.observed)][::-1]
        return [
            ", ".join(
                f"P({seen} | true {true}) = {affine_in_words(self._terms(group, row, column))}"
                for row, seen in rows
            )
            for column, true in enumerate(self.true)
        ]

    def _terms(self, group: int, row: int, column: int) -> list[tuple[Fraction, str]]:
        matrices = (self.constants, *self.slopes)
        factors = (each[group][row][column] for each in matrices)
        return list(zip(factors, ("", *self.unknown), strict=True))

    __repr__ = describe


def stochastic_lie_detector(no: Mapping[Any, Number]) -> UnknownDesign:
    """The stochastic lie detector: the probability of honest answers is unknown.

    People without the trait say no with a known probability, which differs
    between two groups. People with the trait say yes with the unknown
    probability t.

    Args:
        no: for each group, the probability that people without the trait say
            no.
    Raises:
        InvalidArgument: there are not two groups with different probabilities.
    Source: Moshagen, Musch and Erdfelder 2012 (Behavior Research Methods 44).
    """
    groups, (first, second) = _two(no, "no")
    zero, one = Fraction(0), Fraction(1)
    slope = ((zero, -one), (zero, one))
    return UnknownDesign(
        "stochastic lie detector",
        groups,
        NO_YES,
        NO_YES,
        ("t",),
        tuple(((part, one), (1 - part, zero)) for part in (first, second)),
        ((slope, slope),),
        ("the probability that those with the trait say so",),
    )


def unrelated_question_unknown(sensitive: Mapping[Any, Number]) -> UnknownDesign:
    """The unrelated question with an unknown prevalence, which is estimated too.

    Args:
        sensitive: for each of two groups, the probability of the sensitive
            question.
    Raises:
        InvalidArgument: there are not two groups with different probabilities.
    Source: Greenberg et al. 1969 (JASA 64).
    """
    groups, parts = _two(sensitive, "sensitive")
    zero, one = Fraction(0), Fraction(1)
    return UnknownDesign(
        "unrelated question of unknown prevalence",
        groups,
        NO_YES,
        NO_YES,
        ("prevalence",),
        tuple(((one, 1 - part), (zero, part)) for part in parts),
        (tuple(((part - 1, part - 1), (1 - part, 1 - part)) for part in parts),),
        ("the probability of a yes to the unrelated question",),
    )


def cheating_detection(forced_yes: Mapping[Any, Number]) -> UnknownDesign:
    """Cheating detection: people who always say no are a third true category.

    Respondents with the trait say yes. Those without it are instructed to say
    yes with a probability that differs between two groups. Cheaters say no.

    Args:
        forced_yes: for each of two groups, the probability of this instruction.
    Raises:
        InvalidArgument: there are not two groups with different probabilities.
    Source: Clark and Desharnais 1998 (Psychological Methods 3).
    """
    groups, parts = _two(forced_yes, "forced_yes")
    matrices = tuple(_cheating_matrix(part, Fraction(0)) for part in parts)
    return UnknownDesign("cheating detection", groups, NO_YES, CHEATING, (), matrices, ())


def cheating_detection_symmetric(forced: Any) -> UnknownDesign:
    """Cheating detection with forced yes and forced no.

    Args:
        forced: mapping from each of two groups to two probabilities: of a
            forced yes and of a forced no.
    Raises:
        InvalidArgument: there are not two groups with two probabilities each, or
            the probabilities of a group sum to 1 or more.
    Source: Ostapczuk, Moshagen, Zhao and Musch 2009 (Journal of Educational
        and Behavioral Statistics 34).
    """
    if not isinstance(forced, Mapping) or len(forced) != 2:
        raise InvalidArgument(f"forced: got {_groups_in_words(forced)}; allowed are {_FORCED}")
    matrices = []
    for pair in forced.values():
        parts = as_list(pair)
        if parts is None or len(parts) != 2:
            raise InvalidArgument(
                f"forced: got {kind_of(pair)} for a group, or not two of them; allowed are "
                f"{_FORCED}"
            )
        yes, no = parts
        told_yes, told_no = checked_probability(yes, "forced yes"), checked_probability(no, "no")
        if told_yes + told_no >= 1:
            raise InvalidArgument(
                f"got yes {told_yes} and no {told_no} of one group; they must sum to less than "
                "1, so that some answer truthfully"
            )
        matrices.append(_cheating_matrix(told_yes, told_no))
    name = "cheating detection, symmetric"
    return UnknownDesign(name, tuple(forced), NO_YES, CHEATING, (), tuple(matrices), ())


def _cheating_matrix(told_yes: Fraction, told_no: Fraction) -> Matrix:
    return (
        (1 - told_yes, told_no, Fraction(1)),
        (told_yes, 1 - told_no, Fraction(0)),
    )


def _groups_in_words(groups: Any) -> str:
    if not isinstance(groups, Mapping):
        return kind_of(groups)
    return "1 group" if len(groups) == 1 else f"{len(groups)} groups"


def _two(parts: Any, what: str) -> tuple[tuple[Hashable, ...], tuple[Fraction, Fraction]]:
    """Two groups and their probabilities, which differ and are between 0 and 1."""
    if not isinstance(parts, Mapping) or len(parts) != 2:
        raise InvalidArgument(
            f"{what}: got {_groups_in_words(parts)}; allowed are two groups with a probability "
            "each, like {1: 0.2, 2: 0.8}"
        )
    first, second = (checked_between(part, what) for part in parts.values())
    if first == second:
        raise InvalidArgument(
            f"{what}: got {first} in both groups; only different probabilities reveal what is "
            "unknown"
        )
    return tuple(parts), (first, second)
