"""The theory of each mechanism, one module each: best parameters, error, channel, words.

A device imports none of it. The module of a mechanism has the functions of
`Theory`, and the name of the mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from importlib import import_module
from typing import Any, Protocol, cast

from deniable_sdk.mechanisms import REGISTERED
from deniable_sdk.mechanisms.base import Mechanism, Scale, Target
from deniable_sdk.mechanisms.domains import Domain
from deniable_sdk.records import Record
from deniable_sdk.weights import Weights


class Need(Record):
    """The use for which the compiler selects a mechanism.

    Args:
        domain: the block's answers.
        scale: what their order means.
        target: what is to be estimated.
        weights: the integer weights for a part of the block's epsilon, given
            into how many equal parts it is split, and about how many times
            the low weight the total weight of one draw will be.
        most_outputs: how many different values a report may have at most;
            None for any number.
        is_named: whether the author asked for this very mechanism, so that it
            offers itself wherever it can work at all.
    """

    domain: Domain
    scale: Scale
    target: Target
    weights: Callable[[int, int], Weights]
    is_named: bool = False
    most_outputs: int | None = None


class Theory(Protocol):
    """The functions that each module of this room has, for its own mechanism."""

    def candidates(self, need: Need) -> Iterable[Mechanism]:
        """The parameters worth comparing for a need; none if it cannot serve."""
        ...

    def error(self, mechanism: Any, target: Target, domain: Domain | None = None) -> Fraction:
        """The worst-case variance of the target, times the respondents.

        For shares it is the sum over the options, sampling included, at the
        worst shares. For the mean of a range of length 1 it is the mechanism's
        part, at the worst answer; "no answer" counts as the middle of the
        range. Mechanisms for the same domain and target can be compared by it.

        Args:
            mechanism: whose.
            target: shares or mean.
            domain: of the answers, which the mechanism must fit; its own if
                left out.
        """
        ...

    def channel(self, mechanism: Any) -> dict[str, tuple[Fraction, ...]]:
        """Every output, as canonical JSON text, with its exact likelihoods.

        Entry i of a row is the probability of the output under answer i, in
        the order of domain.answers(). For small parameters only: it
        enumerates.
        """
        ...

    def describe(self, mechanism: Any) -> str:
        """What the device does with an answer, in words for an author."""
        ...


def candidates(name: str, need: Need) -> Iterable[Mechanism]:
    """The parameters of the mechanism of this name that are worth comparing."""
    return _theory(name).candidates(need)


def error(mechanism: Mechanism, target: Target, domain: Domain | None = None) -> Fraction:
    """The worst-case variance of a target, times the respondents; see `Theory`."""
    return _theory(mechanism.name).error(mechanism, target, domain)


def channel(mechanism: Mechanism) -> dict[str, tuple[Fraction, ...]]:
    """Every output with its exact likelihoods under each answer; see `Theory`."""
    return _theory(mechanism.name).channel(mechanism)


def describe(mechanism: Mechanism) -> str:
    """What the device does with an answer, in words for an author."""
    return _theory(mechanism.name).describe(mechanism)


def _theory(name: str) -> Theory:
    _, package = REGISTERED[name]
    return cast("Theory", import_module(f"{package}.theory.{name}"))


__all__ = ["Need", "Theory", "candidates", "channel", "describe", "error"]
