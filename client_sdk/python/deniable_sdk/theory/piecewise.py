"""Piecewise: its best parameters, its error, its channel, and its words."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from deniable_sdk.mechanisms.base import Scale, Target
from deniable_sdk.mechanisms.domains import Domain
from deniable_sdk.mechanisms.parameters import is_grid
from deniable_sdk.mechanisms.piecewise import Piecewise
from deniable_sdk.theory.base import Need
from deniable_sdk.theory.piecewise_choice import best_for_distribution, best_for_mean, units
from deniable_sdk.theory.piecewise_mean import worst_square


def candidates(need: Need) -> Iterable[Piecewise]:
    """The best steps and window for the target, on an evenly spaced grid."""
    domain = need.domain
    is_wanted = need.scale is Scale.NUMERIC or need.target is Target.MEAN or need.is_named
    if is_grid(domain) and need.scale is not Scale.NOMINAL and is_wanted:
        is_mean = need.target is Target.MEAN
        best = best_for_mean if is_mean else best_for_distribution
        weights = need.weights(1, units(domain, is_mean=is_mean))
        shape = best(domain, weights, need.most_outputs)
        if shape is not None:
            yield Piecewise(domain, *shape, weights)


def error(mechanism: Piecewise, target: Target, domain: Domain | None = None) -> Fraction:
    """The worst-case variance of the mean, whatever the target.

    It is exact, over all places of the grid. The distribution's error falls
    with the same epsilon and number of reports.
    """
    del target, domain  # there is one domain only that it fits
    return worst_square(mechanism, Fraction(-1))


def channel(mechanism: Piecewise) -> dict[str, tuple[Fraction, ...]]:
    """Every output with its probability under each answer."""
    answers = list(mechanism.domain.answers())
    return {
        str(output): tuple(likelihood(mechanism, output, answer) for answer in answers)
        for output in range(mechanism.outputs)
    }


def likelihood(mechanism: Piecewise, output: int, answer: int) -> Fraction:
    """The probability of an output under an answer."""
    high, low = mechanism.weights.high, mechanism.weights.low
    copies = mechanism.window if output == mechanism.places else 1
    return (
        copies
        * (low + _favouring(mechanism, output, answer) * (high - low))
        / mechanism.total_weight
    )


def _favouring(mechanism: Piecewise, output: int, answer: int) -> Fraction:
    """The probability that the answer is rounded to a position that favours the output."""
    if answer == mechanism.cells or output == mechanism.places:
        return Fraction(answer == mechanism.cells and output == mechanism.places)
    position, beyond = divmod(answer * mechanism.steps, mechanism.cells - 1)
    up = Fraction(beyond, mechanism.cells - 1)
    window = mechanism.window
    here, above = (start <= output < start + window for start in (position, position + 1))
    return (1 - up) * here + up * above


def describe(mechanism: Piecewise) -> str:
    """Whether it rounds, and how often it reports a place around the true one."""
    near = float(mechanism.window * Fraction(mechanism.weights.high, mechanism.total_weight))
    rounded = f"rounds the answer by chance to one of {mechanism.steps + 1} positions, and "
    window = mechanism.window
    where = f"one of the {window} places around it" if window > 1 else "its place"
    return (
        f"{rounded if mechanism.rounds else ''}reports {where} with probability {near:.1%}, "
        f"else another one of {mechanism.places}"
    )
