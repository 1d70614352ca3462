"""Designs of more categories: direct, forced, from a matrix, from a mechanism."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from deniable_analysis.arguments import Number, kind_of
from deniable_analysis.designs.checks import checked_names, checked_probability, read_rows
from deniable_analysis.designs.design import Design
from deniable_analysis.designs.known import NO_YES
from deniable_analysis.errors import InvalidDesign, UnsupportedMechanism
from deniable_analysis.estimators.inputs import check_mechanism
from deniable_sdk import theory
from deniable_sdk.mechanisms import Subset
from deniable_sdk.mechanisms.base import Mechanism

# A mechanism's channel is listed output by output.
MOST_OUTPUTS = 10_000


def direct(categories: Sequence[str] = NO_YES) -> Design:
    """A question answered openly, so that what is observed is true.

    Raises:
        InvalidDesign: there are not two or more different categories.
    """
    names = checked_names(categories, "categories")
    matrix = tuple(tuple(Fraction(row == column) for column in names) for row in names)
    return Design("direct question", names, names, matrix)


def forced_choice(forced: Mapping[str, Number]) -> Design:
    """Forced response with several options: the truth unless one is forced.

    Args:
        forced: for each option the probability of being told to give it.
    Raises:
        InvalidDesign: they are no probabilities, or sum to 1 or more.
    Source: Himmelfarb 2008 (Sociological Methods & Research 36).
    """
    if not isinstance(forced, Mapping):
        raise InvalidDesign(
            f"forced: got {kind_of(forced)}; allowed is a mapping from each option to the "
            "probability of being told to give it, like {'yes': 0.1, 'no': 0.2}"
        )
    names = checked_names(tuple(forced), "forced")
    parts = [checked_probability(forced[name], name) for name in names]
    truth = 1 - sum(parts)
    if truth <= 0:
        raise InvalidDesign(
            f"got probabilities that sum to {float(sum(parts)):.6g}; they must sum to less than "
            "1, so that some answer truthfully"
        )
    matrix = tuple(
        tuple(part + truth * (row == column) for column in range(len(parts)))
        for row, part in enumerate(parts)
    )
    told = ", ".join(f"{name} {part}" for name, part in zip(names, parts, strict=True))
    return Design(f"forced response, {told}", names, names, matrix)


def from_matrix(
    matrix: Any,
    *,
    observed: Sequence[str] | None = None,
    true: Sequence[str] | None = None,
    name: str = "misclassification matrix",
) -> Design:
    """Any design, by its matrix P(observed | true).

    Args:
        matrix: a row for each observed category, a column for each true one;
            columns sum to 1.
        observed: names of the observed categories; "0", "1", ... if left out.
        true: names of the true ones; those of the observed categories if left
            out and there are as many.
        name: for people.
    Raises:
        InvalidDesign: these are no probabilities, or a column does not sum
            to 1.
    """
    rows = read_rows(matrix.to_numpy() if hasattr(matrix, "to_numpy") else matrix)
    width = len(rows[0]) if rows else 0
    seen = _counted(len(rows)) if observed is None else checked_names(observed, "observed")
    likely = seen if len(seen) == width else _counted(width)
    truths = likely if true is None else checked_names(true, "true")
    return Design(name, seen, truths, tuple(map(tuple, rows)))


def from_mechanism(mechanism: Mechanism, true: Sequence[str] | None = None) -> Design:
    """The exact channel of one of our own mechanisms, for reports in a table.

    Args:
        mechanism: of a block, small enough to list its outputs.
        true: names of its answers, as question.names; "0", "1", ... if left
            out.
    Returns:
        A design whose observed categories are the reported values as JSON
        text; the names themselves where a report is a single option.
    Raises:
        UnsupportedMechanism: it is none, or has more than 10,000 outputs.
        InvalidDesign: there are not as many names as answers.
    """
    check_mechanism(mechanism)
    if isinstance(mechanism, Subset):
        outputs = math.comb(mechanism.domain_size, mechanism.size)
        if outputs > MOST_OUTPUTS:
            raise UnsupportedMechanism(
                f"got a mechanism with {outputs} outputs; allowed are {MOST_OUTPUTS}; open its "
                "study instead"
            )
    channel = theory.channel(mechanism)
    names = _counted(mechanism.domain.size) if true is None else checked_names(true, "true")
    is_single = isinstance(mechanism, Subset) and mechanism.size == 1
    observed = names if is_single else tuple(channel)
    return Design(mechanism.name, observed, names, tuple(channel.values()))


def _counted(size: int) -> tuple[str, ...]:
    return tuple(str(place) for place in range(size))
