"""Checks that a matrix of probabilities is a design and can be inverted.

Invalid values raise InvalidArgument.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from deniable_analysis.arguments import as_list, exact, finite_numbers, kind_of, shown
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidArgument

Matrix = tuple[tuple[Fraction, ...], ...]

# How far the sum of a column of rounded decimals may be from 1.
ROUNDING = 1e-9
# A singular value below this part of the largest one counts as zero.
SINGULAR = 1e-10


def checked_probability(value: Any, what: str) -> Fraction:
    """A probability from 0 to 1 as an exact fraction; 0.7 is seven tenths."""
    try:
        found = Fraction(value) if isinstance(value, (int, Fraction)) else exact(float(value))
    except (TypeError, ValueError, OverflowError):
        found = Fraction(-1)
    if isinstance(value, bool) or not 0 <= found <= 1:
        raise InvalidArgument(
            f"{what}: got {shown(value)}; allowed is a probability from 0 to 1, "
            "like 0.25 or Fraction(1, 4)"
        )
    return found


def checked_between(value: Any, what: str) -> Fraction:
    """A probability that is neither 0 nor 1."""
    found = checked_probability(value, what)
    if found in (0, 1):
        raise InvalidArgument(f"{what}: got {found}; allowed is a probability between 0 and 1")
    return found


def checked_names(names: Sequence[Any], which: str) -> tuple[str, ...]:
    """The names of at least two different categories."""
    found = as_list(names)
    if found is None or not all(isinstance(name, str) and name for name in found):
        raise InvalidArgument(
            f"{which}: got {kind_of(names)}, or one that contains something other than texts; "
            "allowed is a list of texts"
        )
    if len(found) < 2 or len(set(found)) < len(found):
        got = ", ".join(found) or "none"
        raise InvalidArgument(
            f"{which}: got the categories {got}; allowed are two or more, all different"
        )
    return tuple(found)


def checked_groups(groups: Any) -> tuple[Hashable, ...]:
    """The names of different groups in a table."""
    found = as_list(groups)
    if found is None or not all(isinstance(group, str | int) for group in found):
        raise InvalidArgument(
            f"groups: got {kind_of(groups)}, or one that contains something other than texts and "
            "whole numbers; allowed is a list of what a table calls the groups"
        )
    if len(set(found)) < len(found):
        raise InvalidArgument("got two groups of the same name; allowed are different ones")
    return tuple(found)


def check_shapes(constants: Any, slopes: Any, shape: tuple[int, int, int, int]) -> None:
    """Raise InvalidArgument unless there is a matrix for each group and each slope.

    `shape` is the numbers of unknown parameters, groups, observed and true
    categories.
    """
    fixed, moving = finite_numbers(constants), finite_numbers(slopes)
    wanted = shape[1:], math.prod(shape)
    if fixed is None or moving is None or (fixed.shape, moving.size) != wanted:
        unknown, groups, observed, true = shape
        raise InvalidArgument(
            f"got no matrices for {groups} groups, {observed} observed and {true} true "
            "categories; allowed are constants of that shape, and slopes of it for each of "
            f"{unknown} unknown parameters"
        )


def checked_matrix(rows: Any, observed: Sequence[str], true: Sequence[str]) -> Matrix:
    """The matrix in exact fractions, each column summing to exactly 1."""
    lines = read_rows(rows)
    if [len(line) for line in lines] != [len(true)] * len(observed):
        raise InvalidArgument(
            f"got a matrix with rows of lengths {[len(line) for line in lines]}; allowed is one "
            f"row for each of {len(observed)} observed categories, with {len(true)} numbers, "
            "one for each true category"
        )
    found = np.array(
        [
            [
                checked_probability(entry, f"P({seen} | true {truth})")
                for truth, entry in zip(true, line, strict=True)
            ]
            for seen, line in zip(observed, lines, strict=True)
        ]
    )
    _check_sums(found.sum(axis=0), true, found.sum(axis=1))
    never = [name for name, row in zip(observed, found, strict=True) if not any(row)]
    if never:
        raise InvalidArgument(
            f"got the observed categories {', '.join(never)}, which no true category ever gives; "
            "leave them out"
        )
    return tuple(map(tuple, (found / found.sum(axis=0)).tolist()))


def read_rows(matrix: Any) -> list[list[Any]]:
    """The rows of a matrix, which is an array or lists."""
    lines = as_list(matrix)
    rows = [as_list(line) for line in lines or ()]
    found = [row for row in rows if row is not None]
    if lines is None or len(found) < len(rows):
        raise InvalidArgument(
            f"matrix: got {kind_of(matrix)}, or one whose rows are not lists; allowed is a list "
            "of rows, one for each observed category, with a number for each true one"
        )
    return found


def why_not_identified(stacked: Floats, true: Sequence[str]) -> str:
    """Why answers do not distinguish the true categories, in words; empty if they do.

    The probabilities are those of all groups: (outcomes, true).
    """
    values = np.linalg.svd(stacked, compute_uv=False)
    if len(values) == len(true) and values[-1] > SINGULAR * values[0]:
        return ""
    near = SINGULAR * stacked.max()
    for second in range(len(true)):
        for first in range(second):
            if np.allclose(stacked[:, first], stacked[:, second], rtol=0, atol=near):
                return (
                    f"true {true[first]} and true {true[second]} give every answer equally "
                    "often, so no number of answers can distinguish them"
                )
    return (
        f"the probabilities of {len(true)} true categories are mixtures of one another (rank "
        f"{int(np.sum(values > SINGULAR * values[0]))}), so different shares give the same answers"
    )


def _check_sums(
    columns: Iterable[Fraction], true: Sequence[str], rows: Sequence[Fraction]
) -> None:
    named = zip(true, columns, strict=True)
    wrong = [
        f"true {name}: {float(total):.6g}" for name, total in named if abs(total - 1) > ROUNDING
    ]
    if wrong:
        is_turned = len(rows) == len(true) and all(abs(total - 1) <= ROUNDING for total in rows)
        hint = "; its rows do, so it probably needs to be transposed" if is_turned else ""
        raise InvalidArgument(
            f"got columns that do not sum to 1 ({', '.join(wrong)}); rows are observed "
            f"categories, columns true ones, and each column sums to 1{hint}"
        )
